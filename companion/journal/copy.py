"""Copies of a session file: the verified backup beside it, made when the session is closed
properly, and a second copy in another folder, made during play."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from companion.journal.disk import (
    PRIVATE,
    create_private,
    discard,
    force_to_disk,
    free_name,
    make_private,
    sync_folder,
    take_place,
    write_private,
)
from companion.journal.errors import JournalError, NotWritten, SessionDamagedError
from companion.journal.folder import typed_name
from companion.journal.mark import HighWater, MarkFile, encode, mark_path, refused_at
from companion.journal.store import read_entries, reading
from companion.journal.trouble import why
from companion.program import PROGRAM

SUFFIX = ".backup"


def backup_path(session: Path) -> Path:
    """Return the path of the backup of `session`; it need not exist."""
    return session.with_name(session.name + SUFFIX)


def keep_copy(session: Path) -> HighWater:
    """Back up `session` beside it after reading its whole chain again; return its last entry.

    Nobody may write the session meanwhile. The old backup stays until the new one is verified; if
    it is not a beginning of the new one, it is kept beside it. Raise `SessionBusy`, `NotWritten` if
    the copy cannot be written, or another `JournalError` if the session itself cannot be read.
    """
    new = session.with_name(session.name + SUFFIX + "-new")
    try:
        mark = MarkFile(session)
        try:
            head = _copy(session, new)
            _set_aside(backup_path(session), new)
            take_place(new, backup_path(session))
            sync_folder(session.parent)
            return head
        finally:
            discard(new)
            mark.abandon()
    except (sqlite3.Error, OSError) as error:
        raise _not_made(session, error) from error


def second_copy_path(folder: Path, session: Path, first: bytes) -> Path:
    """Return the path in `folder` of the second copy of `session`, whose first entry has the digest
    `first`: sessions of two tables may have the same file name."""
    tail = f"-{first.hex()[:8]}"
    return folder / f"{session.stem.removesuffix(tail)}{tail}{session.suffix}"


def write_second_copy(content: bytes, last: HighWater, copy: Path) -> None:
    """Write `content`, the image of a session in play that ends with `last`, and its mark to
    `copy`, readable by this user only.

    An existing file is replaced as a whole; if it is not a beginning of the new one, it is kept
    beside it. Raise `NotWritten`.
    """
    new = copy.with_name(f"{copy.name}-new")
    try:
        discard(new)
        create_private(new, PRIVATE)
        new.write_bytes(content)
        force_to_disk(new)
        _set_aside(copy, new)
        take_place(new, copy)
        # The mark after the file: a mark that lags only detects less, one that is ahead would report a loss.
        write_private(mark_path(copy), encode(last), PRIVATE)
        sync_folder(copy.parent)
    except OSError as error:
        discard(new)
        raise NotWritten(
            f"No second copy is kept in {copy.parent}, because {why(error)}."
        ) from error


def bring_home(copy: Path, folder: Path) -> Path:
    """Copy a session from the folder of second copies into `folder`, with its mark, and return its
    new path. Raise `NotWritten` if a session of that name exists there, else another
    `JournalError`."""
    home = folder / copy.name
    if home.exists():
        there = f"`{PROGRAM} resume {typed_name(home)}`, or move that file away first"
        raise NotWritten(f"{home.name} is on this laptop already: {there}.")
    with reading(copy) as connection:
        connection.execute("BEGIN")
        last, content = _last(connection), connection.serialize()
        connection.execute("COMMIT")
    try:
        make_private(folder)
        write_private(home, content, PRIVATE)
        write_private(mark_path(home), encode(last), PRIVATE)
    except OSError as error:
        raise NotWritten(
            f"{copy.name} cannot be brought to {folder}, because {why(error)}."
        ) from error
    return home


def _copy(session: Path, new: Path) -> HighWater:
    new.unlink(missing_ok=True)
    create_private(new)  # SQLite treats an empty file as a new database
    with reading(session) as connection:
        head = _last(connection)
        try:
            connection.execute("VACUUM INTO ?", (new.absolute().as_uri(),))
        except sqlite3.Error as error:
            primary_code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if primary_code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise  # the session itself is damaged: `reading` says so
            raise _not_made(session, error) from error
    force_to_disk(new)
    last = read_entries(new)[-1]
    if HighWater(last.n, last.digest) != head:
        raise SessionDamagedError(
            f"The copy of {session} does not end like it: the copy before it is kept."
        )
    return head


def _not_made(session: Path, error: Exception) -> NotWritten:
    reason, where = why(error), refused_at(session, error)
    if where != session:
        reason = f"{where} cannot be opened ({reason})"
    return NotWritten(
        f"No copy of {session} was made, because {reason}; the session itself is saved."
    )


def _last(connection: sqlite3.Connection) -> HighWater:
    row = connection.execute("SELECT n, digest FROM entries ORDER BY n DESC LIMIT 1").fetchone()
    if row is None:
        raise SessionDamagedError("it holds no entry")
    return HighWater(*row)


def _set_aside(old: Path, new: Path) -> None:
    """Rename the previous copy, unless it is a beginning of the new one or cannot be read."""
    try:
        with reading(old) as connection:
            end = _last(connection)
        with reading(new) as connection:
            row = connection.execute("SELECT digest FROM entries WHERE n = ?", (end.n,)).fetchone()
    except JournalError:
        return
    # A copy with other entries may be the only one of them.
    if row != (end.digest,):
        old.rename(free_name(old.with_name(f"{old.name}-older")))
