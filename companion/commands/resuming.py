"""`companion resume` and `companion play` at a terminal: where the record is long, or the game is new, the screen comes
first, and the table once it is there.

The screen is painted before a game, a table or a link is imported; these come with the table.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.sessions import is_written, unread
from companion.config.schema import Preferences
from companion.dashboard.preferences import in_force
from companion.dashboard.reading import Outline, SeatSign, SessionReading
from companion.exits import CommandError
from companion.journal.collector import collector_frozen
from companion.journal.errors import JournalError
from companion.journal.sessions import head_of, last_unfinished, list_sessions, sessions_dir
from companion.rules.registry import GAMES, learn_of
from companion.session import terminal

if TYPE_CHECKING:
    from companion.commands.playing import PlayOptions
    from companion.session.opening import TableMaker
    from companion.session.progress import Progress
    from companion.session.table import Table

LONG = 1_000
"""Entries from which a record is read behind the screen: fewer are read before anybody could read what it says."""
Opened = Callable[["ExitStack", "Options", "Progress"], "Table"]  # opens the table of a session; the stack closes it
Options = Callable[[], "tuple[PlayOptions, TableMaker]"]  # says how the session is played, once a table may be imported
LEFT = "The session is kept: it was left before its table was set. Go on with it:  companion resume"


def run(args: argparse.Namespace) -> int:
    """`resume`; return the exit code."""
    path, wanted = _wanted(args) if terminal.shows_screens() else (None, Preferences())
    outline = None if path is None or wanted.plain else outline_of(path)
    if path is None or outline is None:
        from companion.commands.playing import resumed

        return resumed(args)
    if args.file is None and (sentence := unread(list_sessions(sessions_dir()))):
        print(sentence, file=sys.stderr)
    options = partial(_play_options_of, args, wanted)
    return _on_screen(outline, wanted, partial(_open, path), options)


def new(args: argparse.Namespace) -> int:
    """`play GAME`; return the exit code."""
    wanted = _wanted_of_new(args) if terminal.shows_screens() else None
    if wanted is None:
        from companion.commands import playing

        return playing.new(args)
    outline, options = Outline(GAMES[args.game].title), partial(_play_options_of, args, wanted)
    return _on_screen(outline, wanted, partial(_begin, args), options)


def _wanted_of_new(args: argparse.Namespace) -> Preferences | None:
    """What is wanted of a new game; None where plain lines are, or where something may be refused: that is told without
    a screen."""
    try:
        wanted = in_force(args, [args.game])
    except CommandError:
        return None
    names = wanted.seats if args.seats is None else [name.strip() for name in args.seats.split(",")]
    sit = not names or (len(names) in GAMES[args.game].seats and all(names) and len({*names}) == len(names))
    return wanted if sit and not (wanted.plain or args.option or args.capture) else None


def go_on(path: Path, play_options: PlayOptions, make: TableMaker) -> int:
    """Go on with a session, chosen by a person at a terminal; return the exit code, or raise `CommandError`."""
    outline = None if play_options.plain else outline_of(path)
    if outline is None:
        from companion.commands.playing import go_on as go_on_at_once

        return go_on_at_once(path, play_options, make)
    return _on_screen(outline, play_options.wanted, partial(_open, path), lambda: (play_options, make))


def outline_of(path: Path) -> Outline | None:
    """Return what a long session that nothing seems to stand against says of itself. None for any other: that is opened
    without a screen, and so is told what is wrong with it."""
    try:
        first, entries = head_of(path)
        learn_of(first.body.get("components"))
        title = GAMES[first.body["game"]].title
        seats = tuple(SeatSign(seat["name"], seat["color"], seat["glyph"]) for seat in first.body["seats"])
    except (JournalError, KeyError, TypeError, ValueError):
        return None
    if entries < LONG or not os.access(path, os.W_OK) or is_written(path):
        return None
    return Outline(title, seats, entries)


def _wanted(args: argparse.Namespace) -> tuple[Path | None, Preferences]:
    """The session that is meant and what is wanted; None where that has first to be told why it cannot be."""
    try:
        wanted = in_force(args, sorted(GAMES))
        if args.file is not None:
            from companion.session.finding import find

            return find(args.file), wanted
        last = last_unfinished(sessions_dir())
        return None if last is None else last.path, wanted
    except (CommandError, JournalError):
        return None, Preferences()


def _play_options_of(args: argparse.Namespace, wanted: Preferences) -> tuple[PlayOptions, TableMaker]:
    from companion.commands.playing import maker, play_options_of

    play_options = play_options_of(args, wanted, plain=False)
    return play_options, maker(args.capture, play_options)


def _on_screen(outline: Outline, wanted: Preferences, opened: Opened, options: Options) -> int:
    """Show what is known of the session, then its table, until the people leave; what follows is as ever."""
    with collector_frozen(), ExitStack() as stack:  # until the table is on the screen
        from companion.commands.after_game import AfterGame
        from companion.commands.told_elsewhere import PhonesOfTable
        from companion.dashboard.app import run_dashboard

        reading = SessionReading(outline, lambda progress: opened(stack, options, progress))
        after = stack.enter_context(closing(AfterGame(lambda: _table_of(reading).path, codes=not wanted.ascii)))
        phones = PhonesOfTable(partial(_table_of, reading), wanted)
        try:
            crash_file = sessions_dir().parent / "crash.txt"
            code = run_dashboard(
                reading=reading, crash_file=crash_file, offers=after.offers(), phones=phones, **wanted.look
            )
        finally:
            phones.close()
            reading.stop()  # before what it opened is closed
        table = reading.end()
        if table is None:
            print(LEFT)
            return code
        from companion.commands.playing import afterwards, play, play_options_for, say_goodbye

        say_goodbye(table)
    play_options = play_options_for(table.path, options()[0])
    following = afterwards(after, table.path, play_options)
    return code if following is None else play(following, play_options)


def _table_of(reading: SessionReading[Table]) -> Table:
    assert reading.table is not None, "nobody comes to the end of a game before its table is there"
    return reading.table


def _open(path: Path, stack: ExitStack, options: Options, progress: Progress) -> Table:
    """Import what a table needs, and open the session; `stack` closes it."""
    import_module("companion.dashboard.at_table")
    from companion.commands.playing import at_board, play_options_for, resume_at

    play_options, make = options()
    return at_board(stack, play_options_for(path, play_options), lambda: resume_at(path, play_options, make, progress))


def _begin(args: argparse.Namespace, stack: ExitStack, options: Options, _: Progress) -> Table:
    """Import what a table needs, and begin the session; `stack` closes it."""
    import_module("companion.dashboard.at_table")
    from companion.commands.playing import at_board, begin_as_said

    play_options, make = options()
    return at_board(stack, play_options, lambda: begin_as_said(args, play_options, make))
