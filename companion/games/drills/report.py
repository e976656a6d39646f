"""The drills' part of a report."""

from __future__ import annotations

from collections.abc import Set

from companion.games.drills.rules.model import State, String
from companion.games.drills.rules.text import NAMES, ended
from companion.games.drills.rules.timing import after_signal, points, result
from companion.reports.games import Figures, GameReport, TimeLine, TimeMark, is_board
from companion.reports.record import Record
from companion.rules.facts import Moment, SeatId
from companion.rules.pauses import Span


class DrillsReport(GameReport):
    """The shots of each string on a time line, and the times of each player."""

    def time_lines(self, record: Record) -> tuple[TimeLine, ...]:
        """Return a time line of the shots of each string, from its signal."""
        state: State = record.state
        return tuple(
            _time_line(state, number, string)
            for number, string in enumerate(state.strings, start=1)
        )

    def seat_figures(self, record: Record, seat: SeatId) -> Figures:
        """Return the player's times in this drill."""
        state: State = record.state
        by_hand = {line.fact.at for line in record.facts if line.by_hand and line.fact is not None}
        spans = _by_board(state, seat, by_hand)
        best = min(spans, key=lambda span: span.us, default=None)
        return Figures(
            rounds_won=points(state, seat),
            fastest=None if state.drill == "splits" else best,
            from_lamp=best is not None,
            times={NAMES[state.drill]: spans} if spans else {},
        )


def _time_line(state: State, number: int, string: String) -> TimeLine:
    actions = [(string.seat, at, "shot") for at in string.shots] + [
        (seat, at, "plate") for seat, at in string.plates
    ]
    spans = [(seat, after_signal(state, string, at), kind) for seat, at, kind in actions]
    marks = tuple(
        TimeMark(
            span.us,
            span.pm,
            seat,
            "shot" if kind == "shot" else "draw",
            f"{state.name(seat)}: {kind}",
        )
        for seat, span, kind in spans
        if span is not None and span.us >= 0
    )
    clock = None if string.signal is None else string.signal.clock
    return TimeLine(
        f"String {number}: {ended(state, string)}", clock, marks, len(actions) - len(marks)
    )


def _by_board(state: State, seat: SeatId, by_hand: Set[Moment | None]) -> tuple[Span, ...]:
    """Return the times for which a board stamped both the lamp and the shots.

    Strings with an entry from `by_hand` are left out (DR-9).
    """
    return tuple(
        span
        for string in state.strings
        if string.by == "lamp" and string.signal is not None and is_board(string.signal.clock)
        if by_hand.isdisjoint(
            (*string.shots, *(at for player, at in string.plates if player == seat))
        )
        if (span := result(state, string, seat)) is not None
    )
