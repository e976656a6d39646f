"""The hub's database: SQLite for a club night in one process, PostgreSQL for more."""

from __future__ import annotations

import logging
import math
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError as NoSuchStep
from sqlalchemy import URL, Connection, create_engine, event, insert, inspect, make_url, update
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InternalError,
    NoSuchModuleError,
    OperationalError,
)

from companion.errors import CommandError, ErrorKind
from companion.hub.schema import GATHERINGS, METADATA
from companion.journal.disk import create_private, is_file
from companion.journal.features import Feature, lacks_sentence, missing_in, there_is
from companion.journal.trouble import why

_LOG: Final = logging.getLogger("companion.hub")
_FORMS: Final = "give sqlite:///FILE or postgresql://USER@HOST/NAME"
_ANOTHER_DISK: Final = "Name a file on a disk of this computer: --database sqlite:///FILE"
_DRIVERS: Final = {"sqlite": "sqlite+pysqlite", "postgresql": "postgresql+psycopg"}
LOCKED_S: Final = 10.0  # seconds that a writer waits for another of the same SQLite file
# to PostgreSQL: each takes some megabytes there, and two cores can write no more at once
CONNECTIONS: Final = 8


class Database:
    """The open database, at the newest schema. Any thread may use it."""

    def __init__(self, url: str, *, must_exist: bool = False) -> None:
        """Open it and upgrade its schema; raise `CommandError`. With `must_exist`, a missing file is not created."""
        try:
            place = _place_of(url)
            kind = place.get_backend_name()
            if kind not in _DRIVERS:
                raise CommandError(f"{kind} is no database of the hub: {_FORMS}.", ErrorKind.USAGE)
            if kind == "sqlite" and not place.host and place.database in (None, "", ":memory:"):
                raise CommandError(
                    f"That database is no file, and would keep nothing: {_FORMS}.", ErrorKind.USAGE
                )
            more: dict[str, Any] = {"pool_size": CONNECTIONS} if kind == "postgresql" else {}
            self._engine = create_engine(place.set(drivername=_DRIVERS[kind]), **more)
        except ArgumentError as problem:
            raise _no_address() from problem
        except (NoSuchModuleError, ModuleNotFoundError) as problem:
            raise CommandError(
                f"The hub's database cannot be opened: {_first_line(problem)}.", ErrorKind.USAGE
            ) from problem
        self._named = f"The hub's database {_shown(place)}"
        self._secrets = _secrets_of(place)
        self.is_sqlite = kind == "sqlite"
        self.file = Path(place.database) if self.is_sqlite and place.database else None
        """Path of the SQLite file; None for PostgreSQL."""
        self.trouble = ""
        """Why the last write failed, as the end of a sentence; empty if it did not."""
        self.troubled_at = -math.inf
        """Time of the last failed write, in seconds of the monotonic clock."""
        self.trouble_changed: Callable[[], object] = lambda: None
        """Called when `trouble` changes, from any thread."""
        self._trouble_lock = threading.Lock()
        # SQLite itself would create a missing file
        if must_exist and self.file is not None and not is_file(self.file):
            raise CommandError(
                f"{self._named} is not there: name your hub's with --database.", ErrorKind.NO_INPUT
            )
        self.readable_by_anybody = False
        """Whether the disk ignores file permissions."""
        if self.file is not None and not must_exist:
            self._make(self.file)
        if self.is_sqlite:
            event.listen(self._engine, "connect", _durable)
            event.listen(self._engine, "begin", _begin)
        try:
            self._upgrade()
        except (NoSuchStep, DBAPIError) as problem:
            self._engine.dispose()
            if isinstance(problem, DBAPIError):
                raise self.unusable(problem) from problem
            then = "go on with that one, or name a new database."
            raise CommandError(
                f"{self._named} was made by another version of the companion: {then}"
            ) from problem

    def _make(self, file: Path) -> None:
        """Create the file, for its owner alone, if it does not exist; raise `CommandError` for a disk on which SQLite
        cannot write safely. Any other failure is left for SQLite to report."""
        self.readable_by_anybody = Feature.PERMISSIONS in missing_but_safe(file.parent)
        with suppress(OSError):
            create_private(file)

    def unusable(self, problem: DBAPIError) -> CommandError:
        """Return the error of a command for `problem`."""
        why_not = self._why(problem)
        sentence = f"{self._named} cannot be used: {why_not}. Is its server running, and may you write there?"
        if self.is_sqlite and problem.orig is not None:
            sentence = f"{self._named} cannot be used, because {why_not}."
        return CommandError(sentence, ErrorKind.UNAVAILABLE)

    def _why(self, problem: DBAPIError) -> str:
        """Return why the database refuses, as the end of a sentence, without secrets."""
        if self.is_sqlite and problem.orig is not None:
            return why(problem.orig)
        sentence = _first_line(problem.orig)
        for secret in self._secrets:
            sentence = sentence.replace(secret, "***")
        return sentence

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Run a transaction: committed to the disk when the block ends, rolled back if it raises. `trouble` then says
        if the database could be written."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except (OperationalError, InternalError) as problem:
            self._set_trouble(self._why(problem))
            raise
        self._set_trouble("")

    def _set_trouble(self, trouble: str) -> None:
        if trouble:
            self.troubled_at = time.monotonic()
        with self._trouble_lock:  # a change that two threads find at once is told once
            if trouble == self.trouble:
                return
            self.trouble = trouble
            if trouble:
                _LOG.error("The database cannot be written: %s.", trouble)
            else:
                _LOG.warning("The database can be written again.")
        self.trouble_changed()

    def try_to_write(self) -> None:
        """Write something that changes nothing, so that `trouble` is current; raise `DBAPIError`."""
        with self.writing() as connection:
            connection.execute(update(GATHERINGS).values(title=GATHERINGS.c.title))

    def wipe(self) -> bool:
        """Overwrite what was deleted or changed before, in the file and its WAL; return False if a reader still needs
        some of it. PostgreSQL does so by itself, later."""
        if not self.is_sqlite:
            return True
        with closing(self._engine.raw_connection()) as connection:
            cursor = connection.cursor()
            try:
                cursor.execute("VACUUM")
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                row = cursor.fetchone()
            except sqlite3.OperationalError:
                return False
        # the first column is 1 if a reader kept the WAL from being truncated
        return row is not None and row[0] == 0

    def reading(self) -> AbstractContextManager[Connection]:
        """Open a connection to read, which delays no writer."""
        return self._engine.connect().execution_options(reads=True)

    @contextmanager
    def unpooled(self) -> Iterator[Any]:
        """Yield a PostgreSQL connection outside of any transaction and of the pool, to wait for notifications on."""
        pooled = self._engine.raw_connection()
        bare: Any = pooled.driver_connection
        # it is closed below and must not go back to the pool
        pooled.detach()
        bare.autocommit = True
        try:
            yield bare
        finally:
            bare.close()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _upgrade(self) -> None:
        settings = Config()
        settings.set_main_option("script_location", str(files("companion.hub") / "migrations"))
        with self.writing() as connection:
            settings.attributes["connection"] = connection
            if inspect(connection).has_table("alembic_version"):
                command.upgrade(settings, "head")
            else:
                METADATA.create_all(connection)
                connection.execute(insert(GATHERINGS).values(title="", begun=0.0, awards_shown=0.0))
                command.stamp(settings, "head")


