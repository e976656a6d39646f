"""The sessions of this user: where they lie, what they are called, which one was not brought to its end."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.journal.entries import Control, Entry, Layer
from companion.journal.errors import JournalError
from companion.journal.record import unseal
from companion.journal.store import reading

DATA_VARIABLE = "COMPANION_DATA"  # a folder that takes the place of the user's data folder
SUFFIX = ".sqlite"


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A session file at a glance. `name` is the one given last, `game` the header's, or the file's name and empty;
    `started_wall` and `last_wall` are the wall clock of its first entry and of the last that is no new name; `problem`
    says in one sentence why it cannot be read; `seats` are the names it was begun with."""

    path: Path
    name: str
    game: str = ""
    started_wall: str = ""
    last_wall: str = ""
    entries: int = 0
    ended: bool = False
    problem: str | None = None
    seats: tuple[str, ...] = ()


def sessions_dir() -> Path:
    """Return the folder of the session files; it need not exist."""
    chosen = os.environ.get(DATA_VARIABLE)
    if chosen:
        return Path(chosen) / "sessions"
    import platformdirs  # 58 ms that only this needs

    return platformdirs.user_data_path("table-companion", appauthor=False) / "sessions"


def new_session_path(game: str, wall: Callable[[], str]) -> Path:
    """Return a path in `sessions_dir()` that is free: the game's id and the time of day from `wall` (ISO 8601, UTC)."""
    stamp = re.sub(r"[^0-9T]", "", wall()[:19])
    stem = f"{re.sub(r'[^a-z0-9-]', '-', game.lower())}-{stamp}"
    path = sessions_dir() / f"{stem}{SUFFIX}"
    count = 1
    while path.exists():
        count += 1
        path = path.with_name(f"{stem}-{count}{SUFFIX}")
    return path


def name_of(entries: Sequence[Entry]) -> str:
    """Return what the session with this record is called now; empty when it has no name but the file's."""
    for entry in reversed(entries):
        if entry.layer is Layer.CONTROL and entry.kind == Control.RENAMED:
            return str(entry.body["name"])
    return str(entries[0].body.get("name", ""))


def list_sessions(folder: Path) -> tuple[SessionInfo, ...]:
    """Return the sessions in `folder`, the one begun last first; unreadable ones come last, with their problem."""
    infos = (_glance(path) for path in sorted(folder.glob(f"*{SUFFIX}")))
    return tuple(sorted(infos, key=lambda info: info.started_wall, reverse=True))


def last_unfinished(folder: Path) -> SessionInfo | None:
    """Return the readable session without an end that was written to last; None when there is none."""
    open_ones = [info for info in list_sessions(folder) if info.problem is None and not info.ended]
    return max(open_ones, key=lambda info: info.last_wall, default=None)


def _glance(path: Path) -> SessionInfo:
    try:
        return _read_info(path)
    except JournalError as error:
        return SessionInfo(path, path.stem, problem=str(error))
    except (ValueError, KeyError, TypeError):
        return SessionInfo(path, path.stem, problem=f"{path} is damaged: restore it from a copy.")


def _read_info(path: Path) -> SessionInfo:
    with reading(path) as connection:

        def at(order: str) -> Entry:
            row = connection.execute(f"SELECT CAST(record AS BLOB), digest FROM entries {order} LIMIT 1").fetchone()
            return unseal(*row)

        first = at("ORDER BY n")
        # Who gives an old session a name does not go on with it.
        last = at(f"WHERE n = 1 OR json_extract(record, '$.kind') <> '{Control.RENAMED}' ORDER BY n DESC")
        (count,) = connection.execute("SELECT count(*) FROM entries").fetchone()
        # The plain search first: it spares most entries being read as JSON.
        told = connection.execute(
            "SELECT json_extract(record, '$.kind') AS kind, json_extract(record, '$.body.name') FROM entries "
            "WHERE instr(record, '\"layer\":\"control\"') AND json_extract(record, '$.layer') = 'control' "
            "AND kind IN (?, ?, ?) ORDER BY n",
            (Control.ENDED, Control.RESUMED, Control.RENAMED),
        ).fetchall()
    names = [name for kind, name in told if kind == Control.RENAMED]
    states = [kind for kind, _ in told if kind != Control.RENAMED]
    return SessionInfo(
        path=path,
        name=str(names[-1] if names else first.body.get("name") or path.stem),
        game=str(first.body.get("game", "")),
        started_wall=first.wall,
        last_wall=last.wall,
        entries=count,
        ended=states[-1:] == [Control.ENDED],
        seats=tuple(str(seat["name"]) for seat in first.body.get("seats", ())),
    )
