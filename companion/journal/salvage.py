"""Reading a damaged session from its file, its write-ahead log and the files beside it, and the
repair: a new session file with everything that was found."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from companion.journal.carve import Carved, carve
from companion.journal.collector import collector_frozen
from companion.journal.disk import (
    free_name,
    put_in_place,
    read_regular,
    refusal_to_read,
    write_private,
)
from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.errors import (
    JournalError,
    NotWritten,
    SessionDamagedError,
    SessionDeniedError,
)
from companion.journal.log import is_cut, log_path
from companion.journal.mark import HighWater, MarkFile, mark_path, read_mark, refused_at
from companion.journal.mark_owner import is_of_another, owner_path
from companion.journal.pieces import Pieces
from companion.journal.record import LostEntries, Row, StoredEntry, new_salt, read_chain, seal
from companion.journal.schema import rows_between
from companion.journal.store import (
    agrees,
    check_header,
    create_store,
    lacking_in,
    read_entries,
    reading,
)
from companion.journal.trouble import damage, why
from companion.journal.untrusted import LARGEST_READ


@dataclass(frozen=True, slots=True)
class Readable:
    """The trustworthy entries at the start of a file, and in a few words why there are no more."""

    entries: tuple[Entry, ...]
    rows: tuple[Row, ...]
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Saving:
    """The result of a repair: the rows of the record. `others` of them are only in the files beside
    it. If not `marked`, there is no mark, and nobody knows whether an end is lost too."""

    rows: tuple[Row, ...]
    others: int
    marked: bool
    problem: str

    @property
    def gaps(self) -> tuple[LostEntries, ...]:
        """The gaps of lost entries."""
        return tuple(row for row in self.rows if isinstance(row, LostEntries))

    @property
    def entries(self) -> int:
        """The number of entries saved."""
        return len(self.rows) - len(self.gaps)

    @property
    def opens(self) -> bool:
        """Whether the first entry, which names the game and its seats, is saved: without it nothing
        opens the record."""
        return bool(self.rows) and isinstance(self.rows[0], StoredEntry)

    @property
    def lost(self) -> int | None:
        """The number of entries once saved that are in no file any more, or None without a mark."""
        return sum(gap.last - gap.first + 1 for gap in self.gaps) if self.marked else None


def read_leading(path: Path) -> Readable:
    """Return what can be trusted of any file, whole, damaged or missing. Raises nothing."""
    entries: list[Entry] = []
    rows: list[Row] = []
    try:
        with reading(path, damaged=True) as connection, collector_frozen():
            for entry in read_chain(_noted(connection, rows)):
                entries.append(entry)
            if not entries:
                raise SessionDamagedError("it holds no entry")
    except JournalError as error:
        problem = damage(_cause_of(error))
        known = tuple(row for row in rows if row.n <= len(entries))
        return Readable(tuple(entries), known, problem.rstrip("."))
    return Readable(tuple(entries), tuple(rows))


def _cause_of(error: JournalError) -> Exception:
    """Return what is wrong with a file. The caller keeps no name for it: in a circle with its own traceback it would
    hold the file open, and Windows replaces no open file."""
    cause = error.__cause__
    return cause if isinstance(cause, sqlite3.Error | SessionDamagedError) else error


def read_first(path: Path) -> bytes:
    """Return the digest of the first entry, verified, without reading the rest; empty if it cannot
    be read."""
    with suppress(JournalError), reading(path, damaged=True) as connection:
        first = next(read_chain(rows_between(connection, 1)), None)
        return b"" if first is None else first.digest
    return b""


def find_saving(session: Path) -> Saving | None:
    """Return what a repair of the session would save, or None if the session is whole and already
    has all of it. Changes nothing and raises nothing; without rows, nothing can be read."""
    readable, mark = read_leading(session), read_mark(session)
    # The mark of another session says nothing about this one.
    if mark is not None and not _is_own(session, readable.entries, mark):
        mark = None
    whole = readable.problem is None and _is_whole(session)
    if whole and mark is not None:
        is_complete = lacking_in(session, readable.entries, mark) is None
        if is_complete and not is_cut(session):
            return None
    problem = readable.problem
    if not problem:
        problem = "its end is missing" if whole else "its index is damaged"
    carved = _carved(session)
    others = [_carved(beside) for beside in _files_beside(session)]
    known = [row for row in readable.rows if isinstance(row, LostEntries)]
    loose = carved.loose.union(*(other.loose for other in others))
    with collector_frozen():
        pieces = Pieces(
            carved.rows.values(), (other.rows.values() for other in others), loose, known, mark
        )
        rows = pieces.record(problem)
    # Rewriting a whole file is pointless unless it gains an entry.
    if whole and _entries(rows) <= _entries(readable.rows):
        return None
    return Saving(rows, pieces.from_others(rows), mark is not None, problem)


def _is_own(session: Path, entries: tuple[Entry, ...], mark: HighWater) -> bool:
    """Return whether a mark may be that of these entries: it agrees with them, or is not recorded
    as another session's."""
    if not entries or agrees(mark, len(entries), lambda n: entries[n - 1].digest):
        return True
    return not is_of_another(session, entries[0].digest)