def missing_but_safe(folder: Path) -> tuple[Feature, ...]:
    """Return the features that the disk of a folder lacks; raise `CommandError` if SQLite cannot write safely to it."""
    try:
        missing = missing_in(there_is(folder))
    except OSError:  # creating the file reports the reason
        return ()
    for feature in missing:
        if feature is not Feature.PERMISSIONS:
            raise CommandError(
                f"{lacks_sentence(folder, feature)}. {_ANOTHER_DISK}", ErrorKind.CANNOT_CREATE
            )
    return missing


def _place_of(url: str) -> URL:
    """Parse a database's address; raise `CommandError`, which does not repeat the address, as that may have a
    password."""
    try:
        place = make_url(url)
    except (ArgumentError, ValueError) as problem:
        raise _no_address() from problem
    if "@" in (place.host or ""):  # what precedes it may be the end of a password
        why = "The address of the database has more than one @: write %40 for one in a name or a password."
        raise CommandError(why, ErrorKind.USAGE)
    return place


def _no_address() -> CommandError:
    return CommandError(f"That is no address of a database: {_FORMS}.", ErrorKind.USAGE)


def _shown(place: URL) -> str:
    """Return the address for a sentence: the server and database, without user, password and options."""
    if place.get_backend_name() == "sqlite":
        return place.render_as_string()
    return URL.create(
        place.drivername, host=place.host, port=place.port, database=place.database
    ).render_as_string()


def _secrets_of(place: URL) -> tuple[str, ...]:
    """Return what no sentence may repeat, the longest first: the password, and options, which may hold one. Host and
    port may be named."""
    values: list[str] = [str(place.password or "")]
    for name, value in place.query.items():
        if name not in ("host", "port"):
            values += [value] if isinstance(value, str) else value
    return tuple(sorted(filter(None, values), key=len, reverse=True))


def _durable(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # the driver would begin transactions itself, and too late
    # `secure_delete` overwrites a removed name in free pages too
    connection.executescript(
        f"PRAGMA busy_timeout = {int(LOCKED_S * 1000)}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; "
        "PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON"
    )


def _begin(connection: Connection) -> None:
    # A writer takes its lock at once: after a first read, SQLite refuses it if another wrote meanwhile.
    reads = connection.get_execution_options().get("reads")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _first_line(problem: object) -> str:
    lines = str(problem).strip().splitlines()
    if not lines:
        return "it does not answer"
    return lines[0].rstrip(".")
