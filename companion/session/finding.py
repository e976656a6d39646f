"""The session that somebody means: by its file, its name, the beginning of it, or the one played last."""

from __future__ import annotations

from pathlib import Path

from companion.exits import CommandError, Exit
from companion.journal.disk import is_file
from companion.journal.sessions import ARCHIVE, SessionInfo, list_sessions, sessions_dir
from companion.rules.columns import did_you_mean


def listed() -> tuple[SessionInfo, ...]:
    """Return the sessions of this user, the archived ones last."""
    folder = sessions_dir()
    return (*list_sessions(folder), *list_sessions(folder / ARCHIVE))


def find(session: str) -> Path:
    """Return the file of `session`: a path, a file's name, a name, or the beginning of one name alone; raise
    `CommandError`. A file's name is unique, so it comes first: nobody's choice of a name can take it away."""
    path = Path(session)
    if not path.name:  # every name begins with nothing at all
        raise CommandError(f"{session!r} names no session. `companion sessions` lists those there are.", Exit.NO_INPUT)
    if is_file(path) or path.name != session:
        return path
    wanted = session.casefold()
    names = {info.path: {name.casefold() for name in (info.name, info.path.name, info.path.stem)} for info in listed()}
    found = [path for path in names if wanted in (path.name.casefold(), path.stem.casefold())]
    found = found or [path for path, its in names.items() if wanted in its]
    found = found or [path for path, its in names.items() if any(name.startswith(wanted) for name in its)]
    if not found:
        near = did_you_mean(session, [name for info in listed() for name in (info.name, info.path.stem)])
        sentence = f"There is no session {session!r}{near and f': {near}'}{'' if near else '.'}"
        sentence += " `companion sessions` lists those there are."
        raise CommandError(sentence, Exit.NO_INPUT)
    if len(found) > 1:
        raise CommandError(f"{session!r} may be {' or '.join(path.stem for path in found)}: say which.", Exit.USAGE)
    return found[0]


def session_to_follow(named: str | None, *, played: bool = False) -> Path:
    """Return the file of the session named, or of the one played last, where `played` one in which something was ruled,
    if there is any; raise `CommandError`."""
    if named is not None:
        return find(named)
    readable = [info for info in list_sessions(sessions_dir()) if info.problem is None]
    if not readable:
        raise CommandError("There is no session yet: begin one with `companion play`.", Exit.NO_INPUT)
    return max(readable, key=lambda info: (played and info.ruled, info.last_wall)).path
