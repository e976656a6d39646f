"""The order of the sessions in a folder: a number in the first entry of each, and in each entry that resumes one.

A number is one more than the greatest in the folder and its archive, so that "the last session" does not rest on a
clock. Sessions without a number come before those with one, by the time of day at which they were written. Where a
session came from another folder or computer, or from a companion that gives no numbers, one may stand twice or be
missing: then `played_last` returns all sessions that may be the last, and the owner chooses.
"""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from companion.journal.disk import make_private
from companion.journal.errors import JournalError
from companion.journal.folder import ARCHIVE, SUFFIX
from companion.journal.sessions import SessionInfo, places_of
from companion.journal.wall_clock import instant_of, is_set
from companion.rules.order import NO_PLACE, Place

UNCERTAIN = "It is not certain which session was played last: one may be a copy, or from another computer or version."
TURN_S = 1.0
"""How long a companion waits while another one takes a number, which is a matter of milliseconds."""
_LOOK_S = 0.01
FOLDER_BYTES = 8


class PlayedLast(NamedTuple):
    """The session that was played last; where that is not certain, all that may be it, the likeliest first, and the
    `doubt` in one sentence, else empty."""

    infos: tuple[SessionInfo, ...]
    doubt: str = ""


def folder_of(path: Path) -> Path:
    """Return the folder in whose order the session at `path` stands: of an archived one, that which it came from."""
    return path.parent.parent if path.parent.name == ARCHIVE else path.parent


def next_place(folder: Path, own: Iterable[Place] = (), skipped: Path | None = None) -> Place:
    """Return the place behind all in `folder`, and behind its `own` for the session `but`, which is not read. A session
    or folder that cannot be read has none; whoever makes a file there says why."""
    places = [NO_PLACE, *own]
    for searched in (folder, folder / ARCHIVE):
        with suppress(OSError):
            for path in searched.iterdir():
                if path.name.endswith(SUFFIX) and path != skipped:
                    with suppress(JournalError):
                        places += places_of(path)
    last = max(places)
    name = last.folder or secrets.token_hex(FOLDER_BYTES)
    return Place(last.number + 1, name, _seen(places, name))


def _seen(places: Iterable[Place], own: str) -> tuple[tuple[str, int], ...]:
    """Return the greatest number of each folder but one."""
    numbers: dict[str, int] = {}
    for place in places:
        for folder, number in ((place.folder, place.number), *place.seen):
            if number > numbers.get(folder, 0) and folder != own:
                numbers[folder] = number
    return tuple(sorted(numbers.items()))


@contextmanager
def turn_in(folder: Path) -> Iterator[None]:
    """Be the only companion that takes a number in `folder`. Where the system does not lock folders, or another one
    keeps the lock for longer than `TURN_S`, two may take one number: `played_last` notices."""
    with suppress(OSError):  # whoever makes the session says why nothing can be made there
        make_private(folder)
    held = _lock(folder)
    try:
        yield
    finally:
        if held is not None:
            os.close(held)


def _lock(folder: Path) -> int | None:
    """Return the descriptor by which the folder is locked until it is closed; None where that cannot be. A file to lock
    would be left behind."""
    if sys.platform == "win32":  # it locks no folders
        return None
    import fcntl

    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    deadline = time.monotonic() + TURN_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                break
            time.sleep(_LOOK_S)
        except OSError:  # a folder on a network
            break
        else:
            return descriptor
    os.close(descriptor)
    return None


def played_last(offered: Iterable[SessionInfo], known: Iterable[SessionInfo]) -> PlayedLast:
    """Return which of the `offered` sessions was played last, by their numbers and by those of all sessions that are
    `known`; none where none is offered."""
    by_order = sorted(offered, key=lambda info: info.when_played, reverse=True)
    if not by_order:
        return PlayedLast(())
    last, *others = by_order
    shared = _shared_places(known)
    rivals = [info for info in others if _may_be_later(info, last, shared)]
    return PlayedLast((last, *rivals), UNCERTAIN if rivals else "")


def _may_be_later(info: SessionInfo, last: SessionInfo, shared: frozenset[Place]) -> bool:
    """Return whether `info` may have been played after `last`, whose number is not smaller. A time of day alone is no
    reason to think so: the clock may have been wrong. Where the number of `last` was not given in view of that of
    `info`, the times of day decide; where a clock was not set, they do not, and sessions without a number are older."""
    if not last.last_place.number:
        return False
    if info.last_place.number == last.last_place.number:
        return True
    if _is_counted(info, last, shared):
        return False
    then, before = instant_of(info.last_wall), instant_of(last.last_wall)
    if is_set(then) and is_set(before):
        return then > before
    return info.last_place.number > 0


def _is_counted(info: SessionInfo, last: SessionInfo, shared: frozenset[Place]) -> bool:
    """Return whether the number of `last` was given in view of that of `info`."""
    if not info.places or not info.places[-1].number:  # begun or resumed by an earlier version
        return False
    place, folder = info.last_place, last.last_place.folder
    if place.folder != folder:
        return place.number <= dict(last.last_place.seen).get(place.folder, 0)
    return all(other.number < place.number for other in shared if other.folder == folder)


def _shared_places(known: Iterable[SessionInfo]) -> frozenset[Place]:
    """Return the places that more than one game has: a folder was copied, and both went on. A copied session is no
    other game."""
    taken = {
        (place.number, place.folder, info.first)
        for info in known
        for place in info.places
        if place.number
    }
    counts = Counter((number, folder) for number, folder, _ in taken)
    return frozenset(Place(*place) for place, count in counts.items() if count > 1)
