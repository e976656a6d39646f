"""A table that does what a test says, and views made by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from companion.actions import Action
from companion.games.base import Seat, Setup
from companion.views import LineKind, LinkView, LogLine, Notice, SavedView, TableView

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
    """Seconds that pass only when the test says so."""

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
        log=(line(1, "The session begins.", LineKind.RECORD),),
        link=LinkView("no board", "Playing without a board: everything works from the keyboard.", healthy=True),
        saved=SavedView("saved, 1", ok=True),
        undo=None,
        redo=None,
        notice=None,
        ended=False,
    )
    return replace(plain, **changes)


@dataclass
class FakeTable:
    """Holds one view; notes every action; every change is published in the thread that made it."""

    current: TableView = field(default_factory=table_view)
    actions: tuple[Action, ...] = ACTIONS
    done: list[str] = field(default_factory=list)
    taken_back: list[int] = field(default_factory=list)
    subscribers: list[Callable[[], None]] = field(default_factory=list)

    def view(self) -> TableView:
        return self.current

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        self.subscribers.append(callback)
        return lambda: self.subscribers.remove(callback)

    def do(self, action_id: str) -> None:
        self.done.append(action_id)

    def take_back(self, n: int) -> None:
        self.taken_back.append(n)

    def publish(self, **changes: Any) -> None:
        self.current = replace(self.current, **changes)
        for callback in tuple(self.subscribers):
            callback()

    def refuse(self, text: str) -> None:
        number = 1 if self.current.notice is None else self.current.notice.number + 1
        self.publish(notice=Notice(number, text, refused=True))
