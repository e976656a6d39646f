"""Nothing outside a game's own folder names a game: what holds for ours holds for anybody's."""

from __future__ import annotations

import re
from pathlib import Path

import companion
from companion.rules.registry import EXAMPLE, GAMES

HOUSE = Path(companion.__path__[0])
FILES = [path for path in HOUSE.rglob("*.py") if HOUSE / "games" not in path.parents]


def test_code_names_no_game_but_the_one_example() -> None:
    ours = [info for info in GAMES.values() if info.package.startswith("companion.games.")]
    names = re.compile("|".join(re.escape(name) for info in ours for name in (info.id, info.title)))
    found = {
        f"{path.relative_to(HOUSE)}: {line.strip()}"
        for path in FILES
        for line in path.read_text(encoding="utf-8").splitlines()
        if names.search(line)
    }
    assert found == {
        f'rules/registry.py: EXAMPLE = "{EXAMPLE}"',
        # the page of keys shows how a key is changed
        'dashboard/keymap.py: "panic-fire.fire" = "!"           # its own keys are free then',
    }


def test_nothing_outside_the_games_imports_one() -> None:
    imports = re.compile(r"^\s*(from|import) companion\.games\b", re.MULTILINE)
    assert [path for path in FILES if imports.search(path.read_text(encoding="utf-8"))] == []
