"""The SQLite file of one session: created, read, checked, and written by one process at a time."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path

from companion.journal import schema, untrusted
from companion.journal.collector import collector_frozen
from companion.journal.disk import (
    create_private,
    discard,
    force_to_disk,
    make_private,
    put_in_place,
    refusal_to_read,
)
from companion.journal.entries import Entry
from companion.journal.errors import (
    JournalError,
    NewerSessionError,
    NotASessionError,
    NotSaved,
    SessionDamagedError,
    SessionDeniedError,
    SessionDoubtfulError,
    SessionExistsError,
    SessionMissingError,
)
from companion.journal.features import FolderUnfit, require_features
from companion.journal.folder import typed_name
from companion.journal.log import LogGone, WatchedFile, has_unread, is_cut, keep_log, log_path
from companion.journal.mark import HighWater, MarkFile, read_mark, refused_at
from companion.journal.mark_owner import is_of_another, of_another, owner_path, write_owner
from companion.journal.pages import PAGE, Entries
from companion.journal.pieces import Pieces
from companion.journal.record import (
    FIRST_DIGEST,
    LostEntries,
    Row,
    StoredEntry,
    gap_that_ends_with,
    read_chain,
    row_of,
)
from companion.journal.schema import insert, last_number, rows_between, upgrade, upgraded
from companion.journal.trouble import TORN, damage, is_refusal, why
from companion.program import PROGRAM

STEP = 500
Step = Callable[[int], None]
"""Called after each `STEP` entries with the number of entries read so far; raises `ReadingStopped`
to cancel the reading."""
_LONGEST_SUFFIX = ".backup-older-2"  # the longest one that a file beside a session gets
LONG_LOG = 200
"""Commits after which the write-ahead log should be merged into the file; each has two to four
pages. From 1,000 pages on SQLite merges within a commit, which then takes three syncs instead of
one: 12 ms more, measured, before an ACK."""
TRIES = 3  # a reader may hit the moment in which the write-ahead log is created or deleted


class Store:
    """An open session file and the right to write it. Use `create_store` or `open_store`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, mark: MarkFile) -> None:
        self.path = path
        self._connection = connection
        self._mark = mark
        self._owner_written = False  # whether the file that names the owner of the mark is written
        self._watched = WatchedFile(path)
        self._commits = 0  # since the log was last merged into the file
        # The highest number in the file; None if a failed write left that unclear.
        self._last: int | None = None
        # One shared connection for all reads. Opening and closing the file for each read would drop
        # the POSIX locks that SQLite holds on it for this process.
        self._reading = threading.Lock()
        self._reader: sqlite3.Connection | None = _reader(path, "mode=ro", check_same_thread=False)

    def write(self, rows: Sequence[Row]) -> None:
        """Make `rows` durable, all or none, then update the mark.

        Rows already in the file are skipped, so a write with an unclear outcome can be repeated.
        Raise `sqlite3.Error` or `OSError`; `LogGone` if this write or an earlier one may be lost:
        then call `begin_anew`.
        """
        self._look()
        if not rows:
            return
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            last = last_number(self._connection) if self._last is None else self._last
            self._last = None
            insert(self._connection, (row for row in rows if row.n > last))
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            with suppress(sqlite3.Error):  # report the error of the write, not that of the rollback
                self._connection.rollback()
            raise
        self._last = rows[-1].n
        self._commits += 1
        self._watched.look()
        self._mark.write(HighWater(rows[-1].n, rows[-1].digest))
        # After the mark: until it is written, the file may hold the mark of another session.
        if not self._owner_written:
            self._owner_written = True
            self._write_owner()

    def _write_owner(self) -> None:
        first = schema.digest_at(self._connection, 1)
        if first is not None:
            write_owner(self.path, first)

    @property
    def log_is_long(self) -> bool:
        """Whether `shorten_log` should be called."""
        return self._commits >= LONG_LOG

    def shorten_log(self) -> None:
        """Merge the log into the file, at a time when nobody waits for a write. Errors are ignored
        here: the next write has the same ones and reports them."""
        self._commits = 0
        with suppress(sqlite3.Error, OSError):
            self._watched.look()
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def is_intact(self) -> bool:
        """Return whether the files are still the ones that were written; may be called from any
        thread."""
        try:
            self._watched.look()
        except OSError:
            return False
        return True

    def _look(self) -> None:
        try:
            self._watched.look()
        except LogGone as gone:
            # An empty log is harmless if another program had SQLite merge it into the file: then
            # SQLite knows of no page in it. If the log was truncated instead, SQLite knows of pages,
            # fails to read them and merges none.
            with self._watched.emptied() as empty:
                if not (empty and self._knows_of_no_page()):
                    raise gone from None

    def _knows_of_no_page(self) -> bool:
        with suppress(sqlite3.Error):
            _, pages, _ = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            return bool(pages == 0)
        return False

    def begin_anew(self, newest: Sequence[Entry]) -> Path:
        """Write all entries to a new file that replaces the one that was removed or truncated.

        `newest` are the entries in memory; older ones are read through the handles that are still
        open. Return the path of the remains of the old file. Raise `sqlite3.Error`, `OSError` or
        `JournalError`; then it can be repeated.
        """
        last = HighWater(newest[-1].n, newest[-1].digest)
        older = _rows_left(self._connection, newest[0].n - 1)
        rows = [row for row in older if isinstance(row, StoredEntry)]
        gaps = [row for row in older if isinstance(row, LostEntries)]
        for entry in newest:
            rows.append(row_of(entry))
            gap = gap_that_ends_with(entry)
            if gap is not None:
                gaps.append(gap)
        pieces = Pieces(rows, (), set(), gaps, last)
        new = self.path.with_name(f"{self.path.name}.new")
        new.unlink(missing_ok=True)
        create_private(new)  # SQLite treats an empty file as a new database
        with closing(sqlite3.connect(new, isolation_level=None)) as connection:
            _fill(connection, pieces.record("it lay in a log that was removed or cut"))
        _checked(new, None)
        force_to_disk(new)
        aside = put_in_place(new, self.path)
        with self._reading:
            old = (self._reader, self._connection)
            with _closed_on_error(self.path) as connection:
                _prepare(connection, self.path)
                self._reader = _reader(self.path, "mode=ro", check_same_thread=False)
                self._watched.close()
                self._watched, self._connection = WatchedFile(self.path), connection
                self._commits, self._last = 0, None
            for connection_before in old:
                if connection_before is not None:
                    connection_before.close()
        self._mark.write(last)
        return aside

    def read(self, first: int, last: int) -> list[Entry]:
        """Return durable entries by their numbers, even after the store is closed; raise
        `JournalError`."""
        with self._reading:
            if self._reader is not None:
                with _faults_named(self.path):
                    return _span(self._reader, first, last)
        return read_span(self.path, first, last)

    def find(self, key: str) -> int | None:
        """Return the number of the durable entry with this key, or None; raise `JournalError`."""
        with self._reading, _faults_named(self.path):
            if self._reader is None:
                raise NotSaved(f"{self.path} is closed: open the session again to go on.")
            # Not `fetchone`: an unfinished statement would keep its snapshot, and the log could not be
            # merged into the file.
            rows = self._reader.execute("SELECT n FROM entries WHERE key = ?", (key,)).fetchall()
        return rows[0][0] if rows else None

    def image(self) -> tuple[bytes, HighWater]:
        """Return the content of a session file with all durable entries, and the last of them.
        Writing continues meanwhile; may be called from any thread. Raise `JournalError`."""
        # A second SQLite connection: reads on the shared one would have to wait for it. Opened through
        # SQLite, it does not drop this process's locks.
        mode = "mode=ro" if log_path(self.path).exists() else "immutable=1"  # as in `reading`
        with _faults_named(self.path), closing(_reader(self.path, mode)) as connection:
            connection.execute("BEGIN")  # content and last entry must be of the same moment
            row = connection.execute(
                "SELECT n, digest FROM entries ORDER BY n DESC LIMIT 1"
            ).fetchone()
            if row is None:
                raise SessionDamagedError("it holds no entry")
            content = connection.serialize()
            connection.execute("COMMIT")
        return content, HighWater(*row)

    def close(self) -> None:
        """Close the file and release the right to write."""
        with self._reading:
            if self._reader is not None:
                self._reader.close()
            self._reader = None
        self._watched.close()
        self._connection.close()
        self._mark.close()


