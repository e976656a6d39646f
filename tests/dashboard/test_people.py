"""Seats that were left, or joined late, on the screen."""

from __future__ import annotations

import pytest

from companion.dashboard.app import Dashboard
from tests.dashboard.screen import screen_text
from tests.games.panic_fire.screen.views import game_view, panic_fire_table, seat_view, seat_views


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=["80x24", "160x50"])
async def test_who_left_and_who_plays_next_round_is_said_in_words(size: tuple[int, int]) -> None:
    seats = (*seat_views(3), seat_view(3, status="left"), seat_view(4, status="next"))
    app = Dashboard(panic_fire_table(game=game_view(seats=seats)))
    async with app.run_test(size=size):
        text = screen_text(app)
        assert "LEFT" in text
        assert "next round" in text


async def test_bullets_set_by_hand_are_marked_where_there_is_room() -> None:
    seats = (*seat_views(4), seat_view(4, bullets=3, by_hand=2))
    app = Dashboard(panic_fire_table(game=game_view(seats=seats)))
    async with app.run_test(size=(160, 50)):
        assert "+2 by hand" in screen_text(app)


async def test_somebody_who_joins_before_the_screen_knows_the_new_keys_disturbs_nothing() -> None:
    table = panic_fire_table(seats=4)
    app = Dashboard(table)
    async with app.run_test(size=(160, 50)) as pilot:
        table.publish(game=game_view(5))
        await pilot.pause()
        assert "Yellow" in screen_text(app)
