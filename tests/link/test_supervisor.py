from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.link import Link, LinkState, Mark
from companion.link.transport import Port
from firmware_protocol.messages import Config, Cue, Event, Log, Standby, State, encode
from tests.link.fake_board import UID, FakeBoard
from tests.link.fake_port import Cable, MutePort, failing
from tests.link.listening import Notebook

CONFIG = Config(8_000, 300, 900, 3_000, 30_000)


@contextmanager
def linked(
    spec: str, notebook: Notebook, open_port: Callable[[str], Port], *, clean: bool = False, **options: object
) -> Iterator[Link]:
    link = Link(spec, notebook, open_port=open_port, retry_s=0.01, refused_retry_s=0.02, **options)  # type: ignore[arg-type]
    link.start()
    try:
        yield link
    finally:
        assert link.close(clean=clean)


def test_a_link_opens_identifies_arms_stores_acknowledges_and_becomes_live() -> None:
    cable, notebook = Cable(), Notebook()
    cable.press(20)
    with linked("/dev/board", notebook, cable.open, armed=True, config=CONFIG) as link:
        status = notebook.wait_for(LinkState.LIVE)
        notebook.wait(lambda: link.status.armed)
        notebook.wait(lambda: len(notebook.settled) > 2)
        cable.press()
        notebook.wait(lambda: len(notebook.evidence) >= 22)
        now = link.device_now()

    assert status.uid == UID
    assert status.board == "Pico (fake 1)"
    assert "live" in status.sentence
    assert notebook.seqs() == list(range(1, 23))
    assert now is not None
    assert now[2] == 7
    assert cable.board.ring == {}
    assert notebook.identified == [7]
    assert notebook.statuses[0].state is LinkState.OPENING
    assert notebook.statuses[-1].state is LinkState.CLOSED


def test_unplugging_is_lost_and_replugging_brings_everything_that_happened_meanwhile() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open) as link:
        notebook.wait_for(LinkState.LIVE)
        cable.unplug()
        lost = notebook.wait_for(LinkState.LOST)
        assert link.device_now() is None
        assert not link.cue(0, 10)
        cable.press(30)
        seen = len(notebook.statuses)
        cable.plug()
        notebook.wait_for(LinkState.LIVE, seen)
        notebook.wait(lambda: len(notebook.evidence) >= 30)

    assert "unplugged, or another program" in lost.sentence
    assert notebook.seqs() == list(range(1, 31))
    assert notebook.booted == []


def test_a_board_that_lost_its_power_while_unplugged_is_reported_as_a_new_boot() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open, armed=True) as link:
        notebook.wait_for(LinkState.LIVE)
        cable.unplug()
        notebook.wait_for(LinkState.LOST)
        cable.power_cycle(8)
        cable.plug()
        notebook.wait(lambda: notebook.identified == [7, 8])
        notebook.wait(lambda: link.status.armed and link.status.boot_id == 8)

    assert notebook.booted == [(7, 8)]
    assert notebook.seqs(8)[0] == 1


def test_a_resumed_session_learns_that_the_board_restarted_meanwhile() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open, last=Mark(UID, 3, 17)):
        notebook.wait_for(LinkState.LIVE)

    assert notebook.booted == [(3, 7)]


def test_a_resumed_session_goes_on_where_the_journal_ends() -> None:
    cable, notebook = Cable(), Notebook()
    cable.press(5)
    with linked("/dev/board", notebook, cable.open, last=Mark(UID, 7, 3)):
        notebook.wait(lambda: len(notebook.evidence) >= 2)

    assert notebook.seqs() == [4, 5]
    assert cable.board.ring == {}


def test_what_cannot_be_stored_is_not_acknowledged_and_comes_again() -> None:
    cable, notebook = Cable(), Notebook()
    notebook.broken = "The disk is full: make room."
    cable.press(3)
    with linked("/dev/board", notebook, cable.open) as link:
        status = notebook.wait_for(LinkState.UNSAVED)
        notebook.wait(lambda: notebook.refused >= 2)
        assert len(cable.board.ring) == 3
        assert notebook.settled == []
        notebook.broken = None
        notebook.wait(lambda: len(notebook.evidence) == 3)
        notebook.wait(lambda: bool(notebook.settled))
        notebook.wait(lambda: link.status.state is LinkState.LIVE)

    assert "The disk is full: make room." in status.sentence
    assert notebook.seqs() == [1, 2, 3]
    assert cable.board.ring == {}


def test_a_clean_end_sends_standby_and_an_unclean_one_does_not() -> None:
    for clean in (True, False):
        cable, notebook = Cable(), Notebook()
        with linked("/dev/board", notebook, cable.open, clean=clean):
            notebook.wait_for(LinkState.LIVE)

        assert (Standby() in cable.board.heard) is clean


def test_a_clean_end_leaves_a_board_alone_that_still_keeps_unsaved_events() -> None:
    cable, notebook = Cable(), Notebook()
    notebook.broken = "The disk is full: make room."
    cable.press(3)
    with linked("/dev/board", notebook, cable.open, clean=True):
        notebook.wait(lambda: notebook.refused >= 1)

    assert Standby() not in cable.board.heard
    assert len(cable.board.ring) == 3


def test_a_cue_reaches_the_board_and_its_stamp_comes_back() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open) as link:
        notebook.wait_for(LinkState.LIVE)
        assert link.cue(1, 250)
        notebook.wait(lambda: link.status.last_cue is not None)

    assert Cue(1, 1, 250) in cable.board.heard


