"""A terminal too small for a game asks for more room, and shows the prompt to the last."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.dashboard.app import Dashboard
from tests.dashboard.every_screen import FULL, FileGame, Game
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text

ASKS = "Please make this window larger: 80 x 24 at least"


@pytest.mark.parametrize("game", FULL, ids=str)
async def test_what_is_awaited_stays_down_to_the_smallest_screen(
    game: Game | FileGame, tmp_path: Path
) -> None:
    with game.at_table(tmp_path) as table:
        awaited = table.view().awaiting.split()
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert ASKS not in screen_text(app)
            for size in ((79, 24), (80, 23), (60, 15), (40, 10), (30, 8), (30, 6), (80, 4)):
                await pilot.resize_terminal(*size)
                await pilot.pause()
                await pilot.pause()
                assert app.crash is None, size
                flat = " ".join(screen_text(app).split())
                assert " ".join(["> " + awaited[0], *awaited[1:3]]) in flat, size
                assert ASKS in flat, size
            await pilot.resize_terminal(160, 50)
            await pilot.pause()
            await pilot.pause()
            assert ASKS not in screen_text(app)
            assert any(seat.name in screen_text(app) for seat in table.view().setup.seats)
    assert app.crash is None
