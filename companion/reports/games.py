"""What a game can add to its report, and the defaults for a game that adds nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Literal

from companion.display.panels import panels_of
from companion.display.tables import Shown
from companion.reports.markup import Markup
from companion.reports.record import Record
from companion.rules.ending import NOW, ScoresAfter
from companion.rules.facts import TABLE, SeatId, Setup
from companion.rules.game import Game, beside_scores
from companion.rules.house_rules import HouseRule, Number
from companion.rules.outcome import result_of
from companion.rules.pauses import Span
from companion.rules.registry import part_of
from companion.rules.spans import NOT_MEASURED, RATE_FROM, measured, per_minute, seconds

Sign = Literal["draw", "shot", "other"]


@dataclass(frozen=True, slots=True)
class TimeMark:
    """Something that happened `us` microseconds after the round began, +-`pm`; `seat` None is the gun. See
    `time_mark`."""

    us: int
    pm: int
    seat: SeatId | None
    sign: Sign
    text: str


def time_mark(since: Span, seat: SeatId | None, sign: Sign, text: str) -> TimeMark:
    """Return the mark of something that happened so long after the round began; its text says if that is not
    measured."""
    if since.tapped:
        text = f"{text}, {NOT_MEASURED}"
    return TimeMark(since.us, since.pm, seat, sign, text)


@dataclass(frozen=True, slots=True)
class TimeLine:
    """A round in time.

    `clock` names the clock of all marks, None if the round's beginning is unknown. `unplaced`
    counts what happened at unknown times. Times count from the round's beginning as recorded; `lit`
    is how much later the board's lamp was lit, None if it was not.
    """

    title: str
    clock: str | None
    marks: tuple[TimeMark, ...]
    unplaced: int
    lit: Span | None = None

    @property
    def by_board(self) -> bool:
        """Whether the board's clock stamped the round, rather than the host's, which times keys."""
        return is_board(self.clock)


OVER_SESSIONS = "over sessions"
"""Metadata key of a field of `Figures`: the function that combines two sessions' values."""


def _sum(earlier: Figures, later: Figures, name: str) -> int:
    total: int = getattr(earlier, name) + getattr(later, name)
    return total


def _from_faster(earlier: Figures, later: Figures, name: str) -> Any:
    """Return the field of the session with the faster shot, the earlier one if they are equal."""
    if later.fastest is None:
        return getattr(earlier, name)
    if earlier.fastest is None or later.fastest.us < earlier.fastest.us:
        return getattr(later, name)
    return getattr(earlier, name)


def _joined(earlier: Figures, later: Figures, _name: str) -> Mapping[str, tuple[Span, ...]]:
    names = (*earlier.times, *later.times)
    return {name: earlier.times.get(name, ()) + later.times.get(name, ()) for name in names}


def _appended(earlier: Figures, later: Figures, name: str) -> Any:
    return getattr(earlier, name) + getattr(later, name)


def _summed() -> Any:
    return field(default=0, metadata={OVER_SESSIONS: _sum})


@dataclass(frozen=True, slots=True)
class Figures:
    """What a seat did in one session.

    `draws` are those in rounds of known length, `timed_us` that length in microseconds. `fastest`
    is the fastest shot by a board's clock: since the board's lamp was lit if `from_lamp`, else
    since the round's beginning as recorded. `times` maps what was timed to the times that people
    compare over many sessions, in order. `points` are the final scores of games that were played
    to their end.
    """

    rounds_won: int = _summed()
    games_won: int = _summed()
    eliminations: int = _summed()
    draws: int = _summed()
    timed_draws: int = _summed()
    timed_us: int = _summed()
    fastest: Span | None = field(default=None, metadata={OVER_SESSIONS: _from_faster})
    from_lamp: bool = field(default=False, metadata={OVER_SESSIONS: _from_faster})
    times: Mapping[str, tuple[Span, ...]] = field(
        default_factory=dict, metadata={OVER_SESSIONS: _joined}
    )
    points: tuple[int, ...] = field(default=(), metadata={OVER_SESSIONS: _appended})

    def with_later(self, later: Figures) -> Figures:
        """Return these figures combined with those of a later session, field by field."""
        combined = {}
        for own in fields(self):
            combine = own.metadata[OVER_SESSIONS]
            combined[own.name] = combine(self, later, own.name)
        return Figures(**combined)


@dataclass(frozen=True, slots=True)
class FigureColumn:
    """A column that a game adds to the players' table of its report, or to the statistics over
    sessions.

    `cell` returns an empty text for an unknown figure: `missing` is shown instead, unless the
    figures of all players are unknown, which leaves the column out. `note` explains the column
    below the statistics.
    """

    head: str
    cell: Callable[[Figures], str]
    missing: str = "?"
    note: str = ""


def known_columns(
    columns: Sequence[FigureColumn], figures: Sequence[Figures]
) -> list[tuple[FigureColumn, list[str]]]:
    """Return the columns in which something is known, each with the cells for all `figures`."""
    known = []
    for column in columns:
        cells = [column.cell(seat) for seat in figures]
        if any(cells):
            known.append((column, [cell or column.missing for cell in cells]))
    return known


def _fastest_shot(figures: Figures) -> str:
    if figures.fastest is None:
        return ""
    begun = "the lamp" if figures.from_lamp else "fire!"
    return f"{measured(figures.fastest.us, figures.fastest.pm)}, from {begun}"


def _fastest_of_sessions(figures: Figures) -> str:
    shot = figures.fastest
    if shot is None:
        return ""
    return seconds(shot.us, shot.pm) + "*" * figures.from_lamp


