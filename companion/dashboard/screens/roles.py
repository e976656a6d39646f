"""The page that gives roles to devices: each gets a code of its own, and its page acts for the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from companion.dashboard.registry import BACK, key_of
from companion.dashboard.screens.code_page import ALONE, CodePage
from companion.dashboard.source import PhonePages, TableLike
from companion.dashboard.widgets.form import Choice, FieldRow, Form, TextField
from companion.dashboard.widgets.labels import LEAST_BESIDE, beside_code
from companion.dashboard.widgets.page import AROUND, MARGIN
from companion.dashboard.widgets.static import GAP
from companion.rules.columns import capitalized, plural
from companion.session.corrections import NotDone
from companion.session.evening import RoleGiven
from companion.session.roles import Role, role_named
from companion.session.views import TableView

ROLE, DEVICE = "role", "device"
MOST_SHOWN = 8  # roles with a digit as their key: all that can be given out
FIRST = "Press n to give a device a role."
WHAT_FOR = "Its page acts for the table until the evening ends, or until you revoke all."
GIVEN_AWAY = "Not encrypted: people in this network could take a page over."
GIVEN = "{name} scans this code."
REVOKED = "All roles are revoked. Their codes open nothing."
SURE = "Press x again to revoke all roles."


class RoleForm(Form):
    """Asks for the role and the name of the device; `given` is told the code."""

    TITLE = "Give a device a role"
    ASKS: ClassVar[str] = "Choose a role and name the device, then press Enter."
    NARROWS_PAGE: ClassVar[bool] = False  # the page below shows a code to scan

    def __init__(self, table: TableLike, pages: PhonePages, given: Callable[[str], object]) -> None:
        super().__init__(table)
        self._phones, self._given = pages, given

    def rows(self) -> Iterable[FieldRow]:
        roles = [(role.title, capitalized(role.title)) for role in Role]
        yield FieldRow(ROLE, Choice(roles), reading=self._job)
        example = "what people call it, for example: Bo's tablet"
        yield FieldRow(DEVICE, TextField(), example)

    def _job(self) -> str:
        role = role_named(self.word(ROLE))
        return "" if role is None else role.job

    def send(self) -> str | None:
        role = role_named(self.word(ROLE))
        assert role is not None, "only roles can be chosen"
        try:
            code = self._phones.give_out(role, self.word(DEVICE))
        except NotDone as problem:
            return str(problem)
        self._given(code)
        return None


class RolesPage(CodePage):
    """The devices that have a role, and the code of one of them to scan."""

    TITLE: ClassVar[str] = "Roles"
    CLOSE = f"{key_of(BACK)} back to phones   n new role   1-{MOST_SHOWN} a code   x revoke all"
    BINDINGS: ClassVar[list[BindingType]] = [
        *((str(number), f"look({number})") for number in range(1, MOST_SHOWN + 1)),
        ("n", "give"),
        ("x", "revoke_all"),
    ]

    def __init__(self, pages: PhonePages) -> None:
        super().__init__()
        self._pages = pages
        self._code = ""

    def action_look(self, number: int) -> None:
        given = self._pages.roles_given()
        if number <= len(given):
            self._show_code(given[number - 1].code)

    def action_give(self) -> None:
        """Ask for the role and the device."""
        self._result = ""
        self.app.push_screen(RoleForm(self.at.table, self._pages, self._show_code))

    def _show_code(self, code: str) -> None:
        self._code, self._result = code, ""
        self.show_now()

    def action_revoke_all(self) -> None:
        """Revoke all roles, at the second press."""
        if not self._pages.roles_given():
            return
        if self._result == SURE:
            self._pages.revoke_all()
            self._code, self._result = "", REVOKED
        else:
            self._result = SURE
        self.show_now()

    def text(self, view: TableView) -> Content:  # noqa: ARG002 - the game does not matter here
        size = self.app.size
        width = max(LEAST_BESIDE, size.width - MARGIN)
        given = self._pages.roles_given()
        shown = next((one for one in given if one.code == self._code), None)
        code = []
        # The blocks of a code have no ASCII replacement that can be scanned.
        if shown is not None and not self.at.app.ascii:
            code = self._pages.qr_of_role(shown.code)
        room = width - len(code[0]) - len(GAP) if code else width
        lines = [*self._about(shown), *self._list(given, room), *self._warnings()]
        return Content("\n").join(beside_code(code, lines, width, size.height - AROUND))

    def _about(self, shown: RoleGiven | None) -> list[str]:
        """Return what the code is for, or what to do without one."""
        lines = [FIRST, WHAT_FOR]
        if shown is not None:
            lines = [GIVEN.format(name=shown.name), "", self._pages.address_of_role(shown.code)]
        if self._result:
            lines += ["", self._result]
        return lines

    def _list(self, given: Iterable[RoleGiven], room: int) -> list[str]:
        """Return a line for each device with a role."""
        lines = [""]
        for number, one in enumerate(given, start=1):
            line = Content(f"{number} {one.title}: {one.name}")
            lines.append(line.truncate(room, ellipsis=True).plain)
        return lines if len(lines) > 1 else []

    def _warnings(self) -> list[str]:
        lines = []
        if self._pages.alone:
            lines.append(ALONE)
        elif not self._pages.fingerprint:
            lines.append(GIVEN_AWAY)
        refused = self._pages.refused_taps()
        if refused:
            total = plural(sum(refused.values()), "tap")
            most = next(iter(refused))
            lines.append(f"{total} refused, most of them {most}.")
        return ["", *lines] if lines else []
