"""What a session file says before its record is read and checked."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from companion.journal.entries import Entry
from companion.journal.errors import SessionDamagedError
from companion.journal.record import unseal
from companion.journal.store import reading


class Head(NamedTuple):
    """The first entry of a session, and how many entries there are."""

    first: Entry
    entries: int


def head_of(path: Path) -> Head:
    """Return the head of the session at `path`, its digests not checked; raise `JournalError`."""
    with reading(path) as connection:
        row = connection.execute("SELECT CAST(record AS BLOB), digest FROM entries WHERE n = 1").fetchone()
        (last,) = connection.execute("SELECT coalesce(max(n), 0) FROM entries").fetchone()
        try:
            return Head(unseal(*row), int(last))
        except (ValueError, TypeError) as error:
            raise SessionDamagedError("its first entry cannot be read") from error


def last_of_kind(path: Path, kind: str) -> Entry | None:
    """Return the last entry of a kind, its digest not checked; None when there is none. Raise `JournalError`."""
    with reading(path) as connection:
        # The plain search: it spares most entries being read as JSON.
        rows = connection.execute(
            "SELECT CAST(record AS BLOB), digest FROM entries WHERE instr(record, ?) ORDER BY n DESC",
            (f'"kind":"{kind}"',),
        )
        try:
            return next((entry for row in rows if (entry := unseal(*row)).kind == kind), None)
        except (ValueError, TypeError) as error:
            raise SessionDamagedError(f"an entry of the kind {kind} cannot be read") from error