def _draws_a_minute(figures: Figures) -> str:
    rate = per_minute(figures.timed_draws, figures.timed_us)
    return "" if rate is None else f"{rate:.1f}"


def points_column(unit: str) -> FigureColumn:
    """Return the column for the scores of finished games, which count in `unit`."""
    note = "A score such as 39.0 (35 to 43) is the average of finished games, fewest to most."
    return FigureColumn(unit, _points, "none", note)


def _points(figures: Figures) -> str:
    points = figures.points
    if not points:
        return ""
    average = f"{sum(points) / len(points):.1f}"
    if len(points) == 1:
        return str(points[0])
    return f"{average} ({min(points)} to {max(points)})"


SHOOTING = (
    FigureColumn("eliminated", lambda figures: str(figures.eliminations)),
    FigureColumn("draws", lambda figures: str(figures.draws)),
    FigureColumn("fastest shot", _fastest_shot, "not timed by a board"),
)
"""The columns of a game in which seats eliminate each other."""
ROUNDS_WON = FigureColumn("rounds won", lambda figures: str(figures.rounds_won))
SHOOTING_OVER_SESSIONS = (
    ROUNDS_WON,
    FigureColumn(
        "eliminated", lambda figures: str(figures.eliminations), note="eliminated: others, by you."
    ),
    FigureColumn(
        "fastest shot",
        _fastest_of_sessions,
        "not timed",
        "fastest shot: from fire! as recorded, or * from the board's lamp, to your own first shot;"
        " by a board's clock only.",
    ),
    FigureColumn(
        "draws/min",
        _draws_a_minute,
        f"needs {RATE_FROM}",
        f"draws/min: from {RATE_FROM} draws on, in rounds of known length.",
    ),
)
"""The same in the statistics over sessions."""


@dataclass(frozen=True, slots=True)
class ReportPicture:
    """A drawing with its caption; it fills the width of the page and has a text alternative."""

    caption: str
    svg: Markup


class GameReport:
    """What a report shows of a game, derived from its rules; games override what they can add to."""

    no_rulings: ClassVar[frozenset[str]] = frozenset()
    """Kinds of facts left out of the rulings; only the full record lists them."""

    def time_lines(self, _record: Record) -> tuple[TimeLine, ...]:
        """Return each round's draws and shots in time, or nothing if the game times none."""
        return ()

    def matrix(self, _state: Any) -> tuple[tuple[int, ...], ...]:
        """Return how often seat i eliminated seat j, or nothing if seats do not eliminate each
        other."""
        return ()

    def columns(self, state: Any) -> tuple[FigureColumn, ...]:
        """Return the columns of the players' table after the scores."""
        return SHOOTING if self.matrix(state) else ()

    def over_sessions(self, unit: str) -> tuple[FigureColumn, ...]:
        """Return the game's own columns in the statistics over sessions; scores count in `unit`."""
        return (points_column(unit),)

    def pictures(self, _record: Record) -> tuple[ReportPicture, ...]:
        """Return drawings to show beside the charts of all games."""
        return ()

    def figures(self, record: Record) -> Mapping[SeatId, Figures]:
        """Return what each seat did, whether it won, and its final score."""
        won, points = winners_of(record), _final_scores(record)
        figures = {}
        for seat in record.setup.seats:
            own = self.seat_figures(record, seat.id)
            figures[seat.id] = replace(
                own, games_won=int(seat.id in won), points=points.get(seat.id, ())
            )
        return figures

    def seat_figures(self, _record: Record, _seat: SeatId) -> Figures:
        """Return what a seat did, apart from winning the game."""
        return Figures()


def winners_of(record: Record) -> tuple[SeatId, ...]:
    """Return the seats that won the game, nobody until it is over; players without a seat are left
    out."""
    won = result_of(record.game, record.state).winners
    return tuple(seat.id for seat in record.setup.seats if seat.id in won)


def _final_scores(record: Record) -> dict[SeatId, tuple[int]]:
    """Return the scores of those who played to the end; none if the game was not."""
    game, state = record.game, record.state
    common = game.common(state)
    if not game.over(state) or common.abandoned is not None:
        return {}
    return {
        seat: (score,) for seat, score in game.standings(state).items() if seat not in common.left
    }


def scores_of(record: Record) -> ScoresAfter:
    """Return the scores after each round, or the current ones as one round if the rules list none."""
    if record.game.result is None:
        return ((NOW, record.game.standings(record.state)),)
    return record.game.result(record.state).after


def report_of(record: Record) -> GameReport:
    """Return the report of the record's game."""
    report: GameReport = (part_of(record.setup.game, "report") or GameReport)()
    return report


def tables_of(record: Record) -> tuple[Shown, ...]:
    """Return the non-empty tables of the record's game, from the view for the table."""
    game, state = record.game, record.state
    tables = panels_of(game.id).tables_or(
        game.view(state, TABLE),
        lambda: beside_scores(game.summary(state), record.setup, game.standings(state)),
    )
    return tuple(table for table in tables if table.rows)


def changed_rules(game: Game[Any], setup: Setup) -> tuple[tuple[HouseRule | Number, str], ...]:
    """Return the game's house rules and numbers that differ from their defaults, with their values."""
    rules: tuple[HouseRule | Number, ...] = (*game.house_rules, *game.numbers)
    changed = []
    for rule in rules:
        value = setup.options.get(rule.name, str(rule.default))
        if value != str(rule.default):
            changed.append((rule, value))
    return tuple(changed)


def is_board(clock: str | None) -> bool:
    """Return whether a clock is a board's (`board-5f3a`) rather than the host's."""
    return clock is not None and clock.startswith("board-")
