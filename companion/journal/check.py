"""A check of a session file, which it does not change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.journal.copy import backup_path
from companion.journal.disk import refusal_to_read
from companion.journal.entries import Control, Entry, Layer, draft_of, is_control, is_lost
from companion.journal.errors import JournalError
from companion.journal.log import has_unread
from companion.journal.mark import HighWater, mark_path, read_mark
from companion.journal.mark_owner import is_of_another, of_another
from companion.journal.record import LostEntries, check_draft
from companion.journal.salvage import Readable, Saving, find_saving, read_leading, without_first
from companion.journal.store import agrees, check_header, reading
from companion.journal.trouble import TORN, damage, why
from companion.rules.columns import plural

GAPS_NAMED = 5  # as many as a person will read

Reader = Callable[[Entry], str | None]


@dataclass(frozen=True, slots=True)
class FileFinding:
    """One sentence about a file. `right`: all is well; `mendable`: a repair would save something."""

    right: bool
    sentence: str
    mendable: bool = False


def check(path: Path, reader: Callable[[Mapping[str, Any]], Reader]) -> tuple[FileFinding, ...]:
    """Return the findings about the session at `path`.

    `reader` gets the session's header and returns a function that says in a few words why a fact or
    a piece of evidence has no meaning here, or None if it has one. Raise `JournalError` for a file
    that is not a session or may not be read.
    """
    check_header(path)
    # Read the mark before the entries: a session in play grows meanwhile, and must not seem to end early.
    mark = read_mark(path)
    readable = read_leading(path)
    findings = [_structure(path), *_log(path), _chain(readable)]
    if readable.entries:
        read = reader(readable.entries[0].body)
        findings += [
            _high_water(path, readable, mark),
            _references(readable.entries),
            _kinds(readable.entries, read),
        ]
    findings += _backup(path, readable)
    if not all(finding.right for finding in findings):
        saving = find_saving(path)
        if saving is not None:
            findings.append(_saving(path, saving))
    return tuple(findings)


def lost_words(gaps: Sequence[LostEntries], *, marked: bool = True) -> str:
    """Return which entries are lost, as in `3 entries are lost (5, 17 to 18)`. If not `marked`,
    there is no mark, so the end may be lost too, and the text says so."""
    lost = sum(gap.last - gap.first + 1 for gap in gaps)
    if not lost:
        return "nothing is lost" if marked else "whether its last ones are lost, nothing tells"
    ranges: list[str] = []
    for gap in gaps[:GAPS_NAMED]:
        ranges.append(str(gap.first))
        if gap.last != gap.first:
            ranges[-1] += f" to {gap.last}"
    more = ""
    if len(gaps) > GAPS_NAMED:
        more = f" and in {plural(len(gaps) - GAPS_NAMED, 'more place')}"
    end = "" if marked else "; whether its last ones are too, nothing tells"
    return f"{plural(lost, 'entry is', 'entries are')} lost ({', '.join(ranges)}{more}){end}"


def _saving(path: Path, saving: Saving) -> FileFinding:
    if not saving.entries:
        return FileFinding(False, "A repair finds no entry that can be read.")
    if not saving.opens:
        return FileFinding(False, without_first(path, saving))
    return FileFinding(False, f"A repair saves {saved_words(saving)}.", mendable=True)


def saved_words(saving: Saving) -> str:
    """Return what a repair saves and what is lost, as text."""
    beside = f", {saving.others} of them only in the files beside it" if saving.others else ""
    saved = plural(saving.entries, "entry", "entries")
    return f"{saved}{beside}; {lost_words(saving.gaps, marked=saving.marked)}"


def _structure(path: Path) -> FileFinding:
    try:
        with reading(path) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except JournalError as error:
        return FileFinding(
            False, f"SQLite cannot read the file: {damage(error.__cause__ or error)}."
        )
    if verdict == "ok":
        return FileFinding(True, "SQLite finds the file whole.")
    return FileFinding(False, f"SQLite finds the file damaged: {TORN}.")


def _chain(readable: Readable) -> FileFinding:
    count = len(readable.entries)
    gaps = [row for row in readable.rows if isinstance(row, LostEntries)]
    if readable.problem is not None:
        trusted = f"entries 1 to {count} can be trusted" if count else "no entry can be trusted"
        return FileFinding(False, f"The record breaks off, because {readable.problem}: {trusted}.")
    if gaps:
        present = len(readable.rows) - len(gaps)
        return FileFinding(
            True,
            f"The {present} entries follow from one another; since a repair {lost_words(gaps)}.",
        )
    if count == 1:
        return FileFinding(True, "The record has one entry, in which the session begins.")
    return FileFinding(
        True,
        f"The {count} entries are numbered without holes, and each follows from the one before.",
    )


def _log(path: Path) -> Iterator[FileFinding]:
    try:
        unread = has_unread(path)
    except OSError as error:
        yield FileFinding(
            False, f"The write-ahead log beside it cannot be read, because {why(error)}."
        )
        return
    if unread:
        yield FileFinding(
            False, "The write-ahead log beside it is damaged: SQLite does not read all of it."
        )


def _high_water(path: Path, readable: Readable, mark: HighWater | None) -> FileFinding:
    entries, last = readable.entries, len(readable.entries)
    if mark_path(path).is_dir():
        why_none = "is a folder, so nothing tells how far the session was saved"
        return FileFinding(False, f"{mark_path(path)} {why_none}: move it away.")
    refused = refusal_to_read(mark_path(path)) if mark is None else None
    if refused is not None:
        return FileFinding(
            False,
            f"The file that says how far it was saved cannot be read, because {why(refused)}.",
        )
    if mark is None:
        return FileFinding(
            False,
            "No file beside it says how far it was saved: if its last entries were lost, nothing would tell.",
        )
    is_agreed = agrees(mark, last, lambda n: entries[n - 1].digest)
    if not is_agreed and is_of_another(path, entries[0].digest):
        return FileFinding(False, f"{of_another(path)}.")
    if mark.n > last:
        return FileFinding(
            False, f"The record ends at entry {last}, but entry {mark.n} was saved once."
        )
    if mark.n and readable.entries[mark.n - 1].digest != mark.digest:
        return FileFinding(
            False, f"Entry {mark.n} is not the one that was saved last under that number."
        )
    return FileFinding(True, f"It has all that was saved, up to entry {mark.n}.")


def _references(entries: Sequence[Entry]) -> FileFinding:
    bereft = 0
    for entry in entries:
        # The entries may be invalid: a forged one can refer to any number.
        if any(0 < n < entry.n and is_lost(entries[n - 1]) for n in _named(entry)):
            bereft += 1
        try:
            check_draft(draft_of(entry), entry.n, lambda n: entries[n - 1])
        except (ValueError, TypeError) as error:
            return FileFinding(False, f"Entry {entry.n} makes no sense at its place: {error}.")
    if bereft:
        number = plural(bereft, "entry rests", "entries rest")
        return FileFinding(
            True,
            f"What entries say of other entries makes sense, but {number} on one that is lost.",
        )
    return FileFinding(True, "What entries say of other entries makes sense.")


def _named(entry: Entry) -> Iterator[int]:
    """Yield the numbers of the entries that `entry` refers to."""
    yield from entry.causes
    if entry.after is not None:
        yield entry.after
    if entry.joined:
        yield entry.n - 1
    if is_control(entry, Control.VOID) and type(entry.body.get("entry")) is int:
        yield entry.body["entry"]


def _kinds(entries: Sequence[Entry], read: Reader) -> FileFinding:
    unknown: list[tuple[Entry, str]] = []
    for entry in entries:
        reason = _unknown(entry, read)
        if reason is not None:
            unknown.append((entry, reason))
    if not unknown:
        return FileFinding(True, "All kinds of entries are known.")
    entry, reason = unknown[0]
    number = plural(len(unknown), "entry means", "entries mean")
    return FileFinding(
        False,
        f"{number} nothing to this companion; the first is {entry.n}, {entry.kind}: {reason}.",
    )


def _unknown(entry: Entry, read: Reader) -> str | None:
    if entry.layer is Layer.CONTROL:
        return None if entry.kind in set(Control) else "no such kind"
    return read(entry)


def _backup(path: Path, readable: Readable) -> Iterator[FileFinding]:
    backup = backup_path(path)
    if not backup.exists():
        return
    refused = refusal_to_read(backup)
    if refused is not None:
        yield FileFinding(False, f"The copy beside it cannot be read, because {why(refused)}.")
        return
    copy = read_leading(backup)
    if copy.problem is not None:
        yield FileFinding(False, f"The copy beside it is damaged, because {copy.problem}.")
        return
    common = min(len(copy.entries), len(readable.entries))
    if common and copy.entries[common - 1].digest != readable.entries[common - 1].digest:
        yield FileFinding(False, "The copy beside it is that of another record.")
    else:
        yield FileFinding(
            True, f"The copy beside it holds {plural(len(copy.entries), 'entry', 'entries')}."
        )
