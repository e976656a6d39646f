"""A table in plain lines, and the lines typed at it: the name of a key, or a fact in words.

The keys are those of the screen; what its pages and forms do is in `companion.dashboard.typed_pages`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from io import UnsupportedOperation
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TextIO

from companion.exits import Exit
from companion.rules.actions import OWN_KEYS, KeyMap, by_key, key_name
from companion.rules.facts import Refused
from companion.rules.typed_facts import from_words
from companion.session.game_watch import GameWatch, Hanging, watched
from companion.session.plain import UNTIMED, LinePrinter, printing
from companion.session.table import Table

if TYPE_CHECKING:
    from companion.dashboard.source import Offers, Phones
    from companion.dashboard.typed_pages import TypedPages

PLAIN_HELP = f"{UNTIMED}  Type a key or what happened, then Enter; ? lists both; Ctrl-D quits."
WAIT_S = 1.0  # seconds for a slow disk to save the last entries, before anybody is asked
TICK_S = 0.25  # seconds between calls of `Table.tick`, for what waits for an answer


def play_plain(
    table: Table,
    commands: TextIO,
    out: TextIO,
    *,
    port: str | None = None,
    keys: KeyMap = OWN_KEYS,
    offers: Offers | None = None,
    phones: Phones | None = None,
) -> int:
    """Print one line per ruling, and obey typed lines (see `obey`) until the input ends, Ctrl-C, or nobody reads any
    more.

    The board is looked for at `port` once lines can report it. `keys` are the person's own, `offers` are for a finished
    game, and `phones` serves the pages for phones. Raise `SystemExit` if the terminal is gone, as its
    signal would have."""
    typed: SimpleQueue[str | None] = SimpleQueue()
    with (
        printing(table, out, lambda: typed.put(None), lambda: table.actions) as printer,
        watching_for_hangs(printer, typed.put) as take,
    ):
        if port is not None:
            table.board.connect(port)
        _listen(commands, take)
        at_terminal = commands.isatty()
        pages = partial(_pages_of, table, printer, keys=keys, offers=offers, phones=phones)
        if at_terminal:
            printer.say(PLAIN_HELP)
        while True:
            # the loop ends at the end of the input, after which a terminal may go on
            for line in lines(typed, table):
                # At a terminal, a question may ask for Enter alone; in a file, a blank line means nothing.
                obey(line.strip() or ("enter" if at_terminal else ""), table, printer, pages)
            if not at_terminal or not commands.isatty():
                break
            if _agrees_to_leave(table, printer, typed, lambda: _listen(commands, take)):
                break
    printer.finish()
    if at_terminal and not commands.isatty():
        raise SystemExit(Exit.HUNG_UP)
    return Exit.DONE


def _listen(commands: TextIO, take: Callable[[str | None], object]) -> None:
    # A daemon: nothing can end a thread that waits for a keyboard.
    threading.Thread(target=_read, args=(commands, take), name="keys", daemon=True).start()


def _agrees_to_leave(
    table: Table, printer: LinePrinter, typed: SimpleQueue[str | None], listen: Callable[[], object]
) -> bool:
    """Ask before leaving while entries are not saved; a second end of the input means yes. The keyboard is read again,
    for the answer and for what is typed after a no."""
    unsaved = table.unsaved(WAIT_S)
    if not unsaved.count:
        return True
    printer.say(
        f"{UNTIMED}? {unsaved.words}. {unsaved.why} Type y and Enter to quit without them, Enter to stay."
    )
    listen()
    answer = next(lines(typed, table), None)
    return answer is None or answer.strip().lower() in ("y", "yes")


HANGS_HELP = f"{UNTIMED}  Type esc to stop it: nothing is recorded then. Ctrl-D quits."


class HangLines:
    """Reports a game that hangs, and takes the lines typed meanwhile; all other lines are passed to `take`."""

    def __init__(self, printer: LinePrinter, take: Callable[[str | None], object]) -> None:
        self.watch = GameWatch()
        self._printer = printer
        self._take = take
        self._hanging: tuple[Hanging, ...] = ()
        self._reported: set[int] = set()
        self._stops = self._leaves = False

    def look(self, hanging: tuple[Hanging, ...]) -> None:
        """Report what hangs, and stop it if that was typed; called from the watch's thread."""
        self._hanging = hanging
        if not hanging:
            self._stops = False
        for hang in hanging:
            if hang.call not in self._reported:
                self._reported.add(hang.call)
                self._printer.say(f"{UNTIMED}? {hang.sentence}")
                self._printer.say(HANGS_HELP)
            if self._stops or self._leaves:
                self.watch.stop(hang, skips=not self._leaves)

    def take(self, line: str | None) -> None:
        """Take a line, or None at the end of the input. A line after that takes the wish to leave back."""
        self._leaves = line is None
        if line is None or not self._hanging:
            self._take(line)
        else:
            self._stops = line.strip().lower() in ("esc", "escape")

    def leave(self) -> None:
        """Stop everything that hangs from now on."""
        self._leaves = True


