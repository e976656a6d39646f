"""Intervals of a round without its pauses. Moments of two clocks are never compared: the interval is unknown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.panic_fire.rules.model import Round
from companion.rules.facts import Moment
from companion.rules.pauses import Pauses, Span, between
from companion.rules.replacing import replace
from companion.rules.spans import per_minute


def since_fire(played: Round, at: Moment | None) -> Span | None:
    """Return the round's clock at a moment, or None if unknown."""
    return between(played.fire, at, played.pauses, played.paused)


def lamp_lit(fire: Moment | None, lits: Iterable[Moment], within_us: int) -> Span | None:
    """Return how long after *fire!* the lamp was first lit, or None.

    More than `within_us` later it was lit for another round. None also if two clocks stamped them.
    """
    late = (between(fire, lit) for lit in lits)
    return next((span for span in late if span is not None and 0 <= span.us <= within_us), None)


def since_lamp(
    fire: Moment | None, lits: Iterable[Moment], shot: Span | None, pauses: Pauses = ()
) -> Span | None:
    """Return the time from the lamp to a shot that came `shot` after *fire!*, or None if unknown or if the
    round was paused."""
    if fire is None or shot is None or pauses:
        return None
    late = lamp_lit(fire, lits, shot.us)
    # The error of *fire!* is in both intervals and cancels out.
    if late is None:
        return None
    tapped = shot.tapped or late.tapped
    return Span(shot.us - late.us, shot.pm + late.pm - 2 * fire.pm, tapped)


def stamped(played: Round, at: Moment | None, **happened: Any) -> Round:
    """Return the round after something happened at `at`, with the fields `happened` replaced.

    A missing moment or another clock leaves a gap, never a calm.
    """
    if at is None:
        return replace(played, gap=True, **happened)
    span = between(played.latest, at, played.pauses, played.paused)
    if span is None:
        return replace(played, latest=at, gap=True, **happened)
    # Reported late: it lies inside an interval that was measured already.
    if span.us < 0:
        return replace(played, **happened)
    calm = span if played.calm is None or span.us > played.calm.us else played.calm
    return replace(played, latest=at, calm=calm, **happened)


def first_shot(played: Round) -> Span | None:
    """Return the time from *fire!* to the first shot, or None if there was none or it is unknown."""
    shots = [pull for pull, _ in played.reading.verdicts if not pull.accident]
    return since_fire(played, shots[0].at) if shots else None


def elapsed(played: Round) -> Span | None:
    """Return the round's duration so far, or None if unknown."""
    return since_fire(played, played.latest)


def rate(number: int, within: Span | None) -> float | None:
    """Return draws a minute, or None if there are too few or the duration is unknown."""
    return None if within is None else per_minute(number, within.us)
