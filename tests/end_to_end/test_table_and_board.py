"""The whole way: the firmware in the MicroPython VM, a real pty, pyserial, the journal on disk, the rules, the view."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.session.table import Table
from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.parts import (
    at_table,
    draws,
    facts,
    is_same_time,
    live,
    needs_vm,
    press_key,
    presses,
    record,
    wait_for,
)

pytestmark = [pytest.mark.vm, needs_vm]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[VirtualBoard]:
    with VirtualBoard.spawn("micropython", seed=3, path=tmp_path / "port") as spawned:
        yield spawned


def fire(table: Table, board: VirtualBoard) -> None:
    """The third seat holds its zone, so that no finger is still down on the zones the tests use."""
    board.press("zone-3", hold_ms=700)
    wait_for(table, lambda view: view.game.phase == "open", "an open round")


def test_every_scripted_press_is_in_the_journal_exactly_once_with_its_device_time(
    tmp_path: Path, board: VirtualBoard
) -> None:
    true_us: dict[str, list[int]] = {"zone-1": [], "zone-2": []}
    with at_table(tmp_path / "s.sqlite", board) as table:
        fire(table, board)
        for number in range(20):
            channel = f"zone-{number % 2 + 1}"
            true_us[channel].append(board.press(channel, hold_ms=25, at_ms=15))
            seat, wanted = number % 2, number // 2 + 1
            wait_for(table, lambda view, s=seat, w=wanted: draws(view, s) == w, "the draw")  # type: ignore[misc]
    entries = record(tmp_path / "s.sqlite")
    for channel, times in true_us.items():
        recorded = presses(entries, channel)
        assert len(recorded) == len(times)
        assert all(map(is_same_time, recorded, times))
    keys = [entry.key for entry in entries if entry.kind == "event"]
    assert len(keys) == len(set(keys))


def test_a_shot_goes_from_the_trigger_to_the_score_on_the_screen(
    tmp_path: Path, board: VirtualBoard
) -> None:
    with at_table(tmp_path / "s.sqlite", board) as table:
        fire(table, board)
        trigger_us, hit_us = board.shot(peak=1800, lag_ms=6)
        wait_for(table, lambda view: view.game.phase == "shot", "an open shot")
        board.press("zone-2", hold_ms=700)
        wait_for(table, lambda view: view.game.last_shot.target == "blue", "the target")
        board.press("zone-1", hold_ms=700)
        view = wait_for(table, lambda view: not view.game.open_shots, "the verdict")
    assert [(seat.status, seat.bullets) for seat in view.game.seats] == [
        ("in", 0),
        ("out", 0),
        ("in", 0),
    ]
    shot = view.game.last_shot
    assert is_same_time(shot.at.us, trigger_us)
    assert abs(shot.lag_us - (hit_us - trigger_us)) <= 200
    entries = record(tmp_path / "s.sqlite")
    (fact,) = facts(entries, "shot")
    assert [entries[n - 1].body["channel"] for n in fact.causes] == ["trigger", "hit"]


def test_a_hit_that_comes_before_the_trigger_is_still_a_shot(
    tmp_path: Path, board: VirtualBoard
) -> None:
    with at_table(tmp_path / "s.sqlite", board) as table:
        fire(table, board)
        board.shot(lag_ms=-4)
        view = wait_for(table, lambda view: view.game.phase == "shot", "an open shot")
    assert view.game.last_shot.lag_us < 0


def test_dry_pulls_and_knocks_are_logged_with_their_reason_and_a_key_makes_one_a_shot(
    tmp_path: Path, board: VirtualBoard
) -> None:
    with at_table(tmp_path / "s.sqlite", board) as table:
        fire(table, board)
        board.dry_pull()
        wait_for(
            table, lambda view: "dry pull: no hit within 30 ms" in view.log[-1].text, "the dry pull"
        )
        board.knock(900)
        wait_for(table, lambda view: "knock: no trigger pull" in view.log[-1].text, "the knock")
        assert table.view().game.phase == "open"
        press_key(table, "panic-fire.promote")
        assert table.view().game.phase == "shot"


def test_with_the_board_still_powered_an_unplugged_cable_loses_nothing(
    tmp_path: Path, board: VirtualBoard
) -> None:
    with at_table(tmp_path / "s.sqlite", board) as table:
        fire(table, board)
        board.unplug()
        wait_for(table, lambda view: view.link.state == "lost - retrying", "the lost link")
        true_us = [board.press("zone-2", hold_ms=30, at_ms=100 * number) for number in range(5)]
        assert draws(table.view(), 1) == 0
        board.plug()
        wait_for(
            table, lambda view: draws(view, 1) == 5, "the five draws of the time without a cable"
        )
    recorded = presses(record(tmp_path / "s.sqlite"), "zone-2")
    assert len(recorded) == 5
    assert all(map(is_same_time, recorded, true_us))


def test_after_a_power_loss_the_interval_is_shown_as_unknown(
    tmp_path: Path, board: VirtualBoard
) -> None:
    with at_table(tmp_path / "s.sqlite", board) as table:
        fire(table, board)
        board.power_cycle()
        wait_for(
            table,
            lambda view: any("unknown" in line.text for line in view.log),
            "the unknown interval",
        )
        wait_for(table, live, "a live link to an armed board")
        board.press("zone-2", hold_ms=40)
        wait_for(table, lambda view: draws(view, 1) == 1, "a draw on the new boot")
    boots = {entry.body["boot"] for entry in record(tmp_path / "s.sqlite") if entry.kind == "hello"}
    assert len(boots) == 2


def test_what_was_pressed_before_the_session_armed_the_board_is_evidence_but_never_a_fact(
    tmp_path: Path, board: VirtualBoard
) -> None:
    board.press("zone-1", hold_ms=700)
    board.press("zone-2", hold_ms=50, at_ms=800)
    with at_table(tmp_path / "first.sqlite", board) as table:
        wait_for(table, live, "an armed board")
        board.press("zone-1", hold_ms=700, at_ms=900)
        wait_for(table, lambda view: view.game.phase == "open", "an open round")
    entries = record(tmp_path / "first.sqlite")
    assert len(presses(entries, "zone-2")) == 1
    assert len(facts(entries, "fire")) == 1


def test_a_session_resumed_on_a_powered_board_reads_what_was_pressed_in_between(
    tmp_path: Path, board: VirtualBoard
) -> None:
    path = tmp_path / "s.sqlite"
    with at_table(path, board) as table:
        fire(table, board)
        board.unplug()
        wait_for(table, lambda view: view.link.state == "lost - retrying", "the lost link")
        board.press("zone-2", hold_ms=30)
    board.plug()
    with at_table(path, board) as table:
        wait_for(table, lambda view: draws(view, 1) == 1, "the draw of the time between")
