"""One stored session for each version of a game's rules: its result never changes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.own.rules.fold import RULES_VERSION
from companion.rules.registry import GAMES, open_game
from tests.fixtures.renew import told
from tests.games.own.files import NAMES

SESSIONS = Path(__file__).parent.parent / "fixtures" / "sessions"
KEPT = sorted(SESSIONS.glob("*.sqlite"))


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    yield
    vars(GAMES)["learned"].clear()


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.stem)
def test_a_kept_session_comes_to_what_it_came_to_when_it_was_made(
    kept: Path, tmp_path: Path
) -> None:
    for file in SESSIONS.glob(f"{kept.name}*"):
        shutil.copy(file, tmp_path)

    assert told(tmp_path / kept.name) == kept.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_each_example_of_an_own_game_has_a_kept_session_of_the_present_version(name: str) -> None:
    assert f"{name}-rules-{RULES_VERSION}" in [path.stem for path in KEPT]


@pytest.mark.parametrize("game_id", GAMES)
def test_each_game_has_a_kept_session_of_its_present_version(game_id: str) -> None:
    assert f"{game_id}-rules-{open_game(game_id).rules_version}" in [path.stem for path in KEPT]