def test_notes_tell_of_a_clash_and_of_what_the_firmware_says() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open):
        notebook.wait_for(LinkState.LIVE)
        with cable.board_at_now() as board:
            board.say(Log(b"ring is half full"))
            board.say(Event(1, 1, 111), 1)
            board.say(Event(1, 1, 222), 1)
        notebook.wait(lambda: len(notebook.notes) >= 2)
        notebook.wait(lambda: len(notebook.evidence) >= 2)

    assert "ring is half full" in notebook.notes[0]
    assert "two different frames" in notebook.notes[1]
    assert [(item.seq, item.message.t_us) for item in notebook.evidence] == [(1, 111), (1, 222)]  # type: ignore[union-attr]


def test_a_board_that_ignores_its_settings_is_noted() -> None:
    cable, notebook = Cable(), Notebook()
    cable.board.takes_config = False
    jump = [0]

    def clock_ns() -> int:
        jump[0] += 10_000_000
        return time.monotonic_ns() + jump[0]

    with linked("/dev/board", notebook, cable.open, config=CONFIG, clock_ns=clock_ns):
        notebook.wait(lambda: any("settings" in note for note in notebook.notes))

    assert cable.board.heard.count(CONFIG) == 5


def test_numbers_that_another_program_acknowledged_are_noted() -> None:
    cable, notebook = Cable(), Notebook()
    cable.board.next_seq = 9
    with linked("/dev/board", notebook, cable.open, last=Mark(UID, 7, 3)):
        notebook.wait_for(LinkState.LIVE)

    assert "numbers 4 to 8" in notebook.notes[0]


def test_arming_later_reaches_the_board() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open) as link:
        notebook.wait_for(LinkState.LIVE)
        assert not link.status.armed
        link.arm()
        notebook.wait(lambda: link.status.armed)

    assert notebook.seqs() == [1]


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
def test_a_board_that_cannot_be_used_is_refused_and_asked_again_later(board: FakeBoard, words: str) -> None:
    cable, notebook = Cable(board), Notebook()
    with linked("/dev/board", notebook, cable.open, expected_uid=UID):
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
def test_a_port_that_does_not_open_is_said_once_and_tried_again(error: Exception, state: LinkState) -> None:
    notebook = Notebook()
    tries = threading.Semaphore(0)

    def open_port(port: str) -> Port:
        tries.release()
        raise error

    with linked("/dev/board", notebook, open_port):
        for _ in range(4):
            assert tries.acquire(timeout=10)

    assert [status.state for status in notebook.statuses] == [LinkState.OPENING, state, LinkState.CLOSED]


def test_auto_finds_the_board_and_after_a_loss_the_same_board_at_another_port() -> None:
    ports = {"/dev/a": Cable(FakeBoard(uid=99)), "/dev/b": Cable()}
    notebook = Notebook()
    listed = ["/dev/b"]
    with linked(
        "auto", notebook, lambda port: ports[port].open(port), lister=lambda: list(listed), probe_ns=500_000_000
    ) as link:
        assert notebook.wait_for(LinkState.LIVE).port == "/dev/b"
        listed[:] = ["/dev/a", "/dev/c"]
        ports["/dev/c"] = Cable(ports["/dev/b"].board)
        seen = len(notebook.statuses)
        ports["/dev/b"].unplug()
        notebook.wait_for(LinkState.LIVE, seen)
        status = link.status

    assert status.port == "/dev/c"
    assert status.uid == UID


def test_auto_says_what_it_found_when_there_is_no_board() -> None:
    notebook = Notebook()
    with linked("auto", notebook, failing(OSError(16, "busy")), lister=lambda: ["/dev/x"]):
        status = notebook.wait_for(LinkState.REFUSED)

    assert "/dev/x is held by another program" in status.sentence


def test_auto_waits_for_a_port_to_be_listed() -> None:
    cable, notebook = Cable(), Notebook()
    listed: list[str] = []
    with linked("auto", notebook, cable.open, lister=lambda: list(listed)):
        notebook.wait(lambda: any("No USB serial port" in status.sentence for status in notebook.statuses))
        listed.append("/dev/board")
        notebook.wait_for(LinkState.LIVE)

    assert cable.board.heard


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
    assert link.status.state is LinkState.OPENING
    assert link.device_now() is None


def test_reconnecting_leaks_neither_threads_nor_files() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open):
        notebook.wait_for(LinkState.LIVE)
        threads = threading.active_count()
        files = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0  # noqa: PTH208
        for turn in range(10):
            seen = len(notebook.statuses)
            cable.unplug()
            notebook.wait_for(LinkState.LOST, seen)
            cable.press()
            cable.plug()
            notebook.wait_for(LinkState.LIVE, seen)
            notebook.wait(lambda turn=turn: len(notebook.evidence) > turn)  # type: ignore[misc]
        assert threading.active_count() <= threads + 1
        if files:
            assert len(os.listdir("/proc/self/fd")) <= files + 1  # noqa: PTH208

    assert notebook.seqs() == list(range(1, 11))


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
        jump[0] += 12_000_000_000
        lost = notebook.wait_for(LinkState.LOST)

    assert "silent for 3 s" in silent.sentence
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
    with linked("/dev/board", notebook, cable.open) as link:
        notebook.wait_for(LinkState.LIVE)
        with cable.board_at_now() as board:
            board.said.append(b"\xff" * 700 + b"\0")
            board.said.append(encode(State(0, 0, 5), 99, 1))
        cable.press()
        notebook.wait(lambda: len(notebook.evidence) == 1)
        notebook.wait(lambda: link.status.bad_frames == 1)

    assert notebook.seqs() == [1]
