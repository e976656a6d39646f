"""Comparison of measured times: ties, who was first, the best of several, median and trend.

Every game and every page decides here, so that a pair of stamps is a tie everywhere or nowhere. A time that rests on a
tap is a tie with every other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeVar

from companion.rules.facts import Moment
from companion.rules.pauses import Span, between
from companion.rules.spans import error_us

Player = TypeVar("Player")


def is_tie(difference: Span, house_us: int = 0) -> bool:
    """Return whether two times with this difference are a tie: it is below its own error, or below `house_us`, which is
    set by a house rule, or one of them was tapped on a page."""
    # At least 1: equal times are a tie even if their error is 0.
    return difference.tapped or abs(difference.us) < max(difference.pm, house_us, 1)


def apart(
    first: Moment | None, second: Moment | None, published_us: int | None = None
) -> Span | None:
    """Return how long after `first` the `second` was, with the error of that difference; None if a moment is missing or
    the clocks differ.

    The error is `published_us` if a board publishes one for the difference of two of its stamps. No board does so yet:
    boards publish the error of a single stamp for each channel (2 us for an edge stamped by hardware), each moment
    carries it, and the two are added. A key press counts with `KEY_ERROR_US`.
    """
    interval = between(first, second)
    if first is None or second is None or interval is None:
        return None
    error = published_us
    if error is None:
        error = error_us(first.pm) + error_us(second.pm)
    return Span(interval.us, error, interval.tapped)


def is_known_before(
    first: Moment | None, second: Moment | None, house_us: int = 0, published_us: int | None = None
) -> bool:
    """Return whether `first` was before `second` and they are no tie; see `is_tie` and `apart`."""
    difference = apart(first, second, published_us)
    return difference is not None and difference.us > 0 and not is_tie(difference, house_us)


def is_faster(first: Span, second: Span) -> bool:
    """Return whether `first` is shorter than `second` and they are no tie."""
    # The two intervals share no stamp, so their errors add up.
    difference = Span(
        second.us - first.us,
        error_us(first.pm) + error_us(second.pm),
        first.tapped or second.tapped,
    )
    return difference.us > 0 and not is_tie(difference)


def unbeaten(
    players: Iterable[Player], beats: Callable[[Player, Player], bool]
) -> tuple[Player, ...]:
    """Return the players whom none of the others beats; several if the errors do not tell who was first."""
    rivals = tuple(players)
    best: list[Player] = []
    for player in rivals:
        if not any(beats(rival, player) for rival in rivals):
            best.append(player)
    return tuple(best)


def median(times: Iterable[Span]) -> Span:
    """Return the median; for an even count the mean of the middle two, with the mean of their errors."""
    ordered = sorted(times, key=attrgetter("us"))
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    tapped = low.tapped or high.tapped
    if low.pm == high.pm:  # an error of 0 means a key press, and has to stay 0
        return Span((low.us + high.us) // 2, low.pm, tapped)
    errors = error_us(low.pm) + error_us(high.pm)
    return Span((low.us + high.us) // 2, (errors + 1) // 2, tapped)


ENOUGH = 6
"""The fewest times that have a trend: three against three."""


@dataclass(frozen=True, slots=True)
class Trend:
    """The times of one person, summed up.

    `spread_us` is the slowest minus the best. `better_us` is the median of the earlier half minus that of the later
    half; None for fewer than `ENOUGH` times, or if the two are a tie.
    """

    best: Span
    last: Span
    median: Span
    spread_us: int
    better_us: int | None


def trend(times: Sequence[Span], middle: Callable[[Iterable[Span]], Span] = median) -> Trend | None:
    """Return the summary of these times, given in order, with `middle` as the median; None for no times."""
    if not times:
        return None
    best, slowest = min(times, key=attrgetter("us")), max(times, key=attrgetter("us"))
    better = None
    if len(times) >= ENOUGH:
        half = len(times) // 2
        early, late = middle(times[:half]), middle(times[-half:])
        if is_faster(early, late) or is_faster(late, early):
            better = early.us - late.us
    return Trend(best, times[-1], middle(times), slowest.us - best.us, better)


def is_best(times: Sequence[Span]) -> bool:
    """Return whether the last of these times is faster than each one before, with no tie."""
    *before, last = times
    return all(is_faster(last, earlier) for earlier in before)
