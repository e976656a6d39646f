"""The two files that hold what was saved, watched: whether they are still those that were written."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.journal.log import log_path

_HEADER = 32  # bytes at the beginning of a write-ahead log; a hole where they were reads as zeros


class LogGone(OSError):  # noqa: N818  a state of the files, not a fault
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
            before, self._size = self._size, 0
            try:
                self._look()
                yield self._size == 0
            except BaseException:
                self._size = before
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
    return os.read(descriptor, _HEADER)
