"""The high-water mark beside a session file: how far the record went, and who writes it."""

from __future__ import annotations

import contextlib
import os
import zlib
from pathlib import Path
from typing import BinaryIO, NamedTuple

from companion.journal.disk import create_private, discard, read_regular, require_regular
from companion.journal.errors import SessionBusy
from companion.journal.features import Feature, FolderUnfit
from companion.journal.locks import LockTaken, holder_of, lock

SUFFIX = ".mark"
LONGEST_MARK = 200  # bytes; the one line has 92


class HighWater(NamedTuple):
    """The number and the digest of the last entry that was reported as saved."""

    n: int
    digest: bytes


def mark_path(session: Path) -> Path:
    """Return where the mark of the session file `session` lies."""
    return session.with_name(session.name + SUFFIX)


def refused_at(session: Path, error: BaseException) -> Path:
    """Return what the system refused: the mark beside `session` where the error names it, else the session's file."""
    mark = mark_path(session)
    return mark if isinstance(error, OSError) and error.filename == str(mark) else session


def encode(mark: HighWater) -> bytes:
    """Return the one line of fixed length that a mark file holds: number, digest, CRC-32 of both."""
    text = f"{mark.n:016d} {mark.digest.hex()}"
    return f"{text} {zlib.crc32(text.encode()):08x}\n".encode()


def decode(line: bytes) -> HighWater | None:
    """Return the mark in `line`, or None when it is no undamaged mark."""
    parts = line.split()
    try:
        mark = HighWater(int(parts[0]), bytes.fromhex(parts[1].decode("ascii")))
    except (IndexError, ValueError):
        return None
    return mark if encode(mark) == line else None


def read_mark(session: Path) -> HighWater | None:
    """Return the high-water mark of a session; None when there is none that can be trusted."""
    try:
        return decode(read_regular(mark_path(session), LONGEST_MARK))
    except OSError:
        return None


class MarkFile:
    """The open mark file. Holding it open is the right to write the session: the system gives it to one process at a
    time and takes it back when that process dies. Raise `SessionBusy` when another has it, `FolderUnfit` where the disk
    has no locks, `OSError` for the rest."""

    def __init__(self, session: Path) -> None:
        self._path = mark_path(session)
        self._created = not self._path.exists()
        self._forced = False
        if not self._created:
            require_regular(self._path)
        create_private(self._path)
        descriptor = os.open(self._path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        self._file: BinaryIO = os.fdopen(descriptor, "r+b", buffering=0)
        try:
            lock(self._file)
        except LockTaken as error:
            self._let_go()
            holder = holder_of(self._path) or "another companion"
            raise SessionBusy(
                f"{session} is being written by {holder}: close that one first."
            ) from error
        except OSError as error:
            self.abandon()
            raise FolderUnfit(session.parent, Feature.LOCKS, session) from error

    def read(self) -> HighWater | None:
        """Return the mark, or None when there is none that can be trusted."""
        self._file.seek(0)
        return decode(self._file.read(LONGEST_MARK + 1))

    def write(self, mark: HighWater) -> None:
        """Replace the mark in place. Only the first of a run is forced to the disk: after a power loss the mark may
        lag, and one that lags only notices less; without any, what was never finished would look like a lost end."""
        self._file.seek(0)
        self._file.write(encode(mark))
        if not self._forced:
            os.fsync(self._file.fileno())
            self._forced = True

    def close(self) -> None:
        """Force the mark to the disk and give the right to write back."""
        # a lagging mark is allowed; the entries themselves are forced
        with contextlib.suppress(OSError):
            os.fsync(self._file.fileno())
        self._let_go()

    def abandon(self) -> None:
        """Give the right to write back and leave the disk as it was found."""
        if self._created:
            discard(self._path)  # the file is empty; one left behind is harmless
        self._let_go()

    def _let_go(self) -> None:
        # of a disk that is gone; the system has closed it all the same
        with contextlib.suppress(OSError):
            self._file.close()
