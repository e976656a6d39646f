"""The launcher and its cable, with an echo in the firmware's place."""

import contextlib
import os
import selectors
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import serial

from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.faults import FaultRates
from firmware_protocol.virtual.launcher import BOOT_STRIDE, Launcher, Options
from firmware_protocol.virtual.ports import UNREAD_LIMIT, PtyPort
from firmware_protocol.virtual.runtime import Runtime, VirtualBoardError
from tests.firmware_protocol.raw_host import close_port
from tests.firmware_protocol.virtual_stub import BASE_US

STUB = str(Path(__file__).with_name("virtual_stub.py"))
DEADLINE_S = 10.0
needs_pty = pytest.mark.skipif(os.name != "posix", reason="this system has no pty")


def stub(wire_is_stdio: bool = True) -> Runtime:
    return Runtime("stub", (sys.executable, STUB), wire_is_stdio)


class Running:
    """A launcher in a thread of this process and a client of it."""

    def __init__(self, options: Options) -> None:
        launcher = Launcher(options)
        launcher.start()
        self.thread = threading.Thread(target=launcher.run)
        self.thread.start()
        self.board = VirtualBoard.attach(launcher.control.address)

    def close(self) -> None:
        self.board.end()
        self.board.close()
        self.thread.join(DEADLINE_S)
        assert not self.thread.is_alive()


@pytest.fixture(params=["pty", "socket"])
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VirtualBoard]:
    if request.param == "pty":
        if os.name != "posix":
            pytest.skip("this system has no pty")
        running = Running(Options(stub(), uid=1, path=tmp_path / "board"))
    else:
        running = Running(Options(stub(wire_is_stdio=False), uid=1, listen=("127.0.0.1", 0)))
    yield running.board
    running.close()


def has_boot_id(board: VirtualBoard, boot_id: int) -> bool:
    return bool(board.status()["boot_id"] == boot_id)


def next_boot_id(boot_id: int) -> int:
    return (boot_id - 1 + BOOT_STRIDE) % 0xFFFF + 1


@contextlib.contextmanager
def open_port(url: str) -> Iterator[serial.SerialBase]:
    port: serial.SerialBase = serial.serial_for_url(url, timeout=0.05)
    try:
        yield port
    finally:
        close_port(port)


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not true():
        assert time.monotonic() < deadline, "the condition did not become true"


def assert_reading_fails(port: serial.SerialBase) -> None:
    deadline = time.monotonic() + DEADLINE_S
    with contextlib.suppress(serial.SerialException, OSError):
        while time.monotonic() < deadline:
            port.read(1)
        pytest.fail("the port could still be read")


def read_available(port: serial.SerialBase) -> bytes:
    data = b""
    while chunk := port.read(4096):
        data += chunk
    return data


def read_all(port: serial.SerialBase, size: int) -> bytes:
    data = b""
    deadline = time.monotonic() + DEADLINE_S
    while len(data) < size and time.monotonic() < deadline:
        data += port.read(size - len(data))
    return data


def test_bytes_pass_both_ways_unchanged(board: VirtualBoard) -> None:
    every_byte = bytes(range(256)) * 4
    with open_port(board.url) as port:
        port.write(every_byte)
        assert read_all(port, len(every_byte)) == every_byte


def test_a_batch_of_edges_returns_the_devices_time(board: VirtualBoard) -> None:
    assert board.play([(7, "trigger", 1)]) == BASE_US
    assert board.press("zone-1", at_ms=2) == BASE_US + 2000
    trigger_us, hit_us = board.shot(lag_ms=-3)
    assert hit_us == trigger_us - 3000


def test_an_impossible_edge_is_refused_with_a_sentence(board: VirtualBoard) -> None:
    with pytest.raises(VirtualBoardError, match="zone-10"):
        board.play([(0, "zone-11", 1)])
    with pytest.raises(VirtualBoardError, match="dt_us >= 0"):
        board.play([(-1, "trigger", 1)])
    with pytest.raises(VirtualBoardError, match="more than 3000 at once"):
        board.play([(0, "trigger", 1)] * 3001)
    with pytest.raises(VirtualBoardError, match="no contact 'hit'"):
        board.press("hit")


def test_unplug_fails_the_hosts_read_and_plug_brings_the_port_back(board: VirtualBoard) -> None:
    pid = board.status()["board_pid"]
    with open_port(board.url) as port:
        board.unplug()
        assert_reading_fails(port)
    with pytest.raises((serial.SerialException, OSError)):
        serial.serial_for_url(board.url)
    board.plug()
    with open_port(board.url) as port:
        port.write(b"again")
        assert read_all(port, 5) == b"again"
    assert board.status()["board_pid"] == pid


