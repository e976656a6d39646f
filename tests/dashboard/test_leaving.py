"""Leaving a table with entries that are not on the disk."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.dashboard.app import Dashboard
from companion.dashboard.screens.leaving import WAIT_S, LeavePage
from companion.session.table import Table
from companion.session.views import LineKind, LogLine, Unsaved
from tests.dashboard.fakes import FakeTable, ManualClock, table_view
from tests.dashboard.screen import screen_text, until
from tests.dashboard.test_game_over import Offered, ended, whole

FULL = Unsaved(2, "Entries from 3 on are not saved, because the disk is full: free some space.", 2)
LOG = tuple(LogLine(n, f"20:15:0{n}", LineKind.FACT, f"red draws {n}") for n in range(1, 5))


@dataclass
class SlowTable(FakeTable):
    """A table whose disk stores the entries while they are waited for."""

    not_saved: Unsaved = field(default=FULL)

    def unsaved(self, timeout_s: float = 0.0) -> Unsaved:
        return Unsaved() if timeout_s else super().unsaved()


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_question_says_how_much_is_not_saved_why_and_what(size: tuple[int, int]) -> None:
    table = FakeTable(current=table_view(log=LOG), not_saved=FULL)
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await pilot.press("ctrl+q")
        await pilot.pause()
        text = screen_text(app)
    assert table.waited == [0.0, WAIT_S, 0.0]
    assert "Quit and lose 2 entries?" in text
    assert "because the disk is full" in text
    assert "red draws 3" in text
    assert "red draws 2" not in text
    assert "Esc stay" in text
    assert "y quit without them" in text


async def test_escape_stays_and_y_leaves() -> None:
    table = FakeTable(not_saved=FULL)
    app = Dashboard(table)
    async with app.run_test() as pilot:
        await pilot.press("ctrl+q")
        await pilot.pause()
        await pilot.press("escape")
        assert not isinstance(app.screen, LeavePage)
        assert app.is_running
        await pilot.press("ctrl+c")
        await pilot.pause()
        await pilot.press("ctrl+q", "y")
        assert not app.is_running
    assert table.done == []


async def test_a_disk_that_is_only_slow_asks_nobody() -> None:
    app = Dashboard(SlowTable())
    async with app.run_test() as pilot:
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert not app.is_running


async def test_with_all_saved_nobody_is_asked() -> None:
    table = FakeTable()
    app = Dashboard(table)
    async with app.run_test() as pilot:
        await pilot.press("ctrl+q")
        assert not app.is_running
    assert table.waited == [0.0]


async def test_once_all_is_saved_the_page_leaves_by_itself() -> None:
    table = FakeTable(not_saved=FULL)
    app = Dashboard(table)
    async with app.run_test() as pilot:
        await pilot.press("ctrl+q")
        await pilot.pause()
        table.not_saved = Unsaved()
        table.publish(undo="a draw")
        await pilot.pause()
        await pilot.pause()
        assert not app.is_running


async def test_a_rematch_asks_as_well_and_is_noted_only_when_the_table_is_left(
    tmp_path: Path,
) -> None:
    offered = Offered()
    with whole("panic-fire", tmp_path) as table:
        app = Dashboard(table, clock=ManualClock(), offers=offered.offers())
        async with app.run_test(size=(80, 24)) as pilot:
            await ended(pilot, app)
            await pilot.press("escape", "escape")  # opened by a person it takes keys at once
            await ended(pilot, app)
            with patch.object(Table, "unsaved", lambda *_: FULL):
                await pilot.press("r")
                await until(pilot, app, "Quit and lose 2 entries?")
                assert offered.done == []
                await pilot.press("y")
                assert not app.is_running
    assert offered.done == ["ending.rematch"]
