"""The write-ahead log beside a session file: when it is damaged, and whether it and the file are still those that were
written. SQLite reads a damaged log up to the damage, says nothing, and deletes it at the next clean end, with all that
was saved behind that.

Format: https://www.sqlite.org/fileformat2.html, section 4.
"""

from __future__ import annotations

import errno
import os
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.journal.carve import FRAME_HEADER, PAGE, WAL_HEADER
from companion.journal.disk import DAMAGED, free_name, read_regular, write_private
from companion.journal.untrusted import LARGEST_READ

LONGEST_LOG = 1 << 26  # bytes; SQLite brings the log into the file when it has some 4 million
_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}  # the byte order in which checksums add up
_WORD = (1 << 32) - 1
_Sum = tuple[int, int]


def log_path(session: Path) -> Path:
    """Return where SQLite keeps the write-ahead log of the session file `session`."""
    return Path(f"{session}-wal")


def has_unread(session: Path) -> bool:
    """Return whether the log of the session holds whole transactions that SQLite does not read, because something
    before them is damaged. The rest of a transaction that was never finished is none. Raise `OSError`."""
    try:
        data = read_regular(log_path(session), LARGEST_READ)
    except FileNotFoundError:
        return False
    if len(data) <= WAL_HEADER:
        return False
    order = _MAGIC.get(int.from_bytes(data[:4], "big"), "")
    total = _added(order, (0, 0), data[:24]) if order else None
    if total != struct.unpack(">II", data[24:WAL_HEADER]):
        return any(data)
    broken = False
    for start in range(WAL_HEADER, len(data) - FRAME_HEADER - PAGE + 1, FRAME_HEADER + PAGE):
        head, page = (
            data[start : start + FRAME_HEADER],
            data[start + FRAME_HEADER : start + FRAME_HEADER + PAGE],
        )
        of_this_run = head[8:16] == data[16:24]
        if not broken:
            total = _added(order, _added(order, total, head[:8]), page)
            broken = not of_this_run or total != struct.unpack(">II", head[16:])
        elif of_this_run and any(head[4:8]):  # it ends a transaction
            return True
    return False


def is_cut(session: Path) -> bool:
    """Return whether `has_unread`; what cannot be looked at, or is longer than any log of ours, does not count."""
    try:
        return log_path(session).stat().st_size <= LONGEST_LOG and has_unread(session)
    except OSError:
        return False


def keep_log(session: Path) -> Path:
    """Copy the log of the session beside it, under a name that SQLite leaves alone, and return that once it is on the
    disk. Raise `OSError`."""
    log = log_path(session)
    kept = free_name(log.with_name(log.name + DAMAGED))
    write_private(kept, log.read_bytes())
    return kept


def _added(order: str, total: _Sum, data: bytes) -> _Sum:
    """The checksum of `data` behind that of what stands before it."""
    first, second = total
    for even, odd in struct.iter_unpack(order + "II", data):
        first = (first + even + second) & _WORD
        second = (second + odd + first) & _WORD
    return first, second


class LogGone(OSError):
    """The session file or its log is not the one that was written, or was cut: what it held lies in no file."""


class WatchedFile:
    """The session file and its write-ahead log, as they were at the last write.

    A log is another one when its device or its number is, and was cut when it is shorter than it was: SQLite only
    overwrites it from its beginning. It is held open, so that its number is given to no other file.
    """

    def __init__(self, session: Path) -> None:
        self._session, self._log = session, log_path(session)
        self._identity = _identity(os.stat(session))  # noqa: PTH116  once per commit: no Path in the way
        self._size = 0
        self._held: int | None = None
        self._looking = threading.Lock()
        self.look()

    def look(self) -> None:
        """Return when both are what was written, and take note of how long the log is now; raise `LogGone`. Any thread
        may call this."""
        with self._looking:
            self._look()

    @contextmanager
    def emptied(self) -> Iterator[bool]:
        """Tell whether the log is only empty, which is not another one, and expect so from now on where the block ends
        without an error: what was in it may stand in the file."""
        with self._looking:
            size_before, self._size = self._size, 0
            try:
                self._look()
                yield self._size == 0
            except BaseException:
                self._size = size_before
                raise

    def _look(self) -> None:
        try:
            if _identity(os.stat(self._session)) != self._identity:  # noqa: PTH116
                raise LogGone(errno.ENOENT, "another file stands in its place", str(self._session))
            if self._held is None:  # the first look
                self._held = os.open(self._log, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            held, there = os.fstat(self._held), os.stat(self._log)  # noqa: PTH116
        except FileNotFoundError as error:
            raise LogGone(errno.ENOENT, "removed", str(error.filename)) from error
        if _identity(held) != _identity(there):
            raise LogGone(errno.ENOENT, "another file stands in its place", str(self._log))
        if there.st_size < self._size or (self._size and not any(_beginning(self._held))):
            raise LogGone(errno.ENOENT, "cut", str(self._log))
        self._size = there.st_size

    def close(self) -> None:
        """Hold the log open no longer."""
        if self._held is not None:
            with suppress(OSError):
                os.close(self._held)
        self._held = None


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _beginning(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, WAL_HEADER)  # a hole where that was reads as zeros
