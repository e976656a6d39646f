"""Delivery: acknowledged by the host, sent again by the board, at most eight frames at a time, nothing to nobody."""

import random
from itertools import pairwise

import pytest

from firmware_protocol.board.hit import LOOKBACK_US
from firmware_protocol.board.words import SAMPLE_US
from firmware_protocol.frames import Frame
from firmware_protocol.messages import (
    Ack,
    Arm,
    Event,
    Gap,
    Hello,
    Log,
    Ping,
    Pong,
    Replay,
    Standby,
    State,
    Who,
    decode,
)
from tests.firmware_protocol.bench import BOOT, Bench


def presses(bench: Bench, count: int) -> None:
    """Put so many events into the ring at once, without their edges."""
    for _ in range(count):
        bench.world.advance(1)
        bench.app.ring.put_event(0, 1, bench.clock.look(), 0, 0)


def numbers(bench: Bench) -> list[int]:
    return [frame.seq for frame in bench.frames() if frame.seq]


def attached(events: int = 0, ring_size: int = 512) -> Bench:
    bench = Bench(ring_size=ring_size)
    presses(bench, events)
    bench.send(Who(), 0)
    return bench


def test_the_board_says_hello_at_boot_and_answers_who_at_any_time() -> None:
    bench = Bench()
    assert [type(message) for message in bench.messages()] == [Hello]
    bench.send(Who(), 0)
    bench.run_ms(1)
    hello = bench.messages()[0]
    assert isinstance(hello, Hello)
    assert (hello.oldest_seq, hello.next_seq, hello.ring_size) == (1, 2, 512)
    assert [channel.name for channel in hello.channels][:3] == ["trigger", "hit", "zone-1"]


def test_the_state_at_boot_is_number_1() -> None:
    bench = Bench()
    assert [(seq, type(message)) for seq, message in bench.stored()] == [(1, State)]


def test_nothing_numbered_is_written_before_a_host_shows_life() -> None:
    bench = Bench()
    bench.frames()
    bench.script([(0, "trigger", 1), (50_000, "trigger", 0)])
    bench.run_ms(10_000)
    assert bench.frames() == []
    assert len(bench.events()) == 2


def test_a_write_that_stalls_ends_the_turn() -> None:
    bench = attached(events=20)
    write = bench.wire.write

    def stalling(data: "bytes | memoryview") -> None:
        write(data)
        bench.world.advance(500_000)

    bench.app.step()
    bench.send(Replay(1))
    bench.wire.write = stalling  # type: ignore[method-assign]
    before_us = bench.world.now_us()
    bench.app.step()
    assert bench.world.now_us() - before_us < 600_000


def test_a_host_that_asks_and_does_not_read_stalls_a_turn_once_and_loses_no_log() -> None:
    bench = attached(events=20)
    write = bench.wire.write

    def stalling(data: "bytes | memoryview") -> None:
        write(data)
        bench.world.advance(500_000)

    bench.app.step()
    bench.frames()
    bench.wire.write = stalling  # type: ignore[method-assign]
    bench.app.note("worth keeping")
    for number in range(20):
        bench.send(Ping(number))
    before_us = bench.world.now_us()
    bench.app.step()
    assert bench.world.now_us() - before_us < 600_000
    assert len([message for message in bench.messages() if isinstance(message, Pong)]) == 1
    bench.wire.write = write  # type: ignore[method-assign]
    for _ in range(20):  # the questions come first, one a turn
        bench.app.step()
    assert Log(b"worth keeping") in bench.messages()


def test_at_most_eight_frames_are_unacknowledged_on_the_wire() -> None:
    bench = attached(events=20)
    bench.run_ms(50)
    assert numbers(bench) == list(range(1, 9))


def test_an_ack_makes_room_for_as_many_more() -> None:
    bench = attached(events=20)
    bench.run_ms(5)
    numbers(bench)
    bench.send(Ack(3))
    bench.run_ms(5)
    assert numbers(bench) == [9, 10, 11]
    assert bench.app.ring.oldest_seq() == 4


def test_what_is_not_acknowledged_is_sent_again_after_100_ms_doubling_to_2_s() -> None:
    bench = attached()
    times = []
    for _ in range(12_000):
        if bench.world.now_us() % 1_000_000 < 1000:
            bench.send(Ping(1))
        bench.app.step()
        if 1 in numbers(bench):
            times.append(bench.world.now_us())
    waits_ms = [round((b - a) / 1000) for a, b in pairwise(times)]
    assert waits_ms[:7] == [
        pytest.approx(wait, abs=3) for wait in (100, 200, 400, 800, 1600, 2000, 2000)
    ]
    assert bench.app.link.resends == len(times) - 1


