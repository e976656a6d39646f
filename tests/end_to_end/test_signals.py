"""SIGTERM and a terminal that goes away, on a real pty: the terminal is as it was, and the session's file is closed."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.journal.folder import sessions_dir
from companion.journal.store import read_entries
from tests.end_to_end.parts import TIMEOUT_S

if sys.platform == "win32":
    pytest.skip("Windows has neither", allow_module_level=True)

import fcntl
import pty
import struct
import termios

# What a program on the whole screen takes, and gives back: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
ALTERNATE, NORMAL = b"\x1b[?1049h", b"\x1b[?1049l"
CURSOR, MOUSE = (b"\x1b[?25l", b"\x1b[?25h"), (b"\x1b[?1003h", b"\x1b[?1003l")


class OnPty:
    """The program on a pseudo-terminal of 80 by 24."""

    def __init__(self, *arguments: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        environment = {**os.environ, "TERM": "xterm-256color"}
        command = [sys.executable, "-m", "companion", *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        self.seen = b""

    def read_until(self, words: bytes) -> None:
        deadline = time.monotonic() + TIMEOUT_S
        while words not in self.seen:
            assert time.monotonic() < deadline, self.seen[-2000:]
            self._read(0.2)

    def read_again_until(self, words: bytes) -> None:
        """Read until `words` are written once more."""
        before, self.seen = self.seen, b""
        try:
            self.read_until(words)
        finally:
            self.seen = before + self.seen

    def send(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def ended(self) -> int:
        deadline = time.monotonic() + TIMEOUT_S
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.seen[-2000:]
            self._read(0.1)
        while self._read(0.0):
            pass
        return self.process.returncode

    def stopped(self) -> None:
        """Read until the process is stopped; if nobody reads, the pty fills up and it waits in a write."""
        deadline = time.monotonic() + TIMEOUT_S
        while os.waitpid(self.process.pid, os.WUNTRACED | os.WNOHANG) == (0, 0):
            assert time.monotonic() < deadline, self.seen[-2000:]
            self._read(0.1)

    def _read(self, patience_s: float) -> bool:
        ready, _, _ = select.select([self.master], [], [], patience_s)
        if ready:
            with suppress(OSError):
                self.seen += os.read(self.master, 65536)
        return bool(ready)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for handle in (self.master, self.slave):
            with suppress(OSError):
                os.close(handle)


@pytest.fixture
def playing() -> Iterator[OnPty]:
    opened = OnPty("play", "panic-fire", "--seats", "red,blue", "--port", "none")
    opened.read_until(ALTERNATE)
    opened.read_until(b"saved")
    yield opened
    opened.close()


def is_closed(folder: Path) -> bool:
    """Return whether the session in `folder` is one readable file, with nothing left in a log."""
    (path,) = folder.glob("*.sqlite")
    return not Path(f"{path}-wal").exists() and bool(read_entries(path))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_a_clean_terminal_and_a_closed_file(
    playing: OnPty, number: signal.Signals
) -> None:
    playing.process.send_signal(number)
    assert playing.ended() == 128 + number
    assert playing.seen.rindex(NORMAL) > playing.seen.rindex(ALTERNATE)
    for taken, given_back in (CURSOR, MOUSE):
        assert playing.seen.rindex(given_back) > playing.seen.rindex(taken)
    assert termios.tcgetattr(playing.slave) == playing.before
    assert b"Traceback" not in playing.seen
    assert is_closed(sessions_dir())


def test_a_terminal_that_is_closed_costs_nothing(playing: OnPty) -> None:
    os.close(playing.slave)
    os.close(playing.master)
    playing.process.send_signal(signal.SIGHUP)
    playing.process.wait(TIMEOUT_S)
    assert is_closed(sessions_dir())


def test_plain_lines_end_with_a_closed_file_too() -> None:
    command = [sys.executable, "-m", "companion", "play", "panic-fire", "--port", "none"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert any("starts" in line for line in process.stdout)
        process.terminate()
        assert process.wait(TIMEOUT_S) == 128 + signal.SIGTERM
    assert is_closed(sessions_dir())