def without_first(session: Path, saving: Saving) -> str:
    """Return a text that says that the first entry is lost, and what to do."""
    return (
        f"{session} has lost entry 1, which names the game and its seats. {saving.entries} other entries can be read, "
        "but nothing opens them without it: lay an older copy of the session beside it, "
        f"as {session.name}.backup, and repair again."
    )


def _is_whole(session: Path) -> bool:
    try:
        return bool(read_entries(session))
    except JournalError:
        return False


def _entries(rows: tuple[Row, ...]) -> set[tuple[int, bytes]]:
    return {(row.n, row.digest) for row in rows if isinstance(row, StoredEntry)}


def _files_beside(session: Path) -> list[Path]:
    """Return the copies of the session, its damaged files of earlier repairs, and its logs that
    were kept."""
    kept = re.compile(
        re.escape(session.name) + r"(\.backup.*|\.new|\.damaged(-\d+)?|-wal\.damaged(-\d+)?)"
    )
    with suppress(OSError):
        return sorted(path for path in session.parent.iterdir() if kept.fullmatch(path.name))
    return []


def _carved(path: Path) -> Carved:
    """Return what a search of the bytes finds in a file and the log beside it; `path` may also be a
    log that was kept alone."""
    log = path if "-wal" in path.name else log_path(path)
    file = path.with_name(path.name.partition("-wal")[0])
    with collector_frozen():
        return carve(_bytes_of(file), _bytes_of(log))


def _bytes_of(path: Path) -> bytes:
    try:
        return read_regular(path, LARGEST_READ)
    except OSError:
        return b""


def _noted(connection: sqlite3.Connection, rows: list[Row]) -> Iterator[Row]:
    for row in rows_between(connection, 1):
        rows.append(row)
        yield row


class Mended(NamedTuple):
    """A repaired session file: what was saved of the damaged one, and an entry that says so."""

    path: Path
    saving: Saving


def salvage(session: Path, wall: Callable[[], str]) -> Mended | None:
    """Write a new session file beside `session` with every readable entry under its own number;
    return None if nothing would be gained.

    Raise `SessionDamagedError` if no entry can be read, or not the first; `SessionMissingError` if
    there is neither the session nor a copy; `SessionBusy` if the session is being written;
    `SessionDeniedError` for a file that may not be read; `NotWritten` if the new file cannot be
    written.
    """
    mark = _hold(session)
    try:
        _require_readable(session)
        saving = find_saving(session)
        if saving is None:
            return None
        if not saving.rows:
            if not session.exists():
                check_header(session)
            raise SessionDamagedError(
                f"No entry of {session} can be read, and no copy lies beside it: nothing can be mended."
            )
        if not saving.opens:
            raise SessionDamagedError(without_first(session, saving))
        return _write(session, saving, wall)
    finally:
        mark.abandon()


def _require_readable(session: Path) -> None:
    """Raise `SessionDeniedError` for a file that we may not read: it is not damaged, and may hold
    what the repair should save."""
    for path in (session.parent, session, log_path(session), *_files_beside(session)):
        refused = refusal_to_read(path)
        if refused is not None:
            raise SessionDeniedError(
                f"{path} cannot be read, because {why(refused)}; nothing was changed."
            )


def replace(session: Path, mended: Mended) -> Path:
    """Put the repaired file in place of the damaged one; return the new path of the damaged one.
    Raise `SessionBusy`, or `NotWritten` if the system refuses."""
    mark = _hold(session)
    try:
        last = read_entries(mended.path)[-1]
        damaged = put_in_place(mended.path, session)
        with suppress(FileNotFoundError):
            write_private(mark_path(damaged), mark_path(session).read_bytes())
        for beside in (mark_path(mended.path), owner_path(mended.path)):
            beside.unlink(missing_ok=True)
        mark.write(HighWater(last.n, last.digest))
        return damaged
    except OSError as error:
        raise NotWritten(
            f"{session} was not replaced, because {why(error)}; {mended.path} holds its entries."
        ) from error
    finally:
        mark.close()


def _hold(session: Path) -> MarkFile:
    try:
        return MarkFile(session)
    except OSError as error:
        if isinstance(error, FileNotFoundError):
            check_header(session)
        where = refused_at(session, error)
        raise NotWritten(
            f"{session.name} cannot be mended: {where} cannot be opened, because {why(error)}."
        ) from error


def _write(session: Path, saving: Saving, wall: Callable[[], str]) -> Mended:
    path = free_name(session.with_name(f"{session.stem}-mended{session.suffix}"), session.suffix)
    body = {
        "entries": saving.entries,
        "lost": saving.lost,
        "copy": saving.others,
        "problem": saving.problem,
        "gaps": [[gap.first, gap.last] for gap in saving.gaps],
    }
    end = saving.rows[-1]
    entry, row = seal(
        Draft(Layer.CONTROL, Control.REPAIRED, body), end.n + 1, wall(), end.digest, new_salt()
    )
    try:
        create_store(path, *saving.rows, row).close()
    except (JournalError, OSError) as error:
        reason = why(error.__cause__ or error)  # not the whole sentence about the new file
        raise NotWritten(
            f"{path} cannot be written, because {reason}; {session} is as it was."
        ) from error
    # The damaged file is replaced by this one, so verify what the disk has.
    if read_entries(path)[-1].digest != entry.digest:
        raise SessionDamagedError(
            f"{path} does not read as it was written: {session} is as it was."
        )
    return Mended(path, saving)