def create_store(path: Path, *rows: Row) -> Store:
    """Create the file of a new session that holds `rows`. On a `JournalError`, whatever was created
    is removed again as far as the system permits."""
    made: list[Path] = []
    try:
        made = _missing_folders(path.parent)
        make_private(path.parent)
        require_features(path.parent, len(path.name) + len(_LONGEST_SUFFIX))
        mark = MarkFile(path)
    except (OSError, JournalError) as error:
        _remove_empty(made)
        raise error if isinstance(error, JournalError) else _denied(path, error) from error
    if path.exists():
        mark.abandon()
        raise SessionExistsError(
            f"{path} exists already: open it to resume, or choose another name."
        )
    try:
        with _closed_on_error(path) as connection:
            _fill(connection, rows)
            _prepare(connection, path)
            mark.write(HighWater(rows[-1].n, rows[-1].digest))
            store = Store(path, connection, mark)
            write_owner(path, rows[0].digest)
            return store
    except (sqlite3.Error, OSError, JournalError) as error:
        discard(
            path, owner_path(path), *(Path(f"{path}{suffix}") for suffix in untrusted.SIDE_FILES)
        )
        mark.abandon()
        _remove_empty(made)
        raise error if isinstance(error, JournalError) else _denied(path, error) from error


def _missing_folders(folder: Path) -> list[Path]:
    """Return the folders to create for `folder`, the innermost first."""
    missing: list[Path] = []
    for parent in (folder, *folder.parents):
        if parent.exists():
            break
        missing.append(parent)
    return missing


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _fill(connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in schema.STATEMENTS:
        connection.execute(statement)
    insert(connection, rows)
    connection.execute("COMMIT")


def _rows_left(connection: sqlite3.Connection, last: int) -> list[Row]:
    """Return the rows of numbers 1 to `last` that can be read through an open connection whose
    files are damaged."""
    rows: list[Row] = []
    for first in range(1, last + 1, PAGE):
        try:
            rows += rows_between(connection, first, min(first + PAGE - 1, last))
        except sqlite3.Error:
            for n in range(first, min(first + PAGE - 1, last) + 1):
                with suppress(sqlite3.Error):
                    rows += rows_between(connection, n, n)
    return rows


def open_store(
    path: Path, step: Step | None = None, *, doubtful: bool = True
) -> tuple[Store, Entries, tuple[str, ...]]:
    """Return the open file, its entries, and the doubts about it, one sentence each.

    Raise `JournalError` and change nothing. Unless it may be `doubtful`, a doubt raises
    `SessionDoubtfulError`. A damaged log is copied beside the file. `step`: see `Step`.
    """
    check_header(path)
    try:
        mark = MarkFile(path)
    except OSError as error:
        raise _denied(path, error) from error
    before = [
        Path(f"{path}{suffix}")
        for suffix in untrusted.SIDE_FILES
        if not Path(f"{path}{suffix}").exists()
    ]
    try:
        entries = _checked(path, step)
        warnings = _compare(path, entries, mark.read())
        if warnings and not doubtful:
            raise SessionDoubtfulError(warnings[0])
        if log_path(path).exists() and (warnings or has_unread(path)):
            warnings += (f"Its log was damaged: {keep_log(path).name} keeps it as it was.",)
        with _closed_on_error(path) as connection:
            _prepare(connection, path)
            upgrade(connection, schema.SCHEMA_VERSION)
            # Refuse a read-only file now, not at the first press. BEGIN alone would not notice.
            connection.executescript(
                f"BEGIN IMMEDIATE; PRAGMA user_version = {schema.SCHEMA_VERSION}; ROLLBACK"
            )
            store = Store(path, connection, mark)
            entries.read = store.read
            return store, entries, warnings
    except (sqlite3.Error, OSError, JournalError) as error:
        discard(*before)
        mark.abandon()
        raise error if isinstance(error, JournalError) else _denied(path, error) from error


def read_entries(path: Path) -> list[Entry]:
    """Return all entries of a session, verified, without writing; raise `JournalError`."""
    with _whole(path) as entries:
        return list(entries)


def read_known(path: Path) -> tuple[list[Entry], str | None]:
    """Return all entries of a session as `read_entries` does, and a sentence without a full stop on
    what is missing at its end, or None if nothing is missing or nobody can tell."""
    for _ in range(TRIES):
        mark = read_mark(path)  # before the entries: a session in play grows meanwhile
        entries = read_entries(path)
        lacking = lacking_in(path, entries, mark)
        if lacking is None:
            break
    return entries, lacking


def lacking_in(path: Path, entries: Sequence[Entry], mark: HighWater | None) -> str | None:
    """Return what is missing at the end of `entries`; see `what_is_lacking`."""
    return what_is_lacking(path, len(entries), mark, lambda n: entries[n - 1].digest)


def what_is_lacking(
    path: Path, last: int, mark: HighWater | None, digest_at: Callable[[int], bytes | None]
) -> str | None:
    """Return a sentence without a full stop on what a record that ends at entry `last` is missing
    of what was once saved, or None if it reaches the mark. Without a mark of its own, only a
    damaged log shows a loss."""
    if mark is not None:
        if agrees(mark, last, digest_at):
            return None
        if not is_of_another(path, digest_at(1)):
            return _disagreement(path, last, mark)
    if is_cut(path):
        return f"{path} ends at entry {last}, because its log is damaged: what was saved behind that cannot be read"
    return None


def agrees(mark: HighWater, last: int, digest_at: Callable[[int], bytes | None]) -> bool:
    """Return whether a record that ends at entry `last` contains the entry of its mark."""
    return mark.n <= last and (not mark.n or digest_at(mark.n) == mark.digest)


def _disagreement(path: Path, last: int, mark: HighWater) -> str:
    if mark.n > last:
        return f"{path} ends at entry {last}, but entry {mark.n} was saved once: the entries between cannot be read"
    return (
        f"{path} differs at entry {mark.n} from what was saved there last: it may be an older copy"
    )


def read_span(path: Path, first: int, last: int) -> list[Entry]:
    """Return entries `first` to `last` of a session, verified against the entry before; raise
    `JournalError`."""
    with reading(path) as connection:
        return _span(connection, first, last)


def _checked(path: Path, step: Step | None) -> Entries:
    """Return all entries of a session, verified; the older ones of a long record are not kept in
    memory."""
    entries = Entries(partial(read_span, path))
    with _whole(path, step) as all_of_them:
        for entry in all_of_them:
            entries.extend((entry,))
            if entry.n % PAGE == 0:
                entries.saved(entry.n)
    return entries


@contextmanager
def _whole(path: Path, step: Step | None = None) -> Iterator[Iterator[Entry]]:
    """Yield the entries of an undamaged session; `JournalError` at the entry that breaks the chain."""
    with reading(path) as connection, collector_frozen():
        (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise SessionDamagedError(TORN)
        entries = read_chain(_counted(rows_between(connection, 1), step))
        # Fetch the first entry before the caller does anything with the rest: an empty record is refused.
        first = next(entries, None)
        if first is None:
            raise SessionDamagedError("it holds no entry")
        yield chain((first,), entries)


def _span(connection: sqlite3.Connection, first: int, last: int) -> list[Entry]:
    rows = list(rows_between(connection, max(first - 1, 1), last))
    before = FIRST_DIGEST
    if first > 1 and rows and rows[0].n == first - 1:
        before = rows.pop(0).digest
    entries = list(islice(read_chain(rows, first - 1, before), last - first + 1))
    if len(entries) != last - first + 1:
        raise SessionDamagedError(f"entry {first + len(entries)} is missing")
    return entries


def _counted(rows: Iterable[Row], step: Step | None) -> Iterator[Row]:
    for count, row in enumerate(rows, start=1):
        yield row
        if step is not None and count % STEP == 0:
            step(count)


@contextmanager
def reading(path: Path, *, damaged: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a session read-only; every error inside the block becomes a `JournalError` that names
    the file.

    With `damaged`, only the table of entries is checked: SQLite reads them despite a damaged
    trigger or a file shorter than its header says.
    """
    check_header(path)
    # Without a write-ahead log the file is complete, and `immutable` keeps SQLite from creating side files.
    mode = "mode=ro" if Path(f"{path}-wal").exists() else "immutable=1"
    with _faults_named(path), closing(_reader(path, mode)) as connection:
        untrusted.limit_time(connection, _bytes_of(path))
        if damaged:
            connection.execute("PRAGMA writable_schema = ON")
        # The header alone is not enough: the log may contain an upgrade to a newer format.
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        _check_version(path, version)
        if damaged:
            untrusted.check_table(connection, _schema(version))
        else:
            untrusted.check_schema(connection, _schema(version))
        if schema.reads_alike(version, schema.SCHEMA_VERSION):
            yield connection
        elif _bytes_of(path) > untrusted.LARGEST_READ:
            raise SessionDamagedError("it is larger than any session of its format")
        else:
            with upgraded(connection, schema.SCHEMA_VERSION) as memory:
                yield memory


def _reader(path: Path, mode: str, *, check_same_thread: bool = True) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{mode}"
    connection = sqlite3.connect(
        uri,
        uri=True,
        timeout=untrusted.LOCKED_S,
        isolation_level=None,
        check_same_thread=check_same_thread,
    )
    untrusted.guard(connection)
    connection.text_factory = lambda text: text.decode(errors="replace")
    return connection


def _bytes_of(path: Path) -> int:
    log = Path(f"{path}-wal")
    return path.stat().st_size + (log.stat().st_size if log.exists() else 0)


def _schema(version: int) -> untrusted.Schema:
    """Return the schema of a session file in this format; it is the same whether created in it or
    upgraded to it."""
    if version < 1:
        raise SessionDamagedError(f"format {version} was never in use")
    steps = (statement for step in range(1, version) for statement in schema.STEPS.get(step, ()))
    return _schema_after((*schema.FORMAT_1, *steps))


@lru_cache
def _schema_after(scripts: tuple[str, ...]) -> untrusted.Schema:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as memory:
        for script in scripts:
            memory.executescript(script)
        return untrusted.schema_of(memory)


@contextmanager
def _faults_named(path: Path) -> Iterator[None]:
    try:
        yield
    except (
        sqlite3.Error,
        OSError,
        UnicodeDecodeError,
        SessionDamagedError,
    ) as error:  # `UnicodeDecodeError`: SQLite quotes damaged names in its messages
        if isinstance(error, OSError) or is_refusal(error):
            raise _denied(path, error) from error
        problem = f"is damaged ({damage(error)}): nothing was changed; save what can be read with"
        raise SessionDamagedError(f"{path} {problem} {_repair(path)}.") from error


def _repair(path: Path) -> str:
    return f"`{PROGRAM} journal repair {typed_name(path)}`"


def check_header(path: Path) -> None:
    """Check the first 100 bytes of the file; raise the `JournalError` that fits what is wrong with
    them."""
    try:
        untrusted.check_kind(path)
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError as error:
        raise SessionMissingError(
            f"{path} does not exist: check the name, or list the sessions that are there."
        ) from error
    except OSError as error:
        raise _denied(path, error) from error
    refused = refusal_to_read(log_path(path))
    if refused is not None:  # SQLite would not say which of the two files it cannot open
        raise _denied(log_path(path), refused)
    if not header:
        raise SessionDamagedError(
            f"{path} is empty: delete it, unless {_repair(path)} finds a copy of the session."
        )
    if header[:16] != b"SQLite format 3\0"[: len(header)]:
        raise NotASessionError(
            f"{path} is no session of the companion: it is not an SQLite file; choose another."
        )
    if len(header) < 100:
        raise SessionDamagedError(
            f"{path} is damaged (torn after {len(header)} bytes): mend it with {_repair(path)}."
        )
    if int.from_bytes(header[68:72], "big") != schema.APPLICATION_ID:
        raise NotASessionError(
            f"{path} is no session of the companion: it belongs to another program; choose another."
        )
    _check_version(path, int.from_bytes(header[60:64], "big"))


def _check_version(path: Path, version: int) -> None:
    if version > schema.SCHEMA_VERSION:
        raise NewerSessionError(
            f"{path} was written by a newer companion (format {version}, this one reads {schema.SCHEMA_VERSION}): "
            "update the companion to open it."
        )


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise SessionDeniedError(
            f"{path} lies where SQLite cannot keep a write-ahead log: choose a folder on a disk of this machine."
        )
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA recursive_triggers = ON")
    # Creates the log, which `WatchedFile` opens.
    connection.executescript("BEGIN IMMEDIATE; ROLLBACK")


@contextmanager
def _closed_on_error(path: Path) -> Iterator[sqlite3.Connection]:
    create_private(path)  # SQLite treats an empty file as a new database
    connection = sqlite3.connect(
        path, timeout=untrusted.LOCKED_S, isolation_level=None, check_same_thread=False
    )
    try:
        untrusted.guard(connection)
        yield connection
    except BaseException:
        connection.close()
        raise


def _compare(path: Path, entries: Sequence[Entry], mark: HighWater | None) -> tuple[str, ...]:
    if mark is None:
        return (
            f"No file beside {path} says how far it was saved: if its last entries were lost, nothing would tell.",
        )
    is_agreed = agrees(mark, len(entries), lambda n: entries[n - 1].digest)
    if not is_agreed and is_of_another(path, entries[0].digest):
        return (f"{of_another(path)}: compare the standings with the table before going on.",)
    lacking = lacking_in(path, entries, mark)
    if lacking is None:
        return ()
    return (f"{lacking}; compare the standings with the table before going on.",)


def _denied(path: Path, error: BaseException) -> SessionDeniedError:
    """Return the error for a refusal of the system. If the disk lacks a feature, SQLite only
    reports that the file is locked or that the disk fails; so the disk is tested."""
    if isinstance(error, sqlite3.Error):
        try:
            require_features(path.parent, session=path)
        except FolderUnfit as unfit:
            return unfit
        except OSError:  # the test needs a file there; report the original reason
            pass
    return SessionDeniedError(f"{refused_at(path, error)} cannot be opened, because {why(error)}.")
