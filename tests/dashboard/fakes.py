"""A table that does what a test tells it, and views made by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.rules.actions import Action
from companion.rules.clauses import without_clauses
from companion.rules.facts import Moment, Refused, Seat, SeatId, Setup
from companion.rules.gestures import GestureSettings
from companion.session.marshal_view import MarshalView
from companion.session.rereading import Rereading
from companion.session.score_history import ScoreHistory
from companion.session.views import (
    Level,
    LineKind,
    LinkView,
    LogLine,
    Notice,
    Refusal,
    SavedView,
    TableView,
    Unsaved,
)

SEATS = (
    Seat("red", "Red", "#D55E00", "◆", "R"),
    Seat("blue", "Blue", "#56B4E9", "●", "B"),
    Seat("green", "Green", "#009E73", "▲", "G"),
    Seat("yellow", "Yellow", "#F0E442", "■", "Y"),
    Seat("purple", "Purple", "#CC79A7", "★", "P"),
)
UNDO = Action("table.undo", ("u",), "undo", "Take back the last ruling.", "Table", footer=True)
REDO = Action("table.redo", ("y",), "redo", "Bring back what undo took.", "Table")
FIRE = Action("fire", ("f",), "fire!", "Begin the round.", "Round", footer=True)
ACTIONS = (FIRE, UNDO, REDO)


class ManualClock:
    """A clock in seconds that moves only when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def line(n: int, text: str, kind: LineKind = LineKind.FACT) -> LogLine:
    return LogLine(n, f"20:15:{n % 60:02}", kind, text)


def table_view(**changes: Any) -> TableView:
    plain = TableView(
        session="friday",
        setup=Setup("names-only", 1, SEATS[:3]),
        game=None,
        awaiting="Waiting for fire!: press f, or hold any zone.",
        log=(line(1, "The session starts.", LineKind.RECORD),),
        link=LinkView(
            "no board",
            "No board with buttons or a gun is connected: everything works from the keyboard.",
            healthy=True,
        ),
        saved=SavedView("saved", ok=True, entries=1),
        undo=None,
        redo=None,
        notice=None,
        ended=False,
    )
    return replace(plain, **changes)


def rereading(settings: GestureSettings, **changes: Any) -> Rereading:
    plain = Rereading(settings, (), {}, {}, {}, (), 0)
    return replace(plain, **changes)


@dataclass
class FakeTable:
    """Holds one view and notes every action; changes are published in the thread that makes them.

    Corrections are noted in `put`; with `refuses` set, each is refused with that sentence.
    """

    current: TableView = field(default_factory=table_view)
    actions: tuple[Action, ...] = ACTIONS
    done: list[str] = field(default_factory=list)
    taken_back: list[int] = field(default_factory=list)
    put: list[tuple[Any, ...]] = field(default_factory=list)
    refuses: str = ""
    marshalled: MarshalView = field(
        default_factory=lambda: MarshalView((), (), GestureSettings(), {})
    )
    readings: Callable[[GestureSettings], Rereading] = rereading
    secrets: dict[SeatId, Any] = field(default_factory=dict)
    scored: ScoreHistory = ()
    cues: list[tuple[int, int]] = field(default_factory=list)
    buzzes: bool = False
    ticks: int = 0
    not_saved: Unsaved = field(default_factory=Unsaved)
    waited: list[float] = field(default_factory=list)
    subscribers: list[Callable[[], None]] = field(default_factory=list)

    def view(self) -> TableView:
        return self.current

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        self.subscribers.append(callback)
        return lambda: self.subscribers.remove(callback)

    def do(self, action_id: str) -> None:
        self.done.append(action_id)

    def tick(self) -> None:
        self.ticks += 1

    def unsaved(self, timeout_s: float = 0.0) -> Unsaved:
        self.waited.append(timeout_s)
        return self.not_saved

    def next_look_s(self) -> float | None:
        return None if self.current.proposal is None else 0.25

    def take_back(self, n: int, why: str = "", who: str = "") -> None:
        self.taken_back.append(n)
        self._put("take_back", n, why, who)

    def enter(self, kind: str, body: Mapping[str, Any], *, why: str = "", who: str = "") -> None:
        self._put("enter", kind, dict(body), why, who)

    def amend(self, n: int, body: Mapping[str, Any], *, why: str = "", who: str = "") -> None:
        self._put("amend", n, dict(body), why, who)

    def insert(
        self, kind: str, body: Mapping[str, Any], *, after: int, why: str = "", who: str = ""
    ) -> None:
        self._put("insert", kind, dict(body), after, why, who)

    def correct(
        self, changes: Sequence[Mapping[str, Any]], *, why: str = "", who: str = ""
    ) -> None:
        self._put("correct", [dict(change) for change in changes], why, who)

    def set_level(self, step: str, level: Level) -> None:
        self._put("level", step, level)

    def set_board(self, fields: Mapping[str, int], *, why: str = "", who: str = "") -> None:
        self._put("board", dict(fields), why, who)

    def take_proposals(self, wanted: bool) -> None:
        self._put("take_proposals", wanted)

    def allow_entries(self, wanted: bool) -> None:
        self._put("allow_entries", wanted)

    @property
    def inspection(self) -> Any:
        return self

    def marshal(self) -> MarshalView:
        return self.marshalled

    def score_history(self) -> ScoreHistory:
        return self.scored

    def cue(self, output: int, ms: int) -> bool:
        self.cues.append((output, ms))
        return self.buzzes

    def reread(self, settings: GestureSettings) -> Rereading:
        return self.readings(settings)

    def accept(self, rereading: Rereading, *, why: str = "", who: str = "") -> None:
        self._put("accept", rereading.settings, why, who)

    def take_note_back(self, seat: SeatId) -> str:
        return f"{seat} noted nothing"

    def seat_view(self, seat: SeatId) -> Any:
        return self.secrets.get(seat)

    def _put(self, *what: Any) -> None:
        if self.refuses:
            self.refuse(self.refuses)
        else:
            self.put.append(what)

    def publish(self, **changes: Any) -> None:
        self.current = replace(self.current, **changes)
        for callback in tuple(self.subscribers):
            callback()

    def refuse(self, why: str | Refused) -> None:
        text = why if isinstance(why, str) else f"{why.spoken()} ({why.clause})"
        number = 1 if self.current.notice is None else self.current.notice.number + 1
        newest = self.current.log[-1].n if self.current.log else 0
        at = Moment(us=1_000_000, pm=0, clock="host-1")
        refusal = Refusal(number, text, at, newest, self.current.awaiting)
        refusals = (*self.current.refusals, refusal)
        self.publish(notice=Notice(number, without_clauses(text), refused=True), refusals=refusals)
