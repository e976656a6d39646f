"""What the stamps of a string come to: times from the signal, splits, who was first, each with its error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from companion.games.drills.rules import older
from companion.games.drills.rules.model import State, String
from companion.rules import comparing
from companion.rules.comparing import Trend, is_faster, is_known_before, unbeaten
from companion.rules.game import Moment, SeatId
from companion.rules.pauses import Span, between


def after_signal(state: State, string: String, at: Moment | None) -> Span | None:
    """Return how long after the signal a moment was; None where nobody can know."""
    return between(string.signal, at, state.common.pauses, state.common.paused)


def splits(state: State, string: String) -> tuple[Span | None, ...]:
    """Return the times between the shots of a string."""
    pairs = zip(string.shots, string.shots[1:], strict=False)
    return tuple(between(one, two, state.common.pauses, state.common.paused) for one, two in pairs)


def result(state: State, string: String, seat: SeatId) -> Span | None:
    """Return what a string that is done comes to for that player (DR-1); None where it does not count for them, or
    nobody can know."""
    if string.end != "done" or seat not in string.players:
        return None
    if state.drill == "plates":
        return next((after_signal(state, string, at) for who, at in string.plates if who == seat), None)
    if state.drill == "splits":
        whole = between(string.shots[0], string.shots[-1], state.common.pauses, state.common.paused)
        number = len(string.shots) - 1
        return None if whole is None or not number else Span(whole.us // number, -(-whole.pm // number))
    return after_signal(state, string, string.shots[-1])


def results(state: State, seat: SeatId) -> tuple[Span, ...]:
    """Return what that player's strings came to, in order."""
    return tuple(span for string in state.strings if (span := result(state, string, seat)) is not None)


def median(state: State, times: Iterable[Span]) -> Span:
    """Return the median of these times by the rules of the session (DR-9)."""
    return older.median(times) if state.setup.rules_version < 3 else comparing.median(times)


def trend(state: State, seat: SeatId) -> Trend | None:
    """Return what that player's times say together (DR-9)."""
    return comparing.trend(results(state, seat), partial(median, state))


def fastest(state: State, medians: Mapping[SeatId, Span]) -> tuple[SeatId, ...]:
    """Return whose median is the least; several where the errors do not say (DR-8)."""
    if state.setup.rules_version < 3:
        return older.fastest(medians)
    return unbeaten(medians, lambda one, other: is_faster(medians[one], medians[other]))


def first_at_plates(state: State, string: String) -> tuple[SeatId, ...]:
    """Return who was first at the plates; several where the error of the stamps does not say (DR-6), nobody where no
    time is known."""
    times = {seat: span for seat in string.players if (span := result(state, string, seat)) is not None}
    if state.setup.rules_version < 3:
        return older.first_at_plates(string, times)
    # The stamps, not the times: both times are from one signal, whose error moves neither against the other.
    stamps = dict(string.plates)
    return unbeaten(times, lambda one, other: is_known_before(stamps[one], stamps[other]))


def within_par(state: State, string: String, seat: SeatId) -> bool:
    """Return whether that player's string is not slower than par; on the line is within (DR-1)."""
    span = result(state, string, seat)
    return span is not None and span.us - span.pm <= state.options.numbers["par_ms"] * 1000


def points(state: State, seat: SeatId) -> int:
    """Return that player's clean strings, those within par, or those won at the plates (DR-8)."""
    if state.drill == "plates":
        return sum(first_at_plates(state, string) == (seat,) for string in state.strings)
    clean = [string for string in state.strings if string.end == "done" and seat in string.players]
    return sum(within_par(state, string, seat) for string in clean) if state.drill == "par" else len(clean)


def standings(state: State) -> dict[SeatId, int]:
    """Return the score of each seat."""
    return {seat.id: points(state, seat.id) + state.common.added(seat.id) for seat in state.setup.seats}
