"""The drills' part of a report."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from companion.games.drills.rules.model import State, String
from companion.games.drills.rules.text import NAMES, ended
from companion.games.drills.rules.timing import after_signal, measured_result, points
from companion.reports.games import (
    ROUNDS_WON,
    FigureColumn,
    Figures,
    GameReport,
    Sign,
    TimeLine,
    is_board,
    time_mark,
)
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

    def over_sessions(self, _unit: str) -> tuple[FigureColumn, ...]:
        """Return the strings won; the times have a table of their own."""
        return (replace(ROUNDS_WON, head="strings won"),)

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
    marks, unknown = [], 0
    shots = [(string.seat, at) for at in string.shots]
    for kind, actions in (("shot", shots), ("plate", string.plates)):
        for seat, at in actions:
            span = after_signal(state, string, at)
            if span is None or span.us < 0:
                unknown += 1
                continue
            sign: Sign = "shot" if kind == "shot" else "draw"
            text = f"{state.name(seat)}: {kind}"
            marks.append(time_mark(span, seat, sign, text))
    clock = None if string.signal is None else string.signal.clock
    title = f"String {number}: {ended(state, string)}"
    return TimeLine(title, clock, tuple(marks), unknown)


def _by_board(state: State, seat: SeatId, by_hand: Set[Moment | None]) -> tuple[Span, ...]:
    """Return the times for which a board stamped both the lamp and the shots.

    Strings with an entry from `by_hand` are left out (DR-9).
    """
    spans = []
    for string in state.strings:
        if string.by != "lamp" or string.signal is None or not is_board(string.signal.clock):
            continue
        presses = [at for player, at in string.plates if player == seat]
        span = measured_result(state, string, seat)
        if span is not None and by_hand.isdisjoint((*string.shots, *presses)):
            spans.append(span)
    return tuple(spans)
