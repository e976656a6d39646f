"""Intervals of a round; only between moments of one clock, everything else is unknown."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.base import Moment
from companion.games.panic_fire.model import Round, Span


@dataclass(frozen=True, slots=True)
class Times:
    """What a round's moments give: fire to first shot, how long so far, the longest calm; None where it is unknown."""

    first_shot: Span | None
    elapsed: Span | None
    longest_calm: Span | None
    gap: bool


def between(earlier: Moment | None, later: Moment | None) -> Span | None:
    """The interval between two moments of one clock; None where a moment is missing or the clocks differ."""
    if earlier is None or later is None or earlier.clock != later.clock:
        return None
    return Span(later.us - earlier.us, earlier.pm + later.pm)


def stamped(played: Round, at: Moment | None) -> Round:
    """The round after something happened at `at`; a missing moment or another clock leaves a gap, never a calm."""
    if at is None:
        return replace(played, gap=True)
    span = between(played.latest, at)
    if span is None:
        return replace(played, latest=at, gap=True)
    if span.us < 0:
        return played
    calm = span if played.calm is None or span.us > played.calm.us else played.calm
    return replace(played, latest=at, calm=calm)


def times(played: Round) -> Times:
    """The intervals of a round."""
    shots = [pull for pull, _ in played.reading.verdicts if not pull.accident]
    return Times(
        first_shot=between(played.fire, shots[0].at) if shots else None,
        elapsed=between(played.fire, played.latest),
        longest_calm=played.calm,
        gap=played.gap,
    )


def per_minute(number: int, elapsed: Span | None) -> float | None:
    """A rate per minute; None while no time has passed or nobody knows how much."""
    return None if elapsed is None or elapsed.us <= 0 else number * 60_000_000 / elapsed.us
