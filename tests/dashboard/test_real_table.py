"""The dashboard over the real table: keys become rulings, rulings become text."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from textual.app import App
from textual.pilot import Pilot

from companion.actions import by_key
from companion.dashboard import registry as own
from companion.dashboard.app import Dashboard
from companion.opening import begin
from companion.table import Table
from tests.dashboard.screen import screen_text
from tests.pictures.make import picture


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with closing(begin("panic-fire", ["Red", "Blue", "Green", "Ann", "Bob"], {})) as opened:
        yield opened


def test_the_games_keys_and_the_dashboards_own_share_none(table: Table) -> None:
    every = by_key(own.registry(table.actions))
    assert {"enter", "space", "u", "y", "question_mark", "Q", "1", "q", "a"} <= set(every)


async def test_every_key_of_the_game_reaches_its_action(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test() as pilot:
        bound = {key: binding.action for key, (_, binding, *_) in app.screen.active_bindings.items()}
        await pilot.pause()
    for key, action in by_key(own.registry(table.actions)).items():
        assert bound[key] == f"perform({action.id!r})"


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_a_shot_played_by_keys_is_shown_with_its_verdict_and_undone(table: Table, size: tuple[int, int]) -> None:
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await pilot.press("enter", "1", "2", "a", "space", "w", "e")
        await _until(pilot, app, "Green shot Blue: Blue is out (PF-12)")
        await _until(pilot, app, "u undo: Green shot Blue: Blue is out (PF-12)")
        assert "OUT" in screen_text(app)
        await pilot.press("E")
        await _until(pilot, app, "the table puts Green out")
        await pilot.press("u", "u")
        await _until(pilot, app, "Blue was shot at")
        await _until(pilot, app, "y redo: ")
        await pilot.press("p")
        await _until(pilot, app, "! ")
    assert app.crash is None


def test_the_picture_of_a_table_loads_nothing_from_anywhere(table: Table) -> None:
    svg = picture(table, size=(80, 24))
    assert "before&#160;round&#160;1&#160;of&#160;6" in svg
    assert "@font-face" not in svg
    assert "url(http" not in svg.replace('"', "")


async def _until(pilot: Pilot[None], app: App[None], text: str) -> None:
    async with asyncio.timeout(10):
        while text not in screen_text(app):
            await pilot.pause()
