"""The sense line of the gun's cable, from a pin that only the board's own pin map has, to the sentence in the log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.session.views import TableView
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.end_to_end.parts import at_table, needs_vm, wait_for

pytestmark = [pytest.mark.vm, needs_vm]
PLUGGED, UNPLUGGED = (
    "the gun is plugged in",
    "the gun is unplugged: no pull and no hit reach the board",
)
GUN_OUT = "The gun is unplugged: no pull and no hit reach the board."
OUT, IN = [(0, "plug", 0)], [(0, "plug", 1)]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[VirtualBoard]:
    pins = tmp_path / "pins.json"
    pins.write_text('{"plug": {"pin": 1, "active": 0}}', encoding="utf-8")
    with VirtualBoard.spawn("micropython", seed=3, path=tmp_path / "port", pins=pins) as spawned:
        yield spawned


def said(view: TableView) -> list[str]:
    return [line.text for line in view.log if line.text.startswith("the gun is")]


def test_the_log_says_when_the_guns_plug_comes_out_and_goes_in(
    tmp_path: Path, board: VirtualBoard
) -> None:
    with at_table(tmp_path / "s.sqlite", board) as table:
        wait_for(
            table,
            lambda view: view.notice is not None and view.notice.text == GUN_OUT,
            "a plug out at the beginning",
        )
        board.play(IN)
        wait_for(table, lambda view: said(view) == [PLUGGED], "the plug that goes in")
        board.play(OUT)
        wait_for(table, lambda view: said(view) == [PLUGGED, UNPLUGGED], "the plug that comes out")


def test_a_pin_map_that_cannot_be_is_refused_with_its_reason(tmp_path: Path) -> None:
    pins = tmp_path / "pins.json"
    pins.write_text('{"plug": {"pin": 2}}', encoding="utf-8")
    with pytest.raises(VirtualBoardError, match="GP2 is used by both plug and trigger"):
        VirtualBoard.spawn("micropython", path=tmp_path / "port", pins=pins)


def test_a_board_without_a_pin_for_it_has_no_plug(tmp_path: Path) -> None:
    with (
        VirtualBoard.spawn("micropython", path=tmp_path / "port") as board,
        pytest.raises(VirtualBoardError, match="no edge 0 plug 1"),
    ):
        board.play(IN)
