"""The sense line of the gun's cable: said and kept, and no gesture, whatever the players do with the plug."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.session.table import Table
from firmware_protocol.messages import (
    ARMED,
    PRESSED,
    ROLE_PLUG,
    ROLE_TRIGGER,
    ROLE_ZONE,
    Channel,
    Event,
    State,
)
from tests.session.counting_game import at_small_table, notice
from tests.session.parts import MS, Board, facts, settle, texts

GUN_IN = "The gun is plugged in."
GUN_OUT = "The gun is unplugged: no pull and no hit reach the board."
NUMBER = 12
CHANNELS = (
    Channel(0, ROLE_TRIGGER, 0, 0),
    Channel(2, ROLE_ZONE, 1, 0),
    Channel(NUMBER, ROLE_PLUG, 0, 0),
)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with at_small_table(tmp_path, CHANNELS) as one:
        yield one


def test_the_plug_is_said_and_kept_and_nobody_draws(table: Table) -> None:
    board = Board()
    table.board.store([board._numbered(State(ARMED, 1 << NUMBER, 0))])
    assert notice(table) == ""
    table.board.store([board._numbered(Event(NUMBER, 0, 100 * MS, 0, 0))])
    assert notice(table) == GUN_OUT
    table.board.store([board._numbered(Event(NUMBER, PRESSED, 900 * MS, 0, 0))])
    assert notice(table) == GUN_IN
    settle(table)
    assert facts(table._journal) == []
    assert [text for text in texts(table.view()) if "gun" in text] == [
        "the gun is unplugged: no pull and no hit reach the board",
        "the gun is plugged in",
    ]
    assert not any("not counted" in text for text in texts(table.view()))


def test_a_gun_that_is_not_plugged_in_at_the_beginning_is_said(table: Table) -> None:
    table.board.store([Board().armed()])
    assert notice(table) == GUN_OUT
