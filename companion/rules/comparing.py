"""Measured times compared: what is a tie, who was first, the best of several, their median and their trend.

Every game and every page decides here, so that one pair of stamps is a tie everywhere or nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeVar

from companion.rules.facts import Moment
from companion.rules.pauses import Span, between
from companion.rules.spans import error_us

Who = TypeVar("Who")


def is_tie(difference: Span, house_us: int = 0) -> bool:
    """Return whether two times with this difference are a tie: it is smaller than its own error, or than the number of
    a house rule. Equal times always are one."""
    return abs(difference.us) < max(difference.pm, house_us, 1)


def apart(one: Moment | None, other: Moment | None, published_us: int | None = None) -> Span | None:
    """Return how long after `one` the `other` was by the stamps of their clock, with the error of that difference; None
    where a moment is missing or the clocks differ.

    That error is `published_us`, what a board says of the difference of two of its stamps. No board says so yet: it
    publishes the error of a single stamp for each channel (2 us for an edge that hardware stamps), each moment carries
    it, and the sum of the two is used. A key press counts with `KEY_ERROR_US`.
    """
    interval = between(one, other)
    if one is None or other is None or interval is None:
        return None
    return Span(
        interval.us, error_us(one.pm) + error_us(other.pm) if published_us is None else published_us
    )


def is_known_before(
    one: Moment | None, other: Moment | None, house_us: int = 0, published_us: int | None = None
) -> bool:
    """Return whether `one` was before `other`, and they are no tie; see `is_tie` and `apart`."""
    difference = apart(one, other, published_us)
    return difference is not None and difference.us > 0 and not is_tie(difference, house_us)


def is_faster(one: Span, other: Span) -> bool:
    """Return whether `one` is shorter than `other`, and they are no tie: these have no stamp in common, so that their
    errors add up."""
    difference = Span(other.us - one.us, error_us(one.pm) + error_us(other.pm))
    return difference.us > 0 and not is_tie(difference)


def unbeaten(players: Iterable[Who], beats: Callable[[Who, Who], bool]) -> tuple[Who, ...]:
    """Return those whom no other of them beats; several where the errors do not say who is first."""
    all_of_them = tuple(players)
    return tuple(one for one in all_of_them if not any(beats(other, one) for other in all_of_them))


def median(times: Iterable[Span]) -> Span:
    """Return the median; of an even count it is the mean of the middle two, and its error is the mean of theirs."""
    ordered = sorted(times, key=attrgetter("us"))
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    if low.pm == high.pm:  # 0 stays 0: two times by key have a median by key
        return Span((low.us + high.us) // 2, low.pm)
    errors = error_us(low.pm) + error_us(high.pm)
    return Span((low.us + high.us) // 2, (errors + 1) // 2)


ENOUGH = 6
"""Times that a trend is made of at least: three against three."""


@dataclass(frozen=True, slots=True)
class Trend:
    """What the times of one person say together. `spread_us` is from the best to the slowest; `better_us` how much the
    later half is faster than the earlier one by their medians, None for fewer than `ENOUGH` or where they are a tie."""

    best: Span
    last: Span
    median: Span
    spread_us: int
    better_us: int | None


def trend(times: Sequence[Span], middle: Callable[[Iterable[Span]], Span] = median) -> Trend | None:
    """Return what these times, in order, say together, with `middle` for their median; None for no times."""
    if not times:
        return None
    best, half = min(times, key=attrgetter("us")), len(times) // 2
    better = None
    if len(times) >= ENOUGH:
        early, late = middle(times[:half]), middle(times[-half:])
        better = early.us - late.us if is_faster(early, late) or is_faster(late, early) else None
    return Trend(best, times[-1], middle(times), max(span.us for span in times) - best.us, better)


def is_best(times: Sequence[Span]) -> bool:
    """Return whether the last of these times is faster than each before, and none of those is a tie with it."""
    *before, last = times
    return all(is_faster(last, earlier) for earlier in before)
