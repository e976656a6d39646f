"""No code outside a game's own folder names a game, so our games are no different from others'."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import companion
from companion import cli
from companion.rules.registry import GAMES, example_game

HOUSE = Path(companion.__path__[0])
FILES = [path for path in HOUSE.rglob("*.py") if HOUSE / "games" not in path.parents]


def test_code_names_no_game_but_the_one_example_in_the_help() -> None:
    ours = [info for info in GAMES.values() if info.package.startswith("companion.games.")]
    names = re.compile("|".join(re.escape(name) for info in ours for name in (info.id, info.title)))
    found = {
        f"{path.relative_to(HOUSE)}: {line.strip()}"
        for path in FILES
        for line in path.read_text(encoding="utf-8").splitlines()
        if names.search(line)
    }
    # help for the command line does not wait until the games of this computer are found
    assert found == {f'cli.py: EXAMPLE = "{cli.EXAMPLE}"'}
    assert example_game() == cli.EXAMPLE


def test_nothing_outside_the_games_imports_one() -> None:
    imports = re.compile(r"^\s*(from|import) companion\.games\b", re.MULTILINE)
    assert [path for path in FILES if imports.search(path.read_text(encoding="utf-8"))] == []


# What a game's own code is made of; the command line, where a person types a game's name, is above it.
BELOW = ("rules", "journal", "link", "session", "config", "dashboard", "reports", "board", "teach")


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Yield a module's strings with their lines, docstrings included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_no_string_below_the_games_is_made_of_the_name_of_one() -> None:
    ours = [info for info in GAMES.values() if info.package.startswith("companion.games.")]
    spelled = {name for info in ours for name in (info.id, info.title, info.id.replace("-", "_"))}
    names = re.compile("|".join(map(re.escape, spelled)), re.IGNORECASE)
    protocol = HOUSE.parent / "firmware_protocol"
    paths = [path for part in BELOW for path in (HOUSE / part).rglob("*.py")]
    found = [
        f"{path.name}:{line}: {text}"
        for path in [*paths, *protocol.rglob("*.py")]
        for line, text in strings(path.read_text(encoding="utf-8"))
        if names.search(text)
    ]
    assert found == []


def test_a_string_that_names_a_game_is_found_wherever_it_is() -> None:
    source = '"""Of Drills."""\nGAME = f"panic-{1}"\nTEXT = ("a" "sky_rise")\n'
    assert list(strings(source)) == [(1, "Of Drills."), (3, "asky_rise"), (2, "panic-")]
