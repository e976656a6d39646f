"""Opening a file that anybody may have made, so that it can neither run anything nor use more time
and memory than its size justifies.

Follows SQLite's advice for such files: https://www.sqlite.org/security.html
"""

from __future__ import annotations

import sqlite3
import stat
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.journal.errors import NotASessionError, SessionDamagedError
from companion.journal.record import LONGEST_RECORD

MOST_BYTES = 1 << 32  # of a session file; an evening has a few megabytes
LARGEST_READ = 1 << 28  # bytes of a file that has to be read into memory as a whole
LOCKED_S = 1.0  # how long a reader waits for another program that has the file locked
STEPS = 10_000  # instructions of SQLite's virtual machine between two checks of the clock
LEAST_S = 1.0  # time allowed for reading any file
# The additional time for a large file: a twentieth of the speed of the slowest machine measured.
BYTES_PER_S = 1 << 20
# The tables and triggers of a session need far less of each:
# https://www.sqlite.org/c3ref/c_limit_attached.html
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: LONGEST_RECORD + 4096,  # a row is its record, digest and key
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 5,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 16,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 10,
}
SIDE_FILES = ("-wal", "-shm", "-journal")

Schema = Mapping[str, tuple[str, str, str | None]]
"""The objects in a database: name -> type, table, SQL."""


def check_kind(path: Path) -> None:
    """Raise a `JournalError` for anything but a regular file, before an open that might block
    forever; raise `OSError` if it cannot be examined."""
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise NotASessionError(f"{path} is a folder: name the session file inside it.")
    if not stat.S_ISREG(status.st_mode):
        raise NotASessionError(
            f"{path} is no file but a pipe, a socket or a device: choose another."
        )
    if status.st_size > MOST_BYTES:
        raise NotASessionError(
            f"{path} is larger than any session ({status.st_size} bytes): choose another."
        )
    for suffix in SIDE_FILES:
        side = Path(f"{path}{suffix}")
        if side.exists() and not side.is_file():
            raise SessionDamagedError(
                f"{side} stands where SQLite keeps a file: move it away, then try again."
            )


def guard(connection: sqlite3.Connection) -> None:
    """Configure SQLite to trust nothing in the file."""
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")


def limit_time(
    connection: sqlite3.Connection, size: int, clock: Callable[[], float] = time.monotonic
) -> None:
    """Interrupt queries with `sqlite3.OperationalError` once they take longer than reading a file
    of `size` bytes should."""
    end = clock() + LEAST_S + size / BYTES_PER_S
    connection.set_progress_handler(lambda: clock() > end, STEPS)


def schema_of(connection: sqlite3.Connection) -> Schema:
    """Return the objects in the database, as many as a session could have."""
    rows = connection.execute(
        "SELECT name, type, tbl_name, sql FROM sqlite_schema LIMIT 32"
    ).fetchall()
    return {name: (kind, table, sql) for name, kind, table, sql in rows}


def check_schema(connection: sqlite3.Connection, ours: Schema) -> None:
    """Raise `SessionDamagedError` unless the table of entries and all other objects are ours.
    Objects of ours may be missing: reading needs no trigger."""
    schema = schema_of(connection)
    if "entries" not in schema:
        raise SessionDamagedError("it has no table of entries")
    foreign = [name for name, definition in schema.items() if ours.get(name) != definition]
    if foreign:
        raise SessionDamagedError(f"something in it is not of a session: {str(foreign[0])[:60]!r}")


def check_table(connection: sqlite3.Connection, ours: Schema) -> None:
    """Raise `SessionDamagedError` unless the table of entries is ours, whatever else is damaged."""
    rows = connection.execute(
        "SELECT type, tbl_name, sql FROM sqlite_schema WHERE name = 'entries' LIMIT 2"
    ).fetchall()
    if rows != [ours["entries"]]:
        raise SessionDamagedError("its table of entries is not that of a session")
