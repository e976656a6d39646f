"""A worn contact closes three times on one push: the real firmware, a real pty, and one draw."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.rules.gestures import GestureSettings
from companion.rules.header import game_of
from companion.session.key_meanings import DISMISS, UNDO_RUN
from companion.session.rereading import reread
from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.parts import (
    at_table,
    draws,
    facts,
    needs_vm,
    press_key,
    presses,
    record,
    wait_for,
)

pytestmark = [pytest.mark.vm, needs_vm]

CLOSED_MS, APART_MS = 10, 25


@pytest.mark.parametrize(
    ("answer", "drawn"), [(DISMISS.id, 1), (UNDO_RUN.id, 0)], ids=["dropped", "undone"]
)
def test_closings_25_ms_apart_count_once_and_the_others_are_proposed(
    tmp_path: Path, answer: str, drawn: int
) -> None:
    path = tmp_path / "s.sqlite"
    with (
        VirtualBoard.spawn("micropython", seed=3, path=tmp_path / "port") as board,
        at_table(path, board) as table,
    ):
        board.press("zone-3", hold_ms=700)
        wait_for(table, lambda view: view.game.phase == "open", "an open round")
        for number in range(3):
            board.press("zone-1", hold_ms=CLOSED_MS, at_ms=500 + number * APART_MS)
        view = wait_for(table, lambda view: view.proposal is not None, "the proposal")
        assert view.proposal is not None
        assert "zone-1 flickers: check its wire and contact" in view.proposal.text
        assert draws(view, 0) == 1
        press_key(table, answer)
        wait_for(
            table, lambda view: view.proposal is None and draws(view, 0) == drawn, "the answer"
        )
    entries = record(path)
    assert len(presses(entries, "zone-1")) == 3
    assert len(facts(entries, "draw")) == 1
    again = reread(*game_of(entries[0].body), entries, GestureSettings())
    assert (again.changes, again.drafts) == ((), ())
