"""What the dashboard is given: a table, the server of its phone pages, and actions for a finished
game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from companion.rules.actions import Action
from companion.rules.facts import Refused, Seat, SeatId
from companion.session.evening import RoleGiven
from companion.session.plain import WatchedTable
from companion.session.roles import Role
from companion.session.views import Level, Unsaved

if TYPE_CHECKING:
    from companion.session.inspection import Inspection
    from companion.session.rereading import Rereading

Clock = Callable[[], float]  # monotonic, in seconds


class TableLike(WatchedTable, Protocol):
    """A table to look at and act on, by the methods of `companion.session.table.Table`.

    Each may be called from any thread. A refusal becomes the notice of the next view, never an
    exception.
    """

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
    def allow_entries(self, wanted: bool) -> None: ...
    def accept(self, rereading: Rereading, *, why: str = "", who: str = "") -> None: ...
    def seat_view(self, seat: SeatId) -> Any: ...
    def take_note_back(self, seat: SeatId) -> str: ...


class PageOrigins(Protocol):
    """Where the pages can be reached. `others`: the addresses of this computer that the codes do not
    lead to, as people type them."""

    def others(self, path: str = "") -> list[str]: ...


class PhonePages(Protocol):
    """The pages of a table in play, while they are served. Each method may be called from any
    thread.

    `alone`: no phone can reach this computer. `fingerprint` is that of the certificate, "" without
    encryption. `address_of` and `code_of` take a seat, or `TABLE` for the public page; `renew`
    invalidates the previous address. `is_unsure`: a name came back, and nobody has said yet whether
    it is the same person, which `confirm` says; until then their code opens everybody's page.
    `origins` says where else the pages can be reached, and `show_next` makes the codes lead to
    another address of this computer.

    `give_out` gives a role to a device and returns its code, of which `address_of_role` and
    `qr_of_role` return the address; it raises `NotDone`. `refused_taps` returns how many taps of such
    pages were refused for each reason, the most frequent first.
    """

    @property
    def alone(self) -> bool: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def origins(self) -> PageOrigins: ...
    @property
    def seats(self) -> Sequence[Seat]: ...
    def show_next(self) -> None: ...
    def address_of(self, viewer: SeatId) -> str: ...
    def code_of(self, viewer: SeatId) -> list[str]: ...
    def renew(self, viewer: SeatId) -> None: ...
    def is_unsure(self, viewer: SeatId) -> bool: ...
    def confirm(self, viewer: SeatId) -> None: ...
    def give_out(self, role: Role, name: str) -> str: ...
    def roles_given(self) -> Sequence[RoleGiven]: ...
    def address_of_role(self, code: str) -> str: ...
    def qr_of_role(self, code: str) -> list[str]: ...
    def revoke_all(self) -> None: ...
    def refused_taps(self) -> Mapping[str, int]: ...


class Phones(Protocol):
    """Serves the pages of the table in play.

    `open` serves them, `open_again` only if they were served when the session was left. Both take a
    moment and return why they cannot, "" on success. Any thread may call them. `on_session` does what
    a page of a role asks for that is not the table's own, from any thread; it returns what the page
    says, or raises `NotDone`.
    """

    on_session: Callable[[str], str] | None

    @property
    def pages(self) -> PhonePages | None: ...
    def open(self) -> str: ...
    def open_again(self) -> str: ...


Offers = Mapping[str, Callable[[], str]]
"""Action id of `registry.AT_THE_END` -> what to do about a finished game.

Each runs in the background and returns what to show. A rematch is noted, then the dashboard ends.
Phone pages are not offers: they belong to the table.
"""


def refused(table: TableLike, act: Callable[[], str | None]) -> str | None:
    """Run `act` at the table; return its sentence or the table's refusal, None if it was done."""
    before = table.view().notice
    sentence = act()
    if sentence is not None:
        return sentence
    notice = table.view().notice
    if notice is None or not notice.refused:
        return None
    if before is not None and notice.number == before.number:
        return None  # an old refusal
    return notice.text
