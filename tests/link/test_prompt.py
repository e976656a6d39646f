"""A board whose firmware has ended: its prompt answers, and the companion says what to do."""

from __future__ import annotations

import pytest

from companion.link.order import Inbox
from companion.link.requests import WHO_IDS, Requests
from companion.link.session import IDENTIFY_NS, Session
from companion.link.status import LinkState
from companion.link.words import AT_PROMPT, FIRMWARE_ENDED
from firmware_protocol.frames import FrameDecoder
from firmware_protocol.messages import Replay, Who, decode, encode
from tests.link.dialogue import identified, outgoing
from tests.link.fake_board import UID, FakeBoard
from tests.link.world import MS, S

# What MicroPython 1.25 said on the emulated chip when Ctrl-C ended the firmware, and to what was typed then.
ENDED = (
    b"MicroPython v1.25.0 on 2025-04-15; Raspberry Pi Pico with RP2040\r\n"
    b'Type "help()" for more information.\r\n>>> '
)
TYPED = (
    b"-\x08-w#-N@-\x1b[7D-w#-N@-k-\x1b[9D\r\n>>> \r\npaste mode; Ctrl-C to cancel\r\n=== \xcc\xd0"
)
RAW = b"\r\nraw REPL; CTRL-B to exit\r\n>raw REPL; CTRL-B to exit\r\n>"
MORE = b"d(x\r\n... \x08\x1b[K\x1b[K"


def started() -> FakeBoard:
    """Return a board that keeps an event, so that its host begins with REPLAY."""
    board = FakeBoard()
    board.press()
    return board


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_a_prompt_after_the_first_replay_ends_the_connection_and_says_what_to_do(size: int) -> None:
    session = identified(started())
    assert Replay in [type(message) for message in outgoing(session, MS)]
    data = ENDED + TYPED
    for at in range(0, len(data), size):
        session.receive(data[at : at + size], 2 * MS)
    assert session.refusal == FIRMWARE_ENDED
    assert session.phase(2 * MS) is LinkState.REFUSED
    assert session.outgoing(S) == b"", "it would be typed into the prompt"


@pytest.mark.parametrize(
    "data", [ENDED, TYPED, RAW, MORE], ids=["banner", "typed", "raw", "more of a line"]
)
def test_a_board_of_this_session_that_shows_a_prompt_is_told_from_a_foreign_device(
    data: bytes,
) -> None:
    session = Session(0, previous=Inbox(UID, 7, 1))
    session.receive(data, MS)
    assert session.refusal == FIRMWARE_ENDED


@pytest.mark.parametrize(
    "data", [ENDED, TYPED, RAW, MORE], ids=["banner", "typed", "raw", "more of a line"]
)
def test_a_prompt_that_was_no_board_yet_is_waited_for_then_told_with_both_ways_out(
    data: bytes,
) -> None:
    session = Session(0)
    session.receive(data, MS)
    assert session.refusal is None, "the rest of an old prompt may stand before a HELLO"
    session.poll(IDENTIFY_NS)
    assert session.refusal == AT_PROMPT
    assert AT_PROMPT.index("plug the board in again") < AT_PROMPT.index("install")


def test_an_old_prompt_before_a_hello_says_nothing_of_the_firmware() -> None:
    board = FakeBoard()
    session = Session(0)
    session.receive(ENDED + encode(board.hello(), 7), MS)
    assert session.hello is not None
    assert not session.at_prompt
    session.receive(encode(board.hello(), 7), 2 * MS)
    assert session.refusal is None


def test_a_device_that_repeats_what_it_hears_is_asked_with_an_end_of_line() -> None:
    session = Session(0)
    outgoing(session, 0)
    session.receive(b"w#-N", MS)
    frame = session.outgoing(S)
    assert b"\r" in frame
    assert not {3, 4, 5} & set(frame)
    assert [type(decode(encoded)) for encoded in FrameDecoder().feed(frame)] == [Who]


def test_there_is_always_a_who_with_an_end_of_line() -> None:
    requests = Requests(None, lambda: 0.5, first_who=0)
    for turn in range(WHO_IDS // 10):
        requests.ask_who(turn)
        frame = requests.due_who(turn, ends_line=True)
        requests.who.stop()
        assert b"\r" in frame
        assert not {3, 4, 5} & set(frame)
