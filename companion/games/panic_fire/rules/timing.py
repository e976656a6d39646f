"""Intervals of a round, pauses left out; only between moments of one clock, everything else is unknown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.panic_fire.rules.model import Round
from companion.rules.facts import Moment
from companion.rules.pauses import Pauses, Span, between
from companion.rules.replacing import replace
from companion.rules.spans import per_minute


def since_fire(played: Round, at: Moment | None) -> Span | None:
    """How far the round's clock was at a moment; None where nobody can know."""
    return between(played.fire, at, played.pauses, played.paused)


def lamp_lit(fire: Moment | None, lits: Iterable[Moment], within_us: int) -> Span | None:
    """How long after *fire!* the lamp was first lit, `within_us` at most, for else it was for another round; None where
    it was not, or one clock did not stamp both."""
    late = (between(fire, lit) for lit in lits)
    return next((span for span in late if span is not None and 0 <= span.us <= within_us), None)


def since_lamp(
    fire: Moment | None, lits: Iterable[Moment], shot: Span | None, pauses: Pauses = ()
) -> Span | None:
    """From the lamp, lit for *fire!*, to a shot that was `shot` after *fire!*; None where nobody can know, or where the
    round stood still in between."""
    if fire is None or shot is None or pauses:
        return None
    late = lamp_lit(fire, lits, shot.us)
    return None if late is None else Span(shot.us - late.us, shot.pm + late.pm - 2 * fire.pm)


def stamped(played: Round, at: Moment | None, **happened: Any) -> Round:
    """The round after something happened at `at`, which changed the fields `happened`; a missing moment or another
    clock leaves a gap, never a calm."""
    if at is None:
        return replace(played, gap=True, **happened)
    span = between(played.latest, at, played.pauses, played.paused)
    if span is None:
        return replace(played, latest=at, gap=True, **happened)
    if span.us < 0:
        return replace(played, **happened)
    calm = span if played.calm is None or span.us > played.calm.us else played.calm
    return replace(played, latest=at, calm=calm, **happened)


def first_shot(played: Round) -> Span | None:
    """How long after *fire!* the first shot came; None where nobody can know, or none came."""
    shots = [pull for pull, _ in played.reading.verdicts if not pull.accident]
    return since_fire(played, shots[0].at) if shots else None


def elapsed(played: Round) -> Span | None:
    """How long the round is so far; None where nobody can know."""
    return since_fire(played, played.latest)


def rate(number: int, within: Span | None) -> float | None:
    """How many a minute; None for too few to say, or where nobody knows how long it was."""
    return None if within is None else per_minute(number, within.us)
