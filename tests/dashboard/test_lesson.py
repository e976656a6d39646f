"""The step of a lesson on the dashboard: above the prompt of the table and of every page."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from companion.dashboard.app import Dashboard
from companion.session.opening import begin
from companion.session.table import Table
from companion.session.views import LinkView
from companion.teach.course import Course
from companion.teach.finding import lesson_named
from companion.teach.lesson import PAGE
from tests.dashboard.screen import screen_text

LIVE = LinkView("live", "The board is live.", healthy=True)
PATIENCE_S = 15.0


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with learning("program", tmp_path) as (opened, _course):
        yield opened


@contextmanager
def learning(name: str, folder: Path) -> Iterator[tuple[Table, Course]]:
    """Open the table of a lesson, where undo has another key and redo none."""
    make = partial(Table, keys={"table.undo": ("f20",), "table.redo": ()})
    taught = lesson_named(name)
    lesson, file = taught.lesson, folder / "t.sqlite"
    said = {"name": name, "together": False}
    table = begin(taught.game, lesson.seats, lesson.options, file, lesson=said, make=make)
    with closing(table):
        yield table, Course(lesson, table)


def go_to(step: int, table: Table, course: Course) -> None:
    """Do all steps before this one."""
    while (item := course.next) is not None and item.step.number < step:
        if item.session == PAGE:
            table.note_seen(item.page)
        elif item.session:
            table.do(f"table.{item.session}")
        else:
            table.enter(item.kind, item.body or {})
        course.wait()


async def until(pilot: Pilot[None], *texts: str) -> str:
    """Wait until all texts are on the screen, wherever lines break; return it."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            words = " ".join(screen_text(pilot.app).split())
            if all(text in words for text in texts):
                return words
            await pilot.pause(0.02)


async def test_what_the_game_waits_for_comes_later_while_the_lesson_asks_for_something_else(
    tmp_path: Path,
) -> None:
    with learning("sky-rise", tmp_path) as (table, course):
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, "Press W (with Shift).", "Later: Ada, lay a card: arrows")
            go_to(4, table, course)
            words = await until(pilot, "Ben lays hearts on the first cell", "> Ben, lay a card")
            assert "Later:" not in words


async def test_enter_on_the_map_says_what_to_press_where_the_companion_turns_up_cards(
    tmp_path: Path,
) -> None:
    with learning("fractured-sky", tmp_path) as (table, course):
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            go_to(3, table, course)
            await until(pilot, "> Press n to turn up the Public Starfall.")
            await pilot.press("enter")
            await until(pilot, "! No region is asked for. Press n to turn up")
            go_to(4, table, course)
            await until(pilot, "Press 6.", "> Ada, place an Airship in a region: 1 to 8.")


async def test_a_page_that_is_opened_does_its_step_and_the_game_goes_on_under_it(
    table: Table,
) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, "The program, step 1 of 13: Start a round: call fire. Press Enter.")
        await pilot.press("enter")
        await until(pilot, "step 2 of 13: Open the page of keys. Press ?.")
        await pilot.press("question_mark")
        await until(pilot, "Works now", "step 3 of 13: Ada drew a card: enter it. Press 1.")
        await pilot.press("1")
        await until(pilot, "Works now", "step 4 of 13: Undo the draw. Press F20.")
        await pilot.press("escape")
        await until(pilot, "step 4 of 13", "Bullets")


async def test_a_key_that_somebody_took_away_is_found_in_the_palette(table: Table) -> None:
    for action in ("panic-fire.fire", "panic-fire.draw.1", "table.undo"):
        table.do(action)
    async with Dashboard(table).run_test(size=(80, 24)) as pilot:
        await until(pilot, "Bring the draw back. Press ^p.")


async def test_what_to_do_with_the_board_is_said_only_while_one_is_live(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Dashboard(table).run_test(size=(80, 24)) as pilot:
        assert "hold any button" not in await until(pilot, "step 1 of 13")
        monkeypatch.setattr(table.board, "view", LIVE)
        table.publish()
        await until(pilot, "Press Enter. Or hold any button of a seat.")


async def test_a_key_at_a_cursor_comes_after_the_arrows_and_a_second_key_after_the_first(
    tmp_path: Path,
) -> None:
    with learning("sky-rise", tmp_path) as (table, course):
        go_to(6, table, course)
        async with Dashboard(table).run_test(size=(80, 24)) as pilot:
            await until(pilot, "Ben places red at a2, touching two hearts. Arrows, then a.")
            go_to(14, table, course)
            await until(pilot, "a medium blue antenna at a2. Arrows, then f, then w.")


async def test_the_answer_to_a_wrong_try_hides_no_seat_and_the_next_try_is_of_now(
    tmp_path: Path,
) -> None:
    with learning("skyfire", tmp_path) as (table, course):
        go_to(7, table, course)
        async with Dashboard(table).run_test(size=(80, 24)) as pilot:
            await until(pilot, "say yes. Press s.")
            await pilot.press("n")
            await until(pilot, "Here the lesson wants", "Ada", "Ben in", "Cleo ON TURN")
            await pilot.press("s")
            assert "Entered at the time" not in await until(pilot, "Deal round two.", "Cleo in")


async def test_a_table_without_a_lesson_has_no_line_for_it(tmp_path: Path) -> None:
    with closing(begin("panic-fire", ("Ada", "Ben"), {}, tmp_path / "t.sqlite")) as plain:
        app = Dashboard(plain)
        async with app.run_test(size=(80, 24)):
            assert not app.screen.query_one("#lesson").display
