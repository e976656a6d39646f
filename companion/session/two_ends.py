"""Texts about session files of one game, and the question before one of them is continued."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from companion.journal.ends import End, Standing, ends_among
from companion.journal.errors import SessionDeniedError
from companion.journal.folder import typed_name
from companion.journal.sessions import SessionInfo
from companion.program import PROGRAM
from companion.rules.columns import plural
from companion.session.finding import listed


class Explained(NamedTuple):
    """The role of a file among those of its game, and the command that changes it, to be shown on a
    line of its own; empty if there is none."""

    sentence: str
    command: str = ""


def explained(end: End) -> Explained:
    """Return what people read about a file; empty for one that counts."""
    name = end.path.stem
    match end.standing:
        case Standing.COUNTS:
            return Explained("")
        case Standing.ASIDE:
            instead = "" if end.other is None else f" {end.other.stem} counts instead."
            sentence = f"{name} is set aside and does not count.{instead} Undo that:"
            return Explained(sentence, f"{PROGRAM} sessions unchoose {typed_name(end.path)}")
        case Standing.COPY:
            return Explained(_copy(end))
    sentence = f"{name} and {_other(end)} are two ends of one game: {_apart(end)}. Neither counts until you choose one:"
    return Explained(sentence, f"{PROGRAM} sessions choose {typed_name(end.path)}")


def in_words(end: End) -> str:
    """Return the same as one text."""
    return " ".join(filter(None, explained(end)))


def _other(end: End) -> str:
    return "" if end.other is None else end.other.stem


def _copy(end: End) -> str:
    if not end.others:
        return f"{end.path.stem} is a copy of {_other(end)}: only one of them counts."
    lacks = plural(end.others, "entry that it lacks", "entries that it lacks")
    return f"{end.path.stem} is an older copy of {_other(end)}, which has {lacks}: only {_other(end)} counts."


def _apart(end: End) -> str:
    if not end.sure:
        return f"entries after {end.shared} are lost, so nobody knows whether they differ"
    both = f"{plural(end.own, 'entry', 'entries')} here, {end.others} there"
    return f"the same up to entry {end.shared}, then {both}"


def end_of(path: Path) -> End | None:
    """Return the role of the session file at `path` among those of its game, or None if it is the
    only one."""
    try:
        infos = listed()
    except SessionDeniedError:  # without the folder there is nothing to compare with
        return None
    place = _place(path)
    own_info = next((info for info in infos if _place(info.path) == place), None)
    if own_info is None:
        own_info = SessionInfo(path, path.stem)
        infos = (*infos, own_info)
    return ends_among(infos).get(own_info.path)


def _place(path: Path) -> Path:
    """Return the resolved path, or the path itself if its links form a circle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path.absolute()


def question_before(end: End) -> str:
    """Return the question to ask before somebody continues a file with others of its game beside
    it; empty if none is needed."""
    if end.standing is Standing.COUNTS or (end.standing is Standing.COPY and not end.others):
        return ""
    if end.standing is Standing.COPY:
        return "Continuing it makes two ends of one game. Continue the older copy? [y/N] "
    return f"Continue {end.path.stem}? [y/N] "
