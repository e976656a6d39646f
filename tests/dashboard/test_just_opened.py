"""A table that a key of the start screens opened: what was typed before it was there is not for it."""

from __future__ import annotations

import math

import pytest
from textual import events

from companion.dashboard.app import JUST_COME, TOO_EARLY, Dashboard
from companion.dashboard.textual.key_queue import ENTER_AFTER_NUMBER_S
from companion.rules.clauses import spoken
from tests.dashboard.fakes import FakeTable, ManualClock
from tests.dashboard.screen import screen_text
from tests.games.panic_fire.screen.views import panic_fire_table


def _app(clock: ManualClock, number_s: float | None) -> tuple[Dashboard, FakeTable]:
    table = panic_fire_table()
    return Dashboard(table, clock=clock, number_s=number_s), table


async def test_an_enter_that_confirms_the_choice_does_nothing_at_the_table_and_says_so() -> None:
    clock = ManualClock()
    app, table = _app(clock, clock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.pause()
        clock.now += 0.9 * ENTER_AFTER_NUMBER_S
        await pilot.press("enter")
        assert spoken(JUST_COME) in screen_text(app)
        assert not table.done
        await pilot.press("1")
        assert table.done == ["panic-fire.draw.1"]
        clock.now += 0.2 * ENTER_AFTER_NUMBER_S
        await pilot.press("enter")
        assert spoken(JUST_COME) not in screen_text(app)


@pytest.mark.parametrize("key", ["1", "enter"])
async def test_a_key_pressed_before_the_table_is_seen_does_nothing_and_that_is_said(
    key: str,
) -> None:
    clock = ManualClock()
    app, table = _app(clock, clock())
    early = events.Key(key, "1" if key == "1" else "\r")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.pause()
        # Read late, as from a terminal whose buffer is read only now.
        app.post_message(early)
        await pilot.pause()
        await pilot.pause()
        assert not table.done
        assert TOO_EARLY in screen_text(app)


async def test_a_table_that_nobody_chose_on_the_start_screens_takes_the_first_key() -> None:
    app, table = _app(ManualClock(), None)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1")
        assert table.done == ["panic-fire.draw.1"]


async def test_an_enter_after_another_key_acts_at_once() -> None:
    app, _ = _app(ManualClock(), -math.inf)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.pause()
        await pilot.press("enter")
        assert spoken(JUST_COME) not in screen_text(app)
