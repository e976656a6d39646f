"""Find the user's own games and load their files.

A file in the folder `games` of the user's data folder (`COMPANION_DATA` names another) is offered like any game; a
file elsewhere is played by its path.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from companion.errors import CommandError, reading
from companion.journal.disk import is_file, read_regular
from companion.journal.folder import sessions_dir
from companion.program import PROGRAM
from companion.rules.game_info import GameInfo
from companion.rules.plain_toml import line_of
from companion.rules.registry import GAMES, OWN_GAMES, learn

SUFFIX = ".toml"
# bytes read of a file; the parser of games refuses one of half this size
_MOST_BYTES = 1 << 17


class OwnGame(NamedTuple):
    """A file in the folder: its game, or its fault."""

    path: Path
    info: GameInfo | None
    fault: str


def games_dir() -> Path:
    """Return the folder of the user's own games; it need not exist."""
    return sessions_dir().parent / "games"


def learn_file(path: Path) -> GameInfo:
    """Load a game from its file and add it to `GAMES`; raise `CommandError` with the file, the line, the reason, and
    what was expected."""
    with reading(path):
        # bounded, because somebody else may have made the file
        text = read_regular(path, _MOST_BYTES).decode("utf-8-sig")
    try:
        return learn(text)
    except ValueError as fault:
        where: tuple[str, ...] = getattr(fault, "path", ())
        line = line_of(text, where) if where else 0
        named = f", line {line}" if line else ""
        raise CommandError(f"{path}{named}: {fault}") from None


def kept_games() -> Iterator[OwnGame]:
    """Yield each file of the folder, sorted by name; if the folder cannot be read, yield it with its fault."""
    folder = games_dir()
    try:
        paths = _files()
    except OSError as problem:
        yield OwnGame(folder, None, f"{folder} cannot be read: {problem.strerror}.")
        return
    for path in paths:
        try:
            yield OwnGame(path, learn_file(path), "")
        except CommandError as fault:
            yield OwnGame(path, None, str(fault))


def examples() -> dict[str, Traversable]:
    """Return the example files that can be copied, by name."""
    entries = sorted(files(OWN_GAMES).joinpath("examples").iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(SUFFIX): file for file in entries if file.name.endswith(SUFFIX)}


def copy_of(name: str) -> str:
    """Return the command that copies an example."""
    return f"{PROGRAM} games new --like {name}"


def names() -> list[str]:
    """Return the words that name games on the command line: installed games, and the files in the folder."""
    own: list[Path] = []
    with suppress(OSError):  # `games list` reports it
        own = _files()
    return [
        *(game_id for game_id, info in GAMES.items() if not info.carried),
        *(path.stem for path in own),
    ]


def _files() -> list[Path]:
    """Return the folder's files, sorted by name. Raise `OSError` if it cannot be read, which `Path.glob` does not in
    newer Pythons."""
    try:
        return sorted(path for path in games_dir().iterdir() if path.name.endswith(SUFFIX))
    except FileNotFoundError:
        return []


def named(word: str) -> GameInfo | None:
    """Return the game that a word on the command line means: a file, or the id of one in the folder; None if neither.
    Raise `CommandError`."""
    if word.endswith(SUFFIX):
        return learn_file(Path(word))
    kept = games_dir() / f"{word}{SUFFIX}"
    # letters, digits and dashes only: a path would leave the folder
    if not word.replace("-", "").isalnum() or not is_file(kept):
        return None
    return learn_file(kept)
