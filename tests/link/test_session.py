"""The dialogue between session and board, message by message."""

from __future__ import annotations

import re

import pytest

from companion.link.events import Clash, CueGiven, Identified
from companion.link.evidence import Evidence
from companion.link.order import Inbox
from companion.link.session import ACK_AT, ACK_WITHIN_NS, IDENTIFY_NS, Session
from companion.link.status import LinkState
from companion.link.words import CONFIG_IGNORED, missing
from firmware_protocol.frames import encode_frame
from firmware_protocol.messages import (
    ARMED,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    SHOWS_HITS,
    Ack,
    Arm,
    Cue,
    CueDone,
    Event,
    Gap,
    Log,
    Ping,
    Pong,
    Replay,
    Settled,
    Show,
    Standby,
    State,
    Stats,
    Who,
    encode,
)
from tests.link.dialogue import CONFIG, event, identified, only, outgoing, outgoing_until
from tests.link.fake_board import UID, FakeBoard
from tests.link.world import MS, S


def test_who_is_asked_until_the_board_answers() -> None:
    session = Session(0, jitter=lambda: 0.5)

    assert [type(message) for message in outgoing_until(session, 2 * S)] == [Who] * 5
    assert session.phase(0) is LinkState.IDENTIFYING


def test_the_first_hello_identifies_the_board() -> None:
    board = FakeBoard()
    session = Session(0)
    events = session.receive(encode(board.hello(), 7), 0)

    assert events == [Identified(board.hello(), 7)]
    assert session.boot_id == 7
    assert session.phase(0) is LinkState.SYNCING


def test_another_major_version_is_refused_with_both_versions_and_a_remedy() -> None:
    session = Session(0)
    session.receive(encode(FakeBoard(major=2, minor=3).hello(), 7), 0)

    assert "2.3" in str(session.refusal)
    assert f"{PROTOCOL_MAJOR}.{PROTOCOL_MINOR}" in str(session.refusal)
    assert "firmware" in str(session.refusal)
    assert session.outgoing(S) == b""
    assert session.receive(event(1), S) == []
    assert session.phase(S) is LinkState.REFUSED


def test_a_hello_without_a_boot_id_is_no_hello() -> None:
    session = Session(0)

    assert session.receive(encode(FakeBoard().hello(), 0), 0) == []
    assert session.counters.bad_frames == 1


def test_another_major_version_is_refused_even_when_its_hello_is_laid_out_anew() -> None:
    session = Session(0)
    shorter = Session(0)
    session.receive(encode_frame(0x81, 7, 0, b"\x02\x00new"), 0)
    shorter.receive(encode_frame(0x81, 7, 0, b"\x02\x00"), 0)

    assert "2.0" in str(session.refusal)
    assert shorter.refusal == session.refusal


def test_a_newer_minor_version_is_welcome() -> None:
    assert identified(FakeBoard(minor=9)).phase(0) is LinkState.SYNCING


def test_a_board_that_is_not_the_sessions_is_refused_by_name() -> None:
    session = Session(0, previous=Inbox(5, 7, 1))
    session.receive(encode(FakeBoard().hello(), 7), 0)

    assert f"{UID:016x}" in str(session.refusal)
    assert f"{5:016x}" in str(session.refusal)


@pytest.mark.parametrize(
    ("heard", "words"),
    [
        (b"", "it says nothing"),
        (b"Grbl 1.1f ['$' for help]\r\n", "Grbl 1.1f"),
        (encode(Who(), 0), "echoes"),
    ],
)
def test_a_device_that_never_says_hello_is_refused_with_what_it_says(
    heard: bytes, words: str
) -> None:
    session = Session(0)
    session.receive(heard, 0)
    session.poll(IDENTIFY_NS - 1)
    assert session.refusal is None
    session.poll(IDENTIFY_NS)

    assert words in str(session.refusal)


