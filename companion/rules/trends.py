"""What measured times say together: the best, the middle, whether they get better, as far as errors allow. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median_low

from companion.rules.pauses import Span

ENOUGH = 6
"""Times that a trend is made of at least: three against three."""


@dataclass(frozen=True, slots=True)
class Trend:
    """What the times of one person say together. `spread_us` is from the best to the slowest; `better_us` how much the
    later half is faster than the earlier one by their medians, None for fewer than `ENOUGH` or where the errors leave
    no word."""

    best: Span
    last: Span
    median: Span
    spread_us: int
    better_us: int | None


def trend(times: Sequence[Span]) -> Trend | None:
    """Return what these times, in order, say together; None for none."""
    if not times:
        return None
    best, half = min(times, key=_length), len(times) // 2
    better = None
    if len(times) >= ENOUGH:
        early, late = middle(times[:half]), middle(times[-half:])
        better = early.us - late.us if abs(early.us - late.us) > early.pm + late.pm else None
    return Trend(best, times[-1], middle(times), max(map(_length, times)) - best.us, better)


def middle(times: Iterable[Span]) -> Span:
    """Return the median, the faster of two in the middle."""
    ordered = sorted(times, key=_length)
    return ordered[median_low(range(len(ordered)))]


def is_best(times: Sequence[Span]) -> bool:
    """Return whether the last of these times is the best so far, and the errors allow that word."""
    *before, last = times
    return all(last.us + last.pm < span.us - span.pm for span in before)


def _length(span: Span) -> int:
    return span.us
