"""What the dashboard is given: a table, what serves its pages for phones, what can be done once the game is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from companion.rules.actions import Action
from companion.rules.facts import Refused, Seat, SeatId
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
    def correct(
        self, changes: Sequence[Mapping[str, Any]], *, why: str = "", who: str = ""
    ) -> None: ...
    def set_level(self, step: str, level: Level) -> None: ...
    def set_board(self, fields: Mapping[str, int], *, why: str = "", who: str = "") -> None: ...
    def take_proposals(self, wanted: bool) -> None: ...
    def accept(self, rereading: Rereading, *, why: str = "", who: str = "") -> None: ...
    def seat_view(self, seat: SeatId) -> Any: ...
    def take_note_back(self, seat: SeatId) -> str: ...


class PhonePages(Protocol):
    """The pages of a table in play, while they are served. Each method may be called from any thread.

    `alone`: no phone can reach this computer. `fingerprint`: that of the certificate, empty where nothing is encrypted.
    `address_of` a seat's page or everybody's, `code_of` it in lines to scan; `renew`: the one before opens nothing.
    """

    @property
    def alone(self) -> bool: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def seats(self) -> Sequence[Seat]: ...
    def address_of(self, viewer: SeatId) -> str: ...
    def code_of(self, viewer: SeatId) -> list[str]: ...
    def renew(self, viewer: SeatId) -> None: ...


class Phones(Protocol):
    """What serves the pages of the table in play: `open` them, or `open_again` if they were when the session was left;
    each takes a moment, and returns why that cannot be, empty where it can. Any thread may call."""

    @property
    def pages(self) -> PhonePages | None: ...
    def open(self) -> str: ...
    def open_again(self) -> str: ...


Offers = Mapping[str, Callable[[], str]]
"""What can be done about a game that is over, by the ids of `registry.AT_THE_END`: each is done behind the screen and
returns what to say of it. A rematch is noted, and then the dashboard ends. The pages for
phones are the table's own, and no offer."""


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
