"""Pages that hide the table's prompt: no key of the table acts there, in any game, and the page says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import companion.dashboard.pages  # noqa: F401  with every page
from companion.dashboard.app import Dashboard
from companion.dashboard.game_screen import game_screen_of
from companion.dashboard.screens.big import BigPage
from companion.dashboard.screens.log import LogPage
from companion.dashboard.screens.outcome import OutcomePage
from companion.dashboard.widgets.page import TextPage
from companion.rules.registry import GAMES
from companion.session.key_meanings import REDO, UNDO
from companion.session.opening import begin
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text
from tests.games.panic_fire.screen.views import panic_fire_table

OPENED_BY = ("l", "c", "v", "b", "question_mark", "ctrl+r")


def pages(kind: type[TextPage] = TextPage) -> Iterator[type[TextPage]]:
    for page in kind.__subclasses__():
        yield page
        yield from pages(page)


@pytest.mark.parametrize("game_id", GAMES)
async def test_no_key_of_the_table_acts_on_a_page_that_hides_its_prompt(
    game_id: str, tmp_path: Path
) -> None:
    names = ("Ann", "Bo", "Cy")[: GAMES[game_id].seats[-1]]
    table = begin(game_id, names, {}, tmp_path / "evening.sqlite")
    screen = game_screen_of(game_id)
    of_the_table = [
        *(action for action in table.actions if action.id not in (UNDO.id, REDO.id)),
        *(action for action in screen.actions() if action.id not in screen.shown_only),
    ]
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        for opens in OPENED_BY:
            await pilot.press(opens)
            await pilot.pause()
            page, log = app.screen, table.view().log
            assert isinstance(page, TextPage)
            own = set(page._bindings.key_to_bindings) - {"enter"}
            for action in of_the_table:
                await pilot.press(*(key for key in action.keys if key not in own))
                assert app.screen is page, action.id
            await pilot.pause()
            assert "The table's keys do nothing here: " in screen_text(app), opens
            assert table.view().log == log, opens
            await pilot.press("escape")
            assert len(app.screen_stack) == 1
    table.close()


def test_only_pages_that_show_the_prompt_are_played_from() -> None:

    assert {page for page in pages() if page.LIKE_TABLE} == {BigPage, OutcomePage}


async def test_a_key_of_the_table_leaves_the_statistics_as_they_were_and_says_how_to_go_back() -> (
    None
):
    table = panic_fire_table()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("v", "enter")
        await pilot.pause()
        assert "! The table's keys do nothing here: Esc goes back." in screen_text(app)
        assert table.done == []
        await pilot.press("escape", "enter")
    assert table.done == ["panic-fire.fire"]


async def test_undo_works_on_the_log_which_shows_what_it_does() -> None:
    table = panic_fire_table()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", "u", "y", "1")
        assert isinstance(app.screen, LogPage)
    assert table.done == [UNDO.id, REDO.id]
