"""What the dashboard needs of a table, and nothing more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from companion.rules.actions import Action
from companion.rules.facts import Refused, SeatId
from companion.session.plain import WatchedTable
from companion.session.views import Level, Unsaved

if TYPE_CHECKING:
    from companion.session.inspection import Inspection
    from companion.session.rereading import Rereading

Clock = Callable[[], float]  # a monotonic clock in seconds


class TableLike(WatchedTable, Protocol):
    """A table that can be looked at and acted on, by the methods of `companion.session.table.Table`. Each may be called
    from any thread; a refusal becomes the notice of the next view, never an exception."""

    @property
    def actions(self) -> tuple[Action, ...]: ...
    @property
    def inspection(self) -> Inspection: ...
    def do(self, action_id: str) -> None: ...
    def cue(self, output: int, ms: int) -> bool: ...
    def refuse(self, why: Refused) -> None: ...
    def tick(self) -> None: ...
    def unsaved(self, timeout_s: float = 0.0) -> Unsaved: ...
    def next_look_s(self) -> float | None: ...
    def take_back(self, n: int, why: str = "", who: str = "") -> None: ...
    def enter(
        self, kind: str, body: Mapping[str, Any], *, why: str = "", who: str = ""
    ) -> None: ...
    def amend(self, n: int, body: Mapping[str, Any], *, why: str = "", who: str = "") -> None: ...
    def insert(
        self, kind: str, body: Mapping[str, Any], *, after: int, why: str = "", who: str = ""
    ) -> None: ...
    def set_level(self, step: str, level: Level) -> None: ...
    def set_board(self, fields: Mapping[str, int], *, why: str = "", who: str = "") -> None: ...
    def take_proposals(self, wanted: bool) -> None: ...
    def accept(self, rereading: Rereading, *, why: str = "", who: str = "") -> None: ...
    def seat_view(self, seat: SeatId) -> Any: ...
    def take_note_back(self, seat: SeatId) -> str: ...


def refused(table: TableLike, act: Callable[[], str | None]) -> str | None:
    """Do `act` at the table; return its sentence, or the table's, when it is refused, None when it is done."""
    before = table.view().notice
    if (said := act()) is not None:
        return said
    notice = table.view().notice
    if (
        notice is None
        or not notice.refused
        or (before is not None and notice.number == before.number)
    ):
        return None
    return notice.text
