"""The right to serve a SQLite file, which one hub has at a time: its pages hear of nothing that another one commits."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from companion.exits import CommandError, Exit, writing
from companion.journal.disk import create_private
from companion.journal.mark import lock

LONGEST_NOTE: Final = 200  # bytes; an address and the number of a process


@contextmanager
def only_hub(database: Path | None) -> Iterator[Callable[[str], None]]:
    """Have the right until the block ends or the process dies, and yield what notes the address of this hub for whoever
    wants it as well. Raise `CommandError` where another hub has it. For a database that is no file (None) any number of
    hubs have it."""
    if database is None:
        yield lambda _address: None
        return
    database = database.resolve()
    beside = database.with_name(f"{database.name}.lock")  # closing the file itself would take SQLite's own locks away
    with writing(beside):
        create_private(beside)
        file = beside.open("r+b", buffering=0)
    with file:
        try:
            lock(file)
        except OSError as problem:
            file.seek(0)
            who = file.read(LONGEST_NOTE).decode(errors="replace")
            then = "End that one first, or name another file: --database sqlite:///FILE"
            raise CommandError(f"Another hub ({who}) has {database} open. {then}", Exit.BUSY) from problem

        def note(*words: str) -> None:
            file.seek(0)
            file.truncate()
            file.write(", ".join([*words, f"process {os.getpid()}"]).encode())

        note()
        yield note
