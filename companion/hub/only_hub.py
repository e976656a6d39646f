"""The lock on a SQLite file, which one hub may serve at a time: pages learn nothing of another hub's commits."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from companion.errors import CommandError, ErrorKind, writing
from companion.journal.disk import create_private
from companion.journal.locks import LockTaken, lock
from companion.system.lock_holders import Holder, holder_of

LONGEST_NOTE: Final = 200  # bytes: an address and a process number


@contextmanager
def only_hub(database: Path | None) -> Iterator[Callable[[str], None]]:
    """Hold the lock until the block ends or the process dies, and yield a function that notes this hub's address for
    others that try. Raise `CommandError` if another hub has it. A database that is no file (None) has no lock."""
    if database is None:
        yield lambda _address: None
        return
    database = database.resolve()
    # a file of its own: closing the database's would release SQLite's locks (POSIX)
    lock_path = database.with_name(f"{database.name}.lock")
    with writing(lock_path):
        create_private(lock_path)
        file = lock_path.open("r+b", buffering=0)
    with file:
        try:
            lock(file)
        except LockTaken as problem:
            file.seek(0)
            noted = file.read(LONGEST_NOTE).decode(errors="replace")
            raise CommandError(
                _taken(database, noted, holder_of(lock_path)), ErrorKind.BUSY
            ) from problem
        except OSError as problem:
            raise CommandError(
                f"{lock_path} cannot be locked: {problem.strerror}.", ErrorKind.CANNOT_CREATE
            ) from problem

        def note(*parts: str) -> None:
            file.seek(0)
            file.truncate()
            file.write(", ".join([*parts, f"process {os.getpid()}"]).encode())

        note()
        yield note


def _taken(database: Path, noted: str, holder: Holder | None) -> str:
    """Say which hub has the database. The holder of the lock wrote the note; the system knows its process."""
    by = noted
    if holder is not None:
        # the system's name for the process replaces the number in the note
        address = noted.rpartition("process ")[0]
        by = f"{address}{holder}"
    if by:
        by = f": {by}"
    then = "End that one first, or name another file: --database sqlite:///FILE"
    return f"Another hub has {database} open{by}. {then}"
