from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.link.bounded import OneJob
from companion.link.port_errors import OpenFailed, explain
from companion.link.status import LinkState
from companion.link.transport import (
    Mailbox,
    Opener,
    Port,
    PortLost,
    Read,
    Transport,
    close_port,
    open_serial,
)
from tests.link.threaded.fake_port import MutePort

pty = pytest.importorskip("pty", reason="pseudo-terminals exist on Unix only")


class Pty:
    """A raw pseudo-terminal: `master` is the board's side."""

    def __init__(self) -> None:
        import tty

        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        self._slave = slave

    def __enter__(self) -> Pty:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in (self.master, self._slave):
            try:
                os.close(descriptor)
            except OSError:
                continue

    def hang_up(self) -> None:
        os.close(self._slave)
        os.close(self.master)


def gather(mailbox: Mailbox, size: int) -> tuple[bytes, list[Read]]:
    reads: list[Read] = []
    while sum(len(read.data) for read in reads) < size:
        item = mailbox.take(5)
        assert isinstance(item, Read)
        reads.append(item)
    return b"".join(read.data for read in reads), reads


def test_bytes_go_both_ways_through_a_pty_and_each_read_is_stamped() -> None:
    mailbox, stamps = Mailbox(), iter(range(1, 1000))
    with Pty() as line:
        transport = Transport(
            open_serial(line.path), line.path, mailbox, clock_ns=lambda: next(stamps)
        )
        os.write(line.master, b"hello")
        data, reads = gather(mailbox, 5)
        assert transport.write(b"who")
        assert os.read(line.master, 10) == b"who"
        assert transport.close()

    assert data == b"hello"
    assert [read.read_ns for read in reads] == list(range(1, len(reads) + 1))


@pytest.mark.parametrize("size", [1, 63, 64, 65, 520, 4000])
def test_blocks_of_every_size_come_whole_and_in_few_reads(size: int) -> None:
    block = bytes(range(256)) * 16
    mailbox = Mailbox()
    with Pty() as line:
        os.set_blocking(line.master, False)
        port = open_serial(line.path)
        assert os.write(line.master, block[:size]) == size
        transport = Transport(port, line.path, mailbox)
        data, reads = gather(mailbox, size)
        assert transport.close()

    assert data == block[:size]
    assert len(reads) <= 3


def test_a_read_is_stamped_after_its_last_byte_however_long_the_reading_took() -> None:
    now_ns = [100]

    there = iter([3])

    class SlowPort(MutePort):
        @property
        def in_waiting(self) -> int:
            return next(there, 0)

        def read(self, size: int = 1, /) -> bytes:
            if size == 1:
                return b"a"
            now_ns[0] = 900  # the thread stood still, and three more bytes came
            return b"bcd"

    mailbox = Mailbox()
    transport = Transport(SlowPort(), "slow", mailbox, clock_ns=lambda: now_ns[0])
    read = mailbox.take(5)
    transport.close()
    assert read == Read(900, b"abcd")


def test_closing_ends_the_wait_of_a_reader_to_which_nothing_comes() -> None:
    class PatientPort(MutePort):
        cancelled = threading.Event()

        def read(self, size: int = 1, /) -> bytes:
            self.cancelled.wait(30)
            return super().read(size)

        def cancel_read(self) -> None:
            self.cancelled.set()

    assert Transport(PatientPort(), "patient", Mailbox()).close()


def test_importing_the_link_loads_no_serial_library() -> None:
    code = "import sys, companion.link; sys.exit('serial' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_hung_up_pty_is_a_lost_port_and_closing_is_still_clean() -> None:
    mailbox = Mailbox()
    with Pty() as line:
        transport = Transport(open_serial(line.path), line.path, mailbox)
        line.hang_up()
        item = mailbox.take(5)
        assert isinstance(item, PortLost)
        assert "unplugged, or another program" in item.reason
        assert not transport.write(b"x")
        assert transport.close()


def test_a_socket_is_read_in_blocks_and_its_end_is_a_lost_port() -> None:
    mailbox = Mailbox()
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"socket://127.0.0.1:{server.getsockname()[1]}"
        port = open_serial(url)
        board, _ = server.accept()
        with board:
            transport = Transport(port, url, mailbox)
            board.sendall(bytes(1000))
            data, reads = gather(mailbox, 1000)
            assert transport.write(b"who")
            assert board.recv(10) == b"who"
        assert isinstance(mailbox.take(5), PortLost)
        assert transport.close()

    assert data == bytes(1000)
    assert len(reads) <= 5


def test_a_port_held_by_another_program_is_busy() -> None:
    with Pty() as line:
        port = open_serial(line.path)
        with pytest.raises(OpenFailed) as failed:
            Opener().open(line.path)
        close_port(port)

    assert failed.value.state is LinkState.BUSY
    assert "another program" in str(failed.value)


def test_a_port_that_does_not_exist_is_absent(tmp_path: Path) -> None:
    with pytest.raises(OpenFailed) as failed:
        Opener().open(str(tmp_path / "ttyACM9"))

    assert failed.value.state is LinkState.ABSENT
    assert "does not exist" in failed.value.sentence


