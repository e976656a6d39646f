"""The sessions of this user: their files, their names, and which ones are unfinished."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from companion.journal.disk import free_name
from companion.journal.entries import Control, Entry, is_control
from companion.journal.errors import JournalError, SessionDamagedError, SessionDeniedError
from companion.journal.folder import DATA_VARIABLE, SUFFIX, sessions_dir
from companion.journal.mark import read_mark
from companion.journal.record import unseal
from companion.journal.schema import digest_at, last_number
from companion.journal.store import reading, what_is_lacking
from companion.journal.trouble import why
from companion.journal.wall_clock import instant_of
from companion.rules.order import NO_PLACE, Place, place_of
from companion.rules.registry import DEFINITION_KEY

LONGEST_NAME = 255  # characters: the longest file name, and more than `sessions rename` accepts
MOST_SEATS = 32  # seats shown in a list; no game has as many
ORDER_KEY = "order-"
"""Key prefix of the entries that give a session its place in the order of the folder. The index on
keys finds them, so that a new session need not read all others."""
_OF_THE_LINK = ("hello", "boot", "state", "sync", "config", "note", "cue", "omitted")
"""Kinds of evidence that a board sends even if nobody touches it."""
_STATES = (Control.ENDED, Control.RESUMED, Control.RENAMED)  # entries about the session as a whole


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A summary of a session file.

    `name` is the one given last, or the file's if the header cannot be read; then `game` is empty.
    `title` is the title of a game that its owner defined in a file, empty for any other game.
    `started_wall` and `last_wall` are the wall clocks of the first entry and of the last one that
    is not a new name. `problem` says in one sentence why the file cannot be read. `seats` are the
    names at the start.

    `lacking` says in one sentence what was saved once and cannot be read, empty for nothing.
    `ruled`: it has a fact, or may have lost one. `pressed`: a board reported a button or a sensor;
    `evidence`: a board reported anything at all. `places` are its places in the order of its folder
    (see `order`), one for its start and one for each time it was resumed, `NO_PLACE` from a
    companion that assigned none.
    """

    path: Path
    name: str
    game: str = ""
    title: str = ""
    started_wall: str = ""
    last_wall: str = ""
    entries: int = 0
    ended: bool = False
    problem: str | None = None
    seats: tuple[str, ...] = ()
    lacking: str = ""
    ruled: bool = False
    pressed: bool = False
    evidence: bool = False
    places: tuple[Place, ...] = ()
    first: bytes = b""
    """The digest of the first entry, shared by all files of one game; empty if it cannot be read.
    """

    @property
    def played(self) -> bool:
        """Whether anybody played in it."""
        return self.ruled or self.pressed

    @property
    def when_begun(self) -> tuple[int, datetime]:
        """Sort key by when it was begun."""
        return next(iter(self.places), NO_PLACE).number, instant_of(self.started_wall)

    @property
    def when_played(self) -> tuple[int, datetime]:
        """Sort key by when it was begun or resumed last."""
        return self.last_place.number, instant_of(self.last_wall)

    @property
    def last_place(self) -> Place:
        """The place with the highest number."""
        return max(self.places, default=NO_PLACE)


def new_session_path(game: str, wall: Callable[[], str], folder: Path | None = None) -> Path:
    """Return a free path in `folder` (None: `sessions_dir()`), made of the game's id and the time
    of day from `wall` (ISO 8601, UTC). Raise `SessionDeniedError` for a folder that cannot be read.
    """
    stamp = re.sub(r"[^0-9T]", "", wall()[:19])
    folder = sessions_dir() if folder is None else folder
    path = folder / f"{re.sub(r'[^a-z0-9-]', '-', game.lower())}-{stamp}{SUFFIX}"
    try:
        return free_name(path, SUFFIX)
    except OSError as error:
        raise SessionDeniedError(f"{path} cannot be opened, because {why(error)}.") from error


def name_of(entries: Sequence[Entry]) -> str:
    """Return the current name of the session with this record, empty if it has only that of its
    file. Values that nobody can have entered are ignored."""
    for entry in reversed(entries):
        name = entry.body.get("name")
        names_session = entry.n == 1 or is_control(entry, Control.RENAMED)
        if names_session and isinstance(name, str) and len(name) <= LONGEST_NAME:
            return name
    return ""