def test_a_board_that_stops_answering_is_not_called_a_foreign_device() -> None:
    session = Session(0, previous=Inbox(UID, 7, 1))
    session.poll(IDENTIFY_NS)

    assert "does not answer any more" in str(session.refusal)


def test_nothing_is_acknowledged_before_it_is_durable() -> None:
    session = identified()
    (received,) = only(Evidence, session.receive(event(1), 5))
    assert not [message for message in outgoing(session, 6) if isinstance(message, Ack)]
    session.acknowledge(received.boot_id, received.seq)

    due_ns = session.next_deadline()
    assert due_ns <= 5 + ACK_WITHIN_NS
    assert Ack(1) not in outgoing(session, due_ns - 1)
    assert Ack(1) in outgoing(session, due_ns)
    assert Ack(1) not in outgoing(session, due_ns + 1)


def test_all_that_may_be_on_the_wire_is_acknowledged_at_once_and_in_one() -> None:
    session = identified()
    for seq in range(1, ACK_AT + 1):
        (received,) = only(Evidence, session.receive(event(seq), 5))
        session.acknowledge(received.boot_id, received.seq)
        acknowledged = [message for message in outgoing(session, 6) if isinstance(message, Ack)]
        assert acknowledged == ([Ack(ACK_AT)] if seq == ACK_AT else [])


def test_an_acknowledgement_that_waits_for_a_doubt_to_end_does_not_keep_the_host_awake() -> None:
    session = identified()
    session.receive(event(1), 5)
    session.slept(6)
    session.acknowledge(7, 1)
    outgoing(session, 7)

    assert session.next_deadline() > 7


def test_an_acknowledgement_for_another_boot_is_ignored() -> None:
    session = identified()
    session.receive(event(1), 5)
    session.acknowledge(6, 1)

    assert Ack(1) not in outgoing(session, 7)


def test_a_resend_of_what_is_durable_is_acknowledged_again_and_not_delivered() -> None:
    session = identified()
    session.receive(event(1), 5)
    session.acknowledge(7, 1)
    outgoing(session, 6)

    assert session.receive(event(1), 7) == []
    assert session.counters.duplicates == 1
    assert Ack(1) in outgoing(session, 8)


def test_two_frames_with_one_identity_are_reported_once_and_the_first_stands() -> None:
    session = identified()
    session.receive(event(1, t_us=500), 5)
    events = session.receive(event(1, t_us=900) * 3, 6)

    (clash,) = only(Clash, events)
    assert clash.other.message == Event(2, 1, 900)
    assert only(str, events) == [
        "The board sent two different frames as number 1: "
        f"{Event(2, 1, 500)!r} stands, {Event(2, 1, 900)!r} is kept beside it."
    ]
    assert session.counters.clashes == 1


def test_a_hole_that_stays_is_asked_for_with_growing_patience() -> None:
    session = identified()
    session.receive(event(1) + event(3), 0)
    asked = [now for now in range(0, 5 * S, 10 * MS) if Replay(2) in outgoing(session, now)]

    assert asked == [500 * MS, 1000 * MS, 2000 * MS, 4000 * MS]


def test_a_hole_that_closes_is_no_longer_asked_for() -> None:
    session = identified()
    session.receive(event(1) + event(3), 0)
    session.receive(event(2), 100 * MS)

    assert not [
        message for message in outgoing_until(session, 3 * S) if isinstance(message, Replay)
    ]


def test_a_lost_last_frame_is_noticed_by_the_count_in_pong() -> None:
    session = identified()
    session.receive(encode(Pong(99, 10, 20, 15, next_seq=3), 7), 0)

    assert Replay(1) in outgoing_until(session, S)


def test_what_the_board_kept_is_asked_for_at_once() -> None:
    board = FakeBoard()
    board.press()
    session = identified(board)

    assert Replay(1) in outgoing(session, 1)


def test_frames_of_an_unknown_boot_are_not_taken_but_who_is_asked() -> None:
    session = identified()
    outgoing(session, 1)
    assert session.receive(event(1, boot_id=8), 2) == []

    assert session.counters.stale_frames == 1
    assert [type(message) for message in outgoing(session, 3)] == [Who]


