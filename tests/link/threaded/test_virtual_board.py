"""The link with the board's own firmware at the other end of a real pseudo-terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.link.evidence import LastEvidence
from companion.link.status import LinkState
from companion.link.supervisor import Link
from firmware_protocol.messages import PRESSED, Event
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.faults import FaultRates
from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.link.threaded.listening import Notebook

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="pseudo-terminals exist on Unix only"
)

HOLD_US = 80_000  # of a press, see `VirtualBoard.press`


@pytest.fixture(params=["cpython", pytest.param("micropython", marks=pytest.mark.vm)])
def board(request: pytest.FixtureRequest) -> Iterator[VirtualBoard]:
    try:
        spawned = VirtualBoard.spawn(runtime=request.param)
    except VirtualBoardError as error:
        pytest.fail(str(error))
    with spawned:
        yield spawned


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def presses(notebook: Notebook) -> list[int]:
    with notebook.changed:
        messages = [item.message for item in notebook.evidence]
    return [
        message.t_us
        for message in messages
        if isinstance(message, Event) and message.flags & PRESSED
    ]


def test_presses_survive_unplugging_and_a_power_loss_is_a_new_boot(board: VirtualBoard) -> None:
    notebook = Notebook()
    link = Link(board.url, notebook, armed=True)
    link.start()
    try:
        notebook.wait(lambda: notebook.status.armed and notebook.status.state is LinkState.LIVE)
        expected = [board.press("zone-1"), board.press("zone-2", at_ms=20)]
        notebook.wait(lambda: presses(notebook) == expected)

        seen = len(notebook.statuses)
        board.unplug()
        notebook.wait_for(LinkState.LOST, seen)
        expected += [board.press(f"zone-{zone}", at_ms=5 * zone) for zone in range(3, 9)]
        board.plug()
        notebook.wait(lambda: sorted(presses(notebook)) == sorted(expected))
        notebook.wait(lambda: notebook.status.state is LinkState.LIVE)
        assert notebook.booted == []

        board.power_cycle()
        notebook.wait(lambda: len(notebook.booted) == 1)
        notebook.wait(lambda: notebook.status.armed and notebook.status.state is LinkState.LIVE)
        after = board.press("trigger")
        notebook.wait(lambda: after in presses(notebook))
    finally:
        assert link.close(clean=True)

    keys = [(item.boot_id, item.seq) for item in notebook.evidence]
    assert len(keys) == len(set(keys))
    assert notebook.status.counters.clock_faults == 0


def test_a_board_behind_a_socket_is_linked_too() -> None:
    notebook = Notebook()
    with VirtualBoard.spawn(runtime="cpython", listen="127.0.0.1:0") as board:
        link = Link(board.url, notebook, armed=True)
        link.start()
        try:
            notebook.wait(lambda: notebook.status.armed and notebook.status.state is LinkState.LIVE)
            pressed = board.press("zone-4")
            notebook.wait(lambda: presses(notebook) == [pressed])
        finally:
            assert link.close(clean=True)

    assert notebook.status.state is LinkState.CLOSED


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are counted in /proc")
def test_reconnecting_to_a_real_port_leaks_no_files() -> None:
    notebook = Notebook()
    with VirtualBoard.spawn(runtime="cpython") as board:
        link = Link(board.url, notebook)
        link.start()
        try:
            notebook.wait_for(LinkState.LIVE)
            before = open_files()
            for _ in range(5):
                seen = len(notebook.statuses)
                board.unplug()
                notebook.wait_for(LinkState.LOST, seen)
                board.plug()
                notebook.wait_for(LinkState.LIVE, seen)
            # looking for who else holds the port opens some for a moment
            notebook.wait(lambda: open_files() <= before)
        finally:
            assert link.close(clean=True)


def test_a_wire_that_loses_and_damages_frames_costs_no_press(board: VirtualBoard) -> None:
    notebook = Notebook()
    bad = FaultRates(drop=0.1, corrupt=0.1)
    board.faults(to_host=bad, to_board=bad, seed=4)
    link = Link(board.url, notebook, armed=True)
    link.start()
    try:
        notebook.wait(lambda: notebook.status.armed)
        expected = [board.press(f"zone-{zone}", at_ms=7 * zone) for zone in range(1, 11)]
        notebook.wait(lambda: len(presses(notebook)) >= len(expected))
        board.faults()
        # What a contact does while the link closes is nobody's: the last release comes first, and all before it.
        released = max(expected) + 2 * HOLD_US
        notebook.wait(lambda: bool(notebook.settled) and notebook.settled[-1][1] > released)
    finally:
        assert link.close(clean=True)

    assert sorted(presses(notebook)) == sorted(expected)
    assert notebook.seqs(notebook.identified[0]) == list(range(1, len(notebook.evidence) + 1))


def test_of_two_boards_auto_takes_the_sessions_own_wherever_it_is_plugged_in_and_says_so_of_a_new_one() -> (
    None
):
    with VirtualBoard.spawn("cpython", uid=1) as one, VirtualBoard.spawn("cpython", uid=2) as other:
        urls = sorted((one.url, other.url))
        for own in (one, other):
            notebook = Notebook()
            link = Link(
                "auto",
                notebook,
                last=LastEvidence(1 if own is one else 2, 7, 0),
                lister=lambda: urls,
            )
            link.start()
            try:
                notebook.wait_for(LinkState.LIVE)
                assert notebook.status.port == own.url
                assert notebook.notes == []
            finally:
                assert link.close()
        notebook = Notebook()
        link = Link("auto", notebook, lister=lambda: urls)
        link.start()
        try:
            notebook.wait_for(LinkState.LIVE)
            assert notebook.status.port == urls[0]
        finally:
            assert link.close()
    (note,) = notebook.notes
    assert f"at {urls[0]} is used; also found: " in note
    assert f"at {urls[1]} (name a port to choose)" in note
