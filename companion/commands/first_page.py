"""A page in a browser that takes the place of the screen: after its first line the program needs no terminal.

The page's address stays the same from game to game: the sockets are opened once, and each game's pages get copies.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from companion.config.schema import Preferences
from companion.config.server_options import MISSING, PORT
from companion.dashboard.registry import BG_STATS, REMATCH, REPORT
from companion.errors import CommandError, ErrorKind, needs_extra
from companion.exits import Exit
from companion.journal.folder import crash_path, sessions_dir
from companion.rules.columns import plural
from companion.rules.registry import GAMES
from companion.session.corrections import NotDone
from companion.session.evening import Evening, Person, RoleGiven, read_evening
from companion.session.game_watch import stopped_after
from companion.session.roles import Role
from companion.system.children import companion_command, companion_environment
from companion.system.signals import ignore_lost_terminal
from companion.terminal import unfiltered, write_nowhere

if TYPE_CHECKING:
    from socket import socket

    from companion.dashboard.source import Offers
    from companion.session.table import Table
    from companion.session.views import Unsaved
    from companion.web.admission import Admission
    from companion.web.at_play import TablePages
    from companion.web.before_game import BeforeGame
    from companion.web.before_server import BeforeServer
    from companion.web.interfaces import Origins

LOCALHOST = "127.0.0.1"
MAKES_S = 60.0
"""Seconds that a report or the statistics may take."""
TICK_S = 0.25
"""Most seconds between two calls of `Table.tick`; what is due may change meanwhile."""
WAIT_S = 1.0  # seconds for a slow disk to save the last entries, before the page is asked
NAME = "the first page"
"""What the page that speaks for the table is called among the devices."""
QUIT, NEXT = "quit", "next"
OF_FINISHED_GAME = {"rematch": REMATCH.id, "report": REPORT.id, "bgstats": BG_STATS.id}
"""What a page asks for after a game -> the offer's action."""
CLOSED = "The game is kept. You can close this page."
SOON = "Everything is kept. The games to choose from are here in a moment."
SOON_AFTER_LESSON = (
    "You can continue the lesson later. The games to choose from are here in a moment."
)
HOW_TO = "Open this address in a browser. To stop, choose Quit there, or press Ctrl+C here."
NOT_OFFERED = "That is not offered after a lesson."
LEFT_WITHOUT = "You left without {entries}. You can close this page."
ENDED = "The pages of this game have ended by a fault of the program"
CONTINUE = "The game is kept: continue it."
OPEN_TO_ALL = (
    "Not encrypted: somebody in this network could read the address and take this page over."
)


def say(sentence: str, *, plain: bool = False) -> None:
    """Print a line, if anybody reads it; a terminal or a pipe that is gone ends nothing."""
    out = unfiltered(sys.stdout) if plain else sys.stdout
    try:
        print(sentence, file=out, flush=True)
    except OSError:
        write_nowhere(unfiltered(sys.stdout))


@contextmanager
def unread_output() -> Iterator[None]:
    """Run the block, which prints; if nobody reads it any more, leave the rest of it out."""
    try:
        yield
    except OSError:
        write_nowhere(unfiltered(sys.stdout))


