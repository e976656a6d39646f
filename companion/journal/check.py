"""Telling what is right and what is wrong with a session file, without changing it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.journal.collector import collector_frozen
from companion.journal.copy import backup_path
from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.errors import JournalError, SessionDamagedError
from companion.journal.mark import HighWater, decode, mark_path
from companion.journal.record import Row, check_draft, read_chain
from companion.journal.store import check_header, reading

STRUCTURE_PROBLEMS = 3  # as many of SQLite's findings as a person will read

Reader = Callable[[Entry], str | None]


@dataclass(frozen=True, slots=True)
class Readable:
    """The entries of a file from the first on that can be trusted, and in a few words why there are no more."""

    entries: tuple[Entry, ...]
    rows: tuple[Row, ...]
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence about a file, whether it is a good one, and whether a repair may mend what it tells of."""

    right: bool
    sentence: str
    mendable: bool = False


def read_leading(path: Path) -> Readable:
    """Return what can be trusted of any file, whole, damaged or missing; it raises nothing."""
    entries: list[Entry] = []
    rows: list[Row] = []
    try:
        with reading(path, damaged=True) as connection, collector_frozen():
            for entry in read_chain(_noted(connection, rows)):
                entries.append(entry)
            if not entries:
                raise SessionDamagedError("it holds no entry")
    except JournalError as error:
        cause = error.__cause__
        problem = str(cause if isinstance(cause, sqlite3.Error | SessionDamagedError) else error)
        return Readable(tuple(entries), tuple(rows[: len(entries)]), problem.rstrip("."))
    return Readable(tuple(entries), tuple(rows))


def read_mark(path: Path) -> HighWater | None:
    """Return the high-water mark of the session at `path`; None when there is none that can be trusted."""
    try:
        return decode(mark_path(path).read_bytes())
    except OSError:
        return None


def check(path: Path, reader: Callable[[Mapping[str, Any]], Reader]) -> tuple[Finding, ...]:
    """Return what is right and what is wrong with the session at `path`. `reader` returns, for the session's header,
    what tells in a few words why a fact or a piece of evidence means nothing to this companion, None when it does
    mean something. Raise `JournalError` for a file that is no session, or that may not be read."""
    check_header(path)
    mark = read_mark(path)  # before the entries: a session in play grows meanwhile
    readable = read_leading(path)
    findings = [_structure(path), _chain(readable)]
    if readable.entries:
        read = reader(readable.entries[0].body)
        findings += [_high_water(readable, mark), _references(readable.entries), _kinds(readable.entries, read)]
    return (*findings, *_backup(path, readable))


def _noted(connection: sqlite3.Connection, rows: list[Row]) -> Iterator[Row]:
    for values in connection.execute("SELECT n, key, digest, CAST(record AS BLOB) FROM entries ORDER BY n"):
        row = Row(*values)
        rows.append(row)
        yield row


def _structure(path: Path) -> Finding:
    try:
        with reading(path) as connection:
            verdicts = [
                " ".join(str(verdict).split())
                for (verdict,) in connection.execute(f"PRAGMA integrity_check({STRUCTURE_PROBLEMS})")
            ]
    except JournalError as error:
        return Finding(False, f"SQLite cannot read the file: {error.__cause__ or error}.", mendable=True)
    if verdicts == ["ok"]:
        return Finding(True, "SQLite finds the file whole.")
    return Finding(False, f"SQLite finds the file damaged: {'; '.join(verdicts)}.", mendable=True)


def _chain(readable: Readable) -> Finding:
    count = len(readable.entries)
    if readable.problem is None:
        return Finding(True, f"The {count} entries are numbered without holes, and each follows from the one before.")
    trusted = f"entries 1 to {count} can be trusted" if count else "no entry can be trusted"
    return Finding(False, f"The record breaks off, because {readable.problem}: {trusted}.", mendable=True)


def _high_water(readable: Readable, mark: HighWater | None) -> Finding:
    last = len(readable.entries)
    if mark is None:
        return Finding(False, "No high-water mark can be read beside it: a lost end of the record would go unnoticed.")
    if mark.n > last:
        lost = f"The record ends at entry {last}, but entry {mark.n} was saved once."
        return Finding(False, lost, mendable=True)
    if mark.n and readable.entries[mark.n - 1].digest != mark.digest:
        return Finding(False, f"Entry {mark.n} is not the one that was saved last under that number.")
    return Finding(True, f"It reaches the high-water mark, entry {mark.n}.")


def _references(entries: Sequence[Entry]) -> Finding:
    for entry in entries:
        try:
            check_draft(_draft(entry), entry.n, lambda n: entries[n - 1])
        except (ValueError, TypeError) as error:
            return Finding(False, f"Entry {entry.n} makes no sense where it stands: {error}.")
    return Finding(True, "What entries say of other entries makes sense.")


def _kinds(entries: Sequence[Entry], read: Reader) -> Finding:
    unknown = [(entry, why) for entry in entries if (why := _unknown(entry, read)) is not None]
    if not unknown:
        return Finding(True, "All kinds of entries are known.")
    entry, why = unknown[0]
    number = "1 entry means" if len(unknown) == 1 else f"{len(unknown)} entries mean"
    return Finding(False, f"{number} nothing to this companion; the first is {entry.n}, {entry.kind}: {why}.")


def _unknown(entry: Entry, read: Reader) -> str | None:
    if entry.layer is Layer.CONTROL:
        return None if entry.kind in set(Control) else "no such kind"
    return read(entry)


def _backup(path: Path, readable: Readable) -> Iterator[Finding]:
    backup = backup_path(path)
    if not backup.exists():
        return
    copy = read_leading(backup)
    if copy.problem is not None:
        yield Finding(False, f"The copy beside it is damaged, because {copy.problem}.")
        return
    common = min(len(copy.entries), len(readable.entries))
    if common and copy.entries[common - 1].digest != readable.entries[common - 1].digest:
        yield Finding(False, "The copy beside it is that of another record.")
    else:
        yield Finding(True, f"The copy beside it holds {len(copy.entries)} entries.")


def _draft(entry: Entry) -> Draft:
    return Draft(
        entry.layer,
        entry.kind,
        entry.body,
        entry.actor,
        entry.causes,
        entry.after,
        entry.t_us,
        entry.key,
        entry.joined,
    )
