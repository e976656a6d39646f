"""Times of a string: from the signal, between shots, who was first; each with its error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from companion.games.drills.rules import older
from companion.games.drills.rules.model import State, String
from companion.rules import comparing
from companion.rules.comparing import Trend, is_faster, is_known_before, unbeaten
from companion.rules.ending import ScoresAfter
from companion.rules.facts import Moment, SeatId
from companion.rules.incremental import Incremental, shared_prefix
from companion.rules.pauses import Span, between
from companion.rules.replacing import replace


def after_signal(state: State, string: String, at: Moment | None) -> Span | None:
    """Return the time from the signal to a moment, or None if unknown."""
    return between(string.signal, at, state.common.pauses, state.common.paused)


def splits(state: State, string: String) -> tuple[Span | None, ...]:
    """Return the times between the shots of a string."""
    pairs = zip(string.shots, string.shots[1:], strict=False)
    return tuple(
        between(shot, next_shot, state.common.pauses, state.common.paused)
        for shot, next_shot in pairs
    )


def result(state: State, string: String, seat: SeatId) -> Span | None:
    """Return what a finished string brings that player (DR-1), or None if it does not count for them or is unknown.

    A string with a tap on a page has a time that is not measured (DR-10).
    """
    if string.end != "done" or seat not in string.players:
        return None
    span = _result(state, string, seat)
    if span is not None and rests_on_tap(string, seat):
        return replace(span, tapped=True)
    return span


def measured_result(state: State, string: String, seat: SeatId) -> Span | None:
    """Return `result`, or None if it is not measured."""
    span = result(state, string, seat)
    return None if span is None or span.tapped else span


def rests_on_tap(string: String, seat: SeatId) -> bool:
    """Return True if the signal, a shot or that player's press was tapped on a page (DR-10)."""
    moments = (string.signal, *string.shots, dict(string.plates).get(seat))
    return any(at is not None and at.tapped for at in moments)


