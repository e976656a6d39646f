"""A board that restarts with the boot id it had before: nothing of it is taken for an earlier event."""

from __future__ import annotations

from hypothesis import given, strategies as st

from companion.link.events import Clash, Identified
from companion.link.evidence import Evidence, LastEvidence
from companion.link.order import Inbox
from companion.link.session import ACK_WITHIN_NS
from firmware_protocol.messages import Ack, Event, Pong, Who, encode
from tests.link.dialogue import event, identified, only, outgoing
from tests.link.fake_board import UID, FakeBoard

AGAIN = 7 + 0x10000


def board_at(next_seq: int, boot_id: int = 7) -> FakeBoard:
    board = FakeBoard()
    board.boot_id, board.next_seq = boot_id, next_seq
    return board


def test_a_hello_that_names_a_known_number_again_is_another_boot() -> None:
    session = identified()
    for evidence in only(Evidence, session.receive(event(1) + event(2) + event(3), 0)):
        session.acknowledge(evidence.boot_id, evidence.seq)

    events = session.receive(encode(board_at(2).hello(), 7), 1)
    assert [evidence.boot_id for evidence in only(Identified, events)] == [AGAIN]

    (received,) = only(Evidence, session.receive(event(2, t_us=77), 2))
    assert (received.uid, received.boot_id, received.seq) == (UID, AGAIN, 2)
    session.acknowledge(received.boot_id, received.seq)
    assert Ack(2) in outgoing(session, 2 + ACK_WITHIN_NS)
    assert session.counters.clashes == 0


def test_a_hello_that_goes_on_is_the_same_boot() -> None:
    session = identified()
    session.receive(event(1) + event(2), 0)
    events = session.receive(encode(board_at(3).hello(), 7), 1)
    assert only(Identified, events) == []
    assert session.boot_id == 7


def test_a_pong_and_a_clash_make_the_host_ask_who_it_is() -> None:
    for proof in (encode(Pong(1, 10, 20, 15, next_seq=2), 7), encode(Event(2, 1, 999), 7, 2)):
        session = identified()
        session.receive(event(1) + event(2), 0)
        outgoing(session, 0)
        events = session.receive(proof, 1)
        assert [type(message) for message in outgoing(session, 2)] == [Who]
        assert len(only(Clash, events)) in (0, 1)


def test_a_boot_id_that_comes_back_after_another_one_is_a_boot_of_its_own() -> None:
    session = identified()
    for evidence in only(Evidence, session.receive(event(1) + event(2), 0)):
        session.acknowledge(evidence.boot_id, evidence.seq)
    session.receive(encode(board_at(1, 8).hello(), 8) + event(1, boot_id=8), 1)

    events = session.receive(encode(board_at(1).hello(), 7) + event(1, t_us=77), 2)
    assert [evidence.boot_id for evidence in only(Identified, events)] == [AGAIN]
    assert [evidence.boot_id for evidence in only(Evidence, events)] == [AGAIN]
    assert session.counters.clashes == 0


def test_what_a_boot_sent_before_it_ended_is_a_duplicate_when_its_id_comes_back() -> None:
    session = identified()
    session.receive(event(1) + event(2), 0)
    session.receive(encode(board_at(1, 8).hello(), 8), 1)
    session.receive(encode(board_at(1).hello(), 7), 2)

    assert only(Evidence, session.receive(event(1) + event(2), 3)) == []
    assert session.counters.duplicates == 2

    fresh = only(Evidence, session.receive(event(1, t_us=77) + event(2, t_us=78), 4))
    assert [(evidence.boot_id, evidence.seq) for evidence in fresh] == [(AGAIN, 1), (AGAIN, 2)]


def test_a_resumed_session_knows_every_boot_of_its_board() -> None:
    resumed = Inbox.resumed(LastEvidence(FakeBoard().uid, 8, 3, earlier=(7, AGAIN)))
    session = identified(board_at(1), previous=resumed)
    assert session.boot_id == AGAIN + 0x10000


@given(st.lists(st.integers(1, 4), min_size=1, max_size=60))
def test_no_two_boots_of_a_board_have_one_id_in_the_record(drawn: list[int]) -> None:
    inbox = Inbox(1, drawn[0], 1)
    named = [inbox.boot_id]
    for boot_id in drawn[1:]:
        inbox = inbox.followed_by(boot_id, 1)
        named.append(inbox.boot_id)
    assert len(set(named)) == len(named)
    assert [boot_id & 0xFFFF for boot_id in named] == drawn
    assert list(inbox.earlier) == named[:-1]


def test_a_resumed_link_goes_on_behind_the_last_number_that_is_durable() -> None:
    inbox = Inbox.resumed(LastEvidence(5, 7, 3))
    assert (inbox.uid, inbox.boot_id, inbox.delivered, inbox.durable, inbox.highest) == (
        5,
        7,
        3,
        3,
        3,
    )


def test_a_session_with_a_past_refuses_another_board() -> None:
    session = identified(previous=Inbox(5, 7, 1))
    assert session.refusal is not None
    assert f"{5:016x}" in session.refusal


def test_a_resumed_session_knows_the_boot_it_had_already_told_apart() -> None:
    session = identified(board_at(3), previous=Inbox(FakeBoard().uid, AGAIN, 3))
    assert session.boot_id == AGAIN
    again = identified(board_at(2), previous=Inbox(FakeBoard().uid, AGAIN, 3))
    assert again.boot_id == AGAIN + 0x10000
