"""Keys after the end of a game: the same on its last page and on the table behind it, and none changes the game."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from companion.dashboard.app import Dashboard
from companion.dashboard.registry import AT_THE_END, QUIT, REPORT
from companion.dashboard.screens.game_over import GameOverPage
from companion.dashboard.screens.table import TableScreen
from companion.dashboard.widgets.page import TextPage
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import until
from tests.games.finished import finished
from tests.games.hints import EVERY
from tests.games.test_finished import facts, result

pytestmark = pytest.mark.usefixtures("sample_game", "own_games")
every_game = pytest.mark.parametrize("game_id", EVERY)


def meanings(app: Dashboard) -> dict[str, str]:
    """Return what each key does on the current screen."""
    return {key: binding.action for key, (_, binding, *_) in app.screen.active_bindings.items()}


async def at_the_last_page(pilot: Pilot[Any], app: Dashboard) -> None:
    await until(pilot, app, "Esc table")
    assert isinstance(app.screen, GameOverPage)


async def to_the_table(pilot: Pilot[Any], app: Dashboard) -> None:
    """Close what a key opened, and the last page."""
    for _ in range(9):
        if isinstance(app.screen, TableScreen):
            return
        if isinstance(app.screen, TextPage):
            app.at_table.close_page()
        else:
            app.pop_screen()
        await pilot.pause()


@every_game
async def test_no_key_of_the_last_page_does_something_else_on_the_table_behind_it(
    game_id: str,
) -> None:
    with finished(game_id) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(80, 24)) as pilot:
            await at_the_last_page(pilot, app)
            on_page = meanings(app)
            await to_the_table(pilot, app)
            on_table = meanings(app)
    scrolls = {
        key for key, action in on_page.items() if not action.startswith(("perform", "app.perform"))
    }
    for key in on_page.keys() - scrolls:
        assert on_page[key].removeprefix("app.") == on_table[key].removeprefix("app."), key
    for action in AT_THE_END:
        assert on_page[action.keys[0]] == f"app.perform({action.id!r})"


@every_game
async def test_every_key_pressed_once_leaves_a_finished_game_as_it_is(game_id: str) -> None:
    with finished(game_id) as table:
        app = Dashboard(table, clock=ManualClock())
        before = facts(table), result(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await at_the_last_page(pilot, app)
            keys = [key for action in app.actions if action.id != QUIT.id for key in action.keys]
            for key in keys:
                await pilot.press(key)
                await pilot.pause()
                assert (facts(table), result(table)) == before, key
                if table.view().question is not None:
                    table.do("table.disagree")
                await to_the_table(pilot, app)
            assert app.crash is None


async def test_the_key_of_the_report_writes_it_from_the_table_too() -> None:
    wrote: list[str] = []

    def report() -> str:
        wrote.append("report")
        return "The report is written."

    with finished("panic-fire") as table:
        app = Dashboard(table, clock=ManualClock(), offers={REPORT.id: report})
        async with app.run_test(size=(80, 24)) as pilot:
            await at_the_last_page(pilot, app)
            await pilot.press("escape")
            await until(pilot, app, "Esc shows the result")
            await pilot.press("h")
            await until(pilot, app, "The report is written.", "Esc table")
            assert (wrote, table.view().question) == (["report"], None)


async def test_keys_of_the_game_mean_what_they_did_once_it_goes_on_again() -> None:
    with finished("panic-fire") as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(80, 24)) as pilot:
            await at_the_last_page(pilot, app)
            await pilot.press("u")
            await until(
                pilot,
                app,
                "? Change the finished game?",
                "Then the game continues. - Enter yes, Esc no",
            )
            await pilot.press("enter")
            await until(pilot, app, "undo:")
            assert isinstance(app.screen, TableScreen)
            assert meanings(app)["h"] == "perform('panic-fire.hand')"
