"""The journal: entries get their numbers at once and are on the disk a moment later."""

from __future__ import annotations

import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.errors import JournalError, NotSaved, SessionDoubtfulError
from companion.journal.folder import typed_name
from companion.journal.log import LogGone
from companion.journal.mark import HighWater
from companion.journal.pages import Entries
from companion.journal.record import FIRST_DIGEST, StoredEntry, check_draft, new_salt, seal
from companion.journal.store import Store, create_store, open_store
from companion.journal.trouble import why
from companion.program import PROGRAM
from companion.rules.columns import plural

WallClock = Callable[[], str]
Salt = Callable[[], bytes]
RETRY_S = 1.0  # pause before a failed write is repeated
# A commit releases the interpreter lock about twenty times, and each time a busy thread, such as the
# screen's, keeps it for up to the switch interval, by default 5 ms. With such a thread, an append in a
# hundred took 50 ms on a disk of 0.2 ms; with this interval 13 to 18.
SWITCH_S = 0.000_5
QUIET_S = 0.2  # a long log is merged into its file after this long without a write


@dataclass(frozen=True, slots=True)
class SaveStatus:
    """The state of saving: entries 1 to `durable_n` of `total_n` are on the disk.

    `problem` says in one sentence why no more, or why these may be lost; `note` says in one
    sentence what happened to the file since it was opened.
    """

    durable_n: int
    total_n: int
    problem: str | None = None
    note: str = ""


class Appended(NamedTuple):
    """The result of an append."""

    entries: tuple[Entry, ...]
    """One entry for each draft; for a draft whose key was already recorded, the entry that has it.
    """
    added: tuple[Entry, ...]
    """The new ones among `entries`."""
    last_n: int
    """The number up to which the record must be saved for all of `entries` to be; 0 for none."""


