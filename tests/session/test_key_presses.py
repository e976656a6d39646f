"""The moment of a key press, to a tenth of a second, with a board and without one."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.panic_fire.rules.view import PanicFireView
from companion.rules.facts import Moment
from companion.rules.spans import KEY_ERROR_US, error_us, plus_minus
from companion.session.table import Table
from tests.session.parts import GAME, facts, fire, first_entry, journal_of, setup, table_on

MATCHED_US = 300
"""How exactly the board's clock is known on the host."""
SHOT = "panic-fire.shot"


class BoardClock:
    """The board's clock, set by a test."""

    us = 5_000_000

    def __call__(self) -> Moment:
        return Moment(us=self.us, pm=MATCHED_US, clock="board-0051")


def with_board(table: Table) -> BoardClock:
    """Connect a live board to the table, without a link."""
    clock = BoardClock()
    board: Any = table.board
    board.now = clock
    return clock


def test_a_key_at_a_live_board_has_the_error_of_the_finger_and_of_the_clocks() -> None:
    journal = journal_of([first_entry()])
    table = table_on(journal)
    with_board(table)
    fire(table)
    at = facts(journal)[-1].body["at"]
    assert at == {"us": 5_000_000, "pm": KEY_ERROR_US + MATCHED_US, "clock": "board-0051"}
    assert plus_minus(at["pm"]) == "±0.1 s"


def test_a_key_without_a_board_is_recorded_with_no_error_which_means_that_of_a_key() -> None:
    journal = journal_of([first_entry()])
    fire(table_on(journal))
    assert "pm" not in facts(journal)[-1].body["at"]
    assert error_us(0) == KEY_ERROR_US


@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize(("apart_us", "tie"), [(100_000, True), (300_000, False)])
def test_shots_by_key_are_a_tie_within_tenths_of_a_second_with_a_board_and_without(
    live: bool, apart_us: int, tie: bool
) -> None:
    host = BoardClock()
    table = Table(GAME, journal_of([first_entry()]), setup(), host_us=lambda: host.us)
    clock = with_board(table) if live else host
    fire(table)
    for _ in range(2):
        clock.us += apart_us
        table.do(SHOT)
    view: PanicFireView = table.view().game
    assert view.open_shots[1].tie is tie
