"""The write-ahead log beside a session file: whether it is damaged, and whether it and the file are
still the ones that were written. SQLite silently reads a damaged log up to the damage, and deletes
it when the session is closed, with all that was saved after the damage.

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
from companion.system.files import BINARY

LONGEST_LOG = 1 << 26  # bytes; SQLite merges the log into the file at about 4 million
_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}  # the byte order in which checksums add up
_WORD = (1 << 32) - 1
_Sum = tuple[int, int]


def log_path(session: Path) -> Path:
    """Return the path of SQLite's write-ahead log of `session`."""
    return Path(f"{session}-wal")


def has_unread(session: Path) -> bool:
    """Return whether the log contains whole transactions that SQLite does not read, because
    something before them is damaged. An unfinished transaction at the end does not count. Raise
    `OSError`."""
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
    """Return `has_unread`, or False if the log cannot be read or is longer than any log of ours."""
    try:
        return log_path(session).stat().st_size <= LONGEST_LOG and has_unread(session)
    except OSError:
        return False


def keep_log(session: Path) -> Path:
    """Copy the log of the session under a name that SQLite ignores, and return that path once the
    copy is on the disk. Raise `OSError`."""
    log = log_path(session)
    kept = free_name(log.with_name(log.name + DAMAGED))
    write_private(kept, log.read_bytes())
    return kept


def _added(order: str, total: _Sum, data: bytes) -> _Sum:
    """Return the running checksum `total` continued over `data`."""
    first, second = total
    for even, odd in struct.iter_unpack(order + "II", data):
        first = (first + even + second) & _WORD
        second = (second + odd + first) & _WORD
    return first, second


class LogGone(OSError):
    """The session file or its log is not the one that was written, or was truncated: its entries
    may be lost."""


class WatchedFile:
    """The session file and its write-ahead log as they were at the last write.

    A log is another one if its device or its inode number changed, and was truncated if it is
    shorter than it was: SQLite only overwrites it from the beginning. It is held open, so that no
    other file gets its inode number.
    """

    def __init__(self, session: Path) -> None:
        self._session, self._log = session, log_path(session)
        self._identity = _identity(os.stat(session))  # noqa: PTH116  once per commit: no Path in the way
        self._size = 0
        self._held: int | None = None
        self._looking = threading.Lock()
        self.look()

    def look(self) -> None:
        """Check that both files are those that were written, and note the length of the log; raise
        `LogGone`. May be called from any thread."""
        with self._looking:
            self._look()

    @contextmanager
    def emptied(self) -> Iterator[bool]:
        """Yield whether the log is the same file and empty. If the block ends without an error, an
        empty log is accepted from now on: its content may have been merged into the file."""
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
            if self._held is None:  # the first check
                self._held = os.open(self._log, os.O_RDONLY | BINARY)
            held, there = os.fstat(self._held), os.stat(self._log)  # noqa: PTH116
        except FileNotFoundError as error:
            raise LogGone(errno.ENOENT, "removed", str(error.filename)) from error
        if _identity(held) != _identity(there):
            raise LogGone(errno.ENOENT, "another file stands in its place", str(self._log))
        if there.st_size < self._size or (self._size and not any(_beginning(self._held))):
            raise LogGone(errno.ENOENT, "cut", str(self._log))
        self._size = there.st_size

    def close(self) -> None:
        """Stop holding the log open."""
        if self._held is not None:
            with suppress(OSError):
                os.close(self._held)
        self._held = None


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _beginning(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, WAL_HEADER)  # zeros if the header was cut and the log grew again
