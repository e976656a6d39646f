"""The high-water mark beside a session file: how far the record was saved, and the lock that grants
writing."""

from __future__ import annotations

import contextlib
import os
import zlib
from pathlib import Path
from typing import BinaryIO, NamedTuple

from companion.journal.disk import create_private, read_regular, require_regular
from companion.journal.errors import SessionBusy
from companion.journal.features import Feature, FolderUnfit
from companion.journal.locks import LockTaken, lock
from companion.system.files import BINARY, delete_open
from companion.system.lock_holders import holder_of

SUFFIX = ".mark"
LONGEST_MARK = 200  # bytes; the one line has 92


class HighWater(NamedTuple):
    """The number and the digest of the last entry that was reported as saved."""

    n: int
    digest: bytes


def mark_path(session: Path) -> Path:
    """Return the path of the mark of `session`."""
    return session.with_name(session.name + SUFFIX)


def refused_at(session: Path, error: BaseException) -> Path:
    """Return the path that the system refused: the mark beside `session` if the error names it,
    else the session file."""
    mark = mark_path(session)
    return mark if isinstance(error, OSError) and error.filename == str(mark) else session


def encode(mark: HighWater) -> bytes:
    """Return the content of a mark file, one line of fixed length: number, digest, CRC-32 of both."""
    text = f"{mark.n:016d} {mark.digest.hex()}"
    return f"{text} {zlib.crc32(text.encode()):08x}\n".encode()


def decode(line: bytes) -> HighWater | None:
    """Return the mark in `line`, or None if it is damaged."""
    parts = line.split()
    try:
        mark = HighWater(int(parts[0]), bytes.fromhex(parts[1].decode("ascii")))
    except (IndexError, ValueError):
        return None
    return mark if encode(mark) == line else None


def read_mark(session: Path) -> HighWater | None:
    """Return the high-water mark of a session, or None if there is none that can be trusted."""
    try:
        return decode(read_regular(mark_path(session), LONGEST_MARK))
    except OSError:
        return None


class MarkFile:
    """The open mark file, whose lock is the right to write the session: the system grants it to one
    process at a time, and releases it when that process ends.

    Raise `SessionBusy` if another process has it, `FolderUnfit` if the disk has no locks, `OSError`
    for other errors.
    """

    def __init__(self, session: Path) -> None:
        self._path = mark_path(session)
        self._created = not self._path.exists()
        self._forced = False
        if not self._created:
            require_regular(self._path)
        create_private(self._path)
        descriptor = os.open(self._path, os.O_RDWR | BINARY)
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
        """Return the mark, or None if there is none that can be trusted."""
        self._file.seek(0)
        return decode(self._file.read(LONGEST_MARK + 1))

    def write(self, mark: HighWater) -> None:
        """Overwrite the mark. Only the first write of a run is forced to the disk: after a power
        loss the mark may lag, which only means that less is detected; but without any mark, an
        unfinished session would look as if its end were lost."""
        self._file.seek(0)
        self._file.write(encode(mark))
        if not self._forced:
            os.fsync(self._file.fileno())
            self._forced = True

    def close(self) -> None:
        """Force the mark to the disk and release the right to write."""
        # A mark may lag; the entries themselves were forced to the disk.
        with contextlib.suppress(OSError):
            os.fsync(self._file.fileno())
        self._let_go()

    def abandon(self) -> None:
        """Release the right to write; delete the mark file if this object created it."""
        if self._created:
            # It is empty, and harmless if it cannot be deleted.
            delete_open(self._path, self._let_go)
        else:
            self._let_go()

    def _let_go(self) -> None:
        # If the disk is gone, closing fails, but the system has closed the descriptor anyway.
        with contextlib.suppress(OSError):
            self._file.close()
