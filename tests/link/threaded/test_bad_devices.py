"""Ports and devices that are not what they should be."""

from __future__ import annotations

import threading
import time

import pytest

from companion.link.evidence import LastEvidence
from companion.link.port_errors import OpenFailed
from companion.link.report import not_opened_status
from companion.link.status import LinkState, LinkStatus
from companion.link.supervisor import Link
from companion.link.transport import Port
from firmware_protocol.messages import Config, State, encode
from tests.link.fake_board import UID, FakeBoard
from tests.link.threaded.fake_port import Cable, MutePort, failing
from tests.link.threaded.linked import linked
from tests.link.threaded.listening import Notebook

CONFIG = Config(8_000, 300, 900, 3_000, 30_000)


def test_a_board_that_ignores_its_settings_is_noted() -> None:
    cable, notebook = Cable(), Notebook()
    cable.board.takes_config = False
    jump = [0]

    def clock_ns() -> int:
        jump[0] += 10_000_000
        return time.monotonic_ns() + jump[0]

    with linked("/dev/board", notebook, cable.open, config=CONFIG, clock_ns=clock_ns):
        notebook.wait(lambda: any("settings" in note for note in notebook.notes))
        notebook.wait(lambda: notebook.statuses[-1].settings_in_force is False)

    assert cable.board.heard.count(CONFIG) == 5
    live = [status.sentence for status in notebook.statuses if status.state is LinkState.LIVE]
    assert any("is live, but its settings are not the session's" in sentence for sentence in live)


def test_numbers_that_another_program_acknowledged_are_noted() -> None:
    cable, notebook = Cable(), Notebook()
    cable.board.next_seq = 9
    with linked("/dev/board", notebook, cable.open, last=LastEvidence(UID, 7, 3)):
        notebook.wait_for(LinkState.LIVE)

    assert "numbers 4 to 8" in notebook.notes[0]


def test_a_port_that_takes_no_bytes_is_lost() -> None:
    class Stalled(MutePort):
        def write(self, _data: bytes, /) -> int | None:
            raise TimeoutError("Write timeout")

    notebook = Notebook()
    with linked("/dev/board", notebook, lambda _: Stalled()):
        status = notebook.wait_for(LinkState.LOST)

    assert "/dev/board is lost" in status.sentence


@pytest.mark.parametrize(
    ("board", "words"),
    [(FakeBoard(major=2), "protocol 2.0"), (FakeBoard(uid=99), f"{99:016x}")],
)
def test_a_board_that_cannot_be_used_is_refused_and_asked_again_later(
    board: FakeBoard, words: str
) -> None:
    cable, notebook = Cable(board), Notebook()
    with linked("/dev/board", notebook, cable.open, last=LastEvidence(UID, 7, 0)):
        status = notebook.wait_for(LinkState.REFUSED)
        notebook.wait(lambda: cable.opened >= 2)

    assert words in status.sentence
    assert notebook.identified == []


def test_another_board_at_the_same_port_is_refused_within_a_session() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open):
        notebook.wait_for(LinkState.LIVE)
        cable.unplug()
        notebook.wait_for(LinkState.LOST)
        cable.board = FakeBoard(uid=99)
        cable.plug()
        status = notebook.wait_for(LinkState.REFUSED)

    assert f"{99:016x}" in status.sentence


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (FileNotFoundError(2, "No such file"), LinkState.ABSENT),
        (OSError(16, "Device or resource busy"), LinkState.BUSY),
        (PermissionError(13, "Permission denied"), LinkState.NO_PERMISSION),
        (ValueError("no such thing"), LinkState.REFUSED),
    ],
)
def test_a_port_that_does_not_open_is_said_once_and_tried_again(
    error: Exception, state: LinkState
) -> None:
    notebook = Notebook()
    tries = threading.Semaphore(0)

    def open_port(port: str) -> Port:
        tries.release()
        raise error

    with linked("/dev/board", notebook, open_port):
        for _ in range(4):
            assert tries.acquire(timeout=10)

    assert [status.state for status in notebook.statuses] == [
        LinkState.OPENING,
        state,
        LinkState.CLOSED,
    ]


def test_a_board_that_was_live_and_whose_port_is_not_there_stays_lost() -> None:
    lost = LinkStatus(LinkState.LOST, "/dev/board is lost", "/dev/board", uid=UID)
    absent = OpenFailed(LinkState.ABSENT, "/dev/board is not there")
    assert not_opened_status(lost, absent, "/dev/board", was_live=True) is lost
    assert not_opened_status(lost, absent, "/dev/board", was_live=False).state is LinkState.ABSENT
    assert (
        not_opened_status(
            lost, OpenFailed(LinkState.BUSY, "held"), "/dev/board", was_live=True
        ).sentence
        == "held"
    )


def test_closing_is_bounded_while_opening_hangs() -> None:
    hang = threading.Event()
    opening = threading.Event()
    late: list[MutePort] = []

    def open_port(port: str) -> Port:
        opening.set()
        hang.wait(10)
        late.append(MutePort())
        return late[0]

    notebook = Notebook()
    try:
        with linked("/dev/board", notebook, open_port):
            assert opening.wait(10)
    finally:
        hang.set()

    assert notebook.statuses[-1].state is LinkState.CLOSED


def test_closing_before_starting_and_twice_is_harmless() -> None:
    link = Link("/dev/board", Notebook(), open_port=failing(OSError(2, "none")))

    assert link.close()
    assert link.close()
    assert link.device_now() is None


def test_silence_is_shown_and_ends_with_the_next_frame() -> None:
    cable, notebook = Cable(), Notebook()
    jump = [0]

    def clock_ns() -> int:
        return time.monotonic_ns() + jump[0]

    with linked("/dev/board", notebook, cable.open, clock_ns=clock_ns):
        notebook.wait_for(LinkState.LIVE)
        cable.board.deaf = True
        jump[0] += 4_000_000_000
        silent = notebook.wait_for(LinkState.SILENT)
        cable.board.deaf = False
        seen = len(notebook.statuses)
        notebook.wait_for(LinkState.LIVE, seen)
        cable.board.deaf = True

        def lost_by_now() -> bool:
            jump[0] += 4_000_000_000  # an answer under way may still have been read
            return any(status.state is LinkState.LOST for status in notebook.statuses)

        notebook.wait(lost_by_now)
        lost = notebook.wait_for(LinkState.LOST)

    assert f"silent for {silent.silent_s} s" in silent.sentence
    assert "nothing came" in lost.sentence


def test_a_fault_in_the_listener_is_shown_and_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[BaseException | None] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: raised.append(args.exc_value))
    cable, notebook = Cable(), Notebook()

    def broken_store(evidence: object) -> None:
        raise RuntimeError("a fault")

    notebook.store = broken_store  # type: ignore[method-assign]
    cable.press()
    with linked("/dev/board", notebook, cable.open):
        status = notebook.wait_for(LinkState.FAILED)

    assert "a fault" in status.sentence
    assert isinstance(raised[0], RuntimeError)
    assert cable.port is None


def test_garbage_among_frames_is_counted_and_costs_nothing() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open):
        notebook.wait_for(LinkState.LIVE)
        with cable.board_at_now() as board:
            board.queued.append(b"\xff" * 700 + b"\0")
            board.queued.append(encode(State(0, 0, 5), 99, 1))
        cable.press()
        notebook.wait(lambda: len(notebook.evidence) == 1)
        notebook.wait(lambda: notebook.status.counters.bad_frames == 1)

    assert notebook.seqs() == [1]
