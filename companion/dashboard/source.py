"""What the dashboard needs of a table, and nothing more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from companion.rules.actions import Action
from companion.rules.game import Refused, SeatId
from companion.session.plain import WatchedTable
from companion.session.views import Level

if TYPE_CHECKING:
    from companion.session.inspection import Inspection
    from companion.session.rereading import Rereading

Clock = Callable[[], float]  # a monotonic clock in seconds


class TableLike(WatchedTable, Protocol):
    """A table that can be looked at and acted on. Every method may be called from any thread."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """What the keyboard can do at this table: the game's actions, then the table's own."""

    @property
    def inspection(self) -> Inspection:
        """The record looked at whole."""

    def do(self, action_id: str) -> None:
        """Do an action; a refusal becomes the notice of the next view, never an exception."""

    def cue(self, output: int, ms: int) -> bool:
        """Switch the board's lamp (0) or buzzer (1) on for `ms`; return False where there is no board that can."""

    def refuse(self, why: Refused) -> None:
        """Answer what a screen cannot enter for somebody."""

    def tick(self) -> None:
        """Let time pass for what waits for an answer; publish only when something has changed."""

    def next_look_s(self) -> float | None:
        """Return in how many seconds `tick` has something to do; None while nothing waits for the time."""

    # -- putting the record right; each refusal becomes the notice of the next view

    def take_back(self, n: int, why: str = "", who: str = "") -> None:
        """Take back fact `n` whatever came later, or bring it back."""

    def enter(self, kind: str, body: Mapping[str, Any], *, why: str = "", who: str = "") -> None:
        """Record a fact by hand now."""

    def amend(self, n: int, body: Mapping[str, Any], *, why: str = "", who: str = "") -> None:
        """Put `body` in the place of that of fact `n`."""

    def insert(self, kind: str, body: Mapping[str, Any], *, after: int, why: str = "", who: str = "") -> None:
        """Record a missed fact right behind entry `after`; 0: before all facts."""

    def set_level(self, step: str, level: Level) -> None:
        """Have a kind of step done by itself, proposed, or by hand only from now on."""

    def set_board(self, fields: Mapping[str, int], *, why: str = "", who: str = "") -> None:
        """Have these settings on the board from now on."""

    def take_proposals(self, wanted: bool) -> None:
        """Let players propose from their phones from now on, or no more."""

    def accept(self, rereading: Rereading, *, why: str = "", who: str = "") -> None:
        """Record what a rereading changes, and read with its settings from now on."""

    def seat_view(self, seat: SeatId) -> Any:
        """Return the game as that seat may see it."""


def refused(table: TableLike, act: Callable[[], object]) -> str | None:
    """Do `act` at the table; return the sentence when it is refused, None when it is done."""
    before = table.view().notice
    act()
    notice = table.view().notice
    if notice is None or not notice.refused or (before is not None and notice.number == before.number):
        return None
    return notice.text