def made_elsewhere(*words: str) -> str:
    """Return what another process of the program prints. A process of its own: closing a session's file drops the
    locks that this process has on it."""
    try:
        done = subprocess.run(
            companion_command(*words),
            env=companion_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=MAKES_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise CommandError(f"It cannot be shown: {problem}", ErrorKind.UNAVAILABLE) from problem
    if not done.stdout:
        raise CommandError(done.stderr.decode(errors="replace").strip(), ErrorKind.UNAVAILABLE)
    return done.stdout.decode("utf-8", "replace")


def report_of(path: Path) -> str:
    """Return the report of a session as a page; raise `CommandError`."""
    return made_elsewhere("export", str(path.absolute()), "--format", "html")


class FirstPage:
    """The page that takes the place of the screen, for all games of this run of the program.

    `lan` is the address to listen at, None for this computer alone, and empty for all that it has in local networks.
    `opened` shows an address in this computer's browser, if the page is to be opened there. The caller closes it.
    """

    def __init__(
        self,
        wanted: Preferences,
        lan: str | None,
        opened: Callable[[str], object] | None = None,
        *,
        port: int | None = None,
        announced: bool = False,
    ) -> None:
        """Listen at `port` (None: where the evening's pages were, or at the usual one, or at any free one); raise
        `CommandError` if that fails. With `announced`, the caller says where it is."""
        with needs_extra("serve", MISSING):
            from companion.web.addresses import lan_addresses
            from companion.web.codes import new_code
        self._wanted, self._opened = wanted, opened
        # a host waits for its network; others are told that there is none
        if lan not in (None, LOCALHOST) and (lan or not announced):
            lan_addresses(lan)
        self._address = LOCALHOST if lan is None else lan or None
        self._doors = self._listening(port)
        before = self._code_before()
        self.has_code_from_before = bool(before)
        """Whether the page began with the code that it had earlier this evening, which others may have."""
        self._roles: tuple[RoleGiven, ...] = (_given(before or new_code()),)
        self._others = self._codes_before()
        self._is_announced = self._is_host = announced
        self._warned_n = 0  # the last entry that a page was told is not saved
        self.goes_on = False
        """Whether another game is to be chosen once this one is left."""

    def _listening(self, port: int | None) -> list[socket]:
        from companion.web.addresses import listening, listening_everywhere

        def at(number: int) -> list[socket]:
            if self._address is None:
                return listening_everywhere(number)
            return [listening(self._address, number)]

        if port is not None:
            return at(port)
        evening = read_evening(sessions_dir().parent)
        for usual in (PORT if evening is None else evening.port, PORT):
            with suppress(CommandError):
                return at(usual)
        return at(0)

    @property
    def is_local(self) -> bool:
        """Whether only this computer can open the page."""
        return self._address == LOCALHOST

    def _code_before(self) -> str:
        """Return the code that the page had earlier this evening, so that it comes back by itself after a restart;
        empty if it had none."""
        evening = read_evening(sessions_dir().parent)
        hours = self._wanted.phones_evening
        if self.is_local or evening is None or evening.is_over(time.time(), hours):
            return ""
        return next((given.code for given in evening.roles if given.speaks_for_table), "")

    def _codes_before(self) -> frozenset[str]:
        """Return the codes of phones and other devices that the next game opens pages with again."""
        evening = read_evening(sessions_dir().parent)
        if self.is_local or evening is None:
            return frozenset()
        codes = {evening.everybody}  # outlasts the evening
        if not evening.is_over(time.time(), self._wanted.phones_evening):
            codes |= {person.code for person in evening.people.values()}
            codes |= {given.code for given in evening.roles if not given.speaks_for_table}
        return frozenset(codes)

    def comes_back(self, code: str) -> bool:
        """Return whether the next game opens a page with that code. The time does not depend on how much of a code is
        right."""
        typed = code.encode("utf-8", "replace")
        matches = [secrets.compare_digest(other.encode(), typed) for other in self._others]
        return any(matches)

    def renew(self) -> None:
        """Give the page another code; whoever has the one before has nothing any more, also after a restart."""
        from companion.web.codes import new_code

        self._roles = (_given(new_code()), *self._roles[1:])
        if not self.is_local:
            self._keep_code()

    def _keep_code(self) -> None:
        """Write the page's code to the evening; its other codes stay."""
        from companion.web.codes import new_code

        port, everybody = self._doors[0].getsockname()[1], ""
        people: Mapping[str, Person] = {}
        others: list[RoleGiven] = []
        evening = Evening.held(sessions_dir().parent, self._wanted.phones_evening)
        if evening is None:  # another companion has it, and its codes
            return
        with closing(evening):
            if evening.before is not None:
                everybody, people = evening.before.everybody, evening.before.people
                others = [given for given in evening.before.roles if not given.speaks_for_table]
            evening.save(port, everybody or new_code(), people, (self._roles[0], *others))

    def close(self) -> None:
        """Stop listening."""
        for door in self._doors:
            door.close()

    @property
    def code(self) -> str:
        """The code of the page."""
        return self._roles[0].code

    def play(self, table: Table, port: str | None, offers: Offers) -> int:
        """Serve the table's pages, and look for its board at `port`, until the page that speaks for the table quits or
        goes on to another game; return the exit code. `offers` are for a finished game. Raise `CommandError` if the
        pages end by a fault."""
        left: SimpleQueue[None] = SimpleQueue()
        self.goes_on, self._warned_n = False, 0
        asked = partial(self._asked, table, offers, left)
        with stopped_after(), closing(self._pages(table, asked)) as pages:
            if port is not None:
                table.board.connect(port)
            self.announce(pages.origin, table.game.title)
            try:
                _tick_until(table, left, pages)
            finally:
                self._roles, self._others = pages.roles_given(), pages.codes_given()
        return Exit.DONE

    @property
    def origins(self) -> Origins:
        """Where it is now."""
        from companion.web.interfaces import Origins, OwnAddress, own_addresses, preferred

        addresses = own_addresses() if self._address is None else (OwnAddress(self._address),)
        shown = preferred(addresses, self._wanted.phones_address) or OwnAddress(LOCALHOST)
        scheme = "https" if self._wanted.phones_tls else "http"
        return Origins(scheme, self._doors[0].getsockname()[1], addresses, shown)

    def wait(self, before: BeforeGame, admission: Admission | None = None) -> BeforeServer:
        """Serve the pages before a game; the caller closes them."""
        from companion.web.before_pages import BeforePages
        from companion.web.before_server import BeforeServer
        from companion.web.run import identity_at

        origins = self.origins
        numbers = [address.ip for address in origins.addresses]
        context, _ = identity_at(numbers, tls=self._wanted.phones_tls)
        doors = [door.dup() for door in self._doors]
        pages = BeforePages(before, lambda: self.code, admission, self.comes_back)
        server = BeforeServer(pages, doors, context)
        self.announce(origins.main, "Table companion")
        return server

    def _pages(self, table: Table, asked: Callable[[str], str]) -> TablePages:
        from companion.web.at_play import TablePages
        from companion.web.devices_forms import WITH_LAN, WITHOUT_ADDRESS

        wanted = self._wanted
        return TablePages(
            table,
            self._address,
            wanted.broadcast_delay,
            wanted.overlay_style,
            tls=wanted.phones_tls,
            odds=wanted.odds,
            prefer=wanted.phones_address,
            evening_hours=wanted.phones_evening,
            doors=[door.dup() for door in self._doors],
            roles=self._roles,
            on_session=asked,
            report=lambda: report_of(table.path),
            is_local=self.is_local,
            to_reach=WITHOUT_ADDRESS if self._is_host else WITH_LAN,
        )

    def _asked(self, table: Table, offers: Offers, left: SimpleQueue[None], what: str) -> str:
        """Do what the page asks for that is not the table's own; return what it says, or raise `NotDone`."""
        if what in OF_FINISHED_GAME:
            if not table.view().ended:
                raise NotDone("The game is not over yet.")
            if what == "rematch":
                _require_enough(table)
                self._unsaved_warned_of(table)
            offer = offers.get(OF_FINISHED_GAME[what])
            if offer is None:
                raise NotDone(NOT_OFFERED)
            said = offer()
            if what == "rematch":
                left.put(None)
            return said
        if what not in (QUIT, NEXT):
            raise NotDone("This page asks for something that the program does not know.")
        unsaved = self._unsaved_warned_of(table)
        self.goes_on = what == NEXT
        left.put(None)
        if unsaved.count:
            return LEFT_WITHOUT.format(entries=plural(unsaved.count, "entry", "entries"))
        if what == QUIT:
            return CLOSED
        lesson = table.view().lesson
        return SOON if lesson is None or lesson.is_over else SOON_AFTER_LESSON

    def _unsaved_warned_of(self, table: Table) -> Unsaved:
        """Return what is not saved; raise `NotDone` to warn of it first."""
        unsaved = table.unsaved(WAIT_S)
        # once those of an earlier warning are saved, others are a reason for another one
        if unsaved.count and unsaved.saved_n >= self._warned_n:
            self._warned_n = unsaved.saved_n + unsaved.count
            raise NotDone(f"{unsaved.words}. {unsaved.why} Ask again to leave without them.")
        return unsaved

    def announce(self, origin: str, what: str) -> None:
        """Print the address, once, and open it in this computer's browser if that is wanted and possible."""
        if self._is_announced:
            return
        self._is_announced = True
        ignore_lost_terminal()
        address = f"{origin}/{self.code}/"
        say(f"{what} in your browser: {address}")
        say(HOW_TO)
        if not self.is_local:
            _print_code(address)
            if origin.startswith("http:"):
                say(OPEN_TO_ALL)
        if self._opened is not None:
            self._opened(address)


def _require_enough(table: Table) -> None:
    """Raise `NotDone` unless those who are still here are as many as the game takes."""
    view = table.view()
    info = GAMES.get(view.setup.game)
    if info is None or len(view.setup.seats) - len(view.left) not in info.seats:
        raise NotDone("The players who are left are too few for this game. Choose another game.")


def _print_code(address: str) -> None:
    """Print the address as a code to scan, if a terminal shows it and has room."""
    from companion.reports.qr import qr_lines
    from companion.web.addresses import is_own_only
    from companion.web.run import ON_BLACK, too_small

    out = unfiltered(sys.stdout)
    if not out.isatty() or is_own_only(address):
        return
    lines = qr_lines(address)
    if not too_small(out, len(lines[0]), len(lines)):
        style = "{}" if "NO_COLOR" in os.environ else ON_BLACK
        say("\n".join(style.format(line) for line in lines), plain=True)


def _given(code: str) -> RoleGiven:
    return RoleGiven(code, Role.TABLE.title, NAME, speaks_for_table=True)


def _tick_until(table: Table, left: SimpleQueue[None], pages: TablePages) -> None:
    """Let time pass at the table until something is in `left`; raise `CommandError` if its pages end before, as nobody
    could leave the game then."""
    while True:
        look_s = table.next_look_s()
        try:
            left.get(timeout=TICK_S if look_s is None else min(look_s, TICK_S))
        except Empty:
            if not pages.is_up:
                raise CommandError(_why_ended(pages), ErrorKind.SOFTWARE) from pages.fault
            table.tick()
        else:
            return


def _why_ended(pages: TablePages) -> str:
    from companion.dashboard.ending import details_written

    details = ""
    if pages.fault is not None:
        details = details_written(pages.fault, crash_path())
    return f"{ENDED}{details}. {CONTINUE}"
