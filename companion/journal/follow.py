"""Following a session that another process writes: its new entries, without the right to write."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from companion.journal.entries import Entry
from companion.journal.errors import SessionDamagedError, SessionDeniedError
from companion.journal.mark import HighWater, read_mark
from companion.journal.pages import Entries
from companion.journal.record import FIRST_DIGEST, read_chain
from companion.journal.schema import rows_between
from companion.journal.store import TRIES, lacking_in, read_span, reading

T = TypeVar("T")


class Follower:
    """A reader of a growing session. It holds no file open between two reads, so it never blocks
    the writer, neither at a checkpoint nor when it closes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seen = HighWater(0, FIRST_DIGEST)
        """The last entry that was returned."""
        self.entries = Entries(
            lambda first, last: _in_some_tries(partial(read_span, path, first, last))
        )
        """All that were returned; old ones are read from the disk again, which may raise `JournalError`."""

    @property
    def news(self) -> bool:
        """Whether there may be new entries; False only if the writer's mark is the last entry seen."""
        # The writer updates the mark after each commit; nothing is cheaper to check.
        return read_mark(self.path) != self.seen

    def begin(self) -> str | None:
        """Read for the first time; return a sentence without a full stop on what is missing of what
        was once saved, or None. Raise `JournalError`."""
        mark = read_mark(self.path)
        self.poll()
        return lacking_in(self.path, self.entries, mark)

    def poll(self) -> tuple[Entry, ...]:
        """Return the entries saved since the last call, in order; raise `JournalError`."""
        if not self.news:
            return ()
        new = _in_some_tries(self._read)
        if new:
            self.seen = HighWater(new[-1].n, new[-1].digest)
            self.entries.extend(new)
            self.entries.saved(self.seen.n)
        return new

    def _read(self) -> tuple[Entry, ...]:
        seen = self.seen
        with reading(self.path) as connection:
            rows = list(rows_between(connection, max(seen.n, 1)))
            if seen.n:
                # The first row is the last entry seen, read again to verify that it is still there.
                again = rows.pop(0) if rows else None
                if again is None or (again.n, again.digest) != seen:
                    raise SessionDamagedError(f"entry {seen.n} is no longer the one that was seen")
            return tuple(read_chain(rows, seen.n, seen.digest))


def _in_some_tries(attempt: Callable[[], T]) -> T:
    """Call `attempt` up to `TRIES` times; the writer may be creating or deleting the log at that
    moment."""
    for _ in range(TRIES - 1):
        with suppress(SessionDamagedError, SessionDeniedError):
            return attempt()
    return attempt()
