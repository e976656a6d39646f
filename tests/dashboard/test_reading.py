"""A long record is read in the background: what the page shows meanwhile, and what keys do."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from queue import SimpleQueue

import pytest
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from textual.screen import Screen

from companion.dashboard.app import HELD_S, TOO_EARLY, Dashboard
from companion.dashboard.reading import Outline, SessionReading
from companion.dashboard.screens.table import TableScreen
from companion.dashboard.themes import LIGHT
from companion.errors import CommandError
from companion.journal.collector import collector_frozen
from tests.dashboard.fakes import FakeTable, ManualClock, table_view
from tests.dashboard.screen import screen_text

OUTLINE = Outline("Panic Fire", (("◆ Ada", "#D55E00"), ("● Ben", "#56B4E9")), 12_000)
PATIENCE_S = 20.0


class Record:
    """A record that is read and folded as far as a test says."""

    def __init__(self, come_to: Callable[[], FakeTable]) -> None:
        self._come_to = come_to
        self._steps: SimpleQueue[tuple[int, bool]] = SimpleQueue()
        self.reading = SessionReading(OUTLINE, self._read)

    def read_to(self, entries: int, *, folded: bool = False) -> None:
        """Read up to this entry; make the table once all are `folded`."""
        self._steps.put((entries, folded))

    def _read(self, progress: Callable[[int], None]) -> FakeTable:
        folded = False
        while not folded:
            entries, folded = self._steps.get(timeout=PATIENCE_S)
            progress(entries)
        return self._come_to()


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await pilot.pause()


def says(app: Dashboard, text: str) -> bool:
    return text in " ".join(screen_text(app).split())


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_what_is_known_of_the_session_stands_there_until_its_table_does(
    size: tuple[int, int],
) -> None:
    table = FakeTable(table_view(awaiting="Waiting for fire!"))
    record = Record(lambda: table)
    app = Dashboard(reading=record.reading, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: says(app, "Reading the record: 0 of 12,000 entries"))
        assert says(app, "Panic Fire 12,000 entries ◆ Ada ● Ben")
        assert says(app, "^t theme ^q quit")
        record.read_to(5_500)
        await until(pilot, lambda: says(app, "Reading the record: 5,500 of 12,000 entries"))
        record.read_to(12_000)
        await until(pilot, lambda: says(app, "The record is read. Opening the table."))
        record.read_to(12_000, folded=True)
        await until(pilot, lambda: says(app, "Waiting for fire!"))
        assert not says(app, "Reading the record")
        table.publish(awaiting="Draw a card.")
        await until(pilot, lambda: says(app, "Draw a card."))
    assert record.reading.end() is table
    assert table.subscribers == []


async def test_no_style_is_read_twice_and_nothing_is_collected_on_the_way_to_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    again: list[str] = []
    monkeypatch.setattr(Stylesheet, "reparse", lambda _: again.append("every style"))
    record = Record(lambda: FakeTable(table_view(awaiting="Waiting for fire!")))
    app = Dashboard(reading=record.reading, clock=ManualClock(), theme=LIGHT)
    with collector_frozen():
        async with app.run_test() as pilot:
            await until(pilot, lambda: says(app, "Reading the record"))
            assert app.has_class("-light-mode")
            assert not gc.isenabled()
            record.read_to(12_000, folded=True)
            await until(pilot, lambda: says(app, "Waiting for fire!"))
            await until(pilot, gc.isenabled)
            assert [type(screen) for screen in app.screen_stack] == [TableScreen]
            assert again == []


async def test_a_key_of_the_table_says_that_there_is_none_yet_and_does_nothing_later() -> None:
    table, clock = FakeTable(), ManualClock()
    record = Record(lambda: table)
    app = Dashboard(reading=record.reading, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: says(app, "Panic Fire"))
        await pilot.press("f", "u", "question_mark")
        assert says(app, "The table is not open yet.")
        record.read_to(12_000, folded=True)
        await until(pilot, lambda: says(app, "f fire!") and says(app, TOO_EARLY))
        await pilot.press("f")
        assert says(app, "The table has only just opened: press the key again")
        clock.now += HELD_S
        assert table.done == []
        await pilot.press("f")
        assert table.done == ["fire"]
    record.reading.end()


async def test_who_quits_meanwhile_ends_the_reading_and_gets_no_table() -> None:
    record = Record(FakeTable)
    app = Dashboard(reading=record.reading, clock=ManualClock(), keys={"dashboard.quit": ("f12",)})
    async with app.run_test(size=(80, 24)) as pilot:
        record.read_to(5_500)
        await until(pilot, lambda: says(app, "5,500 of 12,000 entries"))
        assert says(app, "F12 quit")
        await pilot.press("ctrl+t", "f12")
    assert app.theme == "table-light"
    record.reading.leave()
    record.read_to(12_000, folded=True)
    assert record.reading.end() is None


async def test_a_record_that_cannot_be_read_ends_the_screen_and_who_runs_it_is_told_why() -> None:
    def damaged() -> FakeTable:
        raise CommandError("friday.sqlite is damaged")

    record = Record(damaged)
    app = Dashboard(reading=record.reading, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: says(app, "Panic Fire"))
        record.read_to(12_000, folded=True)
        await until(pilot, lambda: not app.is_running)
    assert not app.return_code
    with pytest.raises(CommandError, match="friday"):
        record.reading.end()


NEW = Outline("Panic Fire")


async def test_a_new_table_that_comes_at_once_is_the_first_page_that_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_page(*_: object) -> None:
        raise AssertionError("a page before the table")

    monkeypatch.setattr("companion.dashboard.app.ReadingScreen", no_page)
    table = FakeTable(table_view(awaiting="Waiting for fire!"))
    reading = SessionReading(NEW, lambda _: table)
    app = Dashboard(reading=reading, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: says(app, "Waiting for fire!"))
        await pilot.press("f")
        assert table.done == ["fire"]
        table.publish(awaiting="Draw a card.")
        await until(pilot, lambda: says(app, "Draw a card."))
    assert reading.end() is table
    assert table.subscribers == []


async def test_a_new_table_that_comes_late_has_a_page_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.dashboard.app.AT_ONCE_S", 0.0)
    come: SimpleQueue[FakeTable] = SimpleQueue()
    reading = SessionReading(NEW, lambda _: come.get(timeout=PATIENCE_S))
    app = Dashboard(reading=reading, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: says(app, "Opening the table."))
        come.put(FakeTable(table_view(awaiting="Waiting for fire!")))
        await until(pilot, lambda: says(app, "Waiting for fire!"))
        assert [type(screen) for screen in app.screen_stack] == [TableScreen]
    reading.end()


async def test_a_new_table_that_cannot_be_set_shows_no_screen_and_who_runs_it_is_told_why() -> None:
    def full(_: object) -> FakeTable:
        raise CommandError("the disk is full")

    reading = SessionReading(NEW, full)
    app = Dashboard(reading=reading, clock=ManualClock())
    await app.run_async(headless=True)
    assert not app.screen_stack
    with pytest.raises(CommandError, match="full"):
        reading.end()


@pytest.mark.parametrize("outline", [NEW, OUTLINE])
async def test_a_large_window_has_its_first_page_styled_once_for_its_size(
    outline: Outline, monkeypatch: pytest.MonkeyPatch
) -> None:
    styled: list[bool] = []
    again = Screen.update_node_styles

    def counted(screen: Screen[object], animate: bool = True) -> None:
        styled.append(screen.has_class("-wide") and screen.has_class("-tall"))
        again(screen, animate)

    monkeypatch.setattr(Screen, "update_node_styles", counted)
    come: SimpleQueue[FakeTable] = SimpleQueue()
    if outline is NEW:
        come.put(FakeTable(table_view(awaiting="Waiting for fire!")))
    reading = SessionReading(outline, lambda _: come.get(timeout=PATIENCE_S))
    app = Dashboard(reading=reading, clock=ManualClock())
    async with app.run_test(size=(160, 50)) as pilot:
        await until(
            pilot,
            lambda: says(app, "Waiting for fire!" if outline is NEW else "Reading the record"),
        )
        assert styled == [True]
        come.put(FakeTable())
    reading.end()


def test_what_was_never_begun_comes_to_nothing() -> None:
    assert SessionReading(OUTLINE, lambda _: FakeTable()).end() is None
