"""Which lesson a name means."""

from __future__ import annotations

import shutil
from pathlib import Path

from companion.config.own_games import examples
from companion.teach.finding import lesson_named, lesson_names

LESSON = """
title = "Hearts at home"
seats = ["Ada", "Ben", "Cleo", "Dan"]

[[step]]
say = ["Now you know the rest."]
"""


def test_a_game_of_ones_own_takes_no_lesson_of_the_companions_away(own_data_folder: Path) -> None:
    lessons = own_data_folder / "games" / "lessons"
    lessons.mkdir(parents=True)
    shutil.copy(str(examples()["hearts"]), lessons.parent / "board.toml")
    (lessons / "board.toml").write_text(LESSON, encoding="utf-8")
    assert lesson_named("board").lesson.title == "Your board"
    names = lesson_names()
    assert len(set(names)) == len(names)
    assert lesson_named(names[-1]).lesson.title == "Hearts at home"
