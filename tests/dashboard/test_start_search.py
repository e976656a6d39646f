"""The search for a board while the start screens are open."""

from __future__ import annotations

import threading
from typing import Any

from companion.dashboard.start.choices import DEADLINE_S, Search
from companion.link.finder import BoardSearch
from tests.dashboard.fakes import ManualClock
from tests.dashboard.starting import BOARD


def test_a_search_that_takes_too_long_says_so() -> None:
    clock, gate = ManualClock(), threading.Event()

    def find(stopping: Any) -> BoardSearch:
        gate.wait(10)
        return BOARD

    made = Search(find, clock)
    made.start()
    assert made.sentence.startswith("Looking for a board")
    clock.now += DEADLINE_S + 1
    assert made.sentence.startswith("No answer yet")
    gate.set()
    made.stop()
    assert made.sentence == BOARD.sentence


def test_a_search_that_fails_is_no_reason_not_to_play() -> None:
    def find(stopping: Any) -> BoardSearch:
        raise ZeroDivisionError("a driver")

    made = Search(find)
    made.start()
    made.stop()
    assert made.found == BoardSearch(
        None, "The search for a board failed (a driver): name its port, or play without."
    )
