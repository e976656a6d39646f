"""Closing a screen while it opens, or ending its app, at any turn of the loop does no harm."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual import events
from textual.screen import Screen

from companion.dashboard.app import Dashboard
from tests.dashboard.every_screen import ENDED, HELP, OF_A_GAME, OF_ALL, PLAYED, Game, Keys
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import PATIENCE_S

TURNS = (0, 1, 3, 8)
SKYFIRE, SKYFIRE_ENDED = PLAYED[2], ENDED[2]
WAYS = {**OF_ALL, **HELP, **OF_A_GAME["skyfire"]}
AFTER_KEYS_ONLY = ("table", "palette", "curtain-open")
"""No screen of their own, or one that only a key can close, and keys wait until it is open."""

each_screen = pytest.mark.parametrize(
    ("game", "keys"),
    [
        *(
            pytest.param(SKYFIRE, keys, id=name)
            for name, keys in WAYS.items()
            if name not in AFTER_KEYS_ONLY
        ),
        pytest.param(SKYFIRE_ENDED, ("escape", "escape"), id="ending"),
    ],
)


async def opening(app: Dashboard, key: str, turns: int) -> Screen[object]:
    """Open a screen by key, and return the one below it some turns after it came on top."""
    below = app.screen
    app.post_message(events.Key(key, None))
    async with asyncio.timeout(PATIENCE_S):
        while app.screen is below:
            await asyncio.sleep(0)
    for _ in range(turns):
        await asyncio.sleep(0)
    return below


@each_screen
async def test_a_screen_can_be_closed_while_it_opens(
    game: Game, keys: Keys, tmp_path: Path
) -> None:
    with game.at_table(tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test() as pilot:
            await pilot.press(*keys[:-1])
            for turns in TURNS:
                await pilot.pause()
                below = await opening(app, keys[-1], turns)
                app.pop_screen()
                await pilot.pause()
                assert (app.crash, app.screen) == (None, below), turns


@each_screen
async def test_the_app_can_end_while_a_screen_opens(game: Game, keys: Keys, tmp_path: Path) -> None:
    with game.at_table(tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test() as pilot:
            await pilot.press(*keys[:-1])
            await pilot.pause()
            await opening(app, keys[-1], turns=1)
            app.exit()
        assert app.crash is None
