"""A table that reads hits shows what is connected to the hit sensor's pin if that is no piezo, and
records it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.link.hit_input import HitInput
from companion.link.status import LinkState, LinkStatus
from companion.session.table import Table
from firmware_protocol.messages import (
    HIT_OPEN,
    HIT_PIEZO,
    HIT_RESISTOR,
    ROLE_HIT,
    ROLE_TRIGGER,
    Channel,
)
from tests.session.counting_game import at_small_table, notice

CHANNELS = (Channel(0, ROLE_TRIGGER, 0, 0), Channel(1, ROLE_HIT, 0, 1))
LIVE = LinkStatus(LinkState.LIVE, "It is live.", "/dev/x", uid=1)
OPEN = HitInput(HIT_OPEN, 4095, 0, 0)
RESISTOR = HitInput(HIT_RESISTOR, 2482, 0, 40)
PIEZO = HitInput(HIT_PIEZO, 2482, 0, 760)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with at_small_table(tmp_path, CHANNELS) as made:
        yield made


def notes(table: Table) -> list[str]:
    return [entry.body["text"] for entry in table._journal.entries if entry.kind == "note"]


@pytest.mark.parametrize("hit_input", [OPEN, RESISTOR])
def test_a_hit_input_without_a_piezo_is_said_and_recorded_once(
    table: Table, hit_input: HitInput
) -> None:
    table.board.on_status(replace(LIVE, hit_input=hit_input))
    assert notice(table) == hit_input.sentence
    assert table.view().link.hit_input == hit_input.sentence
    for change in (
        {"armed": True},
        {"hit_input": replace(hit_input, up=hit_input.up - 1)},
        {"silent_s": 3},
    ):
        table.board.on_status(replace(LIVE, **({"hit_input": hit_input} | change)))
    assert notes(table) == [hit_input.sentence]


def test_a_piezo_is_no_news_until_it_was_missing(table: Table) -> None:
    table.board.on_status(replace(LIVE, hit_input=PIEZO))
    assert (notice(table), notes(table)) == ("", [])
    assert table.view().link.hit_input == PIEZO.sentence
    table.board.on_status(replace(LIVE, hit_input=OPEN))
    table.board.on_status(replace(LIVE, hit_input=PIEZO))
    assert notice(table) == PIEZO.sentence
    assert notes(table) == [OPEN.sentence, PIEZO.sentence]


def test_nothing_is_said_of_it_before_the_board_is_live(table: Table) -> None:
    table.board.on_status(replace(LIVE, state=LinkState.SYNCING, hit_input=OPEN))
    assert notes(table) == []
    table.board.on_status(replace(LIVE, hit_input=OPEN))
    assert notes(table) == [OPEN.sentence]


def test_a_board_that_does_not_test_it_says_nothing(table: Table) -> None:
    table.board.on_status(LIVE)
    assert (notice(table), table.view().link.hit_input, notes(table)) == ("", "", [])


def test_a_game_that_reads_no_hits_is_not_told(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(table._record.settings, hit_sensor=False)
    monkeypatch.setattr(type(table._record), "settings", settings)
    table.board.on_status(replace(LIVE, hit_input=OPEN))
    assert (notice(table), notes(table)) == ("", [])
    assert table.view().link.hit_input == OPEN.sentence
