"""The page that gives out codes in place of the laptop: to devices with a role, and to players' phones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.reports.markup import Markup, element, paragraph, text
from companion.reports.qr import qr_svg
from companion.rules.columns import capitalized
from companion.rules.facts import TABLE, Seat, SeatId
from companion.session.evening import RoleGiven
from companion.session.roles import Role
from companion.session.views import TableView
from companion.web.before_forms import page

LONGEST_NAME = 40
UNSAFE = "Not encrypted: people in this network could read the code and take the page over."
ALONE = "No phone can open these pages: only this computer can."
NO_NETWORK = "No phone can open these pages: this computer is on no network."
WITH_LAN = "Quit, and start with --lan."
WITHOUT_ADDRESS = "Start the host without --address."
JOIN = "Join one, then look here again."
WHOSE = "Only {name} scans this code: the page behind it shows {name}'s secrets."
EVERYBODY = "Everybody may scan this code: the page behind it only shows the game."
WHOSE_HERE = "Only {name} opens this address: the page behind it shows {name}'s secrets."
EVERYBODY_HERE = "Everybody may open this address: the page behind it only shows the game."
SAME = "Is this the same {name} as earlier? If not, choose a new code."


class GivenOut(Protocol):
    """The codes of a table's pages, see `TablePages`."""

    @property
    def why_alone(self) -> str:
        """Why no other device opens pages at the shown address, and what to do; empty if others do."""

    @property
    def fingerprint(self) -> str:
        """The certificate's fingerprint; empty without encryption."""

    @property
    def seats(self) -> Sequence[Seat]:
        """Seats that have a page."""

    def address_of(self, viewer: SeatId) -> str:
        """Return the address of a seat's page, or of everybody's."""

    def address_of_role(self, code: str) -> str:
        """Return the address of the page that the code of a role opens."""

    def roles_given(self) -> tuple[RoleGiven, ...]:
        """Return the roles that are given out."""

    def give_out(self, role: Role, name: str) -> str:
        """Give a role to a device; return its code, or raise `NotDone`."""

    def revoke(self, code: str) -> None:
        """Take back a role."""

    def renew(self, viewer: SeatId) -> None:
        """Give a seat, or everybody, a new address."""

    def is_unsure(self, viewer: SeatId) -> bool:
        """Return whether nobody has said yet if a seat's person is the one from earlier."""

    def confirm(self, viewer: SeatId) -> None:
        """Note that it is the same person."""


def others(pages: GivenOut) -> list[RoleGiven]:
    """Return the roles that are given out, without that of the page that speaks for the table."""
    return [given for given in pages.roles_given() if not given.speaks_for_table]


def devices_page(pages: GivenOut, view: TableView, refusal: str = "", said: str = "") -> str:
    """Return the page. It names no address: each is shown when it is asked for."""
    parts = [paragraph(said, "done")] if said else []
    parts.append(element("p", element("a", text("Back to the game"), href="./"), class_="links"))
    if pages.why_alone:
        parts.append(paragraph(pages.why_alone, "alarm"))
    elif not pages.fingerprint:
        parts.append(paragraph(UNSAFE, "alarm"))
    parts += [*_roles(pages), *_players(pages), *_allowed(view), *_next(is_over=view.ended)]
    return page("Devices and games", parts, refusal)


def _roles(pages: GivenOut) -> list[Markup]:
    rows = []
    for given in others(pages):
        hidden = _hidden("role-of", given.name)
        buttons = (
            _button("Show the code", "show-role", given.name),
            _button("Take it back", "revoke", given.name),
        )
        title = paragraph(f"{given.name}: {given.title}")
        rows.append(element("li", title, _form(hidden, *buttons)))
    options = [element("option", text(capitalized(role.title)), value=role.title) for role in Role]
    jobs = [paragraph(f"{capitalized(role.title)}: {role.job}", "soft") for role in Role]
    which = element("select", *options, name="role", id="role")
    name = element("input", name="name", id="name", maxlength=str(LONGEST_NAME), autocomplete="off")
    fields = (
        element("label", text("What it does"), for_="role"),
        which,
        *jobs,
        element("label", text("What people call the device, such as Bo's tablet"), for_="name"),
        name,
        _button("Give out a code", "give"),
    )
    parts = [
        element("h2", text("Devices that act for the table")),
        element("ul", *rows),
        _form(*fields),
    ]
    if rows:
        parts.append(_form(_button("Take all of them back", "revoke-all")))
    return parts


def _players(pages: GivenOut) -> list[Markup]:
    rows = [_player("Everybody", TABLE, pages)]
    rows += [_player(seat.name, seat.id, pages) for seat in pages.seats]
    return [element("h2", text("Players' phones")), element("ul", *rows)]


def _player(name: str, viewer: SeatId, pages: GivenOut) -> Markup:
    hidden, title = _hidden("viewer", viewer), paragraph(name)
    if viewer != TABLE and pages.is_unsure(viewer):
        asked = paragraph(SAME.format(name=name), "alarm")
        buttons = (_button("The same person", "confirm", name), _button("New code", "renew", name))
        return element("li", title, asked, _form(hidden, *buttons))
    buttons = (_button("Show the code", "show", name), _button("New code", "renew", name))
    return element("li", title, _form(hidden, *buttons))


def _allowed(view: TableView) -> list[Markup]:
    """Return what players may send from their phones, and the buttons that change it."""
    parts = []
    if view.phones_propose is not None:
        label = "Stop proposals from phones" if view.phones_propose else "Let players propose"
        parts.append(_form(_button(label, "propose")))
    if view.phones_enter is not None:
        label = "Let players enter their own numbers and draws"
        if view.phones_enter:
            label = "Stop own numbers and draws from phones"
        parts.append(_form(_button(label, "enter")))
    return parts


def _next(*, is_over: bool) -> list[Markup]:
    parts = [element("h2", text("Games"))]
    if is_over:
        parts.append(
            element("p", element("a", text("Report of this game"), href="report"), class_="links")
        )
    sentence = "This game is kept and can be continued."
    if is_over:
        sentence = "Other players, another game, statistics."
    return [*parts, _form(_button("Another game", "next")), paragraph(sentence, "soft")]


def code_page(title: str, address: str, about: str, why_alone: str = "") -> str:
    """Return the page that shows one address, as a code to scan; without one if no phone opens it, as `why_alone`
    says."""
    code = paragraph(why_alone, "alarm")
    if not why_alone:
        code = element("div", Markup(qr_svg(address)), class_="qr")
    parts = [
        paragraph(about),
        code,
        element("p", text(address)),
        element("p", element("a", text("Hide it"), href="devices"), class_="links"),
    ]
    return page(title, parts)


def _hidden(name: str, value: str) -> Markup:
    return element("input", type="hidden", name=name, value=value)


def _button(label: str, do: str, whose: str = "") -> Markup:
    """Return a button; `whose` is for those who hear it without the line above it."""
    named = {"aria_label": f"{label}: {whose}"} if whose else {}
    return element("button", text(label), name="do", value=do, **named)


def _form(*parts: Markup) -> Markup:
    return element("form", *parts, method="post", action="devices")
