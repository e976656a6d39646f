"""A trigger that is closed when the board is armed: the table shows it until it opens, and the game
goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.session.accessories import TRIGGER_CLOSED, TRIGGER_OPEN
from companion.session.table import Table
from firmware_protocol.messages import (
    ARMED,
    PRESSED,
    ROLE_TRIGGER,
    ROLE_ZONE,
    Channel,
    Event,
    State,
)
from tests.session.counting_game import at_small_table, notice
from tests.session.parts import MS, Board, facts, settle

CHANNELS = (Channel(0, ROLE_TRIGGER, 0, 0), Channel(2, ROLE_ZONE, 1, 0))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with at_small_table(tmp_path, CHANNELS) as made:
        yield made


def test_a_trigger_that_is_closed_at_the_start_is_said_until_it_opens(table: Table) -> None:
    board = Board()
    table.board.store([board._numbered(State(ARMED, 1, 0))])
    assert notice(table) == TRIGGER_CLOSED
    table.board.store(
        [
            board._numbered(Event(2, PRESSED, 50 * MS, 0, 0)),
            board._numbered(Event(2, 0, 90 * MS, 0, 0)),
        ]
    )
    table.board.store([board._numbered(Event(0, 0, 100 * MS, 0, 0))])
    settle(table)
    assert notice(table) == TRIGGER_OPEN
    assert not [fact for fact in facts(table._journal) if fact.t_us == 100 * MS], (
        "letting go is no pull"
    )


@pytest.mark.parametrize(("flags", "levels"), [(ARMED, 0), (ARMED, 1 << 2), (0, 1)])
def test_an_open_trigger_and_a_pressed_button_are_not_mentioned(
    table: Table, flags: int, levels: int
) -> None:
    table.board.store([Board()._numbered(State(flags, levels, 0))])
    assert notice(table) == ""


def test_an_ordinary_pull_says_nothing_of_the_trigger(table: Table) -> None:
    board = Board()
    table.board.store([board.armed()])
    table.board.store(
        [
            board._numbered(Event(0, PRESSED, 50 * MS, 0, 0)),
            board._numbered(Event(0, 0, 90 * MS, 0, 0)),
        ]
    )
    assert TRIGGER_OPEN not in notice(table)