def test_evidence_before_hello_waits_for_its_resend() -> None:
    session = Session(0)

    assert session.receive(event(1), 0) == []
    assert session.counters.stale_frames == 1


def test_nothing_is_mapped_and_nothing_missing_before_a_board_is_known() -> None:
    session = Session(0)

    assert session.clock.device_at(0) is None
    assert session.hole.seq is None
    assert session.hole.age_ns(5 * S) == 0

    session = identified()
    assert session.clock.boot_id == 7


def test_a_computer_that_slept_before_a_board_was_known_asks_for_it_again() -> None:
    session = Session(0, jitter=lambda: 0.5)
    session.slept(S)

    assert [type(message) for message in outgoing(session, S)] == [Who]


def test_arm_is_repeated_until_the_state_says_armed() -> None:
    session = identified(armed=True)
    assert sum(isinstance(message, Arm) for message in outgoing_until(session, S)) == 3
    assert not session.armed
    session.receive(encode(State(0, 0, 5), 7, 1), S)
    assert not session.armed
    session.receive(encode(State(ARMED, 0, 5), 7, 2), S)

    assert session.armed
    assert Arm() not in outgoing_until(session, 5 * S)


def test_arming_later_takes_effect_at_once() -> None:
    session = identified()
    outgoing(session, 0)
    assert Arm() not in outgoing(session, 1)
    session.arm()

    assert Arm() in outgoing(session, 2)


def test_settings_are_sent_only_to_a_board_that_has_others() -> None:
    board = FakeBoard()
    assert CONFIG in outgoing(identified(board, config=CONFIG), 0)
    board.receive(encode(CONFIG, 7))

    assert CONFIG not in outgoing_until(identified(board, config=CONFIG), 3 * S)


def test_a_board_that_never_takes_its_settings_is_reported_once() -> None:
    board = FakeBoard()
    session = identified(board, config=CONFIG)
    sent, events = 0, []
    for now_ns in range(0, 20 * S, 50 * MS):
        sent += CONFIG in outgoing(session, now_ns)
        events += session.poll(now_ns)
        session.receive(encode(board.hello(), 7), now_ns)

    assert sent == 5
    assert only(str, events) == [CONFIG_IGNORED]


def test_a_clean_end_is_standby_until_the_board_confirms_it() -> None:
    session = identified(armed=True)
    session.standby(0)
    assert Standby() in outgoing(session, 0)
    assert Standby() in outgoing(session, 150 * MS)

    session.receive(encode(FakeBoard().hello(), 7), 160 * MS)
    assert session.stood_by
    assert not {Standby(), Arm()} & set(outgoing_until(session, 3 * S))


def test_what_is_said_together_is_frames_and_nothing_between() -> None:
    session = identified(armed=True, config=CONFIG)
    data = session.outgoing(0)

    frames = re.findall(rb"\0[^\0]+\0", data)
    assert len(frames) == 3
    assert b"".join(frames) == data


def test_a_board_that_still_keeps_events_has_not_stood_by() -> None:
    board = FakeBoard()
    board.press()
    session = identified(board)
    session.standby(0)
    outgoing(session, 0)

    session.receive(encode(board.hello(), 7), MS)
    assert not session.stood_by
    assert Standby() in outgoing(session, 150 * MS)


def test_a_hello_from_before_the_standby_was_sent_does_not_confirm_it() -> None:
    session = identified()
    session.standby(0)

    session.receive(encode(FakeBoard().hello(), 7), 0)
    assert not session.stood_by
    assert Standby() in outgoing(session, 0)


def test_only_a_board_that_keeps_the_samples_of_a_hit_is_asked_for_them_and_once() -> None:
    board = FakeBoard()
    session = identified(board)
    session.show()
    Session(0).show()
    assert Show() not in outgoing(session, 0)

    board.capabilities |= SHOWS_HITS
    session = identified(board)
    session.show()
    assert Show() in outgoing(session, 0)
    assert Show() not in outgoing_until(session, S)


