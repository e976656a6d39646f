"""`kill -9` of the companion in the middle of a round, restart, resume: no press is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.kill_many import run
from tests.end_to_end.parts import facts, is_same_time, needs_vm, presses, record
from tests.end_to_end.program import companion

pytestmark = [
    pytest.mark.vm,
    needs_vm,
    pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX"),
]


def test_a_killed_companion_loses_no_press_and_goes_on_in_the_same_round(
    tmp_path: Path, own_data_folder: Path
) -> None:
    true_us: list[int] = []
    with VirtualBoard.spawn("micropython", seed=5, path=tmp_path / "port") as board:
        with companion("play", "panic-fire", "--seats", "red,blue", "--port", board.url) as first:
            first.wait_for("the board is armed")
            board.press("zone-1", hold_ms=700)
            first.wait_for("fire! round 1")
            true_us += [
                board.press("zone-2", hold_ms=30, at_ms=120 * number) for number in range(1, 4)
            ]
            first.wait_for("blue draws", 1)
            first.kill()
        true_us += [
            board.press("zone-2", hold_ms=30, at_ms=500 + 120 * number) for number in range(4)
        ]
        with companion("resume", "--port", board.url) as second:
            second.wait_for("blue draws", 7)
            true_us.append(board.press("zone-2", hold_ms=30, at_ms=100))
            second.wait_for("blue draws", 8)
            assert second.leave() == 0
    (session,) = (own_data_folder / "sessions").glob("*.sqlite")
    entries = record(session)
    recorded = presses(entries, "zone-2")
    assert len(recorded) == len(true_us) == 8
    assert all(map(is_same_time, sorted(recorded), sorted(true_us)))
    assert len(facts(entries, "draw")) == 8
    assert len(facts(entries, "fire")) == 1


def test_hosts_killed_at_random_points_while_the_board_sends_lose_no_press_and_double_none() -> (
    None
):
    outcome = run(12, seed=9, runtime="micropython")
    assert outcome.account.good, outcome.sentence()
    assert outcome.storing >= 6
    assert len(outcome.account.recorded) >= 100
