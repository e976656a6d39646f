"""`companion host`: games on pages, on a computer without a screen.

The first page is let in by a touch of the box; without a board, its address with the code is printed,
which systemd keeps in its journal.
"""

from __future__ import annotations

import argparse
import getpass
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from dataclasses import replace
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from companion.board.touch import FreePort, TouchWatch
from companion.board.virtual import running
from companion.commands.first_page import OPEN_TO_ALL, FirstPage, say
from companion.commands.in_browser import choose_and_play
from companion.commands.play_options import PlayOptions, wanted_options
from companion.config.server_options import MISSING
from companion.errors import CommandError, ErrorKind, needs_extra
from companion.exits import Exit
from companion.program import PROGRAM, VARIABLE
from companion.system.children import companion_command
from companion.system.services import has_systemd
from companion.system.signals import ignore_lost_terminal

if TYPE_CHECKING:
    from companion.web.admission import Admission

NO_SYSTEMD = f"A unit is for systemd, which only Linux has. Let this system start `{PROGRAM} host` when you log in."
TOUCH = "To open it, hold two zone buttons of the box together for two seconds."


def host(args: argparse.Namespace) -> int:
    """Wait with a page, play what is chosen there, and wait again, until the program is ended; raise `CommandError`."""
    if args.unit:
        if not has_systemd():
            raise CommandError(NO_SYSTEMD, ErrorKind.UNAVAILABLE)
        print(unit(), end="")
        return Exit.DONE
    play_options = replace(wanted_options(args), plain=False)
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
