"""The step of a lesson in words, for a screen and for plain lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.session.views import LessonView

OVER: Final = "That was the lesson. Play on as you like, or quit: nothing counts."


def step_name(lesson: LessonView) -> str:
    """Return the lesson and its step: `The program, step 3 of 16`."""
    if lesson.is_over:
        return f"{lesson.title}, done"
    return f"{lesson.title}, step {lesson.number} of {lesson.of - 1}"


def request(
    lesson: LessonView, key_of: Callable[[str], str], verb: str = "Press", *, board: bool
) -> str:
    """Return what to do now, with the keys that do it; `board` if one is connected.

    `key_of` returns the key of an action, "" if the reader has none; `verb` is for a key. Keys are pressed in order.
    """
    if lesson.is_over:
        return OVER
    asked = [lesson.do]
    keys = [_as_typed(key) for key in map(key_of, lesson.keys) if key]
    if keys:
        asked.append(f"{verb} {', then '.join(keys)}.")
    if board and lesson.board:
        asked.append(lesson.board)
    return " ".join(asked)


def _as_typed(key: str) -> str:
    """Return a key, with Shift if it is a capital letter: people who see `W` press `w`."""
    return f"{key} (with Shift)" if len(key) == 1 and key.isupper() else key


def explanation(lesson: LessonView) -> str:
    """Return the rule that the step teaches; "" if it only continues the one before."""
    return " ".join(lesson.say)
