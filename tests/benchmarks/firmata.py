"""PyPI's pyfirmata2 reading digital reports from memory, as a Firmata host handles an edge, which has no time stamp."""

from __future__ import annotations

from typing import Any, Self

DIGITAL_MESSAGE = 0x90


class _Bytes:
    """A serial port whose bytes are all available at once."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def read(self, size: int = 1) -> bytes:
        """Return the next bytes."""
        self._at += size
        return self._data[self._at - size : self._at]

    def write(self, data: bytes) -> None:
        """Discard what is written."""

    def close(self) -> None:
        """Do nothing."""

    def rewind(self) -> None:
        """Start again from the first byte."""
        self._at = 0


class FirmataReader:
    """A pyfirmata2 board without its port, its sampling thread and its wait of five seconds."""

    def __init__(self, board: Any, port: _Bytes, count: int) -> None:
        self._board = board
        self._port = port
        self._count = count

    @classmethod
    def of(cls, count: int) -> Self | None:
        """Return a reader of `count` reports, or None if the package is missing."""
        try:
            import pyfirmata2  # type: ignore[import-not-found,unused-ignore]
        except ImportError:
            return None
        board = object.__new__(pyfirmata2.Board)
        port = _Bytes(
            b"".join(
                bytes((DIGITAL_MESSAGE | number % 2, number & 0x7F, 0)) for number in range(count)
            )
        )
        board.sp, board.samplerThread, board.name = port, None, "memory"
        board.setup_layout(pyfirmata2.BOARDS["arduino"])
        return cls(board, port, count)

    def read(self) -> None:
        """Read all of it."""
        self._port.rewind()
        for _ in range(self._count):
            self._board.iterate()