def _result(state: State, string: String, seat: SeatId) -> Span | None:
    if state.drill == "plates":
        return after_signal(state, string, dict(string.plates).get(seat))
    if state.drill == "splits":
        whole = between(string.shots[0], string.shots[-1], state.common.pauses, state.common.paused)
        number = len(string.shots) - 1
        if whole is None or not number:
            return None
        # The error is rounded up.
        return Span(whole.us // number, -(-whole.pm // number), whole.tapped)
    return after_signal(state, string, string.shots[-1])


def results(state: State, seat: SeatId) -> tuple[Span, ...]:
    """Return the measured results of that player's strings, in order."""
    return figures(state).times.get(seat, ())


def median(state: State, times: Iterable[Span]) -> Span:
    """Return the median of these times by the rules of the session (DR-9)."""
    return older.median(times) if state.setup.rules_version < 3 else comparing.median(times)


def trend(state: State, seat: SeatId) -> Trend | None:
    """Return the statistics of that player's times (DR-9)."""
    return comparing.trend(results(state, seat), partial(median, state))


def fastest(state: State, medians: Mapping[SeatId, Span]) -> tuple[SeatId, ...]:
    """Return the seats with the least median, several if the errors do not separate them (DR-8)."""
    if state.setup.rules_version < 3:
        return older.fastest(medians)
    return unbeaten(medians, lambda seat, other: is_faster(medians[seat], medians[other]))


def first_at_plates(state: State, string: String) -> tuple[SeatId, ...]:
    """Return who was first at the plates: several if the stamps' errors do not separate them (DR-6), none if no
    time is known."""
    times = {
        seat: span for seat in string.players if (span := result(state, string, seat)) is not None
    }
    is_tapped = any(span.tapped for span in times.values())
    if state.setup.rules_version < 3 and not is_tapped:
        return older.first_at_plates(string, times)
    # The stamps, not the times: both times are from one signal, whose error moves neither against the other.
    stamps = dict(string.plates)
    return unbeaten(times, lambda seat, other: is_known_before(stamps[seat], stamps[other]))


def within_par(state: State, string: String, seat: SeatId) -> bool:
    """Return True if that player's string is not slower than par; exactly par counts (DR-1)."""
    span = measured_result(state, string, seat)
    return span is not None and span.us - span.pm <= state.options.numbers["par_ms"] * 1000


def points(state: State, seat: SeatId) -> int:
    """Return that player's clean strings, those within par, or those won at the plates (DR-8)."""
    return figures(state).points.get(seat, 0)


def _brings_point(state: State, string: String, seat: SeatId) -> bool:
    if state.drill == "plates":
        return first_at_plates(state, string) == (seat,)
    if string.end != "done" or seat not in string.players or rests_on_tap(string, seat):
        return False
    span = result(state, string, seat)
    if span is not None and span.tapped:  # a pause in it was tapped
        return False
    return state.drill != "par" or within_par(state, string, seat)


@dataclass(frozen=True, slots=True)
class DrillFigures:
    """Figures after a number of strings.

    `points` and `times` are of each player, `after` the points of all seats after each string that counts.
    `latest` is the last moment in a finished string; it tells nothing unless all moments are of `one_clock`.
    """

    strings: int = 0
    points: Mapping[SeatId, int] = field(default_factory=dict)
    times: Mapping[SeatId, tuple[Span, ...]] = field(default_factory=dict)
    after: ScoresAfter = ()
    latest: Moment | None = None
    one_clock: bool = True


def figures(state: State) -> DrillFigures:
    """Return points, times and scores after all strings of the session."""
    return _figures(state, state.strings)


def _with(state: State, before: DrillFigures, string: String) -> DrillFigures:
    """Return the figures with one more string."""
    number, seats = before.strings + 1, [seat.id for seat in state.setup.seats]
    latest, one_clock = _latest(before, string)
    points = {
        seat: before.points.get(seat, 0) + _brings_point(state, string, seat) for seat in seats
    }
    times = dict(before.times)
    for seat in string.players:
        span = measured_result(state, string, seat)
        if span is not None:
            times[seat] = (*times.get(seat, ()), span)
    after = before.after
    if string.end in ("done", "false_start"):
        after = (*after, (str(number), points))
    return DrillFigures(number, points, times, after, latest, one_clock)


def _latest(before: DrillFigures, string: String) -> tuple[Moment | None, bool]:
    latest, one_clock = before.latest, before.one_clock
    if string.end != "done":  # no time is taken of it
        return latest, one_clock
    for at in (string.signal, *string.shots, *(at for _, at in string.plates)):
        if at is None:
            continue
        one_clock = one_clock and (latest is None or latest.clock == at.clock)
        if latest is None or at.us > latest.us:
            latest = at
    return latest, one_clock


def _still_valid(before: State, now: State, known: DrillFigures) -> bool:
    """Return True if figures of strings are the same in both states.

    That takes the same rules and seats, and no pause that only one state has may reach back into these strings.
    """
    if before.options is not now.options or before.setup.rules_version != now.setup.rules_version:
        return False
    if before.setup is not now.setup and before.setup.seats != now.setup.seats:
        return False
    was, has = before.common.pauses, now.common.pauses
    same = shared_prefix(was, has)
    if before.common.paused != now.common.paused:
        same = min(same, len(was) - 1, len(has) - 1)
    only_one = [*was[max(same, 0) :], *has[max(same, 0) :]]
    return all(_is_behind(begun, known) for begun, _ in only_one)


def _is_behind(begun: Moment | None, known: DrillFigures) -> bool:
    latest = known.latest
    if latest is None:
        return True
    return (
        known.one_clock
        and begun is not None
        and begun.clock == latest.clock
        and begun.us >= latest.us
    )


_figures: Incremental[State, String, DrillFigures] = Incremental(
    DrillFigures(), _with, _still_valid
)


def standings(state: State) -> dict[SeatId, int]:
    """Return the score of each seat, points set by hand included."""
    points, added = figures(state).points, dict(state.common.by_hand)
    return {seat.id: points.get(seat.id, 0) + added.get(seat.id, 0) for seat in state.setup.seats}
