"""The forms of a game while a lesson takes every wrong answer back: they follow the table, whatever is pressed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from companion.dashboard.app import Dashboard
from companion.dashboard.screens.correcting.facts import EnterForm
from companion.dashboard.screens.correcting.menu_form import MenuForm
from companion.dashboard.widgets.form import Form
from companion.rules.registry import GAMES
from companion.session.table import Table
from companion.teach.course import Course
from companion.teach.finding import lesson_names
from tests.dashboard.test_lesson import go_to, learning

TYPED = ("1", "2", "x", "space", "enter")
"""What is pressed in a form without a list of answers."""


def _steps(table: Table, course: Course) -> Iterator[int]:
    """Go from step to step; yield the number of each."""
    last = 0
    while (item := course.next) is not None:
        if item.step.number > last:
            last = item.step.number
            yield last
        go_to(last + 1, table, course)


@asynccontextmanager
async def _taught(
    name: str, folder: Path
) -> AsyncIterator[tuple[Pilot[None], Dashboard, Table, Course]]:
    """Give a lesson at a screen of 80 columns."""
    with learning(name, folder) as (table, course):
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            yield pilot, app, table, course


@pytest.mark.parametrize("name", [name for name in lesson_names() if name in GAMES])
async def test_no_answer_in_a_form_ends_the_lesson_that_undoes_it(
    name: str, tmp_path: Path
) -> None:
    async with _taught(name, tmp_path) as (pilot, app, table, course):
        await _press_everything(pilot, app, table, course)


async def _press_everything(
    pilot: Pilot[None], app: Dashboard, table: Table, course: Course
) -> None:
    """Press each key of each form that can be opened at each step. A right answer is undone; a form that has closed is
    opened again."""
    tried: set[tuple[object, ...]] = set()
    for step in _steps(table, course):
        for action in app.at_table.game_screen.actions():
            while True:
                form = await _form_of(pilot, app, action.id)
                if form is None:
                    break
                left = [key for key in _keys_of(form) if (key, *_about(form, step)) not in tried]
                if not left:
                    break
                tried.add((left[0], *_about(form, step)))
                await pilot.press(left[0])
                assert app.ended_by is None, (step, action.id, left[0])
                if course.next is None or course.next.step.number > step:
                    _undo(table)
                    course.wait()
            await _close(pilot, app)


async def _form_of(pilot: Pilot[None], app: Dashboard, action: str) -> Form | None:
    """Return the form that is open, else the one that an action opens; None if it opens none now."""
    if not isinstance(app.screen, Form):
        app.perform(action)
        await pilot.pause()
    return app.screen if isinstance(app.screen, Form) else None


def _about(form: Form, step: int) -> tuple[object, ...]:
    """Return what tells a form from another; one for corrections is the same at every step."""
    return form.title, 0 if isinstance(form, EnterForm) else step


def _keys_of(form: Form) -> list[str]:
    if isinstance(form, MenuForm):
        keys = [item.key or str(place) for place, item in enumerate(form.items(), start=1)]
        return ["minus" if key == "-" else key for key in keys]
    return [*TYPED]


@pytest.mark.parametrize("name", [name for name in lesson_names() if name in GAMES])
async def test_an_undo_elsewhere_leaves_an_open_form_in_use_or_closes_it(
    name: str, tmp_path: Path
) -> None:
    async with _taught(name, tmp_path) as (pilot, app, table, course):
        for step in _steps(table, course):
            for action in app.at_table.game_screen.actions():
                form = await _form_of(pilot, app, action.id)
                if form is None or (step > 2 and isinstance(form, EnterForm)):
                    await _close(pilot, app)
                    continue
                await pilot.press("1")
                _undo(table)
                course.wait()
                await pilot.press("1", "enter")
                assert app.ended_by is None, (step, action.id)
                await _close(pilot, app)
                go_to(step, table, course)


def _undo(table: Table) -> None:
    """Undo the last step, agreed to where people have seen what it shows."""
    table.do("table.undo")
    if table.view().question is not None:
        table.agree()


async def _close(pilot: Pilot[None], app: Dashboard) -> None:
    while isinstance(app.screen, Form):
        await pilot.press("escape")