class Journal:
    """One session's record, which only this process writes. All methods may be called from any
    thread."""

    def __init__(
        self,
        store: Store,
        entries: Entries,
        *,
        wall: WallClock,
        retry_s: float,
        salt: Salt = new_salt,
        warnings: tuple[str, ...] = (),
    ) -> None:
        """Take over an open store; use `Journal.create` or `Journal.open`."""
        self.path = store.path
        self.warnings = warnings
        """The doubts about the file when it was opened, one sentence each."""
        self._store = store
        self._entries = entries
        # Keys of entries that are not on the disk yet; the store finds the others.
        self._unsaved: dict[str, int] = {}
        self._wall, self._salt = wall, salt
        self.on_status: Callable[[SaveStatus], object] = lambda _status: None
        """Called in the writer's thread with each new status."""
        self._retry_s = retry_s
        self._changed = threading.Condition()
        self._pending: list[StoredEntry] = []
        self._durable_n = len(entries)
        self._problem: str | None = None
        self._write_error = ""  # why the last write failed, the beginning of a sentence
        self._note = ""
        # `wait` asks for checks of the files without a write; each is counted when it is done.
        self._checks = self._checks_wanted = 0
        self._closing = False
        self._ended = False
        self._announced = self._status()
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_S))
        self._writer = threading.Thread(
            target=self._write_all, name=f"journal {self.path.name}", daemon=True
        )
        self._writer.start()

    @classmethod
    def create(
        cls,
        path: Path,
        header: Mapping[str, Any],
        *,
        wall: WallClock,
        retry_s: float = RETRY_S,
        salt: Salt = new_salt,
    ) -> Journal:
        """Create a session; entry 1 holds `header` and is on the disk on return. Raise
        `JournalError`."""
        first, row = seal(
            Draft(Layer.CONTROL, Control.SESSION, header), 1, wall(), FIRST_DIGEST, salt()
        )
        store = create_store(path, row)
        return cls(store, Entries(store.read, (first,)), wall=wall, retry_s=retry_s, salt=salt)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        wall: WallClock,
        retry_s: float = RETRY_S,
        step: Callable[[int], None] | None = None,
        doubtful: bool = True,
    ) -> Journal:
        """Open an existing session. Raise `JournalError` and change nothing if that is impossible,
        or if a repair would save more entries: their numbers would be assigned again.

        Unless it may be `doubtful`, a record whose end may be lost raises `SessionDoubtfulError`.
        `step`: see `Step`.
        """
        try:
            store, entries, warnings = open_store(path, step, doubtful=False)
        except SessionDoubtfulError as doubt:
            from companion.journal.salvage import find_saving  # a sound file does not need it

            saving = find_saving(path)
            if saving is not None:
                raise SessionDoubtfulError(
                    f"{path} has lost its end, but more of it can be read: "
                    f"`{PROGRAM} journal repair {typed_name(path)}` saves {plural(saving.entries, 'entry', 'entries')}."
                ) from doubt
            if not doubtful:
                raise
            store, entries, warnings = open_store(path, step)
        return cls(store, entries, wall=wall, retry_s=retry_s, warnings=warnings)

    @property
    def entries(self) -> Sequence[Entry]:
        """All entries, saved or not; entry `n` is at index `n - 1`. The sequence grows with the
        record. Old entries are read from the disk again, which may raise `JournalError`."""
        return self._entries

    @property
    def saved(self) -> SaveStatus:
        """The status now."""
        with self._changed:
            return self._status()

    def image(self) -> tuple[bytes, HighWater]:
        """Return the content of a session file with all durable entries, and the last of them; see
        `Store.image`."""
        return self._store.image()

    def append(self, *drafts: Draft) -> Appended:
        """Record `drafts` in this order, all or none of them.

        Raise `ValueError` or `TypeError` for a draft that cannot be recorded, `NotSaved` if the
        journal is closed, `JournalError` if the disk cannot be asked for older entries; then
        nothing is recorded.
        """
        with self._changed:
            if self._closing:
                raise NotSaved(f"{self.path} is closed: open the session again to go on.")
            answers, added, rows = self._seal_all(drafts)
            self._entries.extend(added)
            self._unsaved.update((entry.key, entry.n) for entry in added if entry.key is not None)
            self._pending.extend(rows)
            self._changed.notify_all()
        return Appended(
            tuple(answers), tuple(added), max((entry.n for entry in answers), default=0)
        )

    def entry_with_key(self, key: str) -> Entry | None:
        """Return the entry that has this key, saved or not, or None; raise `JournalError` if the
        disk cannot be asked."""
        with self._changed:
            try:
                n = self._unsaved.get(key) or self._store.find(key)
            except JournalError:
                # The files may be gone; a check has the writer create them again.
                self._checks_wanted = self._checks + 1
                self._changed.notify_all()
                raise
            return None if n is None else self._entries[n - 1]

    def wait(self, n: int, timeout: float | None = None) -> None:
        """Return once entries 1 to `n` are on the disk, in the files they were written to; raise
        `NotSaved` after `timeout` seconds, or if the journal is closed first."""
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            # Entries that were durable are lost if somebody removed the files. Before an old event is
            # acknowledged again, the writer therefore checks the files, and writes new ones if needed.
            check = 0
            if self._durable_n >= n and not self._ended and not self._store.is_intact():
                check = self._checks_wanted = self._checks + 1
                self._changed.notify_all()
            while self._durable_n < n or (self._checks < check and not self._ended):
                left = None if deadline is None else deadline - time.monotonic()
                if self._ended or (left is not None and left <= 0):
                    raise NotSaved(self._problem or self._slow_disk())
                self._changed.wait(left)

    def close(self, timeout: float = 5.0) -> None:
        """Save what is left, repeat a failed write once, and close the file, within `timeout`
        seconds; raise `NotSaved` if entries are not on the disk."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._writer.join(timeout)
        with self._changed:
            status = self._status()
        if status.durable_n < status.total_n:
            raise NotSaved(status.problem or self._slow_disk())

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _status(self) -> SaveStatus:
        return SaveStatus(self._durable_n, len(self._entries), self._problem, self._note)

    def _slow_disk(self) -> str:
        return f"Entries from {self._durable_n + 1} on are not saved yet, because the disk is slow: wait for it."

    def _seal_all(
        self, drafts: Sequence[Draft]
    ) -> tuple[list[Entry], list[Entry], list[StoredEntry]]:
        wall = self._wall()
        previous = self._entries[-1].digest
        keys: dict[str, Entry] = {}
        answers: list[Entry] = []
        added: list[Entry] = []
        rows: list[StoredEntry] = []
        known = len(self._entries)

        def at(n: int) -> Entry:
            return self._entries[n - 1] if n <= known else added[n - known - 1]

        for draft in drafts:
            entry = None
            if draft.key is not None:
                entry = keys.get(draft.key) or self.entry_with_key(draft.key)
            if entry is None:
                n = known + len(added) + 1
                # The draft it was joined to was recorded before, in another append.
                if draft.joined and not added:
                    draft = replace(draft, joined=False)
                check_draft(draft, n, at)
                entry, row = seal(draft, n, wall, previous, self._salt())
                previous = entry.digest
                added.append(entry)
                rows.append(row)
                if draft.key is not None:
                    keys[draft.key] = entry
            answers.append(entry)
        return answers, added, rows

    # The methods from here on run in the writer's thread.

    def _write_all(self) -> None:
        try:
            with closing(self._store):
                while (rows := self._next_rows()) is not None and (
                    self._write(rows) or self._wait_to_retry()
                ):
                    self._shorten_log()
        finally:
            self._finish()

    def _next_rows(self) -> list[StoredEntry] | None:
        """Wait for work and return all pending rows, to be written in one commit: none if only a
        check of the files was asked for, None once the journal is closing and all is saved."""
        with self._changed:
            self._changed.wait_for(self._is_wanted)
            return list(self._pending) if self._pending or not self._closing else None

    def _is_wanted(self) -> bool:
        """Return whether the writer has work."""
        return bool(self._pending) or self._closing or self._checks < self._checks_wanted

    def _shorten_log(self) -> None:
        """Merge a long log into its file after a quiet moment, so that no ACK waits for it."""
        if not self._store.log_is_long:
            return
        with self._changed:
            wanted = self._changed.wait_for(self._is_wanted, QUIET_S)
        if not wanted:
            self._store.shorten_log()

    def _write(self, rows: list[StoredEntry]) -> bool:
        """Write `rows` and publish the status; return whether they are on the disk."""
        refused = self._try_write(rows)
        with self._changed:
            self._write_error = refused
            if not refused:
                del self._pending[: len(rows)]
                self._durable_n = rows[-1].n if rows else self._durable_n
                self._checks = self._checks_wanted
                self._entries.saved(self._durable_n)
                for row in rows:
                    if row.key is not None:
                        del self._unsaved[row.key]
            self._problem = f"{refused}; {self.path} is tried again." if refused else None
        self._announce()
        return not refused

    def _try_write(self, rows: list[StoredEntry]) -> str:
        """Write `rows`; return the beginning of a sentence that says why they are not saved, empty
        if they are."""
        try:
            try:
                self._store.write(rows)
            except LogGone as gone:
                self._begin_anew(gone)
                self._store.write(rows)
        except (sqlite3.Error, OSError, JournalError) as error:
            return f"Entries from {self._durable_n + 1} on are not saved, because {why(error)}"
        return ""

    def _begin_anew(self, gone: LogGone) -> None:
        """Save all entries again in a new file, because the old one may be lost; report that first."""
        lost = f"{gone.filename} was {gone.strerror} while it was written"
        with self._changed:
            self._problem = f"{lost}: all entries are written to a new file."
            newest = self._entries.in_memory(self._durable_n)
        self._announce()
        aside = self._store.begin_anew(newest)
        with self._changed:
            self._note = f"{lost}: all {self._durable_n} entries are in a new file; {aside.name} is what was left."

    def _wait_to_retry(self) -> bool:
        """Wait before the next attempt; return False if there will be none."""
        with self._changed:
            if self._closing:
                return False
            self._changed.wait_for(lambda: self._closing, self._retry_s)
            return True

    def _finish(self) -> None:
        with self._changed:
            self._closing = self._ended = True
            if self._pending:
                first = self._pending[0].n
                refused = (
                    self._write_error
                    or f"Entries from {first} on are not saved, because the writer failed"
                )
                self._problem = f"{refused}; {self.path} ends with entry {first - 1}."
        self._announce()

    def _announce(self) -> None:
        with self._changed:
            status = self._status()
            news = status != self._announced
            self._announced = status
            self._changed.notify_all()
        try:
            if news:
                self.on_status(status)
        # A fault of the callback must not end the writer; report it like one of a thread.
        except Exception as fault:
            hook_args = (type(fault), fault, fault.__traceback__, threading.current_thread())
            threading.excepthook(threading.ExceptHookArgs(hook_args))
