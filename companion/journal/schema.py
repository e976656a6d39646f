"""What the SQLite file of a session holds, the rows of it in the order of the record, and the way from one format of
it to the next.

`entries` has the entries. `gaps` has the numbers whose entries are lost since a repair; both together are numbered from
1 without holes and only grow at their end. `spare` has entry 1 a second time, on a page of its own: without it, nobody
knows what was played.

A step to the next format may change tables, indexes and triggers, never what an entry says: its record is what the
chain of digests holds together. What a later format adds to a record, `record.unseal` reads from older ones with a
default.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from heapq import merge

from companion.journal.errors import SessionDamagedError
from companion.journal.record import LostEntries, Row, StoredEntry

APPLICATION_ID = 0x54434A31  # "TCJ1"; SQLite keeps it at byte 68 of the file
SCHEMA_VERSION = 3  # SQLite keeps it at byte 60 of the file

_NEXT = (
    "1 + max((SELECT coalesce(max(n), 0) FROM entries),"
    " coalesce((SELECT last FROM gaps ORDER BY first DESC LIMIT 1), 0))"
)
SPARE = """CREATE TABLE spare (
    n INTEGER PRIMARY KEY,
    key TEXT,
    digest BLOB NOT NULL,
    record TEXT NOT NULL
)"""
GAPS = """CREATE TABLE gaps (
    first INTEGER PRIMARY KEY,
    last INTEGER NOT NULL CHECK (last >= first),
    digest BLOB NOT NULL,
    wall TEXT NOT NULL,
    why TEXT NOT NULL
)"""
_ENTRIES = """CREATE TABLE entries (
    n INTEGER PRIMARY KEY,
    key TEXT UNIQUE,
    digest BLOB NOT NULL,
    record TEXT NOT NULL
)"""


def _never(table: str, name: str, operation: str, when: str = "") -> str:
    return (
        f"CREATE TRIGGER {table}_{name} BEFORE {operation} ON {table}\n{when}"
        f"BEGIN SELECT raise(ABORT, '{table} are only appended'); END"
    )


# The triggers on INSERT need no pragma, so they also stop the REPLACE of programs that do not set recursive_triggers.
FOLLOW = _never(
    "entries",
    "follow",
    "INSERT",
    f"WHEN NEW.n IS NOT {_NEXT} OR EXISTS (SELECT 1 FROM entries WHERE key = NEW.key)\n",
)
_FIXED = (_never("entries", "stay", "UPDATE"), _never("entries", "remain", "DELETE"))
GAPS_TRIGGERS = (
    _never("gaps", "follow", "INSERT", f"WHEN NEW.first IS NOT {_NEXT}\n"),
    _never("gaps", "stay", "UPDATE"),
    _never("gaps", "remain", "DELETE"),
)
SPARED = """CREATE TRIGGER entries_spared AFTER INSERT ON entries
WHEN NEW.n = 1
BEGIN INSERT INTO spare VALUES (NEW.n, NEW.key, NEW.digest, NEW.record); END"""

# `spare` comes first and `entries` after `gaps`, so that no damage of one page's length reaches both copies of entry 1.
STATEMENTS = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
    SPARE,
    GAPS,
    _ENTRIES,
    FOLLOW,
    *_FIXED,
    *GAPS_TRIGGERS,
    SPARED,
)

FORMAT_1 = (
    _ENTRIES,
    _never(
        "entries",
        "follow",
        "INSERT",
        "WHEN NEW.n IS NOT (SELECT coalesce(max(n), 0) + 1 FROM entries)"
        " OR EXISTS (SELECT 1 FROM entries WHERE key = NEW.key)\n",
    ),
    *_FIXED,
)
"""The statements of the first format, from which `STEPS` go on."""

_INSERT = "INSERT INTO entries (n, key, digest, record) VALUES (?, ?, ?, ?)"
_INSERT_GAP = "INSERT INTO gaps (first, last, digest, wall, why) VALUES (?, ?, ?, ?, ?)"
_SELECT = (
    "SELECT n, key, digest, CAST(record AS BLOB) FROM entries WHERE n BETWEEN ? AND ? ORDER BY n"
)
_SELECT_GAPS = (
    "SELECT first, last, digest, wall, why FROM gaps WHERE last >= ? AND first <= ? ORDER BY first"
)
_HIGHEST = (1 << 63) - 1  # of SQLite's integers


def insert(connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Append `rows`; raise `sqlite3.Error`."""
    for row in rows:
        if isinstance(row, LostEntries):
            connection.execute(_INSERT_GAP, row)
        else:
            connection.execute(_INSERT, (row.n, row.key, row.digest, row.record.decode("ascii")))


