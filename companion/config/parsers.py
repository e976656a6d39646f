"""Command-line options that override settings, and readers for arguments that several commands share. Importing this
loads nothing heavy."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Any, TypeAlias

from companion.errors import CommandError, ErrorKind
from companion.rules.registry import GAMES, info_of

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Takes = Callable[[argparse.ArgumentParser], object]
"""Adds to a command's parser an argument, several, or subcommands."""
Adder = Callable[..., argparse.ArgumentParser]
"""Adds a command to the subcommands of one parser, see `command`."""

argument: Callable[..., Takes] = partial(methodcaller, "add_argument")
"""Returns a function that adds an argument; it takes what `add_argument` takes."""
SESSION = argument(
    "session",
    nargs="?",
    metavar="SESSION",
    help="a session's name or file (default: the one played last)",
)
OR_PRINTED = "FILE|-"
"""Metavar of a file for which a dash means standard output."""
ANYWAY = argument(
    "--anyway", action="store_true", help="continue although part of what was saved is missing"
)
JSON = argument("--json", action="store_true", help="print JSON")


def file(word: str, what: str, **more: Any) -> Takes:
    """Return a function that adds the file argument `word`; `what` describes it."""
    return argument(word, type=Path, metavar="FILE", help=what, **more)


def out(default: str, **more: Any) -> Takes:
    """Return a function that adds `--out`; `default` says where the output goes without it."""
    return argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help=f"write to a new FILE (default: {default})",
        **more,
    )


def out_or_printed() -> Takes:
    """Return a function that adds `--out` to a command that prints by default; a dash for the file prints too."""
    what = "write to a new FILE (default, and for -: print it)"
    return argument("-o", "--out", type=_file_unless_dash, metavar=OR_PRINTED, help=what)


def _file_unless_dash(text: str) -> Path | None:
    if not text:
        raise argparse.ArgumentTypeError("'' is no file here: name one, or leave this out")
    return None if text == "-" else Path(text)


def command(
    commands: Subparsers, name: str, run: str, help_text: str, *takes: Takes
) -> argparse.ArgumentParser:
    """Add a command and return its parser. `run` names its function as `module:function` of this package, empty if only
    its subcommands do anything; `help_text` describes it; `takes` add its arguments when its parser is first used. Its
    `word` is its name, for a function that serves several commands."""
    parser = commands.add_parser(name, help=help_text, takes=takes)
    if run:
        parser.set_defaults(run=f"companion.{run}", word=name)
    return parser


def game_id(text: str) -> str:
    """Return the id of a game as typed, or of the game in a file. Games are looked up when the argument is read, so
    that no help waits for what is installed. Raise `GameUnusable` for a game that is there but cannot be used, and
    `CommandError` for a file without a game."""
    try:
        return text if text in GAMES else _own(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def lesson_name(text: str) -> str:
    """Return the name of a lesson as typed: `program`, `board`, or a game as `game_id` returns it."""
    return text if text in ("program", "board") else game_id(text)


def _own(text: str) -> str:
    # imported here, because it brings the data folder, and sqlite with it
    from companion.config.own_games import copy_of, examples, named, names

    info = named(text)
    if info is None and text in examples():
        raise ValueError(f"{text!r} is an example; copy it first:  {copy_of(text)}")
    return (info or info_of(text, names())).id


def positive(what: str, wanted: str) -> Callable[[str], float]:
    """Return a reader of numbers above 0 that the system can wait for in seconds. Its error says that the text is no
    `what`, and to give what is `wanted`."""

    def read(text: str) -> float:
        with suppress(ValueError):
            if 0 < (number := float(text)) < threading.TIMEOUT_MAX:
                return number
        raise argparse.ArgumentTypeError(f"{text!r} is no {what}: give {wanted}")

    return read


def whole_number(least: int, most: int, example: int) -> Callable[[str], int]:
    """Return a reader of whole numbers within bounds; its error gives an example."""

    def read(text: str) -> int:
        if text.isdecimal() and len(text) < 12 and least <= int(text) <= most:
            # the length bounds `int`, which is slow for a million digits
            return int(text)
        wanted = f"give a whole number from {least} to {most}, for example {example}"
        raise argparse.ArgumentTypeError(f"{text!r} does not fit here: {wanted}")

    return read


def options(pairs: Sequence[str]) -> dict[str, str]:
    """Return the house rules of `--option RULING=CHOICE`; raise `CommandError` for one without a choice."""
    chosen = dict(pair.partition("=")[::2] for pair in pairs)
    for ruling, choice in chosen.items():
        if not choice:
            sentence = f"--option {ruling} names no choice: give RULING=CHOICE, for example pile_exhausted=play_on."
            raise CommandError(sentence, ErrorKind.USAGE)
    return chosen


SEATS = argument(
    "--seats", metavar="A,B,...", help="names, clockwise (default: the setting, or colors)"
)
OPTION = argument(
    "--option",
    action="append",
    default=[],
    metavar="RULING=CHOICE",
    help="a house rule; may be repeated",
)


def add_looks(
    command: argparse.ArgumentParser,
    *,
    plain: str = "print one line per ruling instead of the dashboard",
) -> None:
    """Add the options of every command that shows a game; each overrides a setting. `plain` is the help of that one
    here."""
    # Without a default: a subparser's default would overwrite what was given before the command's name.
    add = partial(command.add_argument, default=argparse.SUPPRESS)
    add("--plain", action="store_const", const=True, help=plain)
    add("--ascii", action="store_const", const=True, help="show only ASCII characters")
    add(
        "--odds",
        action=argparse.BooleanOptionalAction,
        help="show odds that follow from what everybody can see",
    )
    add(
        "--animation",
        action=argparse.BooleanOptionalAction,
        help="animate movements on the screen",
    )
    add("--sound", action=argparse.BooleanOptionalAction, help="use bell, buzzer and lamp")
    add("--theme", choices=("dark", "light"), help="the colors of the dashboard")
