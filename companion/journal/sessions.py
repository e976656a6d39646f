"""The sessions of this user: where they lie, what they are called, which one was not brought to its end."""

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

LONGEST_NAME = 255  # characters: no file is called more, and `sessions rename` takes fewer
MOST_SEATS = 32  # that a list shows: no game has as many
ORDER_KEY = "order-"
"""What the keys of the entries begin with that give a session a place in the order of its folder: an index finds them,
so that a new session need not read the whole of all others."""
_OF_THE_LINK = ("hello", "boot", "state", "sync", "config", "note", "cue", "omitted")
"""Evidence of a board that is there, of which nobody has done anything yet."""
_STATES = (Control.ENDED, Control.RESUMED, Control.RENAMED)  # they tell of the session as a whole


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A session file at a glance. `name` is the one given last, `game` the header's, or the file's name and empty;
    `title` is what the file of a game of one's own calls it, empty for any other game;
    `started_wall` and `last_wall` are the wall clock of its first entry and of the last that is no new name; `problem`
    says in one sentence why it cannot be read; `seats` are the names it was begun with; `lacking` says in
    one sentence what was saved once and cannot be read, empty where that is nothing; `ruled` whether it has
    any fact, or may have had one that is lacking; `pressed` whether a board reported anything of its buttons or
    sensors, `evidence` whether a board reported anything at all; `places` are those in the order of its folder,
    see `order`: of its beginning and of each time it was resumed, `NO_PLACE` where the companion that did so gave none;
    `first` is the digest of its first entry."""

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
    """The digest of the first entry: files that share it are of one game. Empty where it cannot be read."""

    @property
    def played(self) -> bool:
        """Whether anybody did anything in it."""
        return self.ruled or self.pressed

    @property
    def when_begun(self) -> tuple[int, datetime]:
        """Its place among the sessions of its folder by when they were begun."""
        return next(iter(self.places), NO_PLACE).number, instant_of(self.started_wall)

    @property
    def when_played(self) -> tuple[int, datetime]:
        """Its place among the sessions of its folder by when they were begun or resumed last."""
        return self.last_place.number, instant_of(self.last_wall)

    @property
    def last_place(self) -> Place:
        """The place with the greatest number that it was given."""
        return max(self.places, default=NO_PLACE)


def new_session_path(game: str, wall: Callable[[], str], folder: Path | None = None) -> Path:
    """Return a path in `folder` (None: `sessions_dir()`) that is free: the game's id and the time of day from `wall`
    (ISO 8601, UTC). Raise `SessionDeniedError` for a folder that cannot be looked into."""
    stamp = re.sub(r"[^0-9T]", "", wall()[:19])
    folder = sessions_dir() if folder is None else folder
    path = folder / f"{re.sub(r'[^a-z0-9-]', '-', game.lower())}-{stamp}{SUFFIX}"
    try:
        return free_name(path, SUFFIX)
    except OSError as error:
        raise SessionDeniedError(f"{path} cannot be opened, because {why(error)}.") from error


def name_of(entries: Sequence[Entry]) -> str:
    """Return what the session with this record is called now; empty when it has no name but the file's. A name that
    nobody could have given is none."""
    for entry in reversed(entries):
        name = entry.body.get("name")
        names_session = entry.n == 1 or is_control(entry, Control.RENAMED)
        if names_session and isinstance(name, str) and len(name) <= LONGEST_NAME:
            return name
    return ""


def list_sessions(folder: Path) -> tuple[SessionInfo, ...]:
    """Return the sessions in `folder`, the one begun last first; unreadable ones come last, with their problem. Raise
    `SessionDeniedError` for a folder that cannot be read."""
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
    """Return the readable sessions without an end, the one played last first: those in which anything was played; where
    there is none, those in which a board reported anything; with `unplayed`, where there is none of these, the rest."""
    candidates = sorted(
        (info for info in infos if info.problem is None and not info.ended),
        key=lambda info: info.when_played,
        reverse=True,
    )
    played = [info for info in candidates if info.played]
    connected = [info for info in candidates if info.evidence]
    return tuple(played or connected or (candidates if unplayed else ()))


def last_of(infos: Iterable[SessionInfo], *, unplayed: bool = False) -> SessionInfo | None:
    """Return the first of `unfinished`; None when there is none."""
    return next(iter(unfinished(infos, unplayed=unplayed)), None)


def is_played(path: Path) -> bool:
    """Return whether anything was played in the session at `path`; raise `JournalError`."""
    with reading(path) as connection:
        return _has_fact(connection) or _has_evidence(connection, but=_OF_THE_LINK)


def places_of(path: Path) -> tuple[Place, ...]:
    """Return the places of a session in the order of its folder, see `SessionInfo`; raise `JournalError`."""
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
    mark = read_mark(path)  # before the entries: a session in play grows meanwhile
    with reading(path) as connection:
        first = next(_entries(connection, "WHERE n = 1"), None)
        if first is None:
            raise SessionDamagedError("it holds no entry")
        # Who gives an old session a name does not go on with it.
        backwards = _entries(connection, "ORDER BY n DESC")
        newest = next(
            entry for entry in backwards if entry.n == 1 or not is_control(entry, Control.RENAMED)
        )
        count = last_number(connection)
        ruled = _has_fact(connection)
        pressed = ruled or _has_evidence(connection, but=_OF_THE_LINK)
        evidence = pressed or _has_evidence(connection)
        lacking = what_is_lacking(path, count, mark, partial(digest_at, connection))
        # The plain search first: it spares most entries being read as JSON.
        kinds = " OR ".join(f"""instr(record, '"kind":"{kind}"')""" for kind in _STATES)
        controls = [
            entry
            for entry in _entries(
                connection, f"""WHERE instr(record, '"layer":"control"') AND ({kinds}) ORDER BY n"""
            )
            if is_control(entry, *_STATES)
        ]
    resumed = [entry for entry in controls if entry.kind == Control.RESUMED]
    states = [entry.kind for entry in controls if entry.kind != Control.RENAMED]
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
        ended=states[-1:] == [Control.ENDED],
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
    import tomllib  # which few sessions need

    # anybody may have written it
    with suppress(KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return str(tomllib.loads(components[DEFINITION_KEY])["title"])
    return ""


def _has_fact(connection: sqlite3.Connection) -> bool:
    row = connection.execute(
        """SELECT 1 FROM entries WHERE instr(record, '"layer":"fact"') LIMIT 1"""
    )
    return row.fetchone() is not None


def _has_evidence(connection: sqlite3.Connection, but: Sequence[str] = ()) -> bool:
    others = "".join(f""" AND NOT instr(record, '"kind":"{kind}"')""" for kind in but)
    sql = f"""SELECT 1 FROM entries WHERE instr(record, '"layer":"evidence"'){others} LIMIT 1"""
    return connection.execute(sql).fetchone() is not None


def _entries(connection: sqlite3.Connection, which: str) -> Iterator[Entry]:
    """The entries of the rows so chosen, their digests not checked."""
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
    """The first entry of a session, and how many entries there are."""

    first: Entry
    entries: int


def head_of(path: Path) -> SessionHead:
    """Return the head of the session at `path`, its digests not checked; raise `JournalError`."""
    with reading(path) as connection:
        first = next(_entries(connection, "WHERE n = 1"), None)
        if first is None:
            raise SessionDamagedError("it holds no entry")
        return SessionHead(first, last_number(connection))


def last_of_kind(path: Path, kind: str) -> Entry | None:
    """Return the last entry of a kind, its digest not checked; None when there is none. Raise `JournalError`."""
    with reading(path) as connection:
        # The plain search: it spares most entries being read as JSON.
        candidates = _entries(
            connection, f"""WHERE instr(record, '"kind":"{kind}"') ORDER BY n DESC"""
        )
        return next((entry for entry in candidates if entry.kind == kind), None)
