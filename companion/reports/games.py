"""What a report asks of a game beyond its rules, and the answer of a game that offers nothing more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from companion.rules.spans import measured

Sign = Literal["draw", "shot", "other"]


@dataclass(frozen=True, slots=True)
class TimeMark:
    """Something that happened `us` microseconds after the round began, give or take `pm`; `seat` None: the gun."""

    us: int
    pm: int
    seat: SeatId | None
    sign: Sign
    text: str


@dataclass(frozen=True, slots=True)
class TimeLine:
    """A round in time. `clock` names the clock of all marks (None: the round's beginning is unknown); `unplaced` counts
    what happened at a time nobody can know. Its zero is the round's beginning as recorded; `lit` is how much later the
    board's lamp was lit; None where it was not."""

    title: str
    clock: str | None
    marks: tuple[TimeMark, ...]
    unplaced: int
    lit: Span | None = None

    @property
    def by_board(self) -> bool:
        """Whether the board's own clock stamped the round; else it is the host's, which times keys."""
        return is_board(self.clock)


OVER_SESSIONS = "over sessions"
"""The key of what makes one value of a field of `Figures` out of those of two sessions."""


def _sum(earlier: Figures, later: Figures, name: str) -> int:
    total: int = getattr(earlier, name) + getattr(later, name)
    return total


def _from_faster(earlier: Figures, later: Figures, name: str) -> Any:
    """The shot of two sessions that was faster, the earlier one of two equals."""
    if later.fastest is None:
        return getattr(earlier, name)
    if earlier.fastest is None or later.fastest.us < earlier.fastest.us:
        return getattr(later, name)
    return getattr(earlier, name)


def _joined(earlier: Figures, later: Figures, _name: str) -> Mapping[str, tuple[Span, ...]]:
    names = (*earlier.times, *later.times)
    return {name: earlier.times.get(name, ()) + later.times.get(name, ()) for name in names}


def _summed() -> Any:
    return field(default=0, metadata={OVER_SESSIONS: _sum})


@dataclass(frozen=True, slots=True)
class Figures:
    """What a seat did in one session: rounds and games won, seats it eliminated, draws within rounds of known length
    (`timed_us` microseconds in all), and the fastest shot, by a board's clock only: how long after the board's lamp was
    lit for it where it is `from_lamp`, else after the round's beginning as it is recorded. `times` are those that
    people compare over many sessions, in order, by what was timed."""

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

    def with_later(self, later: Figures) -> Figures:
        """Return what a seat did in these sessions and in a later one. Each field says by itself how it goes on."""
        return Figures(
            **{
                field.name: field.metadata[OVER_SESSIONS](self, later, field.name)
                for field in fields(self)
            }
        )


@dataclass(frozen=True, slots=True)
class FigureColumn:
    """A column that a game adds to the players' table of its report: its head, and what a seat's figures say there."""

    head: str
    cell: Callable[[Figures], str]


def _fastest_shot(figures: Figures) -> str:
    if figures.fastest is None:
        return "?"
    begun = "the lamp" if figures.from_lamp else "fire!"
    return f"{measured(figures.fastest.us, figures.fastest.pm)}, from {begun}"


SHOOTING = (
    FigureColumn("eliminated", lambda figures: str(figures.eliminations)),
    FigureColumn("draws", lambda figures: str(figures.draws)),
    FigureColumn("fastest shot", _fastest_shot),
)
"""The columns of a game in which seats eliminate each other."""


@dataclass(frozen=True, slots=True)
class ReportPicture:
    """A drawing with its caption; it fills the width of the page and says in words what it shows."""

    caption: str
    svg: Markup


class GameReport:
    """What a report shows of one game, by what its rules give; a game's own says more."""

    no_rulings: ClassVar[frozenset[str]] = frozenset()
    """The kinds of facts that are not listed among the rulings: only the whole record has them."""

    def time_lines(self, _record: Record) -> tuple[TimeLine, ...]:
        """Return each round's draws and shots in time; none where nothing is timed."""
        return ()

    def matrix(self, _state: Any) -> tuple[tuple[int, ...], ...]:
        """Return how often seat i eliminated seat j; empty for a game in which nobody does."""
        return ()

    def columns(self, state: Any) -> tuple[FigureColumn, ...]:
        """Return what the players' table shows beside the scores."""
        return SHOOTING if self.matrix(state) else ()

    def pictures(self, _record: Record) -> tuple[ReportPicture, ...]:
        """Return drawings of its own that the page shows beside the charts of all games."""
        return ()

    def figures(self, record: Record) -> Mapping[SeatId, Figures]:
        """Return what each seat did, and whether it won."""
        won, ids = winners_of(record), [seat.id for seat in record.setup.seats]
        return {
            seat: replace(self.seat_figures(record, seat), games_won=int(seat in won))
            for seat in ids
        }

    def seat_figures(self, _record: Record, _seat: SeatId) -> Figures:
        """Return what a seat did beyond winning the game."""
        return Figures()


def winners_of(record: Record) -> tuple[SeatId, ...]:
    """Return the seats that won the game; nobody while it is not over, and no player without a seat."""
    won = result_of(record.game, record.state).winners
    return tuple(seat.id for seat in record.setup.seats if seat.id in won)


def scores_of(record: Record) -> ScoresAfter:
    """Return the scores after each round; those of now as of one round, where the rules name none."""
    if record.game.result is None:
        return ((NOW, record.game.standings(record.state)),)
    return record.game.result(record.state).after


def report_of(record: Record) -> GameReport:
    """Return what reports show of the record's game."""
    report: GameReport = (part_of(record.setup.game, "report") or GameReport)()
    return report


def tables_of(record: Record) -> tuple[Shown, ...]:
    """Return the tables of the record's game that have rows: what the whole table sees, and nothing else."""
    game, state = record.game, record.state
    tables = panels_of(game.id).tables_or(
        game.view(state, TABLE),
        lambda: beside_scores(game.summary(state), record.setup, game.standings(state)),
    )
    return tuple(table for table in tables if table.rows)


def changed_rules(game: Game[Any], setup: Setup) -> tuple[tuple[HouseRule | Number, str], ...]:
    """Return the house rules and numbers of the game that `setup` has other than by default, with what is chosen."""
    rules: tuple[HouseRule | Number, ...] = (*game.house_rules, *game.numbers)
    chosen = ((rule, setup.options.get(rule.name, str(rule.default))) for rule in rules)
    return tuple((rule, value) for rule, value in chosen if value != str(rule.default))


def is_board(clock: str | None) -> bool:
    """Return whether a moment's clock is a board's (`board-5f3a`) rather than the host's."""
    return clock is not None and clock.startswith("board-")
