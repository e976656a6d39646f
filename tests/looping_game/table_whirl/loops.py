"""Where Whirl loops, and how: a test says so in the environment."""

from __future__ import annotations

import os
import re
import time

PLACE, HOW = "WHIRL_LOOPS_IN", "WHIRL_LOOPS"


def loops_in(place: str, turns: int) -> bool:
    """Return whether `place` is the one, and the top was turned three times."""
    return os.environ.get(PLACE) == place and turns >= 3


def whirl(place: str, turns: int) -> None:
    """Loop without end if `place` is the one, once the top was turned three times."""
    if not loops_in(place, turns):
        return
    match os.environ.get(HOW, "python"):
        case "swallowing":
            _swallow()
        case "sleeping":
            time.sleep(1_000_000)
        case "in C":
            re.match(r"(a+)+$", "a" * 64 + "b")
        case _:
            _turn()


def _turn() -> None:
    turns = 0
    while True:
        turns += 1


def _swallow() -> None:
    turns = 0
    while True:
        try:
            for _ in range(1_000):
                turns += 1
        except Exception:
            turns = 0
