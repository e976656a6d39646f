"""A click on a key's hint does what the key does, for people new to terminal programs."""

from __future__ import annotations

from textual.pilot import Pilot

from companion.dashboard.app import Dashboard
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text
from tests.games.panic_fire.screen.views import panic_fire_table


async def click_on(pilot: Pilot[None], words: str) -> None:
    """Click in the middle of a text on the screen, in the lowest row that has it."""
    await pilot.pause()
    row, text = max(
        (row, text) for row, text in enumerate(screen_text(pilot.app).split("\n")) if words in text
    )
    await pilot.click(offset=(text.index(words) + len(words) // 2, row))
    await pilot.pause()


async def test_a_click_on_a_key_of_the_footer_does_what_the_key_does() -> None:
    app = Dashboard(panic_fire_table(), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await click_on(pilot, "? help")
        assert "Keys" in screen_text(app).split("\n")[1]


async def test_a_click_on_undo_is_an_undo() -> None:
    table = panic_fire_table(undo="Red draws")
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await click_on(pilot, "undo: Red draws")
    assert table.done == ["table.undo"]


async def test_a_click_beside_the_keys_does_nothing() -> None:
    table = panic_fire_table()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click("#footer", offset=(79, 0))
        await pilot.pause()
        assert (table.done, len(app.screen_stack)) == ([], 1)
