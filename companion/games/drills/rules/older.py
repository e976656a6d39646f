"""Arithmetic of the drills up to version 2 of their rules, for sessions begun by it.

A median was the faster of the middle two, a difference equal to its error was a tie, and a key press had no
error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

from companion.games.drills.rules.model import String
from companion.rules.facts import SeatId
from companion.rules.pauses import Span


def median(times: Iterable[Span]) -> Span:
    """Return the median, the faster of the middle two."""
    ordered = sorted(times, key=attrgetter("us"))
    return ordered[(len(ordered) - 1) // 2]


def first_at_plates(string: String, times: Mapping[SeatId, Span]) -> tuple[SeatId, ...]:
    """Return the seats with the least time from the signal, several if their errors do not separate them."""
    if not times:
        return ()
    best = min(span.us for span in times.values())
    # Of equal times the least certain one decides how far a tie reaches.
    best_pm = max(span.pm for span in times.values() if span.us == best)
    # Both were measured from one signal, whose own error is in both and moves neither against the other.
    signal_pm = string.signal.pm if string.signal is not None else 0
    return tuple(
        seat
        for seat, span in times.items()
        if span.us - best <= max(0, span.pm + best_pm - 2 * signal_pm)
    )


def fastest(medians: Mapping[SeatId, Span]) -> tuple[SeatId, ...]:
    """Return the seats with the least median, several if their errors do not separate them."""
    least = min(medians.values(), key=attrgetter("us"))
    return tuple(seat for seat, span in medians.items() if span.us - least.us <= span.pm + least.pm)
