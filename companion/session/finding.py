"""Finding the session that somebody means: by its file, its name, the beginning of its name, or as
the one played last."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from companion.errors import CommandError, ErrorKind
from companion.journal.disk import is_file
from companion.journal.ends import without_superseded
from companion.journal.folder import ARCHIVE, sessions_dir, typed_name
from companion.journal.order import PlayedLast, played_last
from companion.journal.sessions import SessionInfo, last_of, list_sessions, unfinished
from companion.program import PROGRAM
from companion.rules.columns import did_you_mean, either, plural
from companion.rules.registry import example_game


def listed() -> tuple[SessionInfo, ...]:
    """Return the sessions of this user, the archived ones last."""
    folder = sessions_dir()
    return (*list_sessions(folder), *list_sessions(folder / ARCHIVE))


def telling_names(infos: Sequence[SessionInfo]) -> list[str]:
    """Return a distinguishing name for each session: its own, or that of its file if several have
    the same."""
    counts = Counter(info.name.casefold() for info in infos)
    names: list[str] = []
    for info in infos:
        is_unique = counts[info.name.casefold()] == 1
        names.append(info.name if is_unique else info.path.stem)
    return names


def unread(infos: Iterable[SessionInfo]) -> str:
    """Return a sentence on how many sessions cannot be read, empty for none."""
    count = sum(info.problem is not None for info in infos)
    if not count:
        return ""
    return f"{plural(count, 'session')} cannot be read: `{PROGRAM} sessions` says why."


def tell_unread(infos: Iterable[SessionInfo]) -> None:
    """Print that some sessions cannot be read: the one played last may be among them."""
    sentence = unread(infos)
    if sentence:
        print(sentence, file=sys.stderr)


def find(session: str) -> Path:
    """Return the file of `session`: a path, a file name, a session name, or an unambiguous
    beginning of one; raise `CommandError`. File names are unique, so they come first: nobody can
    hide a file by giving another session its name."""
    path = Path(session)
    if not path.name:  # the empty text is the beginning of every name
        raise CommandError(
            f"{session!r} names no session. `{PROGRAM} sessions` lists them all.",
            ErrorKind.NO_INPUT,
        )
    if is_file(path):
        return path
    wanted = session.casefold()
    names_by_path = {
        info.path: {name.casefold() for name in (info.name, info.path.name, info.path.stem)}
        for info in listed()
    }
    paths = [
        path for path in names_by_path if wanted in (path.name.casefold(), path.stem.casefold())
    ]
    if not paths:
        paths = [path for path, names in names_by_path.items() if wanted in names]
    if not paths:
        for path_listed, names in names_by_path.items():
            if any(name.startswith(wanted) for name in names):
                paths.append(path_listed)
    if not paths and path.name != session:
        return path  # a path to a file that does not exist; opening it reports why
    if not paths:
        names_known = [name for info in listed() for name in (info.name, info.path.stem)]
        suggestion = did_you_mean(session, names_known)
        sentence = f"There is no session {session!r}"
        sentence += f": {suggestion}" if suggestion else "."
        sentence += f" `{PROGRAM} sessions` lists them all."
        raise CommandError(sentence, ErrorKind.NO_INPUT)
    if len(paths) > 1:
        raise CommandError(
            f"{session!r} may be {' or '.join(path.stem for path in paths)}. Type one of them.",
            ErrorKind.USAGE,
        )
    return paths[0]


def session_to_follow(named: str | None, *, played: bool = False) -> Path:
    """Return the file of the session named, or of the one played last; with `played`, prefer
    sessions with a ruling. Print how many cannot be read. Raise `CommandError`."""
    if named is not None:
        return find(named)
    infos = list_sessions(sessions_dir())
    readable = [info for info in infos if info.problem is None]
    if not readable:
        raise CommandError(
            unread(infos) or f"There is no session yet: start one with `{PROGRAM} play`.",
            ErrorKind.NO_INPUT,
        )
    tell_unread(infos)
    ruled = [info for info in readable if info.ruled]
    candidates = ruled if played and ruled else readable
    return _certain(played_last(candidates, infos)).path


def session_to_go_on_with(file: str | None) -> Path:
    """Return the file of the session named, or of the last unfinished one. Print how many cannot be
    read. Raise `CommandError`."""
    if file is not None:
        return find(file)
    infos = list_sessions(sessions_dir())
    tell_unread(infos)
    offered = unfinished(without_superseded(infos))
    if not offered:
        why = nothing_to_go_on_with(infos)
        raise CommandError(
            f"{why}; start one: {PROGRAM} play {example_game()} --seats red,blue",
            ErrorKind.NO_INPUT,
        )
    return _certain(played_last(offered, infos)).path


def _certain(last: PlayedLast) -> SessionInfo:
    """Return the session; raise `CommandError` if it is uncertain which one it is, so that a person
    chooses."""
    if last.doubt:
        names = either([typed_name(info.path) for info in last.infos])
        raise CommandError(f"{last.doubt} Name the one you mean: {names}.", ErrorKind.USAGE)
    return last.infos[0]


def nothing_to_go_on_with(infos: Iterable[SessionInfo]) -> str:
    """Return why none of these sessions can be continued without being named."""
    unplayed = last_of(infos, unplayed=True)
    if unplayed is None:
        return "There is no unfinished session"
    return f"Nothing was played yet in the last session ({PROGRAM} resume {typed_name(unplayed.path)} continues it)"
