"""Putting a damaged session right: a new file with all that can be trusted. The damaged one is never changed."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.journal.check import Readable, read_leading, read_mark
from companion.journal.copy import backup_path, free_name, sync_folder
from companion.journal.entries import Control, Draft, Layer
from companion.journal.errors import NotSaved, SessionDamagedError
from companion.journal.mark import HighWater, MarkFile, mark_path
from companion.journal.record import FIRST_DIGEST, seal
from companion.journal.store import create_store, read_entries
from companion.journal.trouble import why

PAGE = 4096  # bytes in a page of the files the companion makes: SQLite's default since 3.12
DAMAGED = ".damaged"


@dataclass(frozen=True, slots=True)
class Mended:
    """A new session file. It holds `entries` entries of the damaged one and one that says so. `lost` is how many were
    saved once and are in no file any more, None when no mark tells; `from_copy` when the copy held more."""

    path: Path
    entries: int
    lost: int | None
    from_copy: bool
    problem: str


def salvage(session: Path, wall: Callable[[], str]) -> Mended | None:
    """Write a new session file beside `session` with everything that can be trusted, or all of its copy when that has
    more; return None when nothing is to be gained. Raise `SessionDamagedError` when no entry can be read, `SessionBusy`
    when somebody writes the session, `NotSaved` when the new file cannot be written."""
    mark = _hold(session)
    try:
        found = read_leading(session)
        whole = found.problem is None and _is_whole(session)
        found = found if whole else _better(found, _with_new_first_page(session))
        copy = read_leading(backup_path(session))
        from_copy = _goes_on(found, copy)
        if whole and not from_copy:
            return None
        best = copy if from_copy else found
        if not best.entries:
            raise SessionDamagedError(
                f"No entry of {session} can be read, and no copy lies beside it: nothing can be mended."
            )
        return _write(session, best, found.problem or "its index is damaged", wall, from_copy=from_copy)
    finally:
        mark.abandon()


def replace(session: Path, mended: Mended) -> Path:
    """Put the mended file in the place of the damaged one; return where the damaged one is now. Raise `SessionBusy`,
    or `NotSaved` when the system refuses."""
    mark = _hold(session)
    try:
        last = read_entries(mended.path)[-1]
        damaged = free_name(session.with_name(session.name + DAMAGED))
        with suppress(FileNotFoundError):
            shutil.copyfile(mark_path(session), mark_path(damaged))
        # The write-ahead log first: SQLite would apply it to whatever file stands under the name.
        for suffix in ("-wal", ""):
            with suppress(FileNotFoundError):
                Path(f"{session}{suffix}").rename(f"{damaged}{suffix}")
        Path(f"{session}-shm").unlink(missing_ok=True)
        mended.path.rename(session)
        mark_path(mended.path).unlink(missing_ok=True)
        sync_folder(session.parent)
        mark.write(HighWater(last.n, last.digest))
        return damaged
    except OSError as error:
        raise NotSaved(f"{session} was not replaced, because {why(error)}; {mended.path} holds its entries.") from error
    finally:
        mark.close()


def _hold(session: Path) -> MarkFile:
    try:
        return MarkFile(session)
    except OSError as error:
        raise NotSaved(f"{session} cannot be mended, because {why(error)}.") from error


def _is_whole(session: Path) -> bool:
    try:
        return bool(read_entries(session))
    except SessionDamagedError:
        return False


def _goes_on(found: Readable, copy: Readable) -> bool:
    """Return whether `copy` holds all that was found, and more."""
    count = len(found.entries)
    return len(copy.entries) > count and (count == 0 or copy.entries[count - 1].digest == found.entries[-1].digest)


def _better(one: Readable, other: Readable) -> Readable:
    return other if len(other.entries) > len(one.entries) else one


def _with_new_first_page(session: Path) -> Readable:
    """Read a copy of the file whose first page, the same in all sessions but for counters, is taken from a new one."""
    with TemporaryDirectory(dir=session.parent, prefix=f".{session.name}-") as folder:
        patched, fresh = Path(folder, "patched.sqlite"), Path(folder, "fresh.sqlite")
        try:
            data = session.read_bytes()
        except OSError as error:
            return Readable((), (), why(error))
        pages = len(data) // PAGE
        if not pages:
            return Readable((), (), "it has no page")
        _, row = seal(Draft(Layer.CONTROL, Control.SESSION), 1, "", FIRST_DIGEST)
        create_store(fresh, row).close()
        page = bytearray(fresh.read_bytes()[:PAGE])
        page[28:32] = pages.to_bytes(4, "big")  # the size of the file, https://www.sqlite.org/fileformat2.html
        patched.write_bytes(bytes(page) + data[PAGE : pages * PAGE])
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{session}-wal", f"{patched}-wal")
        return read_leading(patched)


def _write(session: Path, best: Readable, problem: str, wall: Callable[[], str], *, from_copy: bool) -> Mended:
    path = _free_session(session)
    mark = read_mark(session)
    count = len(best.entries)
    lost = None if mark is None else max(0, mark.n - count)
    body = {"entries": count, "lost": lost, "copy": from_copy, "problem": problem}
    note = Draft(Layer.CONTROL, Control.REPAIRED, body)
    entry, row = seal(note, count + 1, wall(), best.entries[-1].digest)
    try:
        store = create_store(path, best.rows[0])
        try:
            store.write((*best.rows, row))
        finally:
            store.close()
    except (sqlite3.Error, OSError) as error:
        for name in (path, mark_path(path)):
            name.unlink(missing_ok=True)
        raise NotSaved(f"{path} cannot be written, because {why(error)}; {session} is as it was.") from error
    if read_entries(path)[-1].digest != entry.digest:
        raise SessionDamagedError(f"{path} does not read as it was written: {session} is as it was.")
    return Mended(path, count, lost, from_copy, problem)


def _free_session(session: Path) -> Path:
    stem, count = f"{session.stem}-mended", 1
    path = session.with_name(f"{stem}{session.suffix}")
    while path.exists():
        count += 1
        path = session.with_name(f"{stem}-{count}{session.suffix}")
    return path
