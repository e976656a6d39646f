"""What is typed where a number is asked for."""

from __future__ import annotations

import pytest

from companion.exits import Exit
from tests.commands.ran import Ran


@pytest.mark.parametrize(
    "words", [("feed", "--after", "x"), ("hub", "demo", "--seed", "x")], ids=" ".join
)
def test_what_is_no_number_is_said_in_words_of_no_programming_language(
    words: tuple[str, ...],
) -> None:
    ran = Ran(*words)
    assert (ran.code, f"{words[-2]}: 'x' is no whole number." in ran.err) == (Exit.USAGE, True)


@pytest.mark.parametrize("seconds", ["abc", "0", "-1", "nan", "inf", "1e30"])
def test_a_monitor_that_would_watch_for_no_time_or_for_ever_is_refused(seconds: str) -> None:
    ran = Ran("board", "monitor", "--seconds", seconds)
    assert (ran.code, f"'{seconds}' is no time: give seconds" in ran.err) == (Exit.USAGE, True)
