"""`companion host`: games on pages, on a computer without a screen.

The first page is let in by a touch of the box; without a board, its address with the code is printed,
which systemd keeps in its journal.
"""

from __future__ import annotations

import argparse
import getpass
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress
from dataclasses import replace
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from companion.board.touch import FreePort, TouchWatch
from companion.board.virtual import running
from companion.commands.first_page import LOCALHOST, OPEN_TO_ALL, FirstPage, say
from companion.commands.in_browser import choose_and_play
from companion.commands.play_options import PlayOptions, wanted_options
from companion.config.schema import Preferences
from companion.config.server_options import MISSING
from companion.errors import CommandError, ErrorKind, needs_extra
from companion.exits import Exit
from companion.journal.folder import sessions_dir
from companion.program import PROGRAM, VARIABLE
from companion.session.evening import read_evening
from companion.system.children import companion_command
from companion.system.services import has_systemd
from companion.system.signals import ignore_lost_terminal

if TYPE_CHECKING:
    from companion.web.admission import Admission
    from companion.web.interfaces import Origins

NO_SYSTEMD = f"A unit is for systemd, which only Linux has. Let this system start `{PROGRAM} host` when you log in."
NO_CODE = "No code is kept before a host's first game. Hold two zone buttons of the box, or look into its log."
NOT_RUNNING = f"No host answers. Start it:  {PROGRAM} host"
ANSWER_S = 5.0
"""Seconds to wait for the host's page."""
TOUCH = "To open it, hold two zone buttons of the box together for two seconds."


def host(args: argparse.Namespace) -> int:
    """Wait with a page, play what is chosen there, and wait again, until the program is ended; raise `CommandError`."""
    if args.unit:
        if not has_systemd():
            raise CommandError(NO_SYSTEMD, ErrorKind.UNAVAILABLE)
        print(unit(), end="")
        return Exit.DONE
    play_options = replace(wanted_options(args), plain=False)
    if args.code:
        for line in addresses_with_code(play_options.wanted):
            print(line)
        return Exit.DONE
    with needs_extra("serve", MISSING):
        from companion.web.admission import Admission
    page = FirstPage(play_options.wanted, args.address, port=args.web_port, announced=True)
    ignore_lost_terminal()
    with closing(page), ExitStack() as stack:
        if play_options.port == "virtual":
            # one board for all games, which keeps its buttons between them
            board = stack.enter_context(running())
            play_options = replace(play_options, virtual_at=board.url)
        host_pages = HostPages(page, play_options)
        admission = Admission(host_pages.renew)
        return choose_and_play(
            replace(play_options, page=page),
            admission,
            lambda: host_pages.watching(admission),
            can_quit=False,
        )


def addresses_with_code(wanted: Preferences) -> list[str]:
    """Return where the page of the host that runs is, with its code; raise `CommandError` if that is not known.

    Whoever may run this as the host's user could as well read the code in that user's files.
    """
    with needs_extra("serve", MISSING):
        from companion.web.interfaces import Origins, OwnAddress, own_addresses, preferred
    evening = read_evening(sessions_dir().parent)
    first = () if evening is None else [each for each in evening.roles if each.speaks_for_table]
    if evening is None or not first:
        raise CommandError(NO_CODE, ErrorKind.UNAVAILABLE)
    addresses = own_addresses()
    shown = preferred(addresses, wanted.phones_address) or OwnAddress(LOCALHOST)
    scheme = "https" if wanted.phones_tls else "http"
    origins = Origins(scheme, evening.port, addresses, shown)
    path = f"/{first[0].code}/"
    if not any(_opens(origins, ip, path) for ip in (LOCALHOST, shown.ip)):
        raise CommandError(NOT_RUNNING, ErrorKind.UNAVAILABLE)
    return [f"{origins.main}{path}", *(f"  or {other}" for other in origins.others(path))]


def _opens(origins: Origins, ip: str, path: str) -> bool:
    """Return whether a page answers at an address of this computer, without any proxy."""
    # imported late: only this asks, and they take 30 ms
    import ssl
    from http import HTTPStatus
    from http.client import HTTPConnection, HTTPException, HTTPSConnection

    connection = HTTPConnection(ip, origins.port, timeout=ANSWER_S)
    if origins.scheme == "https":
        itself = ssl.create_default_context()
        itself.check_hostname, itself.verify_mode = False, ssl.CERT_NONE  # nobody vouches for it
        connection = HTTPSConnection(ip, origins.port, timeout=ANSWER_S, context=itself)
    with closing(connection), suppress(OSError, HTTPException):
        connection.request("GET", path)
        return connection.getresponse().status == HTTPStatus.OK
    return False


def unit() -> str:
    """Return a systemd unit that runs this program as the user who asks."""
    template = files(__package__).joinpath("host.service").read_text(encoding="utf-8")
    # systemd reads a percent sign as the beginning of a specifier
    program, *words = companion_command("host")
    command = " ".join([f'"{program}"'.replace("%", "%%"), *words])
    return Template(template).substitute(
        user=getpass.getuser(), command=command, program=PROGRAM, name=f"{VARIABLE}={PROGRAM}"
    )


class HostPages:
    """What a host prints: where its page is, and how to open it. It says the same thing once."""

    def __init__(self, page: FirstPage, play_options: PlayOptions) -> None:
        self._page, self._port = page, play_options.board_at
        # of those who had the code earlier this evening, this process knows nobody
        self._is_code_out = page.has_code_from_before
        self._said: str | None = None
        say(f"Table companion: {page.origins.main}/")
        for other in page.origins.others("/"):
            say(f"  or {other}")
        if not (page.is_local or play_options.wanted.phones_tls):
            say(OPEN_TO_ALL)

    def renew(self) -> None:
        """Give the page another code if somebody may have the one before."""
        if self._is_code_out:
            self._page.renew()
        self._is_code_out = True
        self._say_once("A device was let in. Anybody else needs the code, which its page shows.")

    def watching(self, admission: Admission) -> AbstractContextManager[FreePort | None]:
        """Watch for a touch of the box while no game is on; yield its port, None without a board."""
        if self._port == "none":
            self.without_board("")
            return nullcontext()

        def found(since_power_on_s: float) -> None:
            admission.board_found(since_power_on_s)
            if not admission.is_taken:
                self._say_once(TOUCH)

        def lost(why: str) -> None:
            admission.board_lost()
            self.without_board(why)

        return closing(TouchWatch(self._port, found, lost, admission.touched))

    def without_board(self, why: str) -> None:
        """Print the address with its code, for a host that has no board to touch."""
        origin = self._page.origins.main
        self._say_once(f"{why} Open {origin}/{self._page.code}/".lstrip())
        self._is_code_out = True

    def _say_once(self, sentence: str) -> None:
        if sentence != self._said:
            self._said = sentence
            say(sentence)
