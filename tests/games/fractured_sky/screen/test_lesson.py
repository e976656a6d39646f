"""The boxes of Fractured Sky in its lesson, which takes every wrong answer back while they are open."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from companion.dashboard.app import Dashboard
from companion.dashboard.widgets.form import Form
from companion.games.fractured_sky.screen.forms import CompassForm
from companion.session.table import Table
from companion.teach.course import Course
from tests.dashboard.screen import form_text
from tests.dashboard.test_lesson import go_to, learning, until

COMPASS, MARKET, POWERS = 10, 13, 16
"""Steps of the lesson."""


@pytest.fixture
def lesson(tmp_path: Path) -> Iterator[tuple[Table, Course]]:
    with learning("fractured-sky", tmp_path) as opened:
        yield opened


@asynccontextmanager
async def at_step(
    step: int, lesson: tuple[Table, Course], *keys: str, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Dashboard, Pilot[None]]]:
    """Open the dashboard at a step, and press the keys: one that opens a box, and those in it."""
    table, course = lesson
    go_to(step, table, course)
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await until(pilot, f"step {step} of 18")
        await pilot.press(*keys[:1])
        while keys and not (isinstance(app.screen, Form) and form_text(app).strip()):
            await pilot.pause(0.02)
        await pilot.press(*keys[1:])
        yield app, pilot


def in_form(app: Dashboard) -> str:
    """Return the words of the open form."""
    return " ".join(form_text(app).split())


async def test_a_star_that_the_lesson_took_back_is_not_named_in_the_box(
    lesson: tuple[Table, Course],
) -> None:
    async with at_step(COMPASS, lesson, "d", "w") as (app, pilot):
        await until(pilot, "That was undone")
        assert "Stars so far" not in in_form(app)
        assert "Name its stars" in in_form(app)


async def test_a_place_that_the_lesson_took_back_leaves_the_box_open(
    lesson: tuple[Table, Course],
) -> None:
    async with at_step(COMPASS, lesson, "d", "7") as (app, pilot):
        await until(pilot, "That was undone")
        assert isinstance(app.screen, CompassForm)
        await pilot.press("c")
        await until(pilot, "step 11 of 18")
        assert not isinstance(app.screen, Form)


async def test_the_compass_box_follows_what_is_entered_elsewhere(
    lesson: tuple[Table, Course],
) -> None:
    table, _course = lesson
    async with at_step(COMPASS, lesson, "d") as (app, pilot):
        table.enter("ai_compass", {"ai": "@black", "stars": ["SE"]})
        await until(pilot, "step 11 of 18")
        assert not isinstance(app.screen, Form)


async def test_the_step_names_the_key_of_the_open_box_and_not_the_one_that_opens_it(
    lesson: tuple[Table, Course],
) -> None:
    async with at_step(COMPASS, lesson, "d") as (_app, pilot):
        await until(pilot, "first card: south-east. Press c.")
        await pilot.press("escape")
        await until(pilot, "first card: south-east. Press d.")
        go_to(MARKET, *lesson)
        await until(pilot, "for 1 Gold and 2 Wood. Press m.")
        await pilot.press("m")
        await until(pilot, "for 1 Gold and 2 Wood. Press 1.")


async def test_in_a_box_that_cannot_do_it_the_step_says_how_to_leave_it(
    lesson: tuple[Table, Course],
) -> None:
    async with at_step(MARKET, lesson, "f", size=(100, 30)) as (_app, pilot):
        await until(pilot, "for 1 Gold and 2 Wood. Press Esc, then m.")


async def test_a_box_in_which_a_number_is_typed_names_no_key(lesson: tuple[Table, Course]) -> None:
    async with at_step(POWERS, lesson, "p") as (_app, pilot):
        await until(pilot, "Brass Basin 1, Foggy Flats 2. The lesson has made")


async def test_a_box_that_shows_few_of_its_answers_says_how_many_more_there_are(
    lesson: tuple[Table, Course],
) -> None:
    async with at_step(COMPASS, lesson, "d") as (app, pilot):
        await until(pilot, "more below")
        assert "more above" not in in_form(app)
        await pilot.press("pagedown", "pagedown")
        await until(pilot, "more above")
        assert "more below" not in in_form(app)


async def test_what_the_lesson_undid_is_told_once_and_not_below_the_next_step(
    lesson: tuple[Table, Course],
) -> None:
    async with at_step(COMPASS, lesson, "d", "d", size=(100, 30)) as (_app, pilot):
        assert "Undone:" not in await until(pilot, "That was undone")
        await pilot.press("c")
        text = await until(pilot, "step 11 of 18")
        assert "Undone:" not in text
        assert "That was undone" not in text


async def test_after_wrong_powers_the_cursor_is_where_they_begin_and_the_box_says_what_to_type(
    lesson: tuple[Table, Course],
) -> None:
    wrong = ("7", "enter", "2", "enter", "1", "enter")
    async with at_step(POWERS, lesson, "p", *wrong) as (app, pilot):
        assert "more rows" in in_form(app)
        await until(pilot, "That was undone")
        assert "Type Ada's power in Amber Atoll, then Enter." in in_form(app)
        await pilot.press("7", "enter", "1", "enter", "2", "enter")
        await until(pilot, "step 17 of 18")