@needs_pty
@pytest.mark.parametrize("size", [7, 512, 1500, 4096])
def test_what_an_unread_port_takes_is_little_even_where_the_kernel_delivers_late(
    tmp_path: Path, size: int
) -> None:
    with selectors.DefaultSelector() as selector:
        for number in range(20):
            port = PtyPort(tmp_path / str(number), selector, lambda _: None)
            port.plug()
            taken = 0
            for _ in range(20 * UNREAD_LIMIT // size):
                taken += port.write(b"x" * size)
            assert taken < UNREAD_LIMIT + size
            port.unplug()


@needs_pty
def test_a_host_that_reads_nothing_blocks_nobody_and_is_owed_little(tmp_path: Path) -> None:
    with closing(Running(Options(stub(), uid=1, path=tmp_path / "board"))) as running:
        board, sent = running.board, 0
        with open_port(board.url) as port:
            while sent < 40 * UNREAD_LIMIT:
                sent += port.write(b"x" * 512) or 0
            # What is not lost by then lies unread or is on the way.
            wait_until(lambda: board.status()["lost_bytes"] > sent - 4 * UNREAD_LIMIT)
            assert board.play([(0, "trigger", 1)]) == BASE_US
            assert len(read_available(port)) < 4 * UNREAD_LIMIT


def test_a_second_host_is_sent_away_while_the_first_stays() -> None:
    running = Running(Options(stub(wire_is_stdio=False), uid=1, listen=("127.0.0.1", 0)))
    try:
        with open_port(running.board.url) as first, open_port(running.board.url) as second:
            assert_reading_fails(second)
            first.write(b"mine")
            assert read_all(first, 4) == b"mine"
    finally:
        running.close()


def test_power_cycle_is_a_new_process_with_the_next_boot_id(board: VirtualBoard) -> None:
    before = board.status()
    with open_port(board.url) as port:
        boot_id = board.power_cycle()
        port.write(b"hello")
        assert read_all(port, 5) == b"hello"
    after = board.status()
    assert boot_id == after["boot_id"] == next_boot_id(before["boot_id"])
    assert after["board_pid"] != before["board_pid"]


def test_without_power_a_press_is_refused_with_a_sentence(board: VirtualBoard) -> None:
    board.power_off()
    with pytest.raises(VirtualBoardError, match="no power"):
        board.press("trigger")


def test_a_firmware_that_dies_comes_back_as_a_new_boot_and_not_for_ever(
    board: VirtualBoard,
) -> None:
    boot_id = board.status()["boot_id"]
    kill = getattr(signal, "SIGKILL", signal.SIGTERM)
    for _ in range(2):
        os.kill(board.status()["board_pid"], kill)
        boot_id = next_boot_id(boot_id)
        wait_until(partial(has_boot_id, board, boot_id))
    os.kill(board.status()["board_pid"], kill)
    wait_until(lambda: not board.status()["powered"])


def test_faults_on_the_way_to_the_host_are_made_and_taken_away(board: VirtualBoard) -> None:
    with open_port(board.url) as port:
        board.faults(to_host=FaultRates(duplicate=1.0))
        port.write(b"\0abc\0")
        assert read_all(port, 10) == b"\0abc\0" * 2
        board.faults(to_host=FaultRates(one_byte=True), to_board=FaultRates(one_byte=True))
        port.write(b"\0abc\0" * 50)
        assert read_all(port, 250) == b"\0abc\0" * 50
        board.faults(to_board=FaultRates(drop=1.0))
        before = board.status()["damaged_frames"]
        port.write(b"\0lost\0")
        wait_until(lambda: board.status()["damaged_frames"] > before)
        board.faults()
        port.write(b"\0kept\0")
        assert b"kept" in read_all(port, 6)


def test_delay_keeps_the_order_of_bytes(board: VirtualBoard) -> None:
    frames = b"".join(b"\0%03d\0" % number for number in range(100))
    board.faults(to_host=FaultRates(delay=0.3, delay_ms=5), seed=3)
    with open_port(board.url) as port:
        port.write(frames)
        assert read_all(port, len(frames)) == frames


def test_many_threads_may_press_at_once(board: VirtualBoard) -> None:
    times: list[int] = []
    threads = [
        threading.Thread(target=lambda: times.append(board.press("zone-3"))) for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_S)
    assert times == [BASE_US] * 20


@needs_pty
def test_a_path_in_use_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "board"
    path.write_text("mine")
    launcher = Launcher(Options(stub(), uid=1, path=path))
    with pytest.raises(VirtualBoardError, match="in use"):
        launcher.start()
    assert path.read_text() == "mine"


@needs_pty
def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    launcher = Launcher(Options(stub(), uid=1, path=tmp_path / "nowhere" / "board"))
    with pytest.raises(VirtualBoardError, match=r"Cannot make a port at .*nowhere"):
        launcher.start()


@needs_pty
def test_control_may_be_a_path(tmp_path: Path) -> None:
    control = tmp_path / "control"
    running = Running(Options(stub(), uid=1, path=tmp_path / "board", control=str(control)))
    assert running.board.address == str(control)
    assert running.board.press("trigger") == BASE_US
    running.close()
    assert not control.exists()


@needs_pty
def test_a_port_path_left_by_a_killed_board_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "board"
    path.symlink_to(tmp_path / "gone")
    running = Running(Options(stub(), uid=1, path=path))
    running.close()
    assert not path.is_symlink()


def test_a_runtime_that_ends_at_its_start_says_its_last_words(tmp_path: Path) -> None:
    broken = Runtime(
        "broken", (sys.executable, "-c", "raise SystemExit('no firmware here')"), wire_is_stdio=True
    )
    with pytest.raises(VirtualBoardError, match="no firmware here"):
        Launcher(Options(broken, uid=1, listen=("127.0.0.1", 0))).start()
