"""Pages of a table in play, served in a thread by the program that plays it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from socket import socket

from companion.board.lending import runs_at_table
from companion.config.server_options import PORT
from companion.errors import CommandError
from companion.journal.folder import sessions_dir
from companion.reports.qr import qr_lines
from companion.rules.facts import TABLE, Seat, SeatId
from companion.rules.names import person_key
from companion.session.board_side import NOT_LIVE
from companion.session.corrections import NotDone
from companion.session.evening import HOURS, Evening, KeptEvening, Person, RoleGiven
from companion.session.kept_pages import KeptPages, keep, read_kept
from companion.session.roles import Role
from companion.session.table import Table
from companion.web.addresses import LOCALHOST, listening, listening_everywhere
from companion.web.app import ONLY_LAPTOP, AnsweringFirst, Pages
from companion.web.board_procedures import PARTS, done, procedure_of
from companion.web.board_tries import TRIES, tried
from companion.web.codes import Codes, RoleCodes
from companion.web.devices_forms import ALONE, JOIN, NO_NETWORK, WITH_LAN
from companion.web.devices_page import DevicesPage
from companion.web.document import read_style
from companion.web.interfaces import Origins, OwnAddress, own_addresses, preferred, watch_addresses
from companion.web.lookers import TableLooker
from companion.web.run import first_of, identity_at, keep_serving, renewed
from companion.web.serving_thread import ServingThread

ENDED = "The phones' pages have ended by a fault of the program; the game goes on."
UNSURE = "{name} is back. Is it the same person? Answer on the page of phones."
MOVED = "This computer's address has changed: scan the phones' code again."


class TablePages:
    """The pages of `table`, at the address and with the codes its session had before. The caller closes them."""

    def __init__(
        self,
        table: Table,
        address: str | None = None,
        delay_s: float = 0.0,
        style: str = "",
        *,
        tls: bool = False,
        odds: bool = True,
        prefer: str = "",
        evening_hours: float = HOURS,
        doors: Sequence[socket] = (),
        roles: Sequence[RoleGiven] = (),
        on_session: Callable[[str], str] | None = None,
        report: Callable[[], str] | None = None,
        is_local: bool = False,
        to_reach: str = WITH_LAN,
    ) -> None:
        """Listen and start to serve; raise `CommandError` if that fails. `address` is the only one of this machine to
        listen at; None: all that it has and will have, of which `prefer` names the one to show first.
        `delay_s`, `odds`: see `TableLooker`; `style`: the overlay's CSS file, see `read_style`; `tls`: encrypt.
        `doors` are sockets that listen there already; they are closed with the pages. `roles` were given out before,
        beside those of the evening; of the pages that speak for the table, theirs is the only one. `on_session`: see
        the attribute. With `report`, the page that speaks for the table is in place of the laptop's screen: it can also
        give out codes, and show the report of a game that is over. With `is_local`, only this computer comes here, so
        that nothing is kept for the evening: a later game would serve its pages to the network by itself. `to_reach`
        says what to do so that phones reach the pages if `address` is for this computer only."""
        self._table, self._to_reach = table, to_reach
        self._doors = list(doors)
        self._evening: Evening | None = None
        with ExitStack() as opened:
            opened.callback(self._release)
            # first: a style that is no CSS is reported before anything is opened
            own_style = read_style(style)
            self._is_fixed, self._prefer = address is not None, prefer
            addresses = own_addresses() if address is None else (OwnAddress(address),)
            self._context, self.fingerprint = identity_at(_numbers(addresses), tls=tls)
            """The certificate's fingerprint; empty if the pages are not encrypted."""
            if not is_local:
                self._evening = Evening.held(sessions_dir().parent, evening_hours)
            before, is_known = self._before()
            port = None if before is None else before.port
            if not self._doors:
                self._doors = _doors(address, port, is_known=is_known)
            port = self._doors[0].getsockname()[1]
            self.origins = Origins(
                "https" if tls else "http", port, addresses, self._chosen(addresses)
            )
            self._codes = Codes()
            if before is not None:
                self._codes = Codes(everybody=before.everybody, people=before.people)
            kept = () if before is None else before.roles
            self._roles = RoleCodes(before=_given_before(roles, kept))
            self.on_session = on_session
            """Does what a page of a role asks for that is not the table's own, such as `rematch`, and returns what the
            page says; raises `NotDone`. None: nothing of that can be done from a page."""
            self._unsure: set[SeatId] = set()  # seats that the table was asked about
            table.has_laptop = report is None
            self._board = runs_at_table(table, self._look_again)
            opened.callback(self._board.close)
            self._looker = TableLooker(
                table,
                delay_s,
                odds=odds,
                roles=self._roles.wanted,
                procedure=partial(procedure_of, self._board),
            )
            opened.callback(self._looker.close)
            self._pages = self._made_pages(own_style, report)
            self._codes.changed = self._codes_changed
            self._codes.changed()
            self._roles.changed = self._roles_changed
            opened.pop_all()
        # the game goes on whatever ends the pages; the table's screen shows it
        self._serving = ServingThread("pages for phones", self._serve, partial(table.tell, ENDED))
        try:
            self._serving.start()
        except BaseException:  # a signal ends the program, and nobody else could close this
            self.close()
            raise

    def _made_pages(self, style: str, report: Callable[[], str] | None) -> Pages:
        return Pages(
            self._looker.showing,
            self._codes,
            self.origin,
            self._looker.tail,
            self._table,
            style,
            self.fingerprint,
            self._roles,
            on_session=self._do_session,
            of_first=self._of_first(report),
            on_board=self._do_board,
            keeps_codes=self._evening is not None,
        )

    def _before(self) -> tuple[KeptEvening | None, bool]:
        """Return the port and the codes from before, and whether phones may still know the port: those of this evening,
        or of this session if another companion has the evening's."""
        if self._evening is not None:
            return self._evening.before, self._evening.goes_on
        kept = read_kept(self._table.path)
        if kept is None:
            return None, False
        people = {
            person_key(name): Person(name, kept.codes[seat])
            for seat, name in kept.names.items()
            if seat in kept.codes
        }
        return KeptEvening(kept.port, kept.codes.get(TABLE, ""), 0.0, people), True

    @property
    def is_up(self) -> bool:
        """Whether the pages are served."""
        return self._serving.is_up

    @property
    def fault(self) -> Exception | None:
        """What the pages ended with, if they ended by themselves."""
        return self._serving.fault

    @property
    def origin(self) -> str:
        """The scheme, the shown address and the port: `http://192.168.1.20:8765`."""
        return self.origins.main

    @property
    def alone(self) -> bool:
        """Whether no phone can reach the shown address."""
        return self.origins.shown.is_own_only

    @property
    def why_alone(self) -> str:
        """Why no phone can reach the shown address, and what to do; empty if phones can."""
        if not self.alone:
            return ""
        return f"{ALONE} {self._to_reach}" if self._is_fixed else f"{NO_NETWORK} {JOIN}"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats that have a page, and a code that opens it."""
        # somebody who joins is drawn a moment before there is a code for the seat
        coded = self._codes.by_seat()
        return tuple(seat for seat in self._looker.showing.seats if seat.id in coded)

    def address_of(self, viewer: SeatId = TABLE) -> str:
        """Return the address of a seat's page, or of everybody's."""
        return f"{self.origin}/{self._codes.of(viewer)}/"

    def code_of(self, viewer: SeatId = TABLE) -> list[str]:
        """Return that address as lines of a QR code; none if no phone can reach it."""
        return [] if self.alone else qr_lines(self.address_of(viewer))

    def renew(self, viewer: SeatId) -> None:
        """Give a seat, or everybody, a new address; open pages at the old one are told that it is gone."""
        self._codes.renew(viewer)
        self._show_anew()

    def is_unsure(self, viewer: SeatId) -> bool:
        """Return whether somebody has to say if a seat's person is the one who had this name earlier this evening."""
        return viewer != TABLE and self._codes.is_unsure(viewer)

    def confirm(self, viewer: SeatId) -> None:
        """Note that it is the same person: the code from before opens the seat's page."""
        self._codes.confirm(viewer)
        self._show_anew()

    def give_out(self, role: Role, name: str, *, speaks_for_table: bool = False) -> str:
        """Give `role` to the device that people call `name`; return its code, which ends with the evening or when it is
        revoked. Raise `NotDone` if too many have one, or the name is too long. The page that `speaks_for_table` is
        open in place of the laptop's screen."""
        return self._roles.give_out(role, name, speaks_for_table=speaks_for_table)

    def codes_given(self) -> frozenset[str]:
        """Return the codes that the next game opens pages with, too; without that of the page that speaks for the
        table, which has pages between the games."""
        of_devices = {given.code for given in self._roles.given() if not given.speaks_for_table}
        if self._evening is None:
            return frozenset(of_devices)
        everybody, people = self._codes.given()
        return frozenset({everybody, *(person.code for person in people.values()), *of_devices})

    def roles_given(self) -> tuple[RoleGiven, ...]:
        """Return the roles that are given out, the oldest first."""
        return self._roles.given()

    def address_of_role(self, code: str) -> str:
        """Return the address of the page that the code of a role opens."""
        return f"{self.origin}/{code}/"

    def qr_of_role(self, code: str) -> list[str]:
        """Return that address as lines of a QR code; none if no phone can reach it."""
        return [] if self.alone else qr_lines(self.address_of_role(code))

    def revoke(self, code: str) -> None:
        """Take back the role with that code; its open page is told that it is gone."""
        self._roles.revoke(code)

    def revoke_all(self) -> None:
        """Take back all roles."""
        self._roles.revoke_all()

    def show_next(self) -> None:
        """Make the codes lead to the next of this computer's addresses; all of them work all the time."""
        addresses = self.origins.addresses
        if self.origins.shown not in addresses:  # on no network
            return
        place = addresses.index(self.origins.shown) + 1
        shown = addresses[place % len(addresses)]
        self._prefer = shown.ip
        self._move(replace(self.origins, shown=shown))

    def close(self) -> None:
        """Stop serving. Phones reconnect by themselves once somebody serves again."""
        # before the looker closes: the thread still uses it
        self._serving.close()
        self._board.close()
        self._looker.close()
        self._keep()  # the evening goes on from now
        self._release()

    def _show_anew(self) -> None:
        """Let open pages notice that codes have changed."""
        self._serving.do(self._pages.show, self._looker.showing)

    def _codes_changed(self) -> None:
        """Keep the codes, and ask the table about people who came back."""
        self._keep()
        people = self._codes.by_seat()
        unsure = {seat: person.name for seat, person in people.items() if person.is_unsure}
        for seat, name in unsure.items():
            if seat not in self._unsure:
                self._table.tell(UNSURE.format(name=name))
        self._unsure = set(unsure)

    def refused_taps(self) -> Mapping[str, int]:
        """Return how many taps on pages of roles were refused for each reason, the most frequent first."""
        return {str(reason): n for reason, n in self._pages.refused_taps.by_reason().items()}

    def _roles_changed(self) -> None:
        self._keep()
        self._looker.look_again()
        self._show_anew()

    def _of_first(self, report: Callable[[], str] | None) -> Mapping[str, AnsweringFirst]:
        """Return the pages below the one that speaks for the table; none on a laptop, which has all this itself."""
        if report is None:
            return {}
        devices = DevicesPage(self, self._table, self._do_session, report, self._listens)
        return {"devices": devices.devices, "report": devices.report}

    def _listens(self) -> bool:
        """Return whether new connections come to these pages."""
        if (
            self._context is None
        ):  # the server has the doors, and closes them before it waits for the last answers
            return any(door.fileno() >= 0 for door in self._doors)
        return not self._serving.is_closing

    def _look_again(self) -> None:
        self._looker.look_again()

    def _do_board(self, given: RoleGiven, wish: str) -> str:
        """Do what the page of a device asks of the board; return what it says, or raise `NotDone`."""
        if wish in TRIES:
            return tried(self._table, wish)
        if wish in PARTS and not self._table.board.is_live:
            raise NotDone(NOT_LIVE)
        return done(self._board, wish, given.name, lambda: self._pages.has_page(given))

    def _do_session(self, wish: str) -> str:
        if self.on_session is None:
            raise NotDone(ONLY_LAPTOP)
        return self.on_session(wish)

    def _keep(self) -> None:
        port = self.origins.port
        everybody, people = self._codes.given()
        if self._evening is not None:
            self._evening.save(port, everybody, people, self._roles.given())
        # The session's own file is for a companion that cannot have the evening's.
        codes: dict[SeatId, str] = {TABLE: everybody}
        names: dict[SeatId, str] = {}
        for seat, person in self._codes.by_seat().items():
            codes[seat], names[seat] = person.code, person.name
        keep(self._table.path, KeptPages(port, codes, names))

    def _release(self) -> None:
        if self._evening is not None:
            self._evening.close()
        for door in self._doors:
            door.close()

    async def _serve(self) -> None:
        serving = asyncio.create_task(
            keep_serving(
                self._looker, self._pages, self._doors, self._serving.note_up, self._context
            )
        )
        watching = None
        if not self._is_fixed:
            watching = asyncio.create_task(watch_addresses(self._moved))
        await first_of(self._serving.end, serving)
        if watching is not None:
            watching.cancel()
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving

    def _moved(self, addresses: tuple[OwnAddress, ...]) -> None:
        """Show the addresses that the computer has now. The port and the secrets stay."""
        before = self.origins.shown
        if self._context is not None:
            try:
                self.fingerprint = renewed(self._context, _numbers(addresses))
            except CommandError as problem:  # the old certificate stays; browsers warn, as before
                self._table.tell(str(problem))
        self._move(replace(self.origins, addresses=addresses, shown=self._chosen(addresses)))
        if self.origins.shown != before and not self.alone:
            self._table.tell(MOVED)
        else:
            self._table.publish()  # the page with the codes lists the addresses

    def _chosen(self, addresses: Sequence[OwnAddress]) -> OwnAddress:
        return preferred(addresses, self._prefer) or OwnAddress(LOCALHOST)

    def _move(self, origins: Origins) -> None:
        self.origins = origins
        self._serving.do(self._pages.move, origins.main, self.fingerprint)


def _given_before(first: Sequence[RoleGiven], kept: Sequence[RoleGiven]) -> list[RoleGiven]:
    """Return the roles that are given out already: `first`, then those `kept` for the evening.

    If a page of `first` speaks for the table, no other does. Without one, the laptop has its screen back: a page that
    spoke for the table goes on as one beside it.
    """
    known = {given.code for given in first}
    given_out = list(first)
    for given in kept:
        if given.code in known or (first and given.speaks_for_table):
            continue
        given_out.append(replace(given, speaks_for_table=False))
    return given_out


def _numbers(addresses: Iterable[OwnAddress]) -> list[str]:
    return [address.ip for address in addresses]


def _doors(address: str | None, port: int | None, *, is_known: bool) -> list[socket]:
    """Return the listening sockets at `address`, or everywhere.

    If phones know the port, it has to be that one; otherwise the usual one is tried as well, then any free one.
    """
    if port is not None and is_known:
        return _listening(address, port)
    for wanted in (port or PORT, PORT):
        with suppress(CommandError):
            return _listening(address, wanted)
    return _listening(address, 0)


def _listening(address: str | None, port: int) -> list[socket]:
    return listening_everywhere(port) if address is None else [listening(address, port)]
