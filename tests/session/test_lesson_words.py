"""What a step of a lesson asks for, in words."""

from __future__ import annotations

import pytest

from companion.session.lesson_words import request
from companion.session.views import LessonView


@pytest.mark.parametrize(
    ("key", "said"),
    [("W", "W (with Shift)"), ("w", "w"), ("Enter", "Enter"), ("F2", "F2"), ("?", "?"), ("7", "7")],
)
def test_a_request_for_a_capital_letter_says_that_it_takes_shift(key: str, said: str) -> None:
    lesson = LessonView("Sky Rise", 1, 18, "", (), "Give Ben the Start token.", keys=("name.2",))
    asked = request(lesson, lambda _action: key, board=False)
    assert asked == f"Give Ben the Start token. Press {said}."
