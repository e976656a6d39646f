"""The event ring: keeps the oldest, refuses the newest, says so."""

from hypothesis import given, strategies as st

from firmware_protocol.board.clock import Clock
from firmware_protocol.board.packing import Packer
from firmware_protocol.board.ring import SLOT_SIZE, EventRing
from firmware_protocol.frames import FrameDecoder
from firmware_protocol.messages import Event, Gap, Message, decode

BOOT = 77


def ring_of(size: int) -> EventRing:
    clock = Clock(lambda: 0)
    return EventRing(size, Packer(BOOT, clock), clock)


def event(t_us: int) -> Event:
    return Event(0, 1, t_us)


def frames_in(ring: EventRing) -> list[tuple[int, Message | None]]:
    rows = []
    for index in range(ring.held):
        target = bytearray(SLOT_SIZE)
        (frame,) = FrameDecoder().feed(bytes(target[: ring.gather(index, 1, target)]))
        assert (frame.boot_id, frame.seq) == (BOOT, ring.seq(index))
        rows.append((frame.seq, decode(frame)))
    return rows


def test_numbers_start_at_1_and_an_empty_ring_has_its_next_number_as_oldest() -> None:
    ring = ring_of(8)
    assert (ring.oldest_seq(), ring.next_seq) == (1, 1)
    ring.put(event(10), 10)
    assert (ring.oldest_seq(), ring.next_seq) == (1, 2)
    ring.drop_through(1)
    assert (ring.oldest_seq(), ring.next_seq) == (2, 2)


def test_a_full_ring_keeps_the_oldest_events_and_refuses_the_newest() -> None:
    ring = ring_of(4)
    accepted = [ring.put(event(t), t) for t in range(10, 16)]
    assert accepted == [True, True, True, False, False, False]
    assert frames_in(ring) == [(1, event(10)), (2, event(11)), (3, event(12))]
    assert (ring.next_seq, ring.high_water) == (7, 3)


def test_room_brings_the_gap_with_the_number_after_its_range() -> None:
    ring = ring_of(4)
    for t in range(10, 16):
        ring.put(event(t), t)
    ring.drop_through(1)
    assert frames_in(ring)[-1] == (7, Gap(first_seq=4, count=3, first_us=13, last_us=15))
    assert ring.next_seq == 8


def test_a_gap_covers_the_stamps_of_events_that_came_out_of_order() -> None:
    ring = ring_of(2)
    for t in (10, 30, 20, 25):
        ring.put(event(t), t)
    ring.drop_through(1)
    assert frames_in(ring) == [(5, Gap(2, 3, 20, 30))]


def test_a_second_gap_follows_when_the_first_still_fills_the_ring() -> None:
    ring = ring_of(3)
    for t in range(1, 5):
        ring.put(event(t), t)
    ring.drop_through(1)
    assert [seq for seq, _ in frames_in(ring)] == [2, 5]
    assert not ring.put(event(9), 9)
    ring.drop_through(2)
    assert frames_in(ring) == [(5, Gap(3, 2, 3, 4)), (7, Gap(6, 1, 9, 9))]


def test_clearing_forgets_frames_and_gap_but_no_number() -> None:
    ring = ring_of(3)
    for t in range(1, 6):
        ring.put(event(t), t)
    ring.clear()
    assert (ring.held, ring.oldest_seq(), ring.next_seq) == (0, 6, 6)
    ring.put(event(7), 7)
    ring.drop_through(6)
    assert frames_in(ring) == []


def test_a_dropped_number_that_is_not_held_drops_nothing() -> None:
    ring = ring_of(4)
    ring.put(event(1), 1)
    assert ring.drop_through(0) == 0
    assert ring.held == 1


@given(st.lists(st.one_of(st.none(), st.integers(0, 6)), max_size=200), st.integers(2, 9))
def test_every_number_is_delivered_or_inside_a_gap_exactly_once(
    actions: list[int | None], size: int
) -> None:
    ring = ring_of(size)
    delivered: list[int] = []
    put: list[int] = []

    def take(count: int) -> None:
        for seq, message in frames_in(ring)[:count]:
            if isinstance(message, Gap):
                delivered.extend(range(message.first_seq, message.first_seq + message.count))
            delivered.append(seq)
            ring.drop_through(seq)

    for action in actions:
        if action is None:
            put.append(ring.next_seq)
            ring.put(event(len(put)), len(put))
        else:
            take(action)
        assert ring.held <= size
    while ring.held:
        take(1)
    assert delivered == list(range(1, ring.next_seq))
