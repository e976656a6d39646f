"""A table whose screen is a page in a browser, and the pages before it, where people choose what to play."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock
from typing import TYPE_CHECKING

from companion.board.calibrated import keep
from companion.board.lending import runs_at_port
from companion.board.touch import FreePort
from companion.commands.first_page import FirstPage, made_elsewhere, report_of
from companion.commands.lessons import give_at, open_lesson
from companion.commands.past_sessions import past
from companion.commands.place import with_place
from companion.commands.play_options import PlayOptions
from companion.commands.playing import begin_playing, opened, play, play_options_for, resume_at
from companion.commands.two_ends import require_agreed
from companion.dashboard.ending import details_written, fault_sentence
from companion.dashboard.start.choices import NewGame, Past
from companion.dashboard.start.plan import (
    boxes_of,
    components_of,
    known_names,
    options_of,
    usual_seats,
)
from companion.errors import CommandError, ErrorKind
from companion.exits import Exit
from companion.journal.ends import without_superseded
from companion.journal.errors import JournalError, NotSaved
from companion.journal.folder import crash_path, sessions_dir
from companion.journal.sessions import list_sessions
from companion.rules.columns import capitalized
from companion.session.finding import unread
from companion.system.browser import in_browser
from companion.teach.finding import Taught, lesson_named
from companion.teach.left import lessons_as_left
from firmware_protocol.messages import Config
from firmware_protocol.virtual.runtime import VirtualBoardError

if TYPE_CHECKING:
    from companion.board.runs import BoardRuns
    from companion.box.entry import BoxEntry
    from companion.session.table import Table
    from companion.web.admission import Admission
    from companion.web.before_server import BeforeServer

LOOK_S = 0.5
"""Seconds between two looks whether the pages are still served."""
TOO_LATE = "Another device has started a game. Load this page again."
NOT_OPENED = "The game could not be opened, and the companion ends. Start it again."
ENDED = "The pages before a game have ended by a fault of the program"


@contextmanager
def with_page(play_options: PlayOptions, lan: str | None, *, opens: bool) -> Iterator[PlayOptions]:
    """Yield the options with a page in the browser, see `FirstPage`; `lan` None: as the settings say. Raise
    `CommandError`."""
    if lan is None and play_options.wanted.browser_lan:
        lan = ""
    opened_by = in_browser if opens else None
    with closing(FirstPage(play_options.wanted, lan, opened_by)) as page:
        yield replace(play_options, plain=False, page=page)


class Opening:
    """A wish of the pages before a game, which the main thread fulfils while the page waits: `play` is called with the
    table once it is open."""

    def __init__(self, open_table: Callable[[], Table], play: Callable[[Table], object]) -> None:
        self.open_table, self.play = open_table, play
        self._is_decided = Event()
        self._why_not = ""

    def decide(self, why_not: str) -> None:
        """Tell the page whether its table is open: `why_not` is empty then."""
        self._why_not = why_not
        self._is_decided.set()

    def wait(self) -> str:
        """Return why the table cannot be opened, or an empty string."""
        self._is_decided.wait()
        return self._why_not


class Choosing:
    """What people can do on the pages before a game (`companion.web.before_game.BeforeGame`)."""

    def __init__(
        self,
        play_options: PlayOptions,
        notice: str,
        port: FreePort | None = None,
        *,
        can_quit: bool,
    ) -> None:
        """`notice` says why the game that was chosen last could not be played; `port` is the board's."""
        self.board: BoardRuns | None = None
        """The selftest and the calibration of the board; None without one."""
        if port is not None:
            self.board = runs_at_port(port, self._keep)
        self._play_options, self._notice = play_options, notice
        self.can_quit = can_quit
        self.wishes: SimpleQueue[Opening | None] = SimpleQueue()
        """Tables to open; None: the program is to end."""
        self._lock = Lock()
        self._is_open = self._is_closed = False
        self._past: tuple[Past, ...] = ()

    def past(self) -> Sequence[Past]:
        """Return the sessions, the one played last first; as they were, once a table is open."""
        with self._lock:
            # This process must not read a session that it writes: closing the file would drop the writer's locks.
            if not self._is_open:
                self._past = past(without_superseded(list_sessions(sessions_dir())))
            return self._past

    @property
    def is_over(self) -> bool:
        """Whether a game was chosen or the program ends, so that these pages end, too."""
        return self._is_closed or self._is_open

    def close(self) -> None:
        """Refuse what is asked for from now on, and what waits: one game is chosen, or the program ends."""
        with self._lock:
            self._is_closed = True
        if self.board is not None:
            self.board.close()
        with suppress(Empty):
            while True:
                wish = self.wishes.get_nowait()
                if wish is not None:
                    wish.decide(TOO_LATE)

    def opened(self, open_table: Callable[[], Table]) -> Table:
        """Open a table while no session is read here; raise as `open_table` does."""
        with self._lock:
            table = opened(open_table)
            self._is_open = True
        return table

    def _keep(self, config: Config) -> str:
        """Keep calibrated settings, also in the session that goes on; raise `CommandError`."""
        with self._lock:
            if self._is_open:  # it may be this very session
                raise CommandError(TOO_LATE, ErrorKind.UNAVAILABLE)
            return keep(config)

    def unread(self) -> str:
        """Return what went wrong, or a sentence about sessions that cannot be read; empty if there are none."""
        with self._lock:
            if self._notice or self._is_open:
                return self._notice
            return unread(list_sessions(sessions_dir()))

    def first_choice(self, game_id: str) -> NewGame:
        """Return a game as it is usually played here; raise `GameUnusable`."""
        wanted = self._play_options.wanted
        rules = dict(wanted.house_rules.get(game_id, {}))
        port = None if self._play_options.port == "auto" else self._play_options.port
        seats = usual_seats(game_id, self.past(), wanted.seats)
        return NewGame(game_id, seats, rules, str(boxes_of(game_id)[0].value), port)

    def known_names(self) -> Sequence[str]:
        """Return the names of everybody who played before."""
        return known_names(self.past(), self._play_options.wanted.seats)

    def begin(self, game: NewGame) -> str:
        """Begin a game; return why that is impossible, or an empty string."""
        port = game.port or self._play_options.port
        said = self._play_options.port_said or game.port in ("none", "virtual")
        at_port = replace(self._play_options, port=port, port_said=said)
        chosen, components = options_of(game), components_of(game)

        def open_table() -> Table:
            return begin_playing(game.game, game.seats, chosen, with_place(at_port), components)

        return self._open(Opening(open_table, partial(_play, play_options=at_port)))

    def resume(self, path: Path) -> str:
        """Continue a session; return why that is impossible, or an empty string."""

        with self._lock:
            if self._is_open:  # it may be this very session
                return TOO_LATE
            at_port = play_options_for(path, self._play_options)

        def open_table() -> Table:
            require_agreed(path)
            return resume_at(path, self._play_options)

        return self._open(Opening(open_table, partial(_play, play_options=at_port)))

    def lessons(self) -> Sequence[Taught]:
        """Return what can be learned."""
        return lessons_as_left(pages=False)

    def learn(self, name: str, *, anew: bool = False) -> str:
        """Begin a lesson, or continue it if it was left and is not to begin `anew`; return why that is impossible, or
        an empty string."""
        try:
            taught = lesson_named(name)
        except CommandError as problem:
            return str(problem)
        open_table = partial(open_lesson, taught, self._play_options, anew=anew)

        def give(table: Table) -> None:
            give_at(lambda: table, taught, self._play_options)

        return self._open(Opening(open_table, give))

    def _open(self, wish: Opening) -> str:
        with self._lock:
            if self._is_closed:
                return TOO_LATE
            self.wishes.put(wish)
        return wish.wait()

    def box(self, game_id: str) -> BoxEntry:
        """Return the facts of a game's box that its owner is asked for; raise `CommandError`."""
        from companion.commands.components import SOURCE, entry_of

        return entry_of(game_id, SOURCE)

    def report(self, path: Path) -> str:
        """Return the report of a session as a page; raise `CommandError`."""
        return report_of(path)

    def statistics(self) -> str:
        """Return the statistics over all sessions as a page; raise `CommandError`."""
        return made_elsewhere("stats", "--html")

    def quit(self) -> None:
        """End the program."""
        self.wishes.put(None)


