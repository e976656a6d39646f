"""PINGs, clock, watermarks and silence in a session."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from companion.link.events import Watermark
from companion.link.evidence import Evidence
from companion.link.session import DEAD_NS, SILENT_NS, STALLED_NS, Session
from companion.link.status import LinkState
from companion.link.words import JUMPED
from firmware_protocol.messages import (
    ARMED,
    SAYS_SETTLED,
    Ping,
    Pong,
    Settled,
    State,
    Who,
    encode,
)
from tests.link.dialogue import event, identified, only, outgoing
from tests.link.fake_board import FakeBoard
from tests.link.world import LOSSY, MS, S, World


def answered_pings(session: Session, begin_ns: int, until_ns: int) -> list[int]:
    """Return when the session sends PINGs to a board that answers within a millisecond."""
    times = []
    for now_ns in range(begin_ns, until_ns, MS):
        for ping in [message for message in outgoing(session, now_ns) if isinstance(message, Ping)]:
            times.append(now_ns)
            session.receive(encode(Pong(ping.id, now_ns // 1000, now_ns // 1000, 0, 9), 7), now_ns)
    return times


def test_the_first_pings_come_in_a_burst_then_at_idle_and_armed_pace() -> None:
    session = identified()
    times = answered_pings(session, 0, 5 * S)
    burst, idle = times[:17], times[17:]
    assert burst == [turn * 20 * MS for turn in range(17)]
    assert {later - sooner for sooner, later in pairwise(idle)} == {500 * MS}

    session.arm()
    session.receive(encode(State(ARMED, 0, 5), 7, 1), 5 * S)
    times = answered_pings(session, 5 * S, 7 * S)
    followed = [at for at in times if at < 5 * S + 50 * MS]
    assert {later - sooner for sooner, later in pairwise(times[len(followed) :])} == {100 * MS}


def test_an_armed_table_where_nothing_happens_is_asked_half_as_often_until_something_does() -> None:
    session = identified(armed=True)
    session.receive(encode(State(ARMED, 0, 5), 7, 1), 0)
    times = answered_pings(session, 0, 10 * S)
    assert {later - sooner for sooner, later in pairwise(times) if sooner >= 3 * S} == {200 * MS}

    session.receive(event(2), 10 * S)
    times = answered_pings(session, 10 * S, 14 * S)
    after = {
        later - sooner
        for sooner, later in pairwise(times)
        if sooner >= 10 * S + 50 * MS and later <= 13 * S
    }
    assert after == {100 * MS}


def test_a_ping_that_nobody_answers_is_followed_by_the_next_within_a_tenth_of_a_second() -> None:
    session = identified()
    last = answered_pings(session, 0, S)[-1]
    window = range(last + MS, last + SILENT_NS, MS)
    times = [
        now_ns
        for now_ns in window
        if any(isinstance(message, Ping) for message in outgoing(session, now_ns))
    ]
    assert times[0] == last + 500 * MS
    assert {later - sooner for sooner, later in pairwise(times)} == {100 * MS}
    assert len(times) == 15


@pytest.mark.parametrize("armed", [False, True])
def test_a_wire_that_loses_every_fifth_frame_is_never_taken_for_silent(armed: bool) -> None:
    scene = World(FakeBoard(), Session(0, armed=armed, jitter=Random(4).random), LOSSY, seed=4)
    longest_ns = 0
    for _ in range(round(120 * S / (50 * MS))):
        scene.run(50 * MS)
        longest_ns = max(longest_ns, scene.session.silent_ns(scene.now_ns))
    assert 0 < longest_ns < SILENT_NS


def test_an_event_is_followed_closely_so_that_its_gesture_is_decided_soon() -> None:
    session = identified()
    for now_ns in range(0, 2 * S, MS):
        outgoing(session, now_ns)
    session.receive(event(1), 2 * S)
    window = range(2 * S, 2 * S + 100 * MS, MS)
    times = [
        now_ns
        for now_ns in window
        if any(isinstance(message, Ping) for message in outgoing(session, now_ns))
    ]
    assert times[0] == 2 * S
    assert {later - sooner for sooner, later in pairwise(times)} == {5 * MS}
    assert times[-1] >= 2 * S + 45 * MS


def test_a_board_that_says_by_itself_how_far_its_word_reaches_is_not_asked_more_often_for_an_event() -> (
    None
):
    board = FakeBoard()
    board.capabilities |= SAYS_SETTLED
    session = identified(board)
    last = answered_pings(session, 0, 2 * S)[-1]
    session.receive(event(1), 2 * S)
    assert answered_pings(session, 2 * S, 3 * S)[0] == last + 500 * MS


def test_the_arming_of_an_earlier_session_is_not_taken_for_the_answer_to_ours() -> None:
    board, session = FakeBoard(), Session(0, armed=True)
    board.keep(State(ARMED, 0, 5))
    session.receive(encode(board.hello(), 7), 0)
    session.receive(encode(State(ARMED, 0, 5), 7, 1), MS)
    assert not session.armed
    session.receive(encode(State(ARMED, 0, 9), 7, 2), 2 * MS)
    assert session.armed


def test_ping_periods_are_jittered() -> None:
    periods = []
    for jitter in (0.0, 0.999):
        session = Session(0, jitter=lambda jitter=jitter: jitter)  # type: ignore[misc]
        session.receive(encode(FakeBoard().hello(), 7), 0)
        times = [
            now
            for now in range(0, S, MS)
            if any(isinstance(message, Ping) for message in outgoing(session, now))
        ]
        periods.append(times[1] - times[0])

    assert periods == [16 * MS, 24 * MS]


def test_the_watermark_waits_for_everything_below_its_number() -> None:
    session = identified()
    pong = encode(Pong(99, 4_000, 4_000, 3_990, next_seq=2), 7)
    assert only(Watermark, session.receive(pong, 1)) == []
    session.receive(event(1), 2)
    session.acknowledge(7, 1)

    assert only(Watermark, session.poll(3)) == [Watermark(7, 3_990)]


def test_what_the_board_says_is_settled_of_its_own_accord_is_a_watermark_and_names_what_is_lost() -> (
    None
):
    session = identified()
    assert only(Watermark, session.receive(encode(Settled(3_990, 1), 7), 1)) == [
        Watermark(7, 3_990)
    ]

    assert only(Watermark, session.receive(encode(Settled(9_000, 3), 7), S)) == []
    session.poll(S + STALLED_NS)
    assert session.phase(S + STALLED_NS) is LinkState.STALLED
    assert session.hole.seq == 1


def test_a_long_backlog_of_watermarks_keeps_the_newest() -> None:
    session = identified()
    for turn in range(200):
        session.receive(encode(Pong(9, turn, turn, turn, next_seq=2), 7), 1)
    session.receive(event(1), 2)
    session.acknowledge(7, 1)

    assert only(Watermark, session.poll(3)) == [Watermark(7, 199)]


def test_a_sample_that_spans_a_resend_is_dropped_but_its_watermark_counts() -> None:
    session = identified()
    session.receive(event(1), 0)
    session.acknowledge(7, 1)
    outgoing(session, MS)
    session.receive(event(1), 2 * MS)
    events = session.receive(encode(Pong(1, 500, 500, 490, next_seq=2), 7), 3 * MS)

    assert not session.clock.samples
    assert only(Watermark, events) == [Watermark(7, 490)]


def test_a_clock_that_jumps_is_told() -> None:
    session = identified()
    for turn, device_us in enumerate((500, 900_000_000)):
        outgoing(session, turn * 100 * MS)
        events = session.receive(
            encode(Pong(turn + 1, device_us, device_us, 1, 1), 7), turn * 100 * MS + MS
        )

    assert only(str, events) == [JUMPED]


def test_evidence_carries_when_it_was_read() -> None:
    session = identified()
    (received,) = only(Evidence, session.receive(event(1, t_us=6_000), 2 * MS))

    assert received.read_ns == 2 * MS


def test_two_seconds_without_a_frame_are_silence_and_the_next_frame_ends_it() -> None:
    session = identified()
    assert SILENT_NS == 2 * S
    session.poll(SILENT_NS)
    assert session.phase(SILENT_NS) is LinkState.SILENT
    assert [type(message) for message in outgoing(session, SILENT_NS)] == [Who]
    assert session.next_deadline() > SILENT_NS
    assert all(b"\x03" not in session.outgoing(SILENT_NS + turn * 100 * MS) for turn in range(60))
    assert session.silent_ns(DEAD_NS) == DEAD_NS
    session.receive(event(1), SILENT_NS + MS)

    assert session.phase(SILENT_NS + MS) is LinkState.SYNCING