@contextmanager
def watching_for_hangs(
    printer: LinePrinter, take: Callable[[str | None], object]
) -> Iterator[Callable[[str | None], object]]:
    """Watch the game's calls inside the block; yield the function that takes typed lines."""
    guard = HangLines(printer, take)
    with watched(guard.watch, guard.look):
        try:
            yield guard.take
        finally:
            guard.leave()


def _read(commands: TextIO, take: Callable[[str | None], object]) -> None:
    """Pass on each line, then None.

    A stream with a descriptor is read unbuffered: the interpreter cannot exit while a daemon thread holds a buffer's
    lock."""
    try:
        with open(commands.fileno(), "rb", buffering=0, closefd=False) as raw:
            for line in raw:
                take(line.decode(errors="replace"))
    except UnsupportedOperation:
        for text in commands:
            take(text)
    except OSError:  # the terminal is gone, and so the input has ended
        pass
    finally:
        take(None)


def lines(typed: SimpleQueue[str | None], table: Table) -> Iterator[str]:
    """Yield typed lines until None comes, and tick the table meanwhile."""
    while True:
        try:
            look_s = table.next_look_s()
            line = typed.get(timeout=TICK_S if look_s is None else min(look_s, TICK_S))
        except Empty:
            table.tick()
            continue
        if line is None:
            return
        yield line


def obey(
    line: str, table: Table, printer: LinePrinter, pages: Callable[[], TypedPages] | None = None
) -> None:
    """Do what a line says, or answer that it says nothing known; `pages` returns the screen's pages in lines."""
    open_pages = pages or partial(_pages_of, table, printer)
    if not line or (table.view().ended and open_pages().do_after_game(line)):
        return
    action = _keys(table).get(line)
    if action is not None:
        table.do(action)
    elif not open_pages().do(line):
        _enter(line, table, printer)


def _pages_of(table: Table, printer: LinePrinter, **options: Any) -> TypedPages:
    # Imported late: a table of plain lines does without the screen until somebody asks for a page.
    from companion.dashboard.typed_pages import TypedPages

    return TypedPages(table, table.game, printer.say, **options)


def _keys(table: Table) -> dict[str, str]:
    """Return actions by the names of their keys, Textual's and people's: `slash` and `/`, `Esc` or `esc`."""
    ids = {key: action.id for key, action in by_key(table.actions).items()}
    # keys of a question take precedence while it is asked
    ids.update(table.view().overrides)
    names = {key_name(key): action for key, action in ids.items()}
    lower = {name.lower(): action for name, action in names.items() if len(name) > 1}
    # single characters keep their case; exact names win over lowered ones
    return lower | names | ids


def _enter(line: str, table: Table, printer: LinePrinter) -> None:
    first = line.split()[0].casefold().replace("-", "_")
    # checked first, for an answer that speaks of keys too and not of facts alone
    if not any(kind.startswith(first) for kind in table.game.facts):
        printer.say(
            f"{UNTIMED}? Nothing is called {line!r} here. Type ? for what there is; Ctrl-D quits."
        )
        return
    try:
        kind, body = from_words(table.game, table.view().setup, line)
    except Refused as refusal:
        printer.say(f"{UNTIMED}? {refusal.spoken()}")
    else:
        table.enter(kind, body)
