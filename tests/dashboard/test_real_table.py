"""The dashboard over the real table: keys become rulings, rulings become text."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from textual.app import App
from textual.pilot import Pilot

from companion.dashboard import registry as own
from companion.dashboard.app import Dashboard
from companion.rules.actions import by_key
from companion.session.opening import begin
from companion.session.table import Table
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
        bound = {
            key: binding.action for key, (_, binding, *_) in app.screen.active_bindings.items()
        }
        await pilot.pause()
    for key, action in by_key(own.registry(table.actions)).items():
        assert bound[key] == f"perform({action.id!r})"


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_a_shot_played_by_keys_is_shown_with_its_verdict_and_undone(
    table: Table, size: tuple[int, int]
) -> None:
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await pilot.press("enter", "1", "2", "a", "space", "w", "e")
        await _until(pilot, app, "Green shot Blue: Blue is out")
        await _until(pilot, app, "u undo: Green shot Blue: Blue is out")
        assert "OUT" in screen_text(app)
        await pilot.press("E")
        await _until(pilot, app, "the table eliminates Green")
        await pilot.press("u", "u")
        await _until(pilot, app, "Blue was shot at")
        await _until(pilot, app, "y redo: ")
        await pilot.press("p")
        await _until(pilot, app, "! ")
    assert app.crash is None


async def test_a_refusal_is_explained_only_until_something_else_counts(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "enter")
        await _until(pilot, app, "! The round is not over")
        await pilot.press("ctrl+r")
        await _until(pilot, app, "The last answer")
        await pilot.press("escape", "1", "ctrl+r")
        await _until(pilot, app, "The last ruling")
        assert "The last answer" not in screen_text(app)
        assert "1 earlier refusal below" in screen_text(app)


async def test_the_small_letter_names_the_capital_that_the_prompt_asks_for(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("x")
        await _until(pilot, app, "! x works in the log")
        await pilot.press("enter", "space", "x")
        await _until(pilot, app, "! For nobody hit press X, with Shift")
        await pilot.press("X")
        await _until(pilot, app, "Nobody was hit")


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_a_draw_is_amended_in_its_place_with_who_and_why(
    table: Table, size: tuple[int, int]
) -> None:
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await pilot.press("enter", "1", "2", "2", "c")
        await _until(pilot, app, "Blue draws")
        await pilot.press("home", "down", "f2")
        await _until(pilot, app, "< Red >  1 of 5")
        await pilot.press("g", "tab", *"it was Green", "tab", "b", "enter")
        await _until(pilot, app, "Changed: Green draws")
        await _until(pilot, app, "Reason: it was Green. Decided by Blue.")
    assert [seat.draws for seat in table.view().game.seats] == [0, 2, 1, 0, 0]
    assert app.crash is None


async def test_a_missed_draw_is_inserted_and_what_makes_no_sense_is_refused(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "1", "2", "c")
        await _until(pilot, app, "Blue draws")
        await pilot.press("home", "f3", "8")
        await _until(pilot, app, "< after fire!")
        await pilot.press("w")
        await _until(pilot, app, "target             < choose >")
        await pilot.press("down", "r", "enter")
        await _until(pilot, app, "For a shot press Space.")
        await pilot.press("up", "c")
        await _until(pilot, app, "< card was drawn >")
        await _until(pilot, app, "player             < choose >")
        await pilot.press("down", "a", "enter")
        await _until(pilot, app, "Added: Ann draws")
    assert [seat.draws for seat in table.view().game.seats] == [1, 1, 0, 1, 0]


async def test_somebody_joins_leaves_and_gets_a_score_by_hand(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("f6", "tab", "b", "b", "enter")
        await _until(pilot, app, "Bob leaves the game")
        await pilot.press("f6", "left")
        await _until(pilot, app, "score")
        await pilot.press("tab", "r", "tab", "2", "tab", *"a bet", "enter")
        await _until(pilot, app, "Red's ")
    assert "bob" in table.view().left
    assert app.crash is None


async def test_a_kind_of_step_is_done_by_hand_from_now_on(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f5")
        await _until(pilot, app, "draws              < counted at once")
        await pilot.press("down", "e", "enter")
        await pilot.pause()
    assert table.inspection.marshal().levels["draws"] == "manual"


def test_the_picture_of_a_table_loads_nothing_from_anywhere(table: Table) -> None:
    svg = picture(table, size=(80, 24))
    assert "before&#160;round&#160;1&#160;of&#160;6" in svg
    assert "@font-face" not in svg
    assert "url(http" not in svg.replace('"', "")


async def _until(pilot: Pilot[None], app: App[None], text: str) -> None:
    async with asyncio.timeout(10):
        while text not in screen_text(app):
            await pilot.pause()