def choose_and_play(
    play_options: PlayOptions,
    admission: Admission | None = None,
    watching: Callable[[], AbstractContextManager[FreePort | None]] | None = None,
    *,
    can_quit: bool = True,
) -> int:
    """Show the pages before a game, and play what is chosen there; again after each game, until a page quits the
    program. `admission` lets in devices without a code; what `watching` returns lasts while no game is on, and yields
    the board's port."""
    page = play_options.page
    assert page is not None, "its caller opens one"
    notice = ""
    while True:
        with _free_port(play_options) if watching is None else watching() as port:
            choosing = Choosing(play_options, notice, port, can_quit=can_quit)
            # `choosing` is closed before the server, which waits for its last answers
            with closing(page.wait(choosing, admission)) as server, closing(choosing):
                chosen = _chosen(choosing, server)
        if chosen is None:
            return Exit.DONE
        table, wish = chosen
        notice = _played(table, wish, can_quit=can_quit)
        if can_quit and not notice and not page.goes_on:
            return Exit.DONE


def _free_port(play_options: PlayOptions) -> AbstractContextManager[FreePort | None]:
    """Return the port of the board while no game is on; None without a board, and for a virtual one, which runs during
    games only."""
    if play_options.board_at in ("none", "virtual"):
        return nullcontext()
    return closing(FreePort(play_options.board_at))


def _play(table: Table, play_options: PlayOptions) -> None:
    play(lambda: table, play_options)


def _played(table: Table, wish: Opening, *, can_quit: bool) -> str:
    """Play at a table that is open; return why that was impossible, or an empty string. If its last entries could not
    be saved, that ends a program that a page `can_quit`."""
    try:
        wish.play(table)
    except (CommandError, VirtualBoardError) as problem:
        if can_quit and isinstance(problem, NotSaved):
            raise
        # closed already, unless its board could not be started
        with suppress(JournalError):
            table.close()
        return str(problem)
    return ""


def _chosen(choosing: Choosing, server: BeforeServer) -> tuple[Table, Opening] | None:
    """Return the table that a page chose, open, and the wish that it fulfils; None to end the program."""
    while True:
        try:
            wish = choosing.wishes.get(timeout=LOOK_S)
        except Empty:
            _report_fault(server.take_fault())
            if not server.is_up:
                raise CommandError(_why_ended(server.fault), ErrorKind.SOFTWARE) from server.fault
            continue
        if wish is None:
            return None
        try:
            table = choosing.opened(wish.open_table)
        except (CommandError, VirtualBoardError) as problem:
            wish.decide(str(problem))
        except BaseException:  # the server waits for its last answers before the program ends
            wish.decide(NOT_OPENED)
            raise
        else:
            wish.decide("")
            return table, wish


def _why_ended(fault: Exception | None) -> str:
    details = "" if fault is None else details_written(fault, crash_path())
    return f"{ENDED}{details}. Start the companion again."


def _report_fault(fault: Exception | None) -> None:
    """Write an answer's exception to the file of crashes, and print a sentence; the pages go on."""
    if fault is not None:
        sentence = fault_sentence(fault, crash_path())
        print(capitalized(sentence), file=sys.stderr)
