"""Simulated ports: a board behind an in-memory port, and ports that fail."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable

from companion.link.transport import Port
from tests.link.fake_board import FakeBoard


class BoardPort:
    """A port with a fake board behind it, which runs in the real time of its readers."""

    def __init__(self, cable: Cable) -> None:
        self.timeout: float | None = 0.05
        self._cable = cable
        self._buffer = bytearray()
        self._changed = threading.Condition()
        self.closed = False

    @property
    def in_waiting(self) -> int:
        return len(self._buffer)

    def read(self, size: int = 1, /) -> bytes:
        deadline = time.monotonic() + (self.timeout or 0)
        with self._changed:
            while not self._buffer:
                self._pull()
                left = deadline - time.monotonic()
                if self._buffer or left <= 0:
                    break
                self._changed.wait(min(left, 0.005))
            data = bytes(self._buffer[:size])
            del self._buffer[:size]
            return data

    def write(self, data: bytes, /) -> int | None:
        with self._changed:
            self._check()
            with self._cable.board_at_now() as board:
                board.receive(data)
            self._pull()
            self._changed.notify_all()
        return len(data)

    def close(self) -> None:
        self.closed = True
        self._cable.closed(self)

    def _pull(self) -> None:
        self._check()
        with self._cable.board_at_now() as board:
            board.poll()
            self._buffer += board.take()

    def _check(self) -> None:
        if self.closed or self._cable.port is not self:
            raise OSError(errno.EIO, "Input/output error")


class _AtNow:
    def __init__(self, cable: Cable) -> None:
        self._cable = cable

    def __enter__(self) -> FakeBoard:
        self._cable.lock.acquire()
        self._cable.board.now_us = time.monotonic_ns() // 1_000 - self._cable.booted_us
        return self._cable.board

    def __exit__(self, *_: object) -> None:
        self._cable.lock.release()


class Cable:
    """Joins a board to the computer: `open` is the opener for a link; unplugged, the port does not exist."""

    def __init__(self, board: FakeBoard | None = None) -> None:
        self.board = FakeBoard() if board is None else board
        self.lock = threading.RLock()
        self.port: BoardPort | None = None
        self.plugged = True
        self.opened = 0
        self.booted_us = time.monotonic_ns() // 1_000 - 5_000_000

    def open(self, port: str) -> Port:
        if not self.plugged:
            raise OSError(errno.ENOENT, "No such file or directory", port)
        if self.port is not None:
            raise OSError(errno.EBUSY, "Device or resource busy", port)
        self.opened += 1
        self.port = BoardPort(self)
        return self.port

    def closed(self, port: BoardPort) -> None:
        if self.port is port:
            self.port = None

    def unplug(self) -> None:
        self.plugged = False
        self.port = None

    def plug(self) -> None:
        self.plugged = True

    def power_cycle(self, boot_id: int) -> None:
        with self.lock:
            self.board.power_cycle(boot_id)
            self.booted_us = time.monotonic_ns() // 1_000

    def board_at_now(self) -> _AtNow:
        return _AtNow(self)

    def press(self, times: int = 1) -> None:
        with self.board_at_now() as board:
            for _ in range(times):
                board.now_us += 1
                board.press()


class MutePort:
    """A device that sends `says` once and then nothing; its `close` can be made to hang."""

    def __init__(self, says: bytes = b"", hang: threading.Event | None = None) -> None:
        self.timeout: float | None = 0.05
        self._says = bytearray(says)
        self._hang = hang
        self._closed = threading.Event()
        self.written = b""

    @property
    def in_waiting(self) -> int:
        return len(self._says)

    def read(self, size: int = 1, /) -> bytes:
        if not self._says:
            self._closed.wait(self.timeout)
        data = bytes(self._says[:size])
        del self._says[:size]
        return data

    def write(self, data: bytes, /) -> int | None:
        self.written += data
        return len(data)

    def close(self) -> None:
        self._closed.set()
        if self._hang is not None:
            self._hang.wait(10)


def failing(error: Exception) -> Callable[[str], Port]:
    """Return an opener that always raises."""

    def open_port(port: str) -> Port:
        raise error

    return open_port