def test_a_plain_file_is_no_port(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("x")
    with pytest.raises(OpenFailed) as failed:
        Opener().open(str(path))

    assert failed.value.state is LinkState.REFUSED


@pytest.mark.parametrize(
    ("url", "state", "start"),
    [
        (
            "socket://127.0.0.1:1",
            LinkState.ABSENT,
            "Nothing answers at socket://127.0.0.1:1 (Connection refused): ",
        ),
        (
            "gopher://x",
            LinkState.REFUSED,
            "gopher://x is no URL of a port (invalid URL, protocol 'gopher' not known)",
        ),
        (
            "socket://x",
            LinkState.REFUSED,
            "socket://x is no URL of a port: write socket://HOST:PORT.",
        ),
        ("socket://x:99999", LinkState.REFUSED, "socket://x:99999 is no URL of a port: "),
    ],
)
def test_a_url_nobody_answers_or_knows_is_said_so(url: str, state: LinkState, start: str) -> None:
    with pytest.raises(OpenFailed) as failed:
        Opener().open(url)

    assert failed.value.state is state
    assert failed.value.sentence.startswith(start)


def test_a_missing_permission_names_the_command_that_grants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tty"
    path.touch()
    monkeypatch.setattr(Path, "group", lambda _: "uucp")
    granted = explain(str(path), PermissionError(errno.EACCES, "Permission denied"))

    assert granted.state is LinkState.NO_PERMISSION
    assert "sudo usermod -aG uucp $USER" in granted.sentence


def test_nobody_is_told_to_join_the_group_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "group", lambda _: "root")
    assert "usermod" not in explain("/dev/ttyX", PermissionError(errno.EACCES, "denied")).sentence


def test_a_folder_is_said_to_be_a_folder() -> None:
    failed = explain("/dev", IsADirectoryError(errno.EISDIR, "Is a directory"))
    assert failed.state is LinkState.REFUSED
    assert failed.sentence == "/dev is not a board's port: it is a folder. Name another port."


def test_where_the_group_is_unknown_dialout_is_named() -> None:
    failed = explain("/dev/gone", PermissionError(errno.EACCES, "Permission denied"))

    assert "dialout" in failed.sentence


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (
            "could not open port 'COM3': PermissionError(13, 'Access is denied.', None, 5)",
            LinkState.BUSY,
        ),
        (
            "could not open port 'COM9': FileNotFoundError(2, 'The system cannot find', None, 2)",
            LinkState.ABSENT,
        ),
    ],
)
def test_the_texts_of_windows_are_understood(text: str, state: LinkState) -> None:
    assert explain("COM3", OSError(text)).state is state


def test_opening_that_hangs_gives_up_and_what_opens_late_is_closed() -> None:
    hang, closed = threading.Event(), threading.Event()

    class Late(MutePort):
        def close(self) -> None:
            closed.set()

    def open_port(port: str) -> Port:
        hang.wait(10)
        return Late()

    opener = Opener(open_port, deadline_s=0.02)
    for _ in range(2):  # the second does not start another thread beside the hanging one
        with pytest.raises(OpenFailed, match="did not open within a second"):
            opener.open("/dev/board")
    assert sum(thread.name == "link-driver-call" for thread in threading.enumerate()) == 1
    hang.set()

    assert closed.wait(10)


def test_closing_a_hanging_driver_is_bounded() -> None:
    hang = threading.Event()
    transport = Transport(MutePort(hang=hang), "/dev/board", Mailbox())

    assert not transport.close()
    hang.set()


def test_an_error_that_is_no_system_error_is_a_lost_port_too() -> None:
    class Strange(MutePort):
        def read(self, _size: int = 1, /) -> bytes:
            raise TypeError("'NoneType' object cannot be interpreted as an integer")

    mailbox = Mailbox()
    transport = Transport(Strange(), "/dev/board", mailbox)
    item = mailbox.take(5)
    assert transport.close()

    assert isinstance(item, PortLost)
    assert "TypeError" in item.reason


def test_a_late_job_without_anybody_to_close_it_is_forgotten() -> None:
    hang = threading.Event()
    bounded: OneJob[bool] = OneJob(0.02)
    with pytest.raises(TimeoutError):
        bounded.run(lambda: hang.wait(10))
    hang.set()

    assert OneJob[int](5).run(lambda: 4) == 4


def test_a_full_mailbox_keeps_what_it_has() -> None:
    mailbox = Mailbox(limit=1)
    assert mailbox.offer(Read(1, b"a"), 0.01)
    assert not mailbox.offer(Read(2, b"b"), 0.01)
    mailbox.wake()

    assert mailbox.take(0) == Read(1, b"a")
    assert mailbox.take(0) is None
    mailbox.wake()
    assert mailbox.take(5) is None


def test_a_flood_that_nobody_takes_does_not_keep_a_transport_from_closing() -> None:
    mailbox = Mailbox(limit=1)
    transport = Transport(MutePort(says=bytes(100_000)), "/dev/board", mailbox)

    assert transport.close()
