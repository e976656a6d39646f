"""From one format of the session file to the next.

A step may change tables, indexes and triggers, never what an entry says: its record is what the chain of digests holds
together. What a later format adds to a record, `record.unseal` reads from older ones with a default.
"""

from __future__ import annotations

import hashlib
import sqlite3

from companion.journal import schema
from companion.journal.errors import SessionDamagedError

STEPS: dict[int, tuple[str, ...]] = {
    1: (
        schema.SPARE,
        "INSERT INTO spare SELECT n, key, digest, record FROM entries WHERE n = 1",
        schema.GAPS,
        "DROP TRIGGER entries_follow",
        schema.FOLLOW,
        *schema.GAPS_TRIGGERS,
        schema.SPARED,
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
            raise SessionDamagedError(f"its entries would not survive the way from format {version} to {target}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def upgraded(connection: sqlite3.Connection, target: int) -> sqlite3.Connection:
    """Return a copy of the session in memory, in format `target`; the file stays as it is."""
    memory = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.backup(memory)
        upgrade(memory, target)
    except BaseException:
        memory.close()
        raise
    return memory


def _fingerprint(connection: sqlite3.Connection) -> bytes:
    digest = hashlib.sha256()
    for row in connection.execute("SELECT n, key, digest, CAST(record AS BLOB) FROM entries ORDER BY n"):
        digest.update(repr(row).encode())
    return digest.digest()
