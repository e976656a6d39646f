"""`companion teach`: begun, left, continued, and counted nowhere."""

from __future__ import annotations

import math
import re
import shutil
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion import terminal
from companion.cli import main
from companion.commands import lessons, starting, teaching
from companion.dashboard.start.choices import Learn
from companion.exits import Exit
from companion.journal.folder import lessons_dir, sessions_dir
from companion.journal.sessions import list_sessions
from companion.session.opening import begin
from companion.teach.finding import lesson_named, lesson_names
from tests.commands.ran import Ran

LESSON = ("teach", "panic-fire", "--plain", "--port", "none")


def test_a_lesson_in_plain_lines_says_which_key_to_type() -> None:
    ran = Ran(*LESSON, typed="0\n1\n")
    assert ran.code == Exit.DONE
    assert "> Panic Fire, step 1 of 15: Deal sets and hands; then call fire" in ran.out
    assert "step 2 of 15: Ada's set shows a Shield: put it in play. Type a." in ran.out
    assert "> That was undone. Here the lesson wants:" in ran.out
    assert ran.out.endswith(
        "Panic Fire, step 2 of 15 is next. Continue:  companion teach panic-fire\n"
    )


def test_a_lesson_continues_where_it_was_left_or_begins_anew() -> None:
    Ran(*LESSON, typed="0\n")
    assert "step 2 of 15" in Ran(*LESSON).out
    assert "step 1 of 15" in Ran(*LESSON, "--anew").out
    assert "step 1 of 15: Deal" in Ran(*LESSON).out


def test_people_at_the_table_take_the_parts() -> None:
    ran = Ran(*LESSON, "--seats", "Zoe,Yan,Xi", typed="0\n")
    assert "Zoe's set shows a Shield" in ran.out
    assert "Zoe's set shows a Shield" in Ran(*LESSON).out
    ran = Ran(*LESSON, "--seats", "Zoe,Yan")
    assert ran.code == Exit.DATA
    assert "it is for 3 players, and 2 are at the table" in ran.err


def test_a_lesson_is_no_session_and_counts_nowhere() -> None:
    Ran(*LESSON, typed="0\na\n")
    assert len(list_sessions(lessons_dir())) == 1
    assert not list_sessions(sessions_dir())
    assert "Ada" not in Ran("stats").out
    assert "panic" not in Ran("sessions").out.casefold()
    assert "There is no unfinished session" in Ran("resume", "--plain").err


def test_a_lesson_is_not_continued_as_a_game() -> None:
    Ran(*LESSON, typed="0\n")
    (lesson,) = list_sessions(lessons_dir())
    ran = Ran("resume", str(lesson.path), "--plain", "--port", "none")
    assert ran.code == Exit.USAGE
    assert "is a lesson. Continue it:  companion teach panic-fire" in ran.err


def test_together_begins_anew_what_was_begun_alone_and_stays_together() -> None:
    Ran(*LESSON, typed="0\na\n1\n")
    assert "step 1 of 15" in Ran(*LESSON, "--together", typed="0\na\n1\n").out
    assert "step 4 of 15: Ben draws. Type 2." in Ran(*LESSON, "--together").out
    assert "step 4 of 15: Ben draws. Type 2." in Ran(*LESSON).out


def test_a_lesson_that_somebody_put_among_the_sessions_does_not_count_either() -> None:
    Ran(*LESSON, typed="0\na\n")
    (lesson,) = list_sessions(lessons_dir())
    sessions_dir().mkdir(parents=True)
    shutil.copy(lesson.path, sessions_dir())
    ran = Ran("stats")
    assert "Ada" not in ran.out
    assert f"Not counted: {sessions_dir() / lesson.path.name} is a lesson." in ran.err


def test_a_game_without_a_lesson_says_which_there_are() -> None:
    ran = Ran("teach", "drills", "--plain")
    assert ran.code == Exit.USAGE
    assert "There is no lesson for" in ran.err
    assert "panic-fire" in ran.err


OWN_LESSON = """
title = "Hearts at home"
seats = ["Ada", "Ben", "Cleo", "Dan"]

[[step]]
say = ["Each heart that you take counts one point, and most points lose."]
do = "{ada} took a heart: count it."
wants = "add taken 1 ada"

[[step]]
say = ["Now you know the rest."]
"""


