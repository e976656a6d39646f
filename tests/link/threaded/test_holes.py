"""A number that a board leaves out and no GAP covers: reported, requested, and at last given up."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from companion.link.connection import WITHHOLDS
from companion.link.evidence import Evidence
from companion.link.order import Inbox
from companion.link.session import DEAD_NS, STALLED_NS, Session
from companion.link.status import LinkState
from companion.link.words import missing
from firmware_protocol.messages import Ack, Event, Pong, Replay, Who, encode
from tests.link.dialogue import event, identified, only, outgoing
from tests.link.fake_board import UID, FakeBoard
from tests.link.threaded.fake_port import Cable
from tests.link.threaded.linked import linked
from tests.link.threaded.listening import Notebook
from tests.link.world import LOSSY, MS, PERFECT, S, World

LATER = 4


def with_a_hole(*, withheld: bool, previous: Session | None = None) -> tuple[FakeBoard, World]:
    """Return a board that has sent 1 to 3 and 5 to 8.

    It has lost number 4, or says that it has it and does not send it.
    """
    board = FakeBoard()
    session = Session(0, jitter=lambda: 0.5, previous=None if previous is None else previous.inbox)
    scene = World(board, session, PERFECT)
    scene.run(500 * MS)
    for _ in range(8):
        board.press()
    if withheld:
        board.withheld.add(LATER)
    else:
        del board.ring[LATER]
    return board, scene


def seqs(scene: World) -> list[int]:
    return [evidence.seq for evidence in scene.evidence]


def test_a_hole_is_named_within_two_seconds_asked_for_and_asked_about() -> None:
    board, scene = with_a_hole(withheld=True)
    scene.run(2 * S)

    assert scene.session.phase(scene.now_ns) is LinkState.STALLED
    assert scene.session.hole.seq == LATER
    assert Replay(LATER) in board.heard
    asked = [message for message in board.heard if isinstance(message, Who)]
    assert len(asked) == 2
    assert seqs(scene) == [1, 2, 3]


def test_what_the_board_does_not_have_any_more_is_missing_and_the_rest_counts() -> None:
    _, scene = with_a_hole(withheld=False)
    scene.run(3 * S)

    assert seqs(scene) == [1, 2, 3, 5, 6, 7, 8]
    assert only(str, scene.events) == [missing(LATER, LATER)]
    assert scene.session.phase(scene.now_ns) is LinkState.LIVE


def test_nothing_behind_a_hole_is_acknowledged_while_it_may_still_be_filled() -> None:
    board, scene = with_a_hole(withheld=True)
    scene.run(9 * S)
    assert max(message.seq for message in board.heard if isinstance(message, Ack)) == LATER - 1

    board.withheld.clear()
    scene.run(5 * S)
    assert seqs(scene) == list(range(1, 9))
    assert only(str, scene.events) == []
    assert scene.session.phase(scene.now_ns) is LinkState.LIVE


def test_a_second_connection_with_the_same_hole_gives_the_number_up_and_goes_on() -> None:
    board, scene = with_a_hole(withheld=True)
    scene.run(DEAD_NS + 2 * S)
    again = World(
        board, Session(scene.now_ns, previous=scene.session.inbox), PERFECT, at_ns=scene.now_ns
    )
    again.run(2 * S)

    assert seqs(again) == [5, 6, 7, 8]
    assert only(str, again.events) == [missing(LATER, LATER, withheld=True)]
    assert again.session.phase(again.now_ns) is LinkState.LIVE
    assert board.ring == {}


def test_a_second_connection_waits_anew_for_another_hole() -> None:
    board, scene = with_a_hole(withheld=True)
    scene.run(DEAD_NS + 2 * S)
    board.withheld = {9}
    board.press()
    board.press()
    again = World(
        board, Session(scene.now_ns, previous=scene.session.inbox), PERFECT, at_ns=scene.now_ns
    )
    again.run(3 * S)

    assert seqs(again) == [4, 5, 6, 7, 8]
    assert again.session.phase(again.now_ns) is LinkState.STALLED
    assert again.session.hole.seq == 9


def test_a_number_that_is_announced_and_never_comes_is_a_hole_too() -> None:
    session = identified()
    session.receive(encode(Pong(1, 10, 20, 15, next_seq=5), 7), S)

    assert session.phase(S + STALLED_NS - 1) is not LinkState.STALLED
    assert session.phase(S + STALLED_NS) is LinkState.STALLED
    assert session.hole.seq == 1


def test_numbers_that_were_only_announced_are_given_up_by_the_second_connection() -> None:
    first = identified()
    first.receive(encode(Pong(1, 10, 20, 15, next_seq=5), 7), S)
    assert first.inbox is not None
    first.receive(encode(Pong(2, 10, 20, 15, next_seq=5), 7), DEAD_NS)
    first.poll(S + DEAD_NS - 1)
    assert first.inbox.withheld_at is None
    first.poll(S + DEAD_NS)
    assert first.inbox.withheld_at == 1

    board = FakeBoard()
    board.ring, board.next_seq = {1: Event(2, 1, 10)}, 5
    second = identified(board, previous=first.inbox)
    second.receive(encode(Pong(1, 10, 20, 15, next_seq=5), 7) + event(7), S)
    events = second.poll(S + STALLED_NS)
    assert only(str, events) == [missing(1, 6, withheld=True)]
    assert [evidence.seq for evidence in only(Evidence, events)] == [7]


def test_numbers_that_were_only_announced_are_given_up_though_nothing_comes_behind_them() -> None:
    board = FakeBoard()
    board.ring, board.next_seq = {1: Event(2, 1, 10)}, 5
    inbox = Inbox(UID, 7, 1)
    inbox.withheld_at = 1
    session = identified(board, previous=inbox)
    session.receive(encode(Pong(1, 10, 20, 15, next_seq=5), 7), S)

    assert only(str, session.poll(S + STALLED_NS)) == [missing(1, 4, withheld=True)]
    assert session.phase(S + STALLED_NS) is not LinkState.STALLED
    assert session.settled


def test_what_is_given_up_leaves_the_next_hole_its_own_time() -> None:
    board = FakeBoard()
    board.ring, board.next_seq = {1: Event(2, 1, 10)}, 5
    inbox = Inbox(UID, 7, 1)
    inbox.withheld_at = 1
    session = identified(board, previous=inbox)
    session.receive(event(2) + event(4), S)
    session.poll(S + STALLED_NS)

    assert session.hole.seq == 3
    assert session.hole.age_ns(S + STALLED_NS) == 0
    assert session.hole.age_ns(S + 2 * STALLED_NS) == STALLED_NS


def test_without_a_hole_nothing_is_stalled() -> None:
    assert identified().hole.age_ns(20 * S) == 0


def test_what_waits_for_the_disk_is_no_hole() -> None:
    session = identified()
    session.receive(event(1) + encode(Pong(1, 10, 20, 15, next_seq=9), 7), S)

    assert session.phase(2 * S) is not LinkState.STALLED


@pytest.mark.parametrize("seed", range(5))
def test_a_wire_that_loses_every_fifth_frame_is_never_called_stalled(seed: int) -> None:
    board, session = FakeBoard(), Session(0)
    scene = World(board, session, LOSSY, seed=seed)
    scene.press_every(50 * MS, 100)
    for _ in range(80):
        scene.run(100 * MS)
        assert session.phase(scene.now_ns) is not LinkState.STALLED
    assert seqs(scene) == list(range(1, 101))


def test_presses_behind_a_lasting_hole_count_once_the_port_was_opened_anew() -> None:
    cable, notebook, ahead = Cable(), Notebook(), [0]

    def let_pass(until: Callable[[], bool]) -> None:
        """Advance the host's clock, but not so fast that the board seems silent."""
        while not until():
            ahead[0] += 300 * MS
            cable.board.heard.clear()
            notebook.wait(lambda: until() or cable.board.heard != [])

    with linked(
        "/dev/board", notebook, cable.open, clock_ns=lambda: time.monotonic_ns() + ahead[0]
    ):
        notebook.wait_for(LinkState.LIVE)
        with cable.board_at_now() as board:
            board.withheld.add(LATER)
        cable.press(8)
        notebook.wait(lambda: len(notebook.evidence) >= 3)
        let_pass(lambda: LinkState.STALLED in {status.state for status in notebook.statuses})
        stalled = notebook.wait_for(LinkState.STALLED)
        let_pass(lambda: cable.opened == 2)
        lost = notebook.wait_for(LinkState.LOST)
        let_pass(lambda: len(notebook.evidence) == 7)

    assert "held back" in stalled.sentence
    assert f"number {LATER}" in stalled.sentence
    assert WITHHOLDS in lost.sentence
    assert notebook.seqs() == [1, 2, 3, 5, 6, 7, 8]
    assert any("unknown" in note for note in notebook.notes)


def test_evidence_behind_numbers_given_up_one_after_the_other_is_acknowledged() -> None:
    session = identified()
    session.receive(event(1), 0)
    for until in (3, 6):
        assert session.inbox is not None
        session.inbox.give_up(until)
    session.acknowledge(7, 1)
    (after,) = only(Evidence, session.receive(event(6), S))
    assert session.inbox is not None
    assert session.inbox.durable == 5
    session.acknowledge(after.boot_id, after.seq)
    assert Ack(6) in outgoing(session, S)
