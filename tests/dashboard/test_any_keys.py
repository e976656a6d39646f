"""Random keys at random window sizes: no screen fails, and what was done is in the record."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.dashboard.app import Dashboard
from companion.rules.registry import GAMES
from companion.session.opening import begin, resume
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text
from tests.thorough import examples

NAMES = ("Ann", "Bo", "Zoë", "Dan van der Linden", "E")
SIZES = ((80, 24), (160, 50), (40, 12))
LETTERS = tuple("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
SIGNS = tuple("²½٣Ⅷßéİ€ŉ！¹𝟙")
"""What keyboards elsewhere have: digits that are none, letters that fold to two."""
MOVES = (
    "enter",
    "escape",
    "space",
    "tab",
    "up",
    "down",
    "left",
    "right",
    "pagedown",
    "home",
    "backspace",
)
PAGES = ("question_mark", "ctrl+r", "ctrl+p", *(f"f{number}" for number in range(1, 10)))


@pytest.mark.parametrize("seed", range(examples(1, 20)))
@pytest.mark.parametrize("game_id", GAMES)
async def test_no_keys_bring_a_screen_down_and_what_they_did_is_recorded(
    game_id: str, seed: int, tmp_path: Path
) -> None:
    chance = Random(f"{game_id} {seed}")
    path = tmp_path / "evening.sqlite"
    table = begin(game_id, NAMES[: chance.choice(GAMES[game_id].seats)], {}, path)
    of_the_game = [key for action in table.actions for key in action.keys]
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=SIZES[0]) as pilot:
        for _ in range(examples(30, 300)):
            if not app.is_running:
                break
            if chance.random() < 0.05:
                await pilot.resize_terminal(*chance.choice(SIZES))
            key = chance.choice(
                chance.choice((of_the_game, of_the_game, LETTERS, SIGNS, MOVES, PAGES))
            )
            await pilot.press(key)
            if app.is_running:
                assert screen_text(app).strip(), key
    summary = table.view().summary()
    table.close()
    again = resume(path)
    assert again.view().summary() == summary
    again.close()
