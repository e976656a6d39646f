"""A lesson's file: what is wrong with it is one sentence, with the file and the step."""

from __future__ import annotations

import pytest

from companion.rules.facts import Setup
from companion.rules.registry import open_game
from companion.rules.seats import seats_from_names
from companion.teach import lesson
from companion.teach.lesson import Cast, LessonFault, read_lesson
from companion.teach.script import Script

HEAD = 'title = "T"\nseats = ["Ada", "Ben"]\n'
FIRE = '[[step]]\nsay = ["Now."]\ndo = "Call fire."\nwants = "fire"\nteaches = ["PF-5"]\n'
END = '[[step]]\nsay = ["Done."]\n'


def fault_of(text: str, names: tuple[str, ...] = ("Ada", "Ben")) -> str:
    """Return what is wrong with a lesson of Panic Fire; empty for nothing."""
    game = open_game("panic-fire")
    setup = Setup(game.id, game.rules_version, seats_from_names(names))
    try:
        Script(read_lesson(text, "lesson.toml"), game, setup)
    except LessonFault as fault:
        return str(fault)
    return ""


def test_a_lesson_of_two_steps_has_no_fault() -> None:
    assert fault_of(HEAD + FIRE + END) == ""


def test_a_command_in_a_sentence_has_the_name_under_which_the_program_was_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lesson, "PROGRAM", "table-companion")
    type_it = "{ada}, type: {companion} hands"
    text = HEAD + FIRE.replace("Now.", type_it) + END
    assert fault_of(text) == ""
    cast = Cast(read_lesson(text, "lesson.toml"), seats_from_names(["Eve", "Finn"]))
    assert cast.words(type_it) == "Eve, type: table-companion hands"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("title = ", "lesson.toml: this is no TOML: a name has no value; words need quotes (at its end)"),
        ('title = "T"\n' + FIRE + END, "lesson.toml: seats is a list of texts in quotes"),
        (HEAD, "lesson.toml: it has no [[step]]"),
        (HEAD + FIRE, "lesson.toml, step 1: the last step only says how to continue, so it has no wants"),
        (HEAD + END + END, "lesson.toml, step 1: every step but the last needs do and wants"),
        (
            HEAD + FIRE.replace("teaches", "teach") + END,
            "lesson.toml, step 1: there is nothing called 'teach'; possible are happens, meanwhile, say, do,"
            " board, keys, wants, free, by, teaches",
        ),
        (
            HEAD + FIRE.replace("teaches", 'meanwhile = "Ben drew."\nteaches') + END,
            "lesson.toml, step 1: meanwhile is one sentence on what happens before the step",
        ),
        (
            HEAD + FIRE.replace("teaches", 'by = "gun"\nteaches') + END,
            "lesson.toml, step 1: by can only be 'board'",
        ),
        (
            HEAD + FIRE.replace("PF-5", "PF-99") + END,
            "lesson.toml, step 1: the rules have no clause PF-99",
        ),
        (
            HEAD + FIRE.replace('"fire"', '"draw ada"') + END,
            "lesson.toml, step 1: the rules refuse draw: No round has begun. "
            'On "fire!" press Enter.',
        ),
        (
            HEAD + FIRE.replace('"fire"', '"draw cleo"') + END,
            "lesson.toml, step 1: 'draw cleo': Player: 'cleo' does not fit. It takes one of Ada, Ben.",
        ),
        (
            HEAD + FIRE.replace('"fire"', '{ session = "undo" }') + END,
            "lesson.toml, step 1: there is nothing to undo",
        ),
        (
            HEAD + FIRE.replace('"fire"', '{ session = "jump" }') + END,
            "lesson.toml, step 1: wants is a typed line such as 'draw ada', "
            "{ session = 'undo' or 'redo' } or { page = 'ID' }",
        ),
        (
            HEAD + FIRE.replace("Now.", "one " * 21 + ".") + END,
            f"lesson.toml, step 1: 22 words are too many, 20 are the most: {'one ' * 21 + '.'!r}",
        ),
        (
            HEAD + FIRE.replace("Call fire.", "one " * 12 + "thirteen.") + END,
            "lesson.toml, step 1: 13 words are too many, 12 are the most: "
            f"{'one ' * 12 + 'thirteen.'!r}",
        ),
        (
            HEAD + FIRE.replace("Now.", "One. Two. Three.") + END,
            "lesson.toml, step 1: it says 3 sentences; 2 are the most",
        ),
        (
            HEAD + FIRE.replace("Now.", "Now Ada calls.") + END,
            "lesson.toml, step 1: write {ada} for Ada: 'Now Ada calls.'",
        ),
        (
            HEAD + FIRE.replace("Now.", "Now {cleo} calls.") + END,
            "lesson.toml, step 1: {cleo} is none of the seats ada, ben",
        ),
    ],
)  # fmt: skip
def test_a_fault_is_one_sentence_with_the_file_and_the_step(text: str, fault: str) -> None:
    assert fault_of(text) == fault


def test_more_people_than_parts_are_one_sentence() -> None:
    fault = fault_of(HEAD + FIRE + END, ("Zoe", "Yan", "Xi"))
    assert fault == "lesson.toml: it is for 2 players, and 3 are at the table"
