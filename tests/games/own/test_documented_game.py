"""The small game that docs/own_game.md shows in full."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.dashboard.app import Dashboard
from companion.rules.registry import learn
from companion.session.opening import begin
from companion.session.table import Table
from tests.commands.ran import Ran
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text

PAGE = (Path(__file__).parents[3] / "docs" / "own_game.md").read_text(encoding="utf-8")
SECTION = PAGE.split("## A whole small game\n")[1].split("\n## ")[0]
TIME = re.compile(r"\d\d:\d\d:\d\d")
KEYS = ("1", "1", "2", "2", "2", "3", "space", "1", "3", "3")


def block(language: str) -> str:
    (text,) = re.findall(rf"```{language}\n(.*?)```", SECTION, re.DOTALL)
    return str(text)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ring-toss.toml"
    path.write_text(block("toml"), encoding="utf-8")
    return path


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    info = learn(block("toml"))
    opened = begin(info.id, ("Ann", "Ben", "Carl"), {}, tmp_path / "session.sqlite")
    yield opened
    opened.close()


def test_the_file_is_right_as_the_page_says(file: Path) -> None:
    ran = Ran("games", "check", str(file))
    assert ran.code == 0
    assert "is right: Ring Toss, 2 to 6 players" in ran.out
    assert "is right: Ring Toss, 2 to 6 players" in PAGE


async def test_the_screen_is_the_programs_after_the_same_keys(table: Table) -> None:
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        for key in KEYS:
            await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause()
        shown = lines(screen_text(app))
    assert shown == lines(block("text"))


def lines(screen: str) -> list[str]:
    """Return the lines that are not empty, without times."""
    return [TIME.sub("", line).rstrip() for line in screen.splitlines() if line.strip()]


def test_the_refusal_of_a_fourth_ring_is_as_the_page_says(table: Table) -> None:
    for _ in range(3):
        table.do("own.ring.1")
    before = table.view().log[-1].text
    table.do("own.ring.1")
    assert table.view().log[-1].text == before
