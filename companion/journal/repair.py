"""Putting a damaged session right: a new file with all that can be read. The damaged one is never changed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.journal.disk import create_private, put_in_place
from companion.journal.entries import Control, Draft, Layer
from companion.journal.errors import JournalError, NotSaved, SessionDamagedError
from companion.journal.mark import HighWater, MarkFile, mark_path
from companion.journal.record import LostEntries, new_salt, seal
from companion.journal.salvage import Saving, find_saving, without_first
from companion.journal.store import create_store, read_entries
from companion.journal.trouble import why


@dataclass(frozen=True, slots=True)
class Mended:
    """A new session file. It holds `entries` entries of the damaged one, `others` of them only from the files beside
    it, and one that says so. `lost` is how many were saved once and are in no file any more, None when no mark tells;
    `gaps` are where they are missing."""

    path: Path
    entries: int
    others: int
    lost: int | None
    gaps: tuple[LostEntries, ...]
    problem: str


def salvage(session: Path, wall: Callable[[], str]) -> Mended | None:
    """Write a new session file beside `session` with every entry that can be read, under its own number; return None
    when nothing is to be gained. Raise `SessionDamagedError` when no entry can be read, or not the first,
    `SessionBusy` when somebody writes the session, `NotSaved` when the new file cannot be written."""
    mark = _hold(session)
    try:
        saving = find_saving(session)
        if saving is None:
            return None
        if not saving.rows:
            raise SessionDamagedError(
                f"No entry of {session} can be read, and no copy lies beside it: nothing can be mended."
            )
        if not saving.opens:
            raise SessionDamagedError(without_first(session, saving))
        return _write(session, saving, wall)
    finally:
        mark.abandon()


def replace(session: Path, mended: Mended) -> Path:
    """Put the mended file in the place of the damaged one; return where the damaged one is now. Raise `SessionBusy`,
    or `NotSaved` when the system refuses."""
    mark = _hold(session)
    try:
        last = read_entries(mended.path)[-1]
        damaged = put_in_place(mended.path, session)
        with suppress(FileNotFoundError):
            create_private(mark_path(damaged))
            shutil.copyfile(mark_path(session), mark_path(damaged))
        mark_path(mended.path).unlink(missing_ok=True)
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


def _write(session: Path, saving: Saving, wall: Callable[[], str]) -> Mended:
    path = _free_session(session)
    lost = saving.lost if saving.marked else None
    gaps = [[gap.first, gap.last] for gap in saving.gaps]
    body = {"entries": saving.entries, "lost": lost, "gaps": gaps, "copy": saving.others, "problem": saving.problem}
    end = saving.rows[-1]
    entry, row = seal(Draft(Layer.CONTROL, Control.REPAIRED, body), end.n + 1, wall(), end.digest, new_salt())
    try:
        create_store(path, *saving.rows, row).close()
    except (JournalError, OSError) as error:
        raise NotSaved(f"{path} cannot be written, because {why(error)}; {session} is as it was.") from error
    if read_entries(path)[-1].digest != entry.digest:
        raise SessionDamagedError(f"{path} does not read as it was written: {session} is as it was.")
    return Mended(path, saving.entries, saving.others, lost, saving.gaps, saving.problem)


def _free_session(session: Path) -> Path:
    stem, count = f"{session.stem}-mended", 1
    path = session.with_name(f"{stem}{session.suffix}")
    while path.exists():
        count += 1
        path = session.with_name(f"{stem}-{count}{session.suffix}")
    return path
