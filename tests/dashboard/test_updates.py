"""Changes come from any thread and in any number; paints are few and the last one is current."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from threading import Thread

import pytest

from companion.dashboard.app import Dashboard
from companion.dashboard.at_table import FRAME_S, PaintPace
from companion.dashboard.screens.table import TableScreen
from companion.session.views import TableView
from tests.dashboard.fakes import FakeTable, ManualClock, line
from tests.dashboard.screen import screen_text, until
from tests.games.panic_fire.screen.views import game_view, panic_fire_table


def test_only_the_first_of_many_changes_asks_for_a_message() -> None:
    pace = PaintPace(ManualClock())
    assert [pace.changed() for _ in range(5)] == [True, False, False, False, False]
    pace.begin()
    assert pace.changed()


def test_a_change_is_painted_at_once_while_the_screen_keeps_up() -> None:
    pace = PaintPace(ManualClock())
    for _ in range(3):
        pace.changed()
        assert pace.wait() == 0
        pace.begin()
        pace.end()


def test_a_change_during_a_paint_waits_for_the_next_frame() -> None:
    clock = ManualClock()
    pace = PaintPace(clock)
    pace.begin()
    pace.changed()
    pace.end()
    assert pace.wait() == pytest.approx(FRAME_S)
    clock.now += FRAME_S
    assert pace.wait() == 0


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[TableView]:
    """Return the views that the table's page showed."""
    views: list[TableView] = []
    show = TableScreen.show

    def noted(screen: TableScreen, view: TableView) -> None:
        views.append(view)
        show(screen, view)

    monkeypatch.setattr(TableScreen, "show", noted)
    return views


async def test_2000_changes_from_another_thread_cost_a_handful_of_paints(
    painted: list[TableView],
) -> None:
    table = FakeTable()
    app = Dashboard(table, clock=ManualClock())

    def burst() -> None:
        for n in range(2000):
            table.publish(log=(line(n, f"change {n}"),))

    async with app.run_test() as pilot:
        before = len(painted)
        thread = Thread(target=burst)
        thread.start()
        thread.join()
        await pilot.pause()
        assert "change 1999" in screen_text(app)
        assert len(painted) - before <= 3


async def test_2000_changes_between_which_the_screen_may_paint_stay_bounded(
    painted: list[TableView],
) -> None:
    table = FakeTable()
    clock = ManualClock()
    app = Dashboard(table, clock=clock)
    async with app.run_test() as pilot:
        before = len(painted)
        for n in range(2000):
            table.publish(log=(line(n, f"change {n}"),))
            if n % 10 == 0:
                clock.now += 0.005
                await asyncio.sleep(0)
        clock.now += 1
        table.publish()
        async with asyncio.timeout(10):
            while "change 1999" not in screen_text(app):
                await pilot.pause()
        assert len(painted) - before < 60


async def test_one_change_is_one_paint(painted: list[TableView]) -> None:
    table = FakeTable()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test() as pilot:
        await pilot.pause()
        before = len(painted)
        for expected in (1, 2, 3):
            table.publish(awaiting=f"waiting for number {expected}")
            await pilot.pause()
            assert f"waiting for number {expected}" in screen_text(app)
            assert len(painted) - before == expected


async def test_after_the_end_nobody_listens_any_more() -> None:
    table = FakeTable()
    async with Dashboard(table, clock=ManualClock()).run_test():
        assert len(table.subscribers) == 1
    assert table.subscribers == []
    table.publish()


async def test_what_says_the_same_again_is_not_painted_again(painted: list[TableView]) -> None:
    table = FakeTable()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test() as pilot:
        table.publish(awaiting="waiting for number 1")
        await pilot.pause()
        before = len(painted)
        table.publish(awaiting="waiting for number 1")
        await pilot.pause()
        assert len(painted) == before


async def test_the_page_of_details_follows_timings_that_are_no_news_to_anybody_else() -> None:
    table = FakeTable()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("b")
        for rtt_us in (600, 700):
            link = replace(table.current.link, details=(("round trip", f"{rtt_us} µs"),))
            table.current = replace(table.current, link=link)
            await until(pilot, app, f"{rtt_us} µs")


async def test_the_clock_of_the_header_is_looked_at_when_it_says_another_second() -> None:
    table, clock = panic_fire_table(game=game_view(phase="open")), ManualClock()
    app = Dashboard(table, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, app, "at least 0:42 since fire!")
        clock.now += 60
        await until(pilot, app, "at least 1:42 since fire!")


async def test_nothing_is_looked_at_while_no_clock_runs_and_nothing_waits_for_an_answer() -> None:
    app = Dashboard(panic_fire_table(game=game_view(phase="over")), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        pumps = (app, *app.screen.walk_children(with_self=True))
        waiting = [timer for pump in pumps for timer in pump._timers if timer._active.is_set()]
        assert waiting == []
