"""`companion components export|import GAME FILE`: the facts of a box, from one owner to another."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.commands.components import said, starting_text
from companion.exits import CommandError, Exit
from companion.rules.box_questions import called
from companion.rules.columns import clean, plural
from companion.rules.components import BoxError, ComponentRow, rules_of
from companion.session.owner_box import Difference, give_away, look_through, write_rows

_LONGEST = 300  # characters of a sentence about what a stranger wrote


def export(args: argparse.Namespace) -> Exit:
    """`export`: write the owner's facts to a file that can be handed over."""
    game_id: str = args.game
    path: Path = args.file
    try:
        count = give_away(game_id, path)
    except BoxError as error:
        raise CommandError(f"{_first(error)} Mend your file first: companion components edit {game_id}") from error
    except FileExistsError:
        raise CommandError(f"{path} is there already: name another file.", Exit.CANNOT_CREATE) from None
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.", Exit.CANNOT_CREATE) from error
    if not count:
        why = f"You have no facts of your own yet: companion components enter {game_id}"
        raise CommandError(why, Exit.NO_INPUT)
    print(f"{plural(count, 'fact')} written to {path}. Another owner takes them with:")
    print(f"  companion components import {game_id} {path.name}")
    return Exit.DONE


def take_over(args: argparse.Namespace) -> Exit:
    """`import`: take the facts of another owner; what differs from one's own is taken only when that is said."""
    game_id: str = args.game
    path: Path = args.file
    try:
        found = look_through(game_id, path)
    except FileNotFoundError:
        raise CommandError(f"There is no file {path}.", Exit.NO_INPUT) from None
    except BoxError as error:
        raise CommandError(f"{_first(error)} Nothing was taken from it.") from error
    taken = [one.theirs for one in found.differing if _wanted(game_id, one, args.theirs)]
    rows = [*found.new, *taken]
    if rows:
        _write(game_id, rows)
    kept = len(found.differing) - len(taken)
    print(f"{plural(len(found.new), 'new fact')}; {found.same} you have already; {kept} of yours kept.")
    if kept and not args.theirs and not sys.stdin.isatty():
        print(f"To take these, too:  companion components import {game_id} {path} --theirs")
    return Exit.DONE


def _wanted(game_id: str, one: Difference, theirs: bool) -> bool:
    """Show what differs; ask who can answer whether theirs is to be taken."""
    table = next(table for table in rules_of(game_id).TABLES if table.name == one.theirs.table)
    mine = "yours" if one.mine.own else "published"
    print(_cut(f"{called(table, one.theirs.name)}: {mine} {said(one.mine)} | theirs {said(one.theirs)}"))
    if theirs or not sys.stdin.isatty():
        return theirs
    print("Take theirs? y takes it, Enter keeps yours: ", end="", flush=True)
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _write(game_id: str, rows: list[ComponentRow]) -> None:
    try:
        path = write_rows(game_id, rows, (), starting_text(game_id))
    except BoxError as error:
        why = f"The facts do not go with yours, and nothing was taken. {_first(error)}"
        raise CommandError(why) from error
    except OSError as error:
        raise CommandError(f"Your file cannot be written: {error.strerror}.", Exit.CANNOT_CREATE) from error
    print(f"{plural(len(rows), 'fact')} written to {path}. New games use them.")


def _first(error: BoxError) -> str:
    """The first thing that is wrong, in a sentence."""
    more = f" ({len(error.problems) - 1} more rows are wrong.)" if len(error.problems) > 1 else ""
    return f"{_cut(str(error)).removesuffix('.')}.{more}"


def _cut(text: str) -> str:
    text = clean(text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