def list_sessions(folder: Path) -> tuple[SessionInfo, ...]:
    """Return the sessions in `folder`, newest first, unreadable ones at the end with their problem.
    Raise `SessionDeniedError` for a folder that cannot be read."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIX))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise SessionDeniedError(
            f"{folder} cannot be read, because {why(error)}; {DATA_VARIABLE} names it."
        ) from error
    infos = [_glance(path) for path in paths]
    return tuple(
        sorted(infos, key=lambda info: (info.problem is None, *info.when_begun), reverse=True)
    )


def unfinished(infos: Iterable[SessionInfo], *, unplayed: bool = False) -> tuple[SessionInfo, ...]:
    """Return the readable unfinished sessions, the one played last first: those in which anything
    was played; if there are none, those with evidence of a board; with `unplayed`, if there are
    none of these either, all."""
    candidates = sorted(
        (info for info in infos if info.problem is None and not info.ended),
        key=lambda info: info.when_played,
        reverse=True,
    )
    played = [info for info in candidates if info.played]
    connected = [info for info in candidates if info.evidence]
    return tuple(played or connected or (candidates if unplayed else ()))


def last_of(infos: Iterable[SessionInfo], *, unplayed: bool = False) -> SessionInfo | None:
    """Return the first of `unfinished`, or None."""
    return next(iter(unfinished(infos, unplayed=unplayed)), None)


def is_played(path: Path) -> bool:
    """Return whether anything was played in the session at `path`; raise `JournalError`."""
    with reading(path) as connection:
        return _has_fact(connection) or _has_evidence(connection, but=_OF_THE_LINK)


def places_of(path: Path) -> tuple[Place, ...]:
    """Return the places of a session in the order of its folder; see `SessionInfo`. Raise
    `JournalError`."""
    with reading(path) as connection:
        resumed = _entries(
            connection, f"WHERE n = 1 OR key BETWEEN '{ORDER_KEY}' AND '{ORDER_KEY}:' ORDER BY n"
        )
        return tuple(place_of(entry.body) for entry in resumed)


def _glance(path: Path) -> SessionInfo:
    try:
        return _read_info(path)
    except JournalError as error:
        return SessionInfo(path, path.stem, problem=str(error))


def _read_info(path: Path) -> SessionInfo:
    # Read the mark before the entries: a session in play grows meanwhile, and must not seem to end early.
    mark = read_mark(path)
    with reading(path) as connection:
        first = next(_entries(connection, "WHERE n = 1"), None)
        if first is None:
            raise SessionDamagedError("it holds no entry")
        # Renaming an old session does not count as playing it.
        backwards = _entries(connection, "ORDER BY n DESC")
        newest = next(
            entry for entry in backwards if entry.n == 1 or not is_control(entry, Control.RENAMED)
        )
        count = last_number(connection)
        ruled = _has_fact(connection)
        pressed = ruled or _has_evidence(connection, but=_OF_THE_LINK)
        evidence = pressed or _has_evidence(connection)
        lacking = what_is_lacking(path, count, mark, partial(digest_at, connection))
        # A plain search for text first, so that few entries have to be decoded.
        kinds = " OR ".join(f"""instr(record, '"kind":"{kind}"')""" for kind in _STATES)
        controls = [
            entry
            for entry in _entries(
                connection, f"""WHERE instr(record, '"layer":"control"') AND ({kinds}) ORDER BY n"""
            )
            if is_control(entry, *_STATES)
        ]
    is_ended = False
    resumed: list[Entry] = []
    for entry in controls:
        if entry.kind == Control.RESUMED:
            resumed.append(entry)
        if entry.kind != Control.RENAMED:
            is_ended = entry.kind == Control.ENDED
    try:
        seats = tuple(str(seat["name"]) for seat in first.body.get("seats", ()))
    except (KeyError, TypeError) as error:
        raise SessionDamagedError(
            f"{path} is damaged (its first entry names no seats): restore it from a copy."
        ) from error
    return SessionInfo(
        path=path,
        name=name_of((first, *controls)) or path.stem,
        game=str(first.body.get("game", ""))[:LONGEST_NAME],
        title=_stated_title(first.body.get("components"))[:LONGEST_NAME],
        started_wall=first.wall,
        last_wall=newest.wall,
        entries=count,
        ended=is_ended,
        seats=tuple(name[:LONGEST_NAME] for name in seats[:MOST_SEATS]),
        lacking="" if lacking is None else f"{lacking}.",
        ruled=ruled or lacking is not None,
        pressed=pressed,
        evidence=evidence,
        places=tuple(place_of(entry.body) for entry in (first, *resumed)),
        first=first.digest,
    )


def _stated_title(components: object) -> str:
    if not isinstance(components, dict) or DEFINITION_KEY not in components:
        return ""
    import tomllib  # needed for few sessions

    # The text is untrusted.
    with suppress(KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return str(tomllib.loads(components[DEFINITION_KEY])["title"])
    return ""


def _has_fact(connection: sqlite3.Connection) -> bool:
    cursor = connection.execute(
        """SELECT 1 FROM entries WHERE instr(record, '"layer":"fact"') LIMIT 1"""
    )
    return cursor.fetchone() is not None


def _has_evidence(connection: sqlite3.Connection, but: Sequence[str] = ()) -> bool:
    others = "".join(f""" AND NOT instr(record, '"kind":"{kind}"')""" for kind in but)
    sql = f"""SELECT 1 FROM entries WHERE instr(record, '"layer":"evidence"'){others} LIMIT 1"""
    return connection.execute(sql).fetchone() is not None


def _entries(connection: sqlite3.Connection, which: str) -> Iterator[Entry]:
    """Yield the entries of the rows that the SQL clause `which` selects, their digests not checked."""
    for n, record, digest in connection.execute(
        f"SELECT n, CAST(record AS BLOB), digest FROM entries {which}"
    ):
        try:
            entry = unseal(record, digest)
        except ValueError as error:
            raise SessionDamagedError(f"entry {n} cannot be read") from error
        if entry.n != n:
            raise SessionDamagedError(f"entry {n} is none of its number")
        yield entry


class SessionHead(NamedTuple):
    """The first entry of a session, and the number of entries."""

    first: Entry
    entries: int


def head_of(path: Path) -> SessionHead:
    """Return the head of the session at `path`, digests not checked; raise `JournalError`."""
    with reading(path) as connection:
        first = next(_entries(connection, "WHERE n = 1"), None)
        if first is None:
            raise SessionDamagedError("it holds no entry")
        return SessionHead(first, last_number(connection))


def last_of_kind(path: Path, kind: str) -> Entry | None:
    """Return the last entry of a kind, its digest not checked, or None. Raise `JournalError`."""
    with reading(path) as connection:
        # A plain search for text first, so that few entries have to be decoded.
        candidates = _entries(
            connection, f"""WHERE instr(record, '"kind":"{kind}"') ORDER BY n DESC"""
        )
        for entry in candidates:
            if entry.kind == kind:
                return entry
    return None
