"""Every lesson in a real browser: a learner who does by clicks alone what each step asks for comes to its end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.rules.game import Game
from companion.session.key_meanings import PAUSE
from companion.session.opening import begin
from companion.session.roles import Role
from companion.session.table import Table
from companion.session.taps import EnterFact, Step, Undo, Wish
from companion.teach.course import Course
from companion.teach.finding import lesson_named, lesson_names
from companion.teach.lesson import BOARD, REDO, UNDO
from companion.teach.script import seeded
from companion.web import at_play, tap_post
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from tests.session.tap_scripts import GAP_US, StepClock
from tests.web.browser import HEARD, Browser, Chromium
from tests.web.clicking import NEWEST, SAID, begin_clicking, clicked, heard
from tests.web.role_clicks import finger

BY_CLICKS = [name for name in lesson_names() if name != BOARD]  # whose steps are presses on a board
LESSON = "document.querySelector('.lesson').innerText"
SHOW = "document.querySelector('[data-show]')"
# Whether the step and what it leads to are on the screen, one above the other.
IN_VIEW = """(() => {
    const box = (each) => document.querySelector(each)?.getBoundingClientRect();
    const lesson = box('.lesson'), aimed = box('.aimed'), bar = box('.bar')?.top ?? innerHeight;
    const isInBar = document.querySelector('#undo .aimed') !== null;
    const isBetween = aimed.top >= lesson.bottom && (isInBar || aimed.top + 44 <= bar);
    return lesson.top >= 0 && lesson.bottom < innerHeight / 2 && isBetween;
})()"""


@contextmanager
def _taught(name: str, path: Path, clock: StepClock) -> Iterator[tuple[Table, Course]]:
    """Open the lesson at a table whose clock moves only when it is told to."""
    taught = lesson_named(name)
    lesson = taught.lesson

    def make(game: Game[Any], *arguments: Any, host_us: object, **options: Any) -> Table:
        shuffled = game.shuffled_by(seeded(lesson.seed))
        return Table(shuffled, *arguments, host_us=clock, **options)

    table = begin(taught.game, lesson.seats, lesson.options, path, components={}, make=make)
    try:
        yield table, Course(lesson, table, pages=False)
    finally:
        table.close()


@contextmanager
def _on_a_phone(
    name: str, folder: Path, clock: StepClock, chromium: Chromium
) -> Iterator[tuple[Browser, Table, Course]]:
    """Open the lesson and its page on a phone whose owner wants less motion."""
    with (
        pytest.MonkeyPatch.context() as patch,
        _taught(name, folder / "lesson.sqlite", clock) as (table, course),
        chromium.page() as page,
    ):
        patch.setattr(at_play, "PORT", 0)
        patch.setattr(tap_post, "MOST_A_SECOND", 1000)  # faster than people
        page.size(390, 844)
        calm = {"name": "prefers-reduced-motion", "value": "reduce"}
        page.call("Emulation.setEmulatedMedia", features=[calm])
        with closing(TablePages(table, LOCALHOST)) as pages:
            page.open(pages.address_of_role(pages.give_out(Role.TABLE, "a phone")))
            page.wait_for(HEARD)
            begin_clicking(page)
            yield page, table, course


def _wish(table: Table, course: Course) -> Wish:
    """Return what the step asks for, as a page would ask for it."""
    item, view = course.next, table.view()
    assert item is not None
    assert view.lesson is not None
    if item.session == UNDO:
        assert view.undo_entry is not None
        return Undo(view.undo_entry)
    if item.session == REDO:
        assert view.redo_entry is not None
        return Undo(view.redo_entry, redo=True)
    actions = {action.id for action in table.actions}
    if view.lesson.keys and view.lesson.keys[0] in actions:
        return Step(view.lesson.keys[0])
    return EnterFact(item.kind, item.body or {})


def _is_in_bar(table: Table, course: Course) -> bool:
    """Return whether a step is done by undo, redo or pause, which are always in view."""
    lesson = table.view().lesson
    assert course.next is not None
    assert lesson is not None
    return bool(course.next.session) or lesson.keys[:1] == (PAUSE.id,)


@pytest.mark.parametrize("name", BY_CLICKS)
def test_a_learner_comes_to_the_end_by_clicks_alone(
    name: str, tmp_path: Path, chromium: Chromium
) -> None:
    clock = StepClock()
    with _on_a_phone(name, tmp_path, clock, chromium) as (page, table, course):
        assert page.js("document.elementFromPoint(innerWidth - 30, 30).id") == "big"
        while course.next is not None:
            clock.us += GAP_US
            table.tick()
            before = len(course.done)
            page.wait_for(f"{NEWEST} === {table.view().newest}")
            if not _is_in_bar(table, course):
                finger(page, SHOW)
                page.wait_for(IN_VIEW)
            clicked(page, table, clock, _wish(table, course))
            course.wait()
            assert len(course.done) > before, table.view().lesson
        page.wait_for(f"{LESSON}.includes('done: That was the lesson.')")
        assert not page.errors


# What is typed into the field that is ringed; "" if that is something to tap.
TO_TYPE = """(() => {
    const aimed = document.querySelector('.aimed');
    if (aimed.matches('select')) return 'choose';
    return aimed.matches('input[type=text], input[type=number]') ? aimed.labels[0].textContent : '';
})()"""
TYPED = """((value) => {
    const aimed = document.querySelector('.aimed');
    aimed.value = value;
    for (const kind of ['input', 'change']) aimed.dispatchEvent(new Event(kind, { bubbles: true }));
})"""
AIMED = "document.querySelector('.aimed')"
# Whether a finger at the upper edge of what is ringed touches it: nothing covers it, and no one has to scroll.
UNCOVERED = """(() => {
    const aimed = document.querySelector('.aimed'), box = aimed.getBoundingClientRect();
    return aimed.contains(document.elementFromPoint(box.left + box.width / 2, box.top + 6));
})()"""
MOST_TAPS = 9
"""Taps of one step: three choices, or fields of three numbers, and what sends them."""


def _type(page: Browser, table: Table, label: str) -> None:
    """Type what the step says into the field that is ringed: its number beside the name of the field, or the word that
    the step is about."""
    lesson = table.view().lesson
    assert lesson is not None
    number = re.search(rf"{re.escape(label)} (\d+)", lesson.do)
    if label == "choose":
        value = lesson.kind if page.js(f"{AIMED}.matches('.kinds')") else lesson.typed.split()[-1]
    else:
        value = number[1] if number else lesson.typed.split()[-1]
    page.js(f"{TYPED}({value!r})")


@pytest.mark.parametrize("name", BY_CLICKS)
def test_a_learner_who_taps_only_what_is_ringed_comes_to_the_end(
    name: str, tmp_path: Path, chromium: Chromium
) -> None:
    clock = StepClock()
    with _on_a_phone(name, tmp_path, clock, chromium) as (page, table, course):
        while course.next is not None:
            before = len(course.done)
            for _ in range(MOST_TAPS):
                clock.us += GAP_US
                table.tick()
                newest = table.view().newest
                page.wait_for(f"{NEWEST} === {newest}")
                heard(page, clock)
                page.wait_for(f"{AIMED} !== null")
                label = page.js(TO_TYPE)
                if label:
                    _type(page, table, label)
                    continue
                sends = page.js(f"{AIMED}.matches('[data-wish]:not([data-open]), [type=submit]')")
                finger(page, AIMED)
                if sends:
                    page.wait_for(f"{NEWEST} > {newest} || !['', 'Sending.'].includes({SAID})")
                    course.wait()
                    break
            lesson = table.view().lesson
            assert lesson is not None
            assert len(course.done) > before, (lesson.do, lesson.note, page.js(SAID))
            assert not lesson.note
            if course.next is not None:
                page.wait_for(f"{NEWEST} === {table.view().newest}")
                page.wait_for(UNCOVERED)
        assert not page.errors
