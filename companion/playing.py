"""`companion play` and `companion resume`: a session, its board, and a screen or plain lines."""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TextIO

from companion.actions import by_key
from companion.exits import Exit
from companion.games import open_game
from companion.journal.errors import NotSaved
from companion.journal.sessions import last_unfinished, sessions_dir
from companion.opening import CannotOpen, begin, resume
from companion.table import Table
from firmware_protocol.virtual.runtime import VirtualBoardError


def run(args: argparse.Namespace) -> int:
    """Run `play`, `resume`, or no command at all; return the exit code."""
    try:
        if args.command is None:
            return offer_last()
        if args.command == "resume":
            path = _named_or_last(args.file)
            return play(lambda: resume(path), args.port, plain=_plain(args))
        seats, options = [name.strip() for name in args.seats.split(",")], _options(args.option)
        return play(lambda: begin(args.game, seats, options), args.port, plain=_plain(args))
    except VirtualBoardError as problem:
        print(f"The virtual board cannot be started: {problem}", file=sys.stderr)
        return Exit.UNAVAILABLE
    except CannotOpen as problem:
        print(problem, file=sys.stderr)
        return problem.exit_code
    except NotSaved as problem:
        print(f"The last entries could not be saved: {problem}", file=sys.stderr)
        return Exit.NOT_SAVED


def play(open_table: Callable[[], Table], port: str, *, plain: bool) -> int:
    """Open a table, its board first, and play at it until the people leave; close both in any case."""
    with _board_at(port) as place, closing(open_table()) as table:
        if place is not None:
            table.connect(place)
        if plain:
            return play_plain(table, sys.stdin, sys.stdout)
        from companion.dashboard.app import run_dashboard

        return run_dashboard(table, crash_file=sessions_dir().parent / "crash.txt")


@contextmanager
def _board_at(port: str) -> Iterator[str | None]:
    """Where the link is to look for the board, None for no board; a virtual one runs as long as this."""
    if port == "virtual":
        from companion import virtual

        with virtual.running() as board:
            yield board.url
    else:
        yield None if port == "none" else port


def play_plain(table: Table, commands: TextIO, out: TextIO) -> int:
    """Print one line per ruling; read keys, one a line, until the input ends."""
    from companion.plain import LinePrinter

    keys = by_key(table.actions)
    with LinePrinter(table, out) as printer:
        printing = threading.Thread(target=printer.run, name="lines")
        printing.start()
        try:
            for line in commands:
                word = line.strip()
                if word in keys:
                    table.do(keys[word].id)
                elif word:
                    print(f"? {word}: no such key; the keys are {' '.join(keys)}", file=out, flush=True)
        finally:
            printer.stop()
            printing.join()
        printer.finish(table.summary())
    return 0


def offer_last() -> int:
    """Offer the last unfinished session, or say how to begin."""
    last = last_unfinished(sessions_dir())
    if last is None:
        print("There is no unfinished session. Begin one:\n  companion play panic-fire --seats red,blue,green")
        print("or watch one on the virtual board:\n  companion demo")
        return 0
    title = open_game(last.game).title
    begun = datetime.fromisoformat(last.started_wall).astimezone()
    print(f"The last unfinished session: {title}, begun {begun:%Y-%m-%d %H:%M}, {last.entries} entries.")
    if not sys.stdin.isatty():
        print("Go on with it:  companion resume")
        return 0
    if input("Go on with it? [Y/n] ").strip().lower() in ("", "y", "yes"):
        return play(lambda: resume(last.path), "auto", plain=False)
    print("It is kept. Begin another one:\n  companion play panic-fire --seats red,blue,green")
    return 0


def _named_or_last(file: str | None) -> Path:
    if file is not None:
        return Path(file)
    last = last_unfinished(sessions_dir())
    if last is None:
        raise CannotOpen(
            "There is no unfinished session; begin one: companion play panic-fire --seats red,blue", Exit.NO_INPUT
        )
    return last.path


def _plain(args: argparse.Namespace) -> bool:
    return bool(args.plain) or not sys.stdout.isatty()


def _options(pairs: list[str]) -> dict[str, str]:
    chosen = dict(pair.partition("=")[::2] for pair in pairs)
    for ruling, choice in chosen.items():
        if not choice:
            raise CannotOpen(
                f"--option {ruling}: expected RULING=CHOICE, for example pile_exhausted=play_on", Exit.USAGE
            )
    return chosen
