"""The list of sessions: what can be said of each before it is opened, in 80 columns or as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from companion.journal.errors import SessionBusy
from companion.journal.mark import MarkFile, mark_path
from companion.journal.sessions import SessionInfo
from companion.rules.columns import clean, fit, plural, width, wrap
from companion.session.finding import ARCHIVE

WIDTH = 80  # columns
LONGEST_GAME = 16  # columns
_HEAD = ("name", "game", "begun", "entries", "state")


class SessionState(StrEnum):
    """What can be said of a session before it is opened."""

    OPEN = "open elsewhere"
    UNFINISHED = "unfinished"
    ENDED = "ended"
    ARCHIVED = "archived"
    UNREADABLE = "unreadable"
    INCOMPLETE = "incomplete"


def is_written(path: Path) -> bool:
    """Return whether a companion writes the session at `path` now."""
    if not mark_path(path).exists():
        return False
    try:
        MarkFile(path).abandon()
    except SessionBusy:
        return True
    except OSError:  # not permitted to this user; then it is not known
        return False
    return False


def state_of(info: SessionInfo) -> SessionState:
    """Return the state of a session that was listed."""
    if info.problem is not None:
        return SessionState.UNREADABLE
    if is_written(info.path):
        return SessionState.OPEN
    if info.lacking:
        return SessionState.INCOMPLETE
    if info.path.parent.name == ARCHIVE:
        return SessionState.ARCHIVED
    return SessionState.ENDED if info.ended else SessionState.UNFINISHED


def unread(infos: Iterable[SessionInfo]) -> str:
    """Return in one sentence how many sessions cannot be read, for those who show only the others; empty for none."""
    count = sum(info.problem is not None for info in infos)
    return f"{plural(count, 'session')} cannot be read: `companion sessions` says why." if count else ""


def as_json_value(info: SessionInfo) -> dict[str, object]:
    """Return a session's line of the list as plain JSON values; times are those of the record, UTC."""
    return {
        "path": str(info.path),
        "name": info.name,
        "game": info.game,
        "begun": info.started_wall,
        "last": info.last_wall,
        "entries": info.entries,
        "ended": info.ended,
        "state": state_of(info),
        "problem": info.problem,
        "lacking": info.lacking or None,
    }


def lines(infos: tuple[SessionInfo, ...], *, whole: bool = False) -> list[str]:
    """Return the list with its head, each line at most `WIDTH` columns unless names are to stay `whole`; below an
    unreadable session, why."""
    rows = [_HEAD, *(_row(info) for info in infos)]
    game, begun, entries, state = (max(width(row[column]) for row in rows) for column in range(1, 5))
    name = max(width(row[0]) for row in rows)
    if not whole:
        game = min(game, LONGEST_GAME)
        name = min(name, WIDTH - game - begun - entries - state - len("  ") * 4)
    printed: list[str] = []
    for row, info in zip(rows, (None, *infos), strict=True):
        cells = (fit(row[0], name), fit(row[1], game), fit(row[2], begun), row[3].rjust(entries), row[4])
        printed.append("  ".join(cells).rstrip())
        if info is not None and info.problem is not None:
            from companion.journal.copy import backup_offer  # what sound files do not need

            sentences = " ".join(filter(None, (info.problem, backup_offer(info.path))))
            printed += [f"    {line}" for line in wrap(sentences, WIDTH - len("    "))]
    return printed


def _row(info: SessionInfo) -> tuple[str, str, str, str, str]:
    readable = info.problem is None
    return (
        clean(info.name),
        clean(info.game),
        local(info.started_wall),
        str(info.entries) if readable else "",
        state_of(info),
    )


def local(wall_clock: str) -> str:
    """Return a wall clock of the record to the minute, in the time of this place; empty when it is none."""
    try:
        return f"{datetime.fromisoformat(wall_clock).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError):  # OverflowError: the first and the last day there are
        return ""