def test_a_game_of_ones_own_can_have_a_lesson(own_data_folder: Path) -> None:
    assert Ran("games", "new", "--like", "hearts").code == Exit.DONE
    without = Ran("teach", "hearts", "--plain")
    assert "There is no lesson for" in without.err
    lessons = own_data_folder / "games" / "lessons"
    lessons.mkdir()
    (lessons / "hearts.toml").write_text(OWN_LESSON, encoding="utf-8")
    ran = Ran("teach", "hearts", "--plain", "--port", "none", typed="1\n")
    assert "> Hearts at home, step 1 of 1: Ada took a heart: count it. Type 1." in ran.out
    assert "> Hearts at home, done: That was the lesson." in ran.out
    (lessons / "hearts.toml").write_text(OWN_LESSON.replace("add taken", "win"), encoding="utf-8")
    ran = Ran("teach", "hearts", "--plain", "--port", "none")
    assert ran.code == Exit.DATA
    assert f"This lesson cannot be used. {lessons / 'hearts.toml'}, step 1: 'win 1 ada'" in ran.err


def test_without_a_name_every_lesson_is_listed_with_what_to_type() -> None:
    ran = Ran("teach")
    assert ran.code == Exit.DONE
    first, *lines = ran.out.splitlines()
    assert first == "Choose a lesson and type its line:"
    assert [line.split()[:3] for line in lines] == [
        ["companion", "teach", name] for name in lesson_names()
    ]
    assert "Sky Rise, 7 minutes" in ran.out


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (Exit.DONE, ""),
        (Exit.SOFTWARE, "The lesson stopped by a fault of the program."),
        (Exit.UNAVAILABLE, "The lesson was stopped because its game did not answer."),
    ],
)
def test_a_lesson_that_broke_off_is_reported_on_the_first_screen_that_follows(
    code: Exit, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    choices, notices = [Learn("panic-fire"), None], []

    def ask(_wanted: object, *, notice: str = "", **_begun: object) -> tuple[object, None, float]:
        notices.append(notice)
        return choices.pop(0), None, -math.inf

    monkeypatch.setattr(starting, "ask", ask)
    monkeypatch.setattr(teaching, "give", lambda *_lesson, **_begun: code)
    monkeypatch.setattr(terminal, "shows_screens", lambda: True)
    assert main([]) == Exit.DONE
    assert notices[0] == ""
    assert notices[1].startswith(said)
    assert bool(notices[1]) == bool(said)


@pytest.mark.parametrize(("menu_follows", "says"), [(False, True), (True, False)])
def test_a_lesson_that_the_start_screens_follow_leaves_no_command_for_after_the_game(
    *,
    menu_follows: bool,
    says: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def left_at_once(table: Any, *others: Any) -> int:
        goodbye = others[-1]
        goodbye(table)
        return 0

    monkeypatch.setattr(lessons, "play_at", left_at_once)
    monkeypatch.setattr(lessons, "board_at", lambda _at: nullcontext(None))
    table = partial(begin, "panic-fire", ("Ada", "Ben"), {}, tmp_path / "a.sqlite")
    options: Any = SimpleNamespace(board_at=None, plain=False)
    lessons.give_at(table, lesson_named("panic-fire"), options, menu_follows=menu_follows)
    assert ("That was the lesson" in capsys.readouterr().out) is says


def test_the_list_says_which_lesson_is_half_done_and_how_to_begin_it_again() -> None:
    assert "--anew" not in Ran("teach").out
    Ran(*LESSON, typed="0\na\n")
    listed = Ran("teach").out
    line = next(line for line in listed.splitlines() if " teach panic-fire " in line)
    assert re.search(r"Panic Fire, step 3 of 15, continue$", line)
    assert listed.endswith("To start one again from its first step, add --anew.\n")
    assert "step 3 of 15" in Ran(*LESSON).out
    Ran(*LESSON, "--anew")
    assert "continue" not in Ran("teach").out


def test_a_lesson_that_cannot_be_read_is_listed_as_if_nobody_had_begun_it() -> None:
    Ran(*LESSON, typed="0\na\n")
    (lesson,) = list_sessions(lessons_dir())
    lesson.path.write_bytes(b"none of ours")
    assert re.search(r"Panic Fire, \d+ minutes", Ran("teach").out)
