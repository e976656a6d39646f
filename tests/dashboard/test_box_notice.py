"""Unknown facts of a box: one sentence before play begins, then only on the page of statistics."""

from __future__ import annotations

from contextlib import closing

import pytest

from companion.dashboard.app import Dashboard
from companion.rules.registry import GAMES
from companion.session.opening import begin
from companion.session.table import Table
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text, until

SIZES = ((80, 24), (160, 50))
NOTICES = {
    "panic-fire": "Card details are missing: you decide if a shot is legal. (v: statistics)",
    "skyfire": "Card details are missing: you decide if a zone meets the target. (v: statistics)",
    "sky-rise": "The sign of the fifth suit is missing: it is shown as 5. (v: statistics)",
    "fractured-sky": "The companion does not know all of your map and cards, so it asks you where they matter. "
    "(v: statistics)",
}
OPTIONS = {"sky-rise": {"deck": "five_suit"}}
COSTS = {
    "panic-fire": "match numbers unknown",
    "skyfire": "symbols unknown, ",
    "sky-rise": "sign of the fifth suit unknown",
    "fractured-sky": "resources of 6 unknown",
}
FIRST_KEYS = {"panic-fire": "enter", "skyfire": "enter", "sky-rise": "1", "fractured-sky": "1"}


async def flat(table: Table, size: tuple[int, int], *keys: str) -> str:
    """Return the screen after these keys as one line; the panels beside the log or the map come first."""
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        lines = screen_text(app).splitlines()
        side = []
        for panel in app.screen.query("#side, #aside"):
            inside = panel.content_region
            side += [lines[y][inside.x : inside.right] for y in inside.line_range]
        return " ".join(" ".join([*side, *lines]).split())


def test_each_game_that_asks_about_its_box_is_looked_at() -> None:
    assert {game_id for game_id, info in GAMES.items() if info.box} == NOTICES.keys()


@pytest.mark.usefixtures("unknown_cards")
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game_id", NOTICES)
async def test_who_begins_reads_in_a_sentence_what_the_companion_does_not_know(
    game_id: str, size: tuple[int, int]
) -> None:
    with closing(begin(game_id, ("Ada", "Ben", "Cleo"), OPTIONS.get(game_id, {}))) as table:
        text = await flat(table, size)
        assert NOTICES[game_id] in text
        assert "facts open" not in text


@pytest.mark.usefixtures("unknown_cards")
@pytest.mark.parametrize("game_id", FIRST_KEYS)
async def test_once_something_is_played_it_is_not_said_again_but_on_the_page_of_statistics(
    game_id: str,
) -> None:
    with closing(begin(game_id, ("Ada", "Ben", "Cleo"), OPTIONS.get(game_id, {}))) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(160, 50)) as pilot:
            await until(pilot, app, NOTICES[game_id][:20])
            await pilot.press(FIRST_KEYS[game_id])
            await until(pilot, app, "·")
            assert NOTICES[game_id][:20] not in screen_text(app)
            await pilot.press("v", "end")
            await until(pilot, app, COSTS[game_id])


async def test_an_ordinary_deck_and_an_invented_map_have_nothing_that_is_not_known() -> None:
    for game_id, options in (
        ("sky-rise", {"deck": "ordinary"}),
        ("fractured-sky", {"map": "example"}),
    ):
        with closing(begin(game_id, ("Ada", "Ben", "Cleo"), options)) as table:
            assert "(v: statistics)" not in await flat(table, (80, 24))