def test_progress_brings_the_first_wait_back() -> None:
    bench = attached(events=3)
    bench.run_ms(1000)
    bench.send(Ack(1))
    bench.run_ms(2)
    numbers(bench)
    bench.run_ms(105)
    assert numbers(bench) == [2, 3, 4]


def test_replay_sends_again_from_the_number_asked_for() -> None:
    bench = attached(events=6)
    bench.run_ms(5)
    numbers(bench)
    bench.send(Replay(4))
    bench.run_ms(5)
    assert numbers(bench) == [4, 5, 6, 7]


def test_replay_of_what_is_gone_starts_with_the_oldest_held() -> None:
    bench = attached(events=4)
    bench.run_ms(5)
    bench.send(Ack(2))
    bench.run_ms(5)
    numbers(bench)
    bench.send(Replay(1))
    bench.run_ms(5)
    assert numbers(bench) == [3, 4, 5]


def test_orders_for_another_boot_are_ignored() -> None:
    bench = attached(events=4)
    bench.run_ms(60)
    bench.frames()
    for message in (Ack(4), Standby(), Arm(), Replay(1)):
        bench.send(message, BOOT + 1)
    bench.run_ms(5)
    assert bench.frames() == []
    assert bench.app.ring.held == 5


def test_who_and_ping_are_answered_whatever_boot_they_name() -> None:
    bench = Bench()
    bench.frames()
    bench.send(Who(), 9)
    bench.send(Ping(77), 8)
    bench.run_ms(2)  # a turn takes one frame
    kinds = [type(message) for message in bench.messages()]
    assert kinds[:2] == [Hello, Pong]


def test_an_ack_of_what_was_never_numbered_is_refused_and_told() -> None:
    bench = attached(events=2)
    bench.send(Ack(99))
    bench.run_ms(5)
    assert bench.app.ring.held == 3
    assert any("ACK of 99" in str(getattr(message, "data", "")) for message in bench.messages())


def test_a_host_gone_for_3_s_gets_nothing_and_all_that_is_open_when_it_is_back() -> None:
    bench = attached(events=2)
    bench.run_ms(3100)
    bench.frames()
    bench.script([(0, "trigger", 1), (50_000, "trigger", 0)])
    bench.run_ms(20_000)
    assert bench.frames() == []
    bench.send(Ping(1))
    bench.run_ms(2)
    assert numbers(bench) == [1, 2, 3, 4, 5]


def test_a_full_ring_sends_its_gap_after_its_range() -> None:
    bench = attached(events=9, ring_size=6)
    bench.run_ms(2)
    assert numbers(bench) == [1, 2, 3, 4, 5]
    bench.send(Ack(5))
    bench.run_ms(2)
    (frame,) = [frame for frame in bench.frames() if frame.seq]
    assert (frame.seq, frame.kind) == (11, Gap.KIND)
    (stored,) = bench.stored()
    gap = stored[1]
    assert isinstance(gap, Gap)
    assert (gap.first_seq, gap.count) == (6, 5)


def test_arm_is_answered_by_a_numbered_state_with_the_flag() -> None:
    bench = attached()
    bench.world.set_level("zone-3", 1)
    bench.run_ms(20)
    bench.send(Arm())
    bench.run_ms(2)
    state = bench.states()[-1]
    assert (state.flags, state.levels) == (1, 1 << 4)
    assert state.t_us == pytest.approx(bench.world.now_us(), abs=3000)


def test_arm_against_a_full_ring_is_answered_when_there_is_room() -> None:
    bench = attached(events=9, ring_size=6)
    bench.send(Arm())
    bench.run_ms(2)
    assert [state.flags for state in bench.states()] == [0]
    bench.send(Ack(5))
    bench.run_ms(2)
    assert [type(message) for _, message in bench.stored()] == [Gap, State]


