"""The rules are applied once for a fact from a tap, and once more if a key is tried before it
counts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

from companion.games.panic_fire.rules.fold import apply
from tests.session.parts import (
    BOOT,
    Board,
    facts,
    fire,
    first_entry,
    hello,
    journal_of,
    settle,
    table_on,
    tap,
)


def applications(work: Callable[[], object]) -> int:
    """Return how often `work` applies the rules of Panic Fire."""
    count = 0

    def profile(frame: FrameType, event: str, _arg: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_code is apply.__code__

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_a_tap_and_all_that_is_shown_of_it_apply_the_rules_once() -> None:
    table = table_on(journal := journal_of([first_entry()]))
    table.board.on_identified(hello(), BOOT)
    fire(table)
    board = Board()
    table.board.store([board.armed()])

    def draw() -> None:
        table.board.store(tap(board, "zone-1", 2_000_000))
        settle(table)
        table.view()

    assert applications(draw) == 1
    assert [fact.kind for fact in facts(journal)] == ["fire", "draw"]


def test_a_key_applies_the_rules_to_be_tried_and_to_count() -> None:
    table = table_on(journal := journal_of([first_entry()]))
    fire(table)
    assert applications(lambda: table.do("panic-fire.draw.1")) == 2
    assert [fact.kind for fact in facts(journal)] == ["fire", "draw"]
