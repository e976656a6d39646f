"""Two zone buttons held together, on a board that runs the real firmware."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

import pytest

from companion.board.touch import HELD_US, KEPT, HeldZones, TouchWatch
from companion.link.conversation import Conversation
from firmware_protocol.messages import PRESSED, ROLE_TRIGGER, ROLE_ZONE, Channel, Event
from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.parts import TIMEOUT_S, cut_off, needs_vm

CHANNELS = (
    Channel(0, ROLE_TRIGGER, 1, 0),
    Channel(1, ROLE_ZONE, 1, 0),
    Channel(2, ROLE_ZONE, 2, 0),
    Channel(3, ROLE_ZONE, 3, 0),
)


def _event(channel: int, t_us: int, *, down: bool = True) -> Event:
    return Event(channel, PRESSED if down else 0, t_us, 0, 0)


def test_two_buttons_that_are_held_for_two_seconds_are_a_touch_once() -> None:
    held = HeldZones.of(CHANNELS)
    held.take(_event(1, 1_000_000))
    held.take(_event(3, 2_000_000))
    assert not held.is_touch(2_000_000 + HELD_US - 1)
    assert held.is_touch(2_000_000 + HELD_US)
    assert not held.is_touch(2_000_000 + 2 * HELD_US)


def test_a_button_alone_the_trigger_and_one_that_is_let_go_are_none() -> None:
    held = HeldZones.of(CHANNELS)
    held.take(_event(0, 0))
    held.take(_event(1, 0))
    assert not held.is_touch(10 * HELD_US)
    held.take(_event(2, 10 * HELD_US))
    held.take(_event(2, 11 * HELD_US - 1, down=False))
    assert not held.is_touch(20 * HELD_US)


def test_buttons_that_are_held_again_are_another_touch() -> None:
    held = HeldZones.of(CHANNELS)
    for start_us in (0, 10 * HELD_US):
        held.take(_event(1, start_us))
        held.take(_event(2, start_us))
        assert held.is_touch(start_us + HELD_US)
        held.take(_event(1, start_us + HELD_US, down=False))
        held.take(_event(2, start_us + HELD_US, down=False))


class Told:
    """What a watch told."""

    def __init__(self) -> None:
        self.found, self.touched = threading.Event(), threading.Event()
        self.lost: list[str] = []
        self.was_lost = threading.Event()
        self.since_s = 0.0

    def note_found(self, since_s: float) -> None:
        self.since_s = since_s
        self.found.set()

    def note_lost(self, why: str) -> None:
        self.lost.append(why)
        self.was_lost.set()


@needs_vm
@pytest.mark.vm
def test_the_port_is_lent_and_watched_again_afterwards() -> None:
    told = Told()
    with (
        VirtualBoard.spawn() as board,
        closing(TouchWatch(board.url, told.note_found, told.note_lost, told.touched.set)) as watch,
    ):
        assert told.found.wait(TIMEOUT_S), told.lost
        with watch.lent() as port, closing(Conversation(port)) as conversation:
            assert conversation.hello() is not None
            told.found.clear()
        assert told.found.wait(TIMEOUT_S), told.lost


@needs_vm
@pytest.mark.vm
def test_a_touch_of_a_real_board_is_noticed_and_leaves_no_event_behind() -> None:
    told = Told()
    with VirtualBoard.spawn() as board:
        with closing(TouchWatch(board.url, told.note_found, told.note_lost, told.touched.set)):
            assert told.found.wait(TIMEOUT_S), told.lost
            board.press("zone-1", hold_ms=2600)
            board.press("zone-2", hold_ms=2600)
            assert told.touched.wait(TIMEOUT_S)
            assert 0 < told.since_s < TIMEOUT_S
        assert board.unsaved() <= 1


@needs_vm
@pytest.mark.vm
def test_a_board_that_keeps_events_of_a_game_is_left_alone(tmp_path: Path) -> None:
    told = Told()
    with VirtualBoard.spawn() as board:
        cut_off(board, tmp_path)
        board.press("zone-1", hold_ms=60)
        board.press("zone-2", hold_ms=60)
        kept = board.unsaved()
        with closing(TouchWatch(board.url, told.note_found, told.note_lost, told.touched.set)):
            assert told.was_lost.wait(TIMEOUT_S)
        assert told.lost == [KEPT]
        assert board.unsaved() == kept > 1
