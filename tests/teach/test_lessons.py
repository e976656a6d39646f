"""Every lesson: what it teaches, and that its sentences alone lead to its end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from companion.dashboard.game_screen import game_screen_of
from companion.dashboard.registry import OWN
from companion.rules.clause_texts import GENERAL, clauses
from companion.rules.facts import Fact, Refused, body_of
from companion.rules.game import Game
from companion.rules.registry import GAMES
from companion.session.projection import SessionProjection
from companion.session.views import LessonView
from companion.teach.course import BY_BOARD, MOVED, NOT_NOW
from companion.teach.finding import lesson_named, lesson_names
from companion.teach.lesson import OF_GAME, REDO, UNDO
from companion.teach.script import Item
from tests.teach.learner import Learner, learning

GAMES_TAUGHT = [name for name in lesson_names() if name in GAMES]


@pytest.mark.parametrize("name", GAMES_TAUGHT)
def test_each_clause_is_taught_or_named_as_not_needed_at_first(name: str) -> None:
    lesson = lesson_named(name).lesson
    known = [clause for clause in clauses(name) if clause not in GENERAL]
    taught, later = set(lesson.taught), set(lesson.later)
    assert [clause for clause in known if clause not in taught | later] == []
    assert taught & later == set()


@pytest.mark.parametrize("name", lesson_names())
def test_the_keys_and_pages_that_a_step_names_exist(name: str, tmp_path: Path) -> None:
    taught = lesson_named(name)
    with learning(name, tmp_path / "lesson.sqlite") as learner:
        known = {action.id for action in learner.table.actions}
    known.update(action.id for action in game_screen_of(taught.game).actions())
    for step in taught.lesson.steps:
        assert known.issuperset(step.keys), step
        if step.wants is not None and step.wants.page:
            assert step.wants.page in {action.id for action in OWN}, step


@pytest.mark.parametrize("name", lesson_names())
def test_a_learner_who_does_what_each_step_says_comes_to_the_end(name: str, tmp_path: Path) -> None:
    with learning(name, tmp_path / "lesson.sqlite") as learner:
        assert learner.lesson.number == 1
        learner.do_all()
        assert learner.lesson.number == learner.lesson.of


@pytest.mark.parametrize("name", lesson_names())
def test_a_learner_who_presses_each_wrong_key_once_is_never_stuck(
    name: str, tmp_path: Path
) -> None:
    with learning(name, tmp_path / "lesson.sqlite") as learner:
        pressed: set[tuple[int, str]] = set()
        while not learner.lesson.is_over:
            wrong = [
                key
                for key in _wrong_keys(learner)
                if (len(learner.course.done), key) not in pressed
            ]
            if wrong:
                pressed.add((len(learner.course.done), wrong[0]))
                learner.press(wrong[0])
                if learner.table.view().question:  # before an undo of what people have seen
                    learner.table.agree()
                    learner.course.wait()
                assert learner.course.next is not None
                assert learner.course.next.is_deed
                if learner.table.view().question:  # an undo of what everybody has seen
                    learner.press("table.agree")
            else:
                learner.do_it()
        assert len(pressed) > len(lesson_named(name).lesson.steps)


def _wrong_keys(learner: Learner) -> list[str]:
    """Return the keys that do not do what is asked, those that undo included."""
    item = learner.course.next
    wrong: list[str] = []
    game, state = learner.table.game, learner.table.look(lambda record: record.state)
    of_game = {action.id for action in game.actions(learner.table.view().setup)}
    for action in learner.table.actions:
        if action.id in learner.lesson.keys:
            continue
        if action.id in of_game and item is not None and _fits(item, game, state, action.id):
            continue
        wrong.append(action.id)
    return wrong


def _fits(item: Item, game: Game[Any], state: Any, action_id: str) -> bool:
    """Return whether another key does what is asked, too."""
    try:
        meant = game.pressed(state, action_id)
    except Refused:
        return False
    return isinstance(meant, Fact) and item.fits(meant.kind, body_of(meant))


def test_a_wrong_try_that_the_rules_allow_is_taken_back_and_answered(tmp_path: Path) -> None:
    with learning("panic-fire", tmp_path / "lesson.sqlite") as learner:
        learner.do_it()
        asked = _asked(learner.lesson)
        learner.press("panic-fire.draw.2")
        assert learner.lesson.note == NOT_NOW
        assert _asked(learner.lesson) == asked
        assert _kinds(learner) == ["fire"]
        learner.do_it()
        assert learner.lesson.note == ""
        learner.press("table.undo")
        assert (_asked(learner.lesson), learner.lesson.note) == (asked, "")


def test_a_try_that_the_rules_refuse_gets_their_own_refusal(tmp_path: Path) -> None:
    with learning("panic-fire", tmp_path / "lesson.sqlite") as learner:
        learner.press("panic-fire.draw.2")
        assert "No round has begun" in learner.refusal
        assert (learner.lesson.number, learner.lesson.note) == (1, "")


def test_a_key_does_not_do_what_only_the_board_can(tmp_path: Path) -> None:
    with learning("board", tmp_path / "lesson.sqlite") as learner:
        learner.do_it()
        assert (learner.lesson.do, learner.lesson.keys) == (
            "Hold the first button, that of Ada: it calls fire.",
            (),
        )
        learner.press("panic-fire.fire")
        assert learner.lesson.note == BY_BOARD
        assert _kinds(learner) == []
        learner.do_it()
        assert _kinds(learner) == ["fire"]


def test_an_undone_deed_is_asked_for_again_with_what_the_others_did_after_it(
    tmp_path: Path,
) -> None:
    with learning("panic-fire", tmp_path / "lesson.sqlite") as learner:
        for _ in range(3):
            learner.do_it()
        assert learner.lesson.number == 4  # Ben and Cleo have drawn meanwhile
        learner.press("table.undo")
        assert learner.lesson.number == 3
        assert _kinds(learner) == ["fire", "shield_in_play"]
        learner.press("table.redo")
        learner.do_all()


def _kinds(learner: Learner) -> list[str]:
    """Return the kinds of the facts that count."""

    def counting(record: SessionProjection) -> list[str]:
        return [record.entries[n - 1].kind for n in record.timeline.order.facts if record.stands(n)]

    return learner.table.look(counting)


def _asked(lesson: LessonView) -> tuple[int, str]:
    return lesson.number, lesson.do


@pytest.mark.parametrize("name", lesson_names())
def test_a_lesson_that_is_left_at_any_step_continues_there(name: str, tmp_path: Path) -> None:
    path = tmp_path / "lesson.sqlite"
    is_over, deeds, left = False, 0, (1, "")
    while not is_over:
        with learning(name, path) as learner:
            if deeds:
                assert _asked(learner.lesson) == left
            learner.do_it()
            left, is_over = _asked(learner.lesson), learner.lesson.is_over
        deeds += 1
    assert deeds >= len(lesson_named(name).lesson.steps) - 1


@pytest.mark.parametrize("name", GAMES_TAUGHT)
def test_other_names_take_the_parts_of_the_examples(name: str, tmp_path: Path) -> None:
    lesson = lesson_named(name).lesson
    names = [f"Zoe{'abcdefgh'[place]}" for place in range(len(lesson.seats))]
    with learning(name, tmp_path / "lesson.sqlite", names) as learner:
        while not learner.lesson.is_over:
            shown = " ".join((*learner.lesson.say, learner.lesson.do, learner.lesson.board))
            assert "{" not in shown
            assert not any(example in shown for example in lesson.seats), shown
            learner.do_it()


@pytest.mark.parametrize("name", lesson_names())
def test_together_the_people_do_what_else_the_lesson_does(name: str, tmp_path: Path) -> None:
    with learning(name, tmp_path / "lesson.sqlite", together=True) as learner:
        learner.do_all()


def _steps_shown(learner: Learner) -> Iterator[LessonView]:
    """Do the whole lesson; yield each step as it is first shown."""
    number = 0
    while not learner.lesson.is_over:
        if learner.lesson.number != number:
            number = learner.lesson.number
            yield learner.lesson
        learner.do_it()


@pytest.mark.parametrize("pages", [True, False])
def test_the_steps_are_counted_without_a_gap_where_no_page_can_be_opened(
    pages: bool, tmp_path: Path
) -> None:
    with learning("sky-rise", tmp_path / "lesson.sqlite", pages=pages) as learner:
        numbers = [lesson.number for lesson in _steps_shown(learner)]
        assert numbers == list(range(1, learner.lesson.of))


def test_a_step_says_what_the_lesson_has_done_before_it(tmp_path: Path) -> None:
    with learning("panic-fire", tmp_path / "lesson.sqlite") as learner:
        first = {lesson.number: lesson.say[0] for lesson in _steps_shown(learner) if lesson.say}
    assert first[4] == "Ben and Cleo drew a card each."
    moved = [number for number, sentence in first.items() if sentence == MOVED]
    steps = lesson_named("panic-fire").lesson.steps
    assert moved == [step.number for step in steps if step.happens and not step.meanwhile]


@pytest.mark.parametrize("name", lesson_names())
def test_where_a_lesson_makes_several_moves_it_says_which(name: str) -> None:
    for step in lesson_named(name).lesson.steps:
        assert step.meanwhile or len(step.happens) < 2, step


def test_together_no_move_is_the_lessons(tmp_path: Path) -> None:
    with learning("skyfire", tmp_path / "lesson.sqlite", together=True) as learner:
        said = [sentence for lesson in _steps_shown(learner) for sentence in lesson.say]
    meanwhile = {step.meanwhile for step in lesson_named("skyfire").lesson.steps}
    assert not {MOVED, *meanwhile} & {*said}


def test_the_lesson_of_skyfire_lets_one_undo_a_move_and_bring_it_back() -> None:
    steps = lesson_named("skyfire").lesson.steps
    assert [step.wants.session for step in steps if step.wants and step.wants.session] == [
        UNDO,
        REDO,
    ]


def _at_redo(learner: Learner) -> tuple[Item, LessonView]:
    """Go to the step that wants something brought back; return what was undone, and the step."""
    deed = None
    while learner.course.next is not None and learner.course.next.session != REDO:
        if not learner.course.next.session:
            deed = learner.course.next
        learner.do_it()
    assert deed is not None
    return deed, learner.lesson


def _enter(learner: Learner, deed: Item) -> None:
    learner.table.enter(deed.kind, deed.body or {})
    learner.course.wait()


@pytest.mark.parametrize("pages", [True, False])
@pytest.mark.parametrize("name", ["program", "skyfire"])
def test_entering_again_what_was_undone_counts_as_bringing_it_back(
    name: str, pages: bool, tmp_path: Path
) -> None:
    with learning(name, tmp_path / "lesson.sqlite", pages=pages) as learner:
        deed, redo = _at_redo(learner)
        _enter(learner, deed)
        assert (learner.lesson.number, learner.lesson.note) == (redo.number + 1, "")
        learner.press("table.undo")
        assert learner.lesson.number == redo.number
        learner.press("table.redo")
        assert learner.lesson.number == redo.number + 1
        learner.do_all()


def test_another_entry_instead_of_bringing_back_leads_to_an_undo_that_works(
    tmp_path: Path,
) -> None:
    with learning("program", tmp_path / "lesson.sqlite") as learner:
        _deed, redo = _at_redo(learner)
        learner.press("panic-fire.draw.2")
        assert (learner.lesson.number, learner.lesson.note) == (redo.number - 1, NOT_NOW)
        assert _kinds(learner) == ["fire", "draw"]
        learner.press("table.undo")
        assert learner.lesson.number == redo.number
        assert _kinds(learner) == ["fire"]
        learner.press("table.redo")
        assert learner.lesson.number == redo.number + 1


def test_every_game_has_its_lesson_beside_it() -> None:
    assert "panic-fire" in GAMES_TAUGHT
    assert all(GAMES[name].text(f"{OF_GAME}.toml") for name in GAMES_TAUGHT)


def test_no_draw_of_the_others_looks_like_a_key_of_the_learner_pressed_twice() -> None:
    for before, step in pairwise(lesson_named("panic-fire").lesson.steps):
        if before.wants is not None and before.wants.line:
            assert before.wants.line not in step.happens, step.number
