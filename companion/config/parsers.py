"""The words of `companion config`, and the options that override a setting; importing this loads nothing."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from companion.exits import CommandError, Exit
from companion.rules.registry import info_of


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Add the command to the command line, and return it: what runs it stands above this room."""
    config = commands.add_parser("config", help="the settings: what is in force and why, where the file lies, its keys")
    what = config.add_subparsers(dest="what", metavar="WHAT", required=True)
    show = what.add_parser("show", help="every setting with its value and where that comes from")
    show.add_argument("--port", help="as if it were given to `play`")
    add_looks(show)
    what.add_parser("path", help="where the settings file lies")
    check = what.add_parser("validate", help="say what is wrong with a settings file, and on which line")
    check.add_argument("file", nargs="?", type=Path, metavar="FILE", help="another file (default: yours)")
    what.add_parser("init", help="write a settings file in which everything is still left as it is")
    keys = what.add_parser("keys", help="the keys of each game, as you have them, as a table")
    keys.add_argument("game", metavar="GAME", nargs="?", type=game_id, help="only this game")
    keys.add_argument("--write", type=Path, metavar="FILE", help="write the page of all keys as delivered to FILE")
    return config


def game_id(text: str) -> str:
    """Return the id of a game as it was typed. It is looked up when it is read, so that no help waits for what is
    installed; raise `GameUnusable` for one that is there and cannot be used."""
    try:
        return info_of(text).id
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def options(pairs: Sequence[str]) -> dict[str, str]:
    """Return the house rules of `--option RULING=CHOICE`; raise `CommandError` for one without a choice."""
    chosen = dict(pair.partition("=")[::2] for pair in pairs)
    for ruling, choice in chosen.items():
        if not choice:
            sentence = f"--option {ruling}: expected RULING=CHOICE, for example pile_exhausted=play_on"
            raise CommandError(sentence, Exit.USAGE)
    return chosen


def add_looks(command: argparse.ArgumentParser) -> None:
    """Add the options of everything that is played or looked at; each overrides a setting."""
    unsaid = argparse.SUPPRESS  # so that what stands before a command's name is not forgotten behind it
    for word, help_text in (
        ("plain", "one line per ruling instead of the dashboard"),
        ("ascii", "no sign on the screen that is not ASCII"),
    ):
        command.add_argument(f"--{word}", action="store_const", const=True, default=unsaid, help=help_text)
    for word, help_text in (
        ("animation", "whether things that move on the screen may glide"),
        ("sound", "whether bell, buzzer and lamp may be used"),
    ):
        command.add_argument(f"--{word}", action=argparse.BooleanOptionalAction, default=unsaid, help=help_text)
    command.add_argument("--theme", choices=("dark", "light"), default=unsaid, help="the colors of the dashboard")
