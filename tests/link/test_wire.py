"""The same scenario over a perfect, a one-byte, a lossy and a slow wire."""

from __future__ import annotations

import pytest

from companion.link.events import Identified, Watermark
from companion.link.session import Session
from companion.link.status import LinkState
from firmware_protocol.messages import Gap
from tests.link.fake_board import FakeBoard
from tests.link.world import LOSSY, MS, ONE_BYTE, PERFECT, SLOW, S, Shape, World, usb
from tests.thorough import examples

WIRES = {"perfect": PERFECT, "one byte": ONE_BYTE, "lossy": LOSSY, "slow": SLOW, "usb": usb(MS)}


def world(shape: Shape, board: FakeBoard | None = None, seed: int = 1) -> World:
    board = FakeBoard() if board is None else board
    session = Session(0, armed=True, jitter=lambda: 0.5)
    return World(board, session, shape, seed=seed)


def assert_complete(scene: World) -> None:
    received = {event.seq: event.message for event in scene.evidence}
    assert [event.seq for event in scene.evidence] == sorted(received)
    assert received == scene.board.log
    assert scene.board.ring == {}


@pytest.mark.parametrize("name", WIRES)
@pytest.mark.parametrize("seed", range(examples(2, 10)))
def test_every_press_comes_once_and_in_order_whatever_the_wire(name: str, seed: int) -> None:
    scene = world(WIRES[name], seed=seed)
    scene.run(500 * MS)
    scene.press_every(20 * MS, 200)
    scene.run(30 * S if name == "lossy" else 8 * S)

    assert_complete(scene)
    assert len(scene.board.log) >= 201
    assert scene.session.armed
    assert scene.session.phase(scene.now_ns) is LinkState.LIVE
    assert scene.session.settled


@pytest.mark.parametrize("name", WIRES)
def test_the_watermark_never_passes_an_event_that_is_still_to_come(name: str) -> None:
    scene = world(WIRES[name])
    scene.press_every(15 * MS, 200)
    scene.run(20 * S)

    settled_us = -1
    for event in scene.events:
        if isinstance(event, Watermark):
            assert event.settled_us > settled_us
            settled_us = event.settled_us
        elif event in scene.evidence:
            assert event.message.t_us > settled_us  # type: ignore[union-attr]
    assert settled_us > max(message.t_us for message in scene.board.log.values())  # type: ignore[attr-defined]


def test_a_board_that_was_alone_hands_over_its_ring_and_the_gap_in_its_place() -> None:
    board = FakeBoard(ring_size=20)
    for turn in range(50):
        board.now_us += 1_000 + turn
        board.press()
    scene = world(LOSSY, board)
    scene.run(20 * S)

    assert_complete(scene)
    gaps = [event for event in scene.evidence if isinstance(event.message, Gap)]
    first = gaps[0].message
    assert isinstance(first, Gap)
    assert first.first_seq == 21  # the ring kept the oldest twenty
    assert first.count >= 30  # the other presses, and the answers to ARM that found no room
    assert gaps[0].seq == 21 + first.count
    assert scene.session.counters.gaps == len(gaps)
    assert scene.session.counters.gap_events >= first.count


def test_a_power_loss_is_reported_as_a_new_boot_and_the_board_is_armed_again() -> None:
    scene = world(usb(MS))
    scene.run(S)
    scene.board.power_cycle(8)
    scene.base_us, scene.began_ns = 1_000, scene.now_ns
    scene.board.now_us = 1_000
    scene.board.press()
    scene.run(4 * S)

    assert [event.boot_id for event in scene.events if isinstance(event, Identified)] == [7, 8]
    assert scene.session.boot_id == 8
    assert scene.session.armed
    after = [event for event in scene.evidence if event.boot_id == 8]
    assert {item.seq: item.message for item in after} == scene.board.log


def test_a_later_connection_drops_what_the_earlier_one_received_already() -> None:
    scene = world(usb(MS))
    scene.keeping = False
    scene.run(S)
    scene.press_every(10 * MS, 20)
    scene.run(S)
    first = scene.evidence
    assert len(first) == 8  # the board's credit: it sends no more until it is acknowledged

    later = Session(scene.now_ns, armed=True, previous=scene.session.inbox, jitter=lambda: 0.5)
    again = World(scene.board, later, usb(MS), at_ns=scene.now_ns)
    for item in first:
        later.acknowledge(item.boot_id, item.seq)
    again.run(4 * S)
    second = again.evidence

    assert [item.seq for item in first + second] == list(range(1, scene.board.next_seq))
    assert scene.board.ring == {}
