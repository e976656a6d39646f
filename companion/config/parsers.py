"""The options of a command line that override a setting, and words of it that are read alike; importing this loads
nothing."""

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
"""Adds to a command what it takes: an argument, several, or commands below it."""
Adder = Callable[..., argparse.ArgumentParser]
"""Adds a command to those of one parser, see `command`."""

argument: Callable[..., Takes] = partial(methodcaller, "add_argument")
"""Returns what adds an argument, of which `add_argument` is told the same."""
SESSION = argument(
    "session",
    nargs="?",
    metavar="SESSION",
    help="a session's name or file (default: the one played last)",
)
OR_PRINTED = "FILE|-"
"""What help calls a file in whose place a dash prints."""
ANYWAY = argument(
    "--anyway", action="store_true", help="go on, although part of what was saved is missing"
)
JSON = argument("--json", action="store_true", help="print JSON")


def file(word: str, what: str, **more: Any) -> Takes:
    """Return what adds a file, as `word`; `what` it is."""
    return argument(word, type=Path, metavar="FILE", help=what, **more)


def out(default: str, **more: Any) -> Takes:
    """Return what adds `--out`; `default` says where it is written without that."""
    return argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help=f"write to a new FILE (default: {default})",
        **more,
    )


def out_or_printed() -> Takes:
    """Return what adds `--out` to a command that prints without it, and with a dash for the file."""
    what = "write to a new FILE (default, and for -: print it)"
    return argument("-o", "--out", type=_file_unless_dash, metavar=OR_PRINTED, help=what)


def _file_unless_dash(text: str) -> Path | None:
    if not text:
        raise argparse.ArgumentTypeError("'' is no file here: name one, or leave this out")
    return None if text == "-" else Path(text)


def command(
    commands: Subparsers, name: str, run: str, help_text: str, *takes: Takes
) -> argparse.ArgumentParser:
    """Add a command, and return it: what does it, as `module:function` of this package, empty where only the commands
    below it do anything; what it does, in words; and what it takes, which is added when somebody asks for it. Its
    `word` is its name, for what does several."""
    parser = commands.add_parser(name, help=help_text, takes=takes)
    if run:
        parser.set_defaults(run=f"companion.{run}", word=name)
    return parser


def game_id(text: str) -> str:
    """Return the id of a game as it was typed, or of the game that a file states. It is looked up when it is read, so
    that no help waits for what is installed; raise `GameUnusable` for one that is there and cannot be used, and
    `CommandError` for a file that states none."""
    try:
        return text if text in GAMES else _own(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def _own(text: str) -> str:
    # the data folder, and sqlite with it
    from companion.config.own_games import copy_of, examples, named, names

    info = named(text)
    if info is None and text in examples():
        raise ValueError(f"{text!r} is an example; copy it first:  {copy_of(text)}")
    return (info or info_of(text, names())).id


def positive(what: str, wanted: str) -> Callable[[str], float]:
    """Return what reads a number above 0 that the system can wait for in seconds; who typed another one is told that it
    is no `what`, and to give what is `wanted`."""

    def read(text: str) -> float:
        with suppress(ValueError):
            if 0 < (number := float(text)) < threading.TIMEOUT_MAX:
                return number
        raise argparse.ArgumentTypeError(f"{text!r} is no {what}: give {wanted}")

    return read


def whole_number(least: int, most: int, example: int) -> Callable[[str], int]:
    """Return what reads a whole number in these bounds; who typed something else is told which fits."""

    def read(text: str) -> int:
        if text.isdecimal() and len(text) < 12 and least <= int(text) <= most:
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
    help="a house rule; may be given repeatedly",
)


def add_looks(
    command: argparse.ArgumentParser,
    *,
    plain: str = "print one line per ruling instead of the dashboard",
) -> None:
    """Add the options of everything that is played or looked at; each overrides a setting. `plain` is what that one
    does here."""
    # Without a default, what stands before a command's name is not forgotten behind it.
    add = partial(command.add_argument, default=argparse.SUPPRESS)
    add("--plain", action="store_const", const=True, help=plain)
    add("--ascii", action="store_const", const=True, help="show ASCII signs only")
    add(
        "--odds",
        action=argparse.BooleanOptionalAction,
        help="show the odds by what everybody can see",
    )
    add(
        "--animation",
        action=argparse.BooleanOptionalAction,
        help="let what moves on the screen move smoothly",
    )
    add("--sound", action=argparse.BooleanOptionalAction, help="use bell, buzzer and lamp")
    add("--theme", choices=("dark", "light"), help="the colors of the dashboard")