def test_standby_stops_stamping_empties_the_ring_and_says_hello() -> None:
    bench = attached(events=3)
    bench.run_ms(2)
    bench.frames()
    bench.send(Standby())
    bench.run_ms(1)
    hello = bench.messages()[0]
    assert isinstance(hello, Hello)
    assert hello.oldest_seq == hello.next_seq == 5
    bench.script([(0, "trigger", 1), (50_000, "trigger", 0)])
    bench.run_ms(100)
    assert (bench.app.ring.held, bench.frames()) == (0, [])


def test_after_standby_arm_makes_the_board_stamp_again_from_the_levels_that_are_there() -> None:
    bench = attached()
    bench.send(Standby())
    bench.run_ms(2)
    bench.script([(0, "trigger", 1)])
    bench.run_ms(20)
    bench.send(Arm())
    bench.run_ms(4)
    assert [state.levels for state in bench.states()] == [1]
    bench.script([(0, "trigger", 0), (40_000, "zone-1", 1)])
    bench.run_ms(80)
    assert [(event.channel, event.flags) for event in bench.events()] == [(0, 0), (2, 1)]
    assert [seq for seq, _ in bench.stored()] == [2, 3, 4]


def test_pong_says_that_everything_stamped_up_to_settled_us_is_numbered() -> None:
    bench = attached()
    bench.run_ms(20)
    bench.send(Ping(7))
    bench.run_ms(1)
    pong = next(message for message in bench.messages() if isinstance(message, Pong))
    assert pong.id == 7
    # A rise that is not yet high enough to count may have begun a millisecond ago.
    assert pong.t_rx_us - LOOKBACK_US - SAMPLE_US <= pong.settled_us <= pong.t_tx_us
    assert pong.next_seq == 2


@pytest.mark.parametrize(
    ("edges", "after_ms"),
    [
        ([(0, "trigger", 1), (60_000, "trigger", 0)], 62),
        ([(0, "trigger", 1), (3_000, "trigger", 0)], 5),
        ([(0, "hit", 1), (500, "hit", 0)], 2),
    ],
    ids=["a release settling", "a release within the lock time", "a hit being scanned"],
)
def test_settled_us_lies_before_what_is_still_to_be_reported(
    edges: list[tuple[int, str, int]], after_ms: int
) -> None:
    bench = attached()
    bench.run_ms(20)
    bench.script(edges)
    bench.run_ms(after_ms)
    bench.send(Ping(7))
    bench.run_ms(1)
    pong = next(message for message in bench.messages() if isinstance(message, Pong))
    bench.run_ms(40)
    late = [message for seq, message in bench.stored() if seq >= pong.next_seq]
    assert late
    assert all(isinstance(event, Event) and event.t_us > pong.settled_us for event in late)
    assert pong.settled_us < pong.t_tx_us


@pytest.mark.parametrize("loss", [0.0, 0.2, 0.6])
def test_over_a_wire_that_loses_frames_both_ways_every_number_arrives(loss: float) -> None:
    rng = random.Random(int(loss * 10))
    bench = attached(ring_size=24)
    frames: dict[int, Frame] = {}
    for turn in range(60_000):
        if turn < 3000 and turn % 40 == 0:
            presses(bench, rng.randint(1, 3))
        bench.app.step()
        arrived = [frame for frame in bench.frames() if frame.seq and rng.random() >= loss]
        for frame in arrived:
            assert frames.setdefault(frame.seq, frame) == frame
        if rng.random() >= loss and turn % 20 == 0:
            bench.send(Ack(contiguous(frames)) if arrived or turn % 100 == 0 else Ping(1))
        if turn > 3000 and bench.app.ring.held == 0:
            break
    assert contiguous(frames) == bench.app.ring.next_seq - 1


def gaps(frames: dict[int, Frame]) -> list[Gap]:
    messages = [decode(frame) for frame in frames.values() if frame.kind == Gap.KIND]
    return [gap for gap in messages if isinstance(gap, Gap)]


def contiguous(frames: dict[int, Frame]) -> int:
    """Return the highest number up to which nothing is missing, GAPs counted."""
    numbers = set(frames)
    for gap in gaps(frames):
        numbers.update(range(gap.first_seq, gap.first_seq + gap.count))
    seq = 0
    while seq + 1 in numbers:
        seq += 1
    return seq


def test_what_may_go_goes_in_one_write() -> None:
    bench = attached(events=20)
    bench.app.step()
    bench.frames()
    bench.send(Ack(8))
    bench.app.step()
    assert len(bench.wire.writes_us) == 1
    assert numbers(bench) == list(range(9, 17))
