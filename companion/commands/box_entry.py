"""`companion components enter GAME`: the open facts of a box, asked one after the other; on plain lines where there is
no screen."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

from companion.commands.components import draw_map, starting_text
from companion.config.schema import Preferences
from companion.dashboard.preferences import in_force
from companion.exits import CommandError, Exit
from companion.rules.box_questions import UNDO, NoAnswer
from companion.rules.components import BoxError
from companion.rules.registry import open_game
from companion.session import terminal
from companion.session.box_entry import BoxEntry

SKIP, STOP = "-", "q"
SOURCE = "my copy"


def run(args: argparse.Namespace) -> int:
    """`enter`: ask for the open facts on the screen, or on plain lines; return the exit code."""
    wanted = in_force(args)
    if terminal.shows_screens() and not wanted.plain:
        return enter(args.game, args.source, wanted)
    return by_lines(_entry(args.game, args.source), lambda: (line.rstrip("\n") for line in sys.stdin))


def enter(game_id: str, source: str, wanted: Preferences) -> int:
    """Ask for the open facts of a game on the screen; return the exit code."""
    from companion.dashboard.box_entry import BoxEntryApp

    while True:
        entry = _entry(game_id, source)
        app = BoxEntryApp(entry, open_game(game_id).title, wanted=wanted)
        side = app.run()
        if app.failure is not None:
            raise app.failure
        if side is None:
            print(_kept(entry))
            return Exit.DONE
        draw_map(game_id, side, source, wanted)


def _entry(game_id: str, source: str) -> BoxEntry:
    try:
        entry = BoxEntry(game_id, starting_text(game_id), source)
    except BoxError as error:
        more = f"Mend your file first: companion components edit {game_id}"
        raise CommandError(f"{str(error).removesuffix('.')}. {more}", Exit.DATA) from error
    if not entry.facts:
        raise CommandError(f"Every fact about the box of {open_game(game_id).title} is known.", Exit.NO_INPUT)
    return entry


def _kept(entry: BoxEntry) -> str:
    known = f"{entry.known} of {len(entry.facts)} known"
    if not entry.path.exists():
        return f"{known}. Go on:  companion components enter {entry.game_id}"
    return f"{known}, kept in {entry.path}. New games use them. Go on:  companion components enter {entry.game_id}"


def by_lines(entry: BoxEntry, lines: Callable[[], Iterator[str]]) -> int:
    """Ask on plain lines until somebody stops or nothing is left to ask; return the exit code."""
    from companion.dashboard.box_entry import choices

    print(f"{open_game(entry.game_id).title}: {entry.known} of {len(entry.facts)} known.")
    print(f"A line answers. {SKIP} not known, {UNDO} undo, {STOP} stop; :{UNDO} where {UNDO} itself is the answer.")
    given = lines()
    while (question := entry.question) is not None:
        print(f"\n{question}\n  {choices(question, entry.words)}")
        line = next(given, STOP)
        if line.strip() == STOP and STOP not in question.keys:
            break
        if said := _answered(entry, line):
            print(said)
    print(f"\n{_kept(entry)}")
    return Exit.DONE


def _answered(entry: BoxEntry, line: str) -> str:
    typed = line.strip()
    try:
        if typed == SKIP:
            entry.skip()
        elif typed == UNDO:
            return "" if entry.undo() else "There is nothing to take back."
        else:
            return entry.answer(typed.removeprefix(":"))
    except NoAnswer as refusal:
        return f"! {refusal}"
    return ""
