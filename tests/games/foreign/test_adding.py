"""The page "Add a game" is true: what it tells a newcomer to type is a game that is found, played and right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name

import pytest

import companion.games
from companion.exits import Exit
from companion.rules.game_info import OPTIONAL
from companion.rules.registry import GAMES, problems
from tests.commands.ran import Ran
from tests.demo.quick_demo import play_at_once
from tests.games.foreign import install_source, installed
from tests.teach.learner import learning

PAGE = (Path(companion.games.__path__[0]) / "ADDING.md").read_text(encoding="utf-8")
FILES = (
    "pyproject.toml",
    "table_stones/__init__.py",
    "table_stones/rules.py",
    "table_stones/lesson.toml",
)


@pytest.fixture(autouse=True)
def stones(tmp_path: Path) -> Iterator[None]:
    """The files of the page, written down in its order and installed."""
    blocks = re.findall(r"^```(?:toml|python)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "stones" / "table_stones").mkdir(parents=True)
    for name, block in zip(FILES, blocks, strict=True):
        assert f"`{name}`" in PAGE
        (tmp_path / "stones" / name).write_text(block, encoding="utf-8")
    with installed(install_source(tmp_path / "stones", tmp_path / "site")):
        yield


def test_the_game_of_the_page_is_found_and_plays_its_demo() -> None:
    assert not problems()
    assert GAMES["stones"].player_count == "2 to 4 players"
    demo = play_at_once("stones", 1)
    assert demo.refused == ()
    assert demo.table.view().ended


def test_what_the_page_tells_to_type_works() -> None:
    assert Ran("simulate", "stones").code == Exit.DONE
    assert "Stones" in Ran("doctor").out
    assert Ran("config", "keys", "stones").code == Exit.DONE


def test_the_lesson_of_the_page_teaches_its_game(tmp_path: Path) -> None:
    with learning("stones", tmp_path / "lesson.sqlite") as learner:
        assert learner.lesson.do == "Take two stones for Ada."
        assert learner.lesson.keys == ("stones.take.2",)
        learner.do_all()
        assert learner.lesson.number == learner.lesson.of == 3


def test_the_page_names_every_part_that_a_game_can_bring() -> None:
    named = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    # this only a game with a map has
    assert named == {"rules", *OPTIONAL} - {"map_editor"}


def test_everything_that_the_page_names_can_be_imported() -> None:
    names = set(re.findall(r"`(companion(?:\.\w+)+)`", PAGE))
    assert "companion.rules.pictures" in names
    for name in names:
        resolve_name(name)
