"""`companion resume` at a terminal: where the record is long, the screen comes first, and the table once it is read.

The screen is painted before a game, a table or a link is imported; these come with the record.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.reporting import run_reporting_errors
from companion.commands.session_list import is_written, unread
from companion.config.schema import Preferences
from companion.dashboard.preferences import in_force
from companion.dashboard.reading import Outline, SeatSign, SessionReading
from companion.exits import CommandError
from companion.journal.errors import JournalError
from companion.journal.sessions import head_of, last_unfinished, list_sessions, sessions_dir
from companion.rules.registry import GAMES

if TYPE_CHECKING:
    from companion.commands.playing import PlayOptions
    from companion.session.opening import TableMaker
    from companion.session.progress import Progress
    from companion.session.table import Table

LONG = 1_000
"""Entries from which a record is read behind the screen: fewer are read before anybody could read what it says."""
LEFT = "The session is kept: it was left before its table was set. Go on with it:  companion resume"


def run(args: argparse.Namespace) -> int:
    """Run `companion resume` for a person at a terminal; return the exit code."""
    path, wanted = _wanted(args)
    outline = None if path is None or wanted.plain else outline_of(path)
    if path is None or outline is None:
        from companion.commands import playing

        return playing.run(args, playing.resumed, terminal=True)
    if args.file is None and (sentence := unread(list_sessions(sessions_dir()))):
        print(sentence, file=sys.stderr)
    return run_reporting_errors(lambda: _on_screen(path, outline, wanted, lambda: _play_options_of(args, wanted)))


def go_on(path: Path, play_options: PlayOptions, make: TableMaker) -> int:
    """Go on with a session, chosen by a person at a terminal; return the exit code, or raise `CommandError`."""
    outline = None if play_options.plain else outline_of(path)
    if outline is None:
        from companion.commands.playing import go_on as go_on_at_once

        return go_on_at_once(path, play_options, make)
    return _on_screen(path, outline, play_options.wanted, lambda: (play_options, make))


def outline_of(path: Path) -> Outline | None:
    """Return what a long session that nothing seems to stand against says of itself. None for any other: that is opened
    without a screen, and so is told what is wrong with it."""
    try:
        first, entries = head_of(path)
        title = GAMES[first.body["game"]].title
        seats = tuple(SeatSign(seat["name"], seat["color"], seat["glyph"]) for seat in first.body["seats"])
    except (JournalError, KeyError, TypeError):
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


def _on_screen(
    path: Path, outline: Outline, wanted: Preferences, play_options_of: Callable[[], tuple[PlayOptions, TableMaker]]
) -> int:
    """Show what is known of the session, then its table, until the people leave; what follows is as ever."""
    from companion.commands.after_game import AfterGame
    from companion.dashboard.app import run_dashboard

    after = AfterGame(path)
    with ExitStack() as stack:
        reading = SessionReading(outline, partial(_open, stack, path, play_options_of))
        try:
            crash_file = sessions_dir().parent / "crash.txt"
            code = run_dashboard(reading=reading, crash_file=crash_file, offers=after.offers(), **wanted.look)
        finally:
            reading.stop()  # before what it opened is closed
        table = reading.end()
        if table is None:
            print(LEFT)
            return code
        from companion.commands.playing import afterwards, play, play_options_for, say_goodbye

        say_goodbye(table)
    play_options = play_options_for(path, play_options_of()[0])
    following = afterwards(after, path, play_options)
    return code if following is None else play(following, play_options)


def _open(
    stack: ExitStack, path: Path, play_options_of: Callable[[], tuple[PlayOptions, TableMaker]], progress: Progress
) -> Table:
    """Import what a table needs, and open the session; `stack` closes it."""
    import_module("companion.dashboard.at_table")
    from companion.commands.playing import at_board

    play_options, make = play_options_of()
    return at_board(stack, path, play_options, make, progress)