def test_a_cue_is_sent_once_and_its_answer_carries_the_boards_stamp() -> None:
    session = identified()
    assert session.cue(1, 200) == 1
    assert Cue(1, 1, 200) in outgoing(session, 0)
    assert Cue(1, 1, 200) not in outgoing_until(session, S)

    assert session.receive(encode(CueDone(1, 777), 7), 5) == [CueGiven(1, 777, 1)]


def test_a_board_without_lamp_gets_no_cue() -> None:
    board = FakeBoard()
    board.capabilities = 0

    assert identified(board).cue(0, 100) is None
    assert Session(0).cue(0, 100) is None


def test_what_the_firmware_logs_is_passed_on_harmlessly() -> None:
    session = identified()

    assert session.receive(encode(Log(b"reset\x1b[2J\xff"), 7), 1) == [
        "The board says: reset?[2J\ufffd"
    ]


def test_the_boards_own_counters_are_kept() -> None:
    session = identified()
    stats = Stats(1, 2, 3, 4, 5, 6)
    session.receive(encode(stats, 7), 1)

    assert session.stats == stats


def test_what_goes_wrong_again_and_again_is_counted_each_time() -> None:
    board = FakeBoard()
    session = identified(board)
    session.receive(b"".join(event(seq) + event(seq, t_us=7) for seq in (1, 2)), 1)
    board.next_seq = 3
    session.receive(encode(board.hello(), 7), 1)
    for first_seq in (3, 6):
        session.receive(encode(Gap(first_seq, 2, 100, 200), 7, first_seq + 2), 1)
    for ping_id in (1, 2):
        outgoing(session, 100 * MS * ping_id)
        session.receive(
            encode(Pong(ping_id, 1_000, 900_000, 15, next_seq=9), 7), 100 * MS * ping_id + 1
        )

    counters = session.counters
    assert (counters.clashes, counters.gaps, counters.gap_events, counters.clock_faults) == (
        2,
        2,
        4,
        2,
    )


def test_foreign_and_unfit_frames_are_counted() -> None:
    session = identified()
    session.receive(
        encode_frame(0x7F, 7, 0, b"") * 2 + encode_frame(0x82, 7, 1, b"short") + b"\0noise\0", 1
    )
    session.receive(event(1_000_000) + encode(Who(), 0) * 2, 1)

    assert session.counters.foreign_frames == 5
    assert session.counters.bad_frames == 2


def test_numbers_acknowledged_by_somebody_else_are_reported_missing() -> None:
    inbox = Inbox(UID, 7, 1)
    board = FakeBoard()
    board.next_seq = 5
    session = Session(0, previous=inbox)
    events = session.receive(encode(board.hello(), 7), 0)

    assert only(str, events) == [missing(1, 4)]


def test_numbers_that_a_known_board_turns_out_not_to_hold_are_reported_missing_at_once() -> None:
    session = identified()
    board = FakeBoard()
    board.next_seq = 5

    assert only(str, session.receive(encode(board.hello(), 7), MS)) == [missing(1, 4)]


def test_a_reconnect_acknowledges_again_what_the_board_still_keeps() -> None:
    board = FakeBoard()
    board.press()
    inbox = Inbox(UID, 7, 2)

    session = Session(0, previous=inbox)
    session.receive(encode(board.hello(), 7), 0)
    assert Ack(1) in outgoing(session, 1)


def test_what_is_here_and_not_durable_is_not_settled() -> None:
    session = identified()
    (first, second) = only(Evidence, session.receive(event(1) + event(2), 0))
    session.receive(encode(Pong(1, 10, 20, 15, next_seq=3), 7), 0)
    assert not session.settled
    session.acknowledge(first.boot_id, first.seq)
    assert not session.settled, "a STANDBY now would have the board forget number 2"
    session.acknowledge(second.boot_id, second.seq)
    assert session.settled


