"""The tables of a session file, their rows in the order of the record, and the upgrades between
formats.

`entries` holds the entries. `gaps` holds the numbers lost before a repair. Together they are
numbered from 1 without holes and only grow at the end. `spare` holds a second copy of entry 1 on a
page of its own, because without entry 1 nobody knows which game was played.

An upgrade may change tables, indexes and triggers, but never the text of an entry: the chain of
digests is computed over it. Fields that a later format adds to a record get a default in
`record.unseal`.
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


# REPLACE fires the triggers on DELETE only if `recursive_triggers` is set, which other programs do
# not do; the triggers on INSERT stop it without that.
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

# `spare` comes first and `entries` after `gaps`: damage of one page's length cannot reach both copies
# of entry 1.
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
"""The statements of the first format; `STEPS` continue from it."""

_INSERT = "INSERT INTO entries (n, key, digest, record) VALUES (?, ?, ?, ?)"
_INSERT_GAP = "INSERT INTO gaps (first, last, digest, wall, why) VALUES (?, ?, ?, ?, ?)"
_SELECT = (
    "SELECT n, key, digest, CAST(record AS BLOB) FROM entries WHERE n BETWEEN ? AND ? ORDER BY n"
)
_SELECT_GAPS = (
    "SELECT first, last, digest, wall, why FROM gaps WHERE last >= ? AND first <= ? ORDER BY first"
)
_HIGHEST = (1 << 63) - 1  # SQLite's largest integer


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
    """Yield the rows of numbers `first` to `last` (None: to the end) in order; a gap is yielded
    whole even if only a part of it is asked for. Raise `sqlite3.Error`."""
    ends = (first, _HIGHEST if last is None else last)
    entries = (StoredEntry(*row) for row in connection.execute(_SELECT, ends))
    gaps = (LostEntries(*row) for row in connection.execute(_SELECT_GAPS, ends))
    return merge(entries, gaps, key=lambda row: row[0])


def last_number(connection: sqlite3.Connection) -> int:
    """Return the highest number in the file, or 0 if it is empty; raise `sqlite3.Error`."""
    (following,) = connection.execute(f"SELECT {_NEXT}").fetchone()
    return int(following) - 1


def digest_at(connection: sqlite3.Connection, n: int) -> bytes | None:
    """Return the digest of entry `n`, or None if the file does not have it; raise `sqlite3.Error`."""
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
    # New entries are salted; older ones keep their text and are chained as before.
    2: (),
}
"""The statements that upgrade a format to the next one, by format. `tests/fixtures/journal` has a
file of each format."""


def reads_alike(version: int, target: int) -> bool:
    """Return whether formats `version` and `target` have the same tables, so that a reader needs no
    upgraded copy."""
    return all(STEPS.get(step) == () for step in range(version, target))


def upgrade(connection: sqlite3.Connection, target: int) -> None:
    """Upgrade the file to format `target` in one transaction, or leave it unchanged. `connection`
    must not open transactions by itself. Raise `SessionDamagedError` for an unknown format, and if
    an upgrade would change an entry."""
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
    """Yield an in-memory copy of the session in format `target`; the file is not changed."""
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
