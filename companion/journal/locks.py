"""The lock on a file, which one process at a time can have."""

from __future__ import annotations

from typing import BinaryIO

from companion.system import file_locks


class LockTaken(OSError):
    """Another process has the lock."""


def lock(file: BinaryIO) -> None:
    """Lock the open file for this process until it is closed or the process ends; others can still
    read it. Raise `LockTaken` if another process has it, `OSError` if the disk has no locks."""
    try:
        file_locks.lock(file.fileno())
    except OSError as error:
        if error.errno in file_locks.TAKEN:
            raise LockTaken(error.errno, error.strerror) from error
        raise
