"""The page that opens the program's own pages for phones and shows their addresses."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from companion.dashboard.registry import BACK, key_of
from companion.dashboard.screens.code_page import ALONE, CodePage
from companion.dashboard.screens.roles import RolesPage
from companion.dashboard.source import PhonePages, Phones
from companion.dashboard.widgets.labels import LEAST_BESIDE, beside_code, packed
from companion.dashboard.widgets.page import AROUND, MARGIN, run_in_background
from companion.dashboard.widgets.static import GAP
from companion.rules.facts import TABLE, SeatId
from companion.session.views import TableView

MOST_KEYS = 9  # seats with a digit as their key; 0 is the public page
OPENING = "Opening the pages for phones."
UNSAFE = "Not encrypted: others on this network can read what phones send."
PROPOSALS_ON = "Players can propose from their phones. Press p to stop that."
PROPOSALS_OFF = "Press p to let players propose from their phones."
ENTRIES_ON = "Players can enter their own numbers and draws. Press e to stop that."
ENTRIES_OFF = "Press e to let players enter their own numbers and draws."
ENCRYPTED = "Encrypted. The browser warns once: compare this SHA-256 fingerprint"
ASKED = "Is this the same {name} as earlier? Press y or n."
WHY_ASKED = (
    "Yes: the phone that {name} used shows this page again. No: the page gets a new address."
)
SAME = "The phone used earlier shows this page again."


class PhonesPage(CodePage):
    """The address of the public page, or after a seat's number that seat's, for it alone to scan."""

    TITLE: ClassVar[str] = "Phones"
    CLOSE = f"{key_of(BACK)} back to the table   1-9 a player   0 everybody   n new code   r roles"
    BINDINGS: ClassVar[list[BindingType]] = [
        *((str(number), f"look({number})") for number in range(MOST_KEYS + 1)),
        ("n", "renew"),
        ("y", "confirm"),
        ("a", "next_address"),
        ("p", "proposals"),
        ("e", "entries"),
        ("r", "roles"),
    ]

    def __init__(self, phones: Phones) -> None:
        super().__init__()
        self._phones = phones
        self._viewer: SeatId = TABLE
        self._pages: PhonePages | None = None
        self._why_not = OPENING

    def on_mount(self) -> None:
        run_in_background(self, self._phones.open, self._opened, lambda: self._opened(""))

    def _opened(self, why_not: str) -> None:
        self._pages = None if why_not else self._phones.pages
        self._why_not = why_not
        if self._pages is not None:
            for seat in self._pages.seats:
                if self._pages.is_unsure(
                    seat.id
                ):  # the table was asked, and this is where it answers
                    self._viewer = seat.id
                    break
        self.show_now()

    def action_look(self, number: int) -> None:
        seats = self._pages.seats if self._pages is not None else ()
        if number <= len(seats):
            self._viewer = seats[number - 1].id if number else TABLE
            self._result = ""
            self.show_now()

    def action_renew(self) -> None:
        if self._pages is not None:
            self._pages.renew(self._viewer)
            self._result = "New address. The old one no longer works."
            self.show_now()

    def action_confirm(self) -> None:
        """Note that the person whose page is shown is the one who had this name before."""
        if self._pages is not None and self._pages.is_unsure(self._viewer):
            self._pages.confirm(self._viewer)
            self._result = SAME
            self.show_now()

    def action_next_address(self) -> None:
        """Show the code of another address of this computer, for phones in another network."""
        if self._pages is not None:
            self._pages.show_next()
            self._result = ""
            self.show_now()

    def action_roles(self) -> None:
        """Open the page that gives roles to devices."""
        if self._pages is not None:
            self.app.push_screen(RolesPage(self._pages))

    def action_proposals(self) -> None:
        wanted = self.now().phones_propose
        if wanted is not None:
            self.at.table.take_proposals(not wanted)

    def action_entries(self) -> None:
        wanted = self.now().phones_enter
        if wanted is not None:
            self.at.table.allow_entries(not wanted)

    def text(self, view: TableView) -> Content:
        if self._pages is None:
            return Content(self._why_not)
        size = self.app.size
        width = max(LEAST_BESIDE, size.width - MARGIN)
        code = []
        # The blocks of a code have no ASCII replacement that can be scanned. Nobody scans the code of somebody who may
        # be somebody else.
        if not self.at.app.ascii and not self._pages.is_unsure(self._viewer):
            code = self._pages.code_of(self._viewer)
        room = width - len(code[0]) - len(GAP) if code else width
        words = self._words(self._pages, view, room)
        return Content("\n").join(beside_code(code, words, width, size.height - AROUND))

    def _words(self, pages: PhonePages, view: TableView, width: int) -> list[str]:
        whose = "Everybody's page, read-only."
        for seat in pages.seats:
            if seat.id == self._viewer:
                does = "opens this address" if pages.alone else "scans this code"
                whose = f"Only {seat.name} {does}."
                if pages.is_unsure(seat.id):
                    return [question.format(name=seat.name) for question in (ASKED, "", WHY_ASKED)]
        lines = [whose, "", pages.address_of(self._viewer)]
        if self._result:
            lines += ["", self._result]
        lines += _other_addresses(pages)
        lines.append("")
        seats = [
            Content(f"{number} {seat.name}")
            for number, seat in enumerate(pages.seats[:MOST_KEYS], start=1)
        ]
        lines += packed(seats, width, GAP).plain.split("\n")
        lines.append("")
        lines += _allowed(view)
        if pages.alone:
            lines.append(ALONE)
        if pages.fingerprint:
            # In groups of four bytes, `AA:BB:CC:DD`, so that people can compare them and lines can wrap.
            groups = range(0, len(pages.fingerprint), 12)
            fingerprint = " ".join(pages.fingerprint[at : at + 11] for at in groups)
            lines.append(f"{ENCRYPTED} {fingerprint}")
        elif not pages.alone:
            lines.append(UNSAFE)
        return lines


def _allowed(view: TableView) -> list[str]:
    """Return what players may send from their phones, and the keys that change it."""
    lines = []
    if view.phones_propose is not None:
        lines.append(PROPOSALS_ON if view.phones_propose else PROPOSALS_OFF)
    if view.phones_enter is not None:
        lines.append(ENTRIES_ON if view.phones_enter else ENTRIES_OFF)
    return lines


def _other_addresses(pages: PhonePages) -> list[str]:
    """Return the lines with this computer's other addresses, which phones in other networks need."""
    others = pages.origins.others()
    if not others:
        return []
    return ["", "No answer? Press a: next address.", *others]
