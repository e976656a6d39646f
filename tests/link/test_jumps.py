"""A clock that runs wrong is told, and does not fill the record."""

from __future__ import annotations

from typing import Any, cast

from companion.link.dispatcher import Did, EventDispatcher, LinkMemory
from companion.link.events import LinkNews
from companion.link.words import JUMPED

S = 1_000_000_000


class Jumping:
    """A session that finds another jump in all it hears, and a listener to its notes."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.armed = False

    def receive(self, *_: object) -> list[LinkNews]:
        return [LinkNews.CLOCK_FAULT]

    def store(self, *_: object) -> None:
        """There is no evidence."""

    def on_note(self, sentence: str) -> None:
        self.notes.append(sentence)


def told(*at_s: float) -> list[str]:
    """What is noted of jumps at these times."""
    jumping: Any = Jumping()
    passing = EventDispatcher(jumping, LinkMemory(jumping, clock_ns=lambda: 0))
    for one_s in at_s:
        passing.do(Did.HEARD, round(one_s * S))
    return cast(list[str], jumping.notes)


def test_a_jump_now_and_then_is_told_each_time() -> None:
    assert told(0, 61, 200) == [JUMPED] * 3


def test_a_clock_that_jumps_all_the_time_is_told_once_a_minute_with_how_often() -> None:
    assert told(*(number / 4 for number in range(4 * 125))) == [
        JUMPED,
        "The clocks of board and computer jumped 240 times in a minute: one of them runs wrong.",
        "The clocks of board and computer jumped 240 times in a minute: one of them runs wrong.",
    ]
