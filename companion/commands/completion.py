"""`companion completion`: a shell's script to complete commands, options, games and sessions with the tab key."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from companion.config.own_games import kept_games
from companion.config.parsers import OR_PRINTED
from companion.errors import needs_extra
from companion.rules.registry import GAMES
from companion.session.finding import listed, telling_names

# lists that the scripts request when the tab key is pressed
WORDS = "games", "sessions"
# words in which no shell gives a character a meaning
_PLAIN = re.compile(r"[\w.+:@%/-]+", re.ASCII)
_PREAMBLE = {
    "bash": """\
_companion_games() { compgen -W "$(companion completion games 2>/dev/null)" -- "$1"; }
_companion_sessions() { compgen -W "$(companion completion sessions 2>/dev/null)" -- "$1"; compgen -f -- "$1"; }
""",
    "zsh": """\
_companion_games() { compadd -- ${(f)"$(companion completion games 2>/dev/null)"} }
_companion_sessions() { compadd -- ${(f)"$(companion completion sessions 2>/dev/null)"}; _files }
""",
    "powershell": """\
function _companion_games($typed) { companion completion games 2>$null | Where-Object { $_ -like "$typed*" } }
function _companion_sessions($typed) {
    companion completion sessions 2>$null | Where-Object { $_ -like "$typed*" }
    _shtab_powershell_compgen_files $typed
}
""",
}
_COMPLETED = {
    "GAME": {
        "bash": "_companion_games",
        "zsh": "_companion_games",
        "tcsh": "`companion completion games`",
        "fish": "(companion completion games 2>/dev/null)",
        "powershell": "_companion_games",
    },
    "SESSION": {
        "bash": "_companion_sessions",
        "zsh": "_companion_sessions",
        "tcsh": "`companion completion sessions`",
        "fish": "(companion completion sessions 2>/dev/null; __fish_complete_path (commandline -ct))",
        "powershell": "_companion_sessions",
    },
}
_FILES = {
    "bash": "_shtab_compgen_files",
    "zsh": "_files",
    "tcsh": "f",
    "fish": "(__fish_complete_path (commandline -ct))",
    "powershell": "_shtab_powershell_compgen_files",
}


def run(what: str, parser: argparse.ArgumentParser, out: TextIO) -> None:
    """Print the completion script of a shell, or a list of words, one a line; raise `CommandError` as `script` does."""
    if what in WORDS:
        for word in _games() if what == "games" else _sessions():
            print(word, file=out)
        return
    print(script(what, parser), file=out)


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """Return the completion script of a shell; raise `CommandError` if the library is missing."""
    with needs_extra("completion", "Completion needs a library that is not installed."):
        import shtab
    for action in _actions(parser):
        completed = _COMPLETED.get(str(action.metavar))
        if action.type is Path or action.metavar == OR_PRINTED:
            completed = _FILES
        if completed:
            action.complete = completed  # type: ignore[attr-defined]  # shtab looks for it there
    made = str(shtab.complete(parser, shell, preamble=_PREAMBLE.get(shell, "")))
    # The lists above are asked from the program under the name that the script completes.
    return made.replace("companion completion ", f"{parser.prog} completion ")


def _games() -> Iterator[str]:
    """Yield the installed games, then the user's own that can be typed as one word."""
    yield from tuple(GAMES)
    for own in kept_games():
        if own.info is not None and _PLAIN.fullmatch(own.path.stem):
            yield own.path.stem


def _sessions() -> Iterator[str]:
    """Yield the sessions that can be typed as one word, by name or else by file."""
    infos = listed()
    # two sessions of one name get names that tell them apart
    for info, name in zip(infos, telling_names(infos), strict=True):
        yield name if _PLAIN.fullmatch(name) else info.path.stem


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    # argparse has no public list of them, and shtab reads the same one
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in dict.fromkeys(action.choices.values()):
                yield from _actions(command)
        else:
            yield action
