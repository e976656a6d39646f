"""Doubt about who listens: a port just opened, a board that is starting, old bytes of a driver. Only WHO may be
sent."""

from __future__ import annotations

import pytest

from companion.link.events import Identified
from companion.link.requests import WHO_IDS, Requests
from companion.link.session import Session
from firmware_protocol.frames import FrameDecoder
from firmware_protocol.messages import (
    ECHOES_WHO,
    Event,
    Hello,
    Message,
    Replay,
    Who,
    decode,
    encode,
)
from tests.link.dialogue import only, outgoing
from tests.link.fake_board import FakeBoard
from tests.link.world import MS, S


def echoing(boot_id: int = 7) -> FakeBoard:
    board = FakeBoard(boot_id=boot_id, minor=1)
    board.capabilities |= ECHOES_WHO
    return board


def hello(board: FakeBoard, answered: list[Message] | None = None) -> bytes:
    """Return the board's HELLO, by itself or in answer to the host's bytes."""
    message = board.hello()
    ids = [item.id for item in answered or [] if isinstance(item, Who)]
    message.who_id = ids[-1] if ids else 0
    return encode(message, board.boot_id)


def test_no_who_has_a_byte_that_interrupts_restarts_or_pastes_whatever_its_id() -> None:
    requests = Requests(None, lambda: 0.5, first_who=0)
    ids = set()
    for turn in range(WHO_IDS):
        requests.ask_who(turn)
        frame = requests.due_who(turn)
        requests.who.stop()
        assert not {3, 4, 5} & set(frame)
        (who,) = [decode(item) for item in FrameDecoder().feed(frame)]
        assert isinstance(who, Who)
        ids.add(who.id)
    assert 0 not in ids
    assert len(ids) > 60_000


def test_a_hello_that_answers_nobody_is_no_reason_to_say_anything_but_who() -> None:
    board = echoing()
    board.press()
    session = Session(0, jitter=lambda: 0.5)
    first = outgoing(session, 0)
    assert only(Identified, session.receive(hello(board), MS)) == []
    again = outgoing(session, MS)
    assert [type(message) for message in first + again] == [Who, Who]
    assert only(Identified, session.receive(hello(board, again), 2 * MS)) != []
    assert Replay in [type(message) for message in outgoing(session, 3 * MS)]


def test_the_answer_to_an_older_connection_is_not_believed() -> None:
    board = echoing()
    before = outgoing(Session(0, jitter=lambda: 0.5), 0)
    session = Session(S, jitter=lambda: 0.5)
    outgoing(session, S)
    assert session.receive(hello(board, before) * 2, S + MS) == []
    assert session.hello is None
    assert session.counters.stale_frames == 2


@pytest.mark.parametrize("goes", ["on", "anew"])
def test_an_unasked_hello_of_a_known_board_is_believed_where_it_goes_on_with_that_boot(
    goes: str,
) -> None:
    board = echoing()
    session = Session(0, jitter=lambda: 0.5)
    session.receive(hello(board, outgoing(session, 0)), 0)
    outgoing(session, 1)
    second = board if goes == "on" else echoing(boot_id=8)
    assert session.receive(hello(second), MS) == []
    out = outgoing(session, 2 * MS)
    if goes == "on":
        assert Who not in [type(message) for message in out]
    else:
        assert [type(message) for message in out] == [Who]
        assert len(only(Identified, session.receive(hello(second, out), 3 * MS))) == 1


def test_a_board_of_an_older_version_is_believed_as_ever() -> None:
    session = Session(0, jitter=lambda: 0.5)
    assert len(only(Identified, session.receive(encode(FakeBoard().hello(), 7), 0))) == 1


def test_bytes_from_before_the_board_is_known_are_no_damage() -> None:
    board = echoing()
    session = Session(0, jitter=lambda: 0.5)
    half = encode(Event(2, 1, 5), 7, 1)[9:]
    session.receive(half + half, 0)
    assert session.counters.bad_frames == 0
    session.receive(hello(board, outgoing(session, 0)), MS)
    session.receive(half, MS)
    assert session.counters.bad_frames == 1


def test_a_hello_reads_back_with_the_id_that_it_answers_with_and_without_channels() -> None:
    for channels in (FakeBoard().hello().channels, ()):
        item = Hello(1, 1, 5, 0, 0, 0, 2, 1, 1, 9, "a", "b", channels, (3,) * len(channels), 513)
        assert Hello.from_body(item.body()).who_id == 513