def rows_between(
    connection: sqlite3.Connection, first: int, last: int | None = None
) -> Iterator[Row]:
    """Yield what the file holds of numbers `first` to `last` (None: to the end), in order; gaps are not cut to that.
    Raise `sqlite3.Error`."""
    ends = (first, _HIGHEST if last is None else last)
    entries = (StoredEntry(*row) for row in connection.execute(_SELECT, ends))
    gaps = (LostEntries(*row) for row in connection.execute(_SELECT_GAPS, ends))
    return merge(entries, gaps, key=lambda row: row[0])


def last_number(connection: sqlite3.Connection) -> int:
    """Return the highest number that the file holds, 0 where it has none; raise `sqlite3.Error`."""
    (following,) = connection.execute(f"SELECT {_NEXT}").fetchone()
    return int(following) - 1


def digest_at(connection: sqlite3.Connection, n: int) -> bytes | None:
    """Return the digest that stands at number `n`, None where none does; raise `sqlite3.Error`."""
    row = connection.execute(
        "SELECT digest FROM entries WHERE n = ? UNION ALL SELECT digest FROM gaps WHERE last = ? LIMIT 1",
        (n, n),
    ).fetchone()
    return row[0] if row is not None else None


STEPS: dict[int, tuple[str, ...]] = {
    1: (
        SPARE,
        "INSERT INTO spare SELECT n, key, digest, record FROM entries WHERE n = 1",
        GAPS,
        "DROP TRIGGER entries_follow",
        FOLLOW,
        *GAPS_TRIGGERS,
        SPARED,
    ),
    2: (),  # entries are salted from here on; those that stand keep their text, and the rule they are chained by
}
"""Format -> the statements that make the next one of it. A file of each format lies in `tests/fixtures/journal`."""


def reads_alike(version: int, target: int) -> bool:
    """Return whether the tables of format `version` are those of `target`, so that a reader needs no copy of them."""
    return all(STEPS.get(step) == () for step in range(version, target))


def upgrade(connection: sqlite3.Connection, target: int) -> None:
    """Bring the file to format `target` in one transaction, or leave it as it is; `connection` begins none by itself.
    Raise `SessionDamagedError` for a format that no step leads on from, and for a step that would change an entry."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == target:
        return
    if version > target or any(step not in STEPS for step in range(version, target)):
        raise SessionDamagedError(f"format {version} was never in use")
    connection.execute("BEGIN IMMEDIATE")
    try:
        before = _fingerprint(connection)
        for step in range(version, target):
            for statement in STEPS[step]:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {target}")
        if _fingerprint(connection) != before:
            raise SessionDamagedError(
                f"its entries would not survive the way from format {version} to {target}"
            )
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


@contextmanager
def upgraded(connection: sqlite3.Connection, target: int) -> Iterator[sqlite3.Connection]:
    """A copy of the session in memory, in format `target`; the file stays as it is."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as memory:
        connection.backup(memory)
        upgrade(memory, target)
        yield memory


def _fingerprint(connection: sqlite3.Connection) -> bytes:
    digest = hashlib.sha256()
    for row in connection.execute(
        "SELECT n, key, digest, CAST(record AS BLOB) FROM entries ORDER BY n"
    ):
        digest.update(repr(row).encode())
    return digest.digest()