def test_what_the_board_has_announced_and_not_sent_is_not_settled() -> None:
    session = identified()
    (first,) = only(Evidence, session.receive(event(1), 0))
    session.acknowledge(first.boot_id, first.seq)
    session.receive(encode(Pong(1, 10, 20, 15, next_seq=3), 7), 0)
    assert not session.settled


def test_what_the_board_said_before_the_end_began_does_not_settle_it() -> None:
    session = identified(armed=True)
    (ping,) = (message for message in outgoing(session, 0) if isinstance(message, Ping))
    session.await_last_word(1 * MS)
    (last,) = (message for message in outgoing(session, 1 * MS) if isinstance(message, Ping))
    session.receive(encode(Settled(15, next_seq=1), 7), 2 * MS)
    session.receive(encode(Pong(ping.id, 10, 20, 15, next_seq=1), 7), 2 * MS)
    assert not session.settled
    session.receive(encode(Pong(last.id, 30, 40, 35, next_seq=1), 7), 3 * MS)
    assert session.settled


def test_a_board_that_is_armed_is_not_armed_again() -> None:
    session = identified(armed=True)
    session.receive(encode(State(ARMED, 0, 10), 7, 1), 0)
    assert session.armed
    session.arm()
    assert Arm() not in outgoing_until(session, 3 * S)
    session.standby(3 * S)
    assert session.armed is False


def test_a_hole_is_asked_for_after_half_a_second_however_much_comes_behind_it() -> None:
    session = identified()
    heard: list[object] = []
    for turn in range(7):
        session.receive(event(turn + 2), turn * 100 * MS)
        heard += [
            (turn, message)
            for message in outgoing(session, turn * 100 * MS)
            if isinstance(message, Replay)
        ]
    assert heard == [(5, Replay(1))]


def test_a_hole_behind_one_that_was_filled_has_half_a_second_of_its_own() -> None:
    session = identified()
    session.receive(event(2) + event(4), 0)
    session.receive(event(1), 400 * MS)
    assert Replay(3) not in outgoing(session, 600 * MS)
    assert Replay(3) in outgoing(session, 900 * MS)


@pytest.mark.parametrize(("next_seq", "asked"), [(1, False), (2, True), (5, True)])
def test_what_was_announced_and_does_not_come_is_asked_for_after_half_a_second(
    next_seq: int, asked: bool
) -> None:
    session = identified()
    session.receive(encode(Pong(1, 10, 20, 15, next_seq), 7), S)
    assert Replay(1) not in outgoing(session, S + 499 * MS)
    assert (Replay(1) in outgoing(session, S + 500 * MS)) is asked


def test_nothing_is_asked_for_while_the_disk_is_behind() -> None:
    session = identified()
    session.receive(event(1) + encode(Pong(1, 10, 20, 15, next_seq=5), 7), S)
    assert not any(isinstance(message, Replay) for message in outgoing(session, 2 * S))


def test_what_the_board_kept_is_fetched_until_the_last_of_it_is_durable() -> None:
    board = FakeBoard()
    for _ in range(3):
        board.press()
    session = identified(board)
    outgoing(session, 0)
    session.receive(encode(Pong(1, 1_000, 1_000, 900, next_seq=4), 7), 1)
    received = only(Evidence, session.receive(event(1) + event(2) + event(3), 2))
    for each in received[:2]:
        session.acknowledge(each.boot_id, each.seq)
    assert session.phase(3) is LinkState.SYNCING
    session.acknowledge(received[2].boot_id, received[2].seq)
    assert session.phase(3) is LinkState.LIVE


def test_the_ids_of_cues_stay_within_sixteen_bits() -> None:
    session = identified()
    ids = [session.cue(1, 10) for _ in range(0x10001)]
    assert (min(filter(None, ids)), max(filter(None, ids)), ids[-1]) == (1, 0xFFFF, 2)
