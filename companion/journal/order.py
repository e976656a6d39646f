"""The order of the sessions in a folder: a number in the first entry of each, and in each entry
that resumes one.

A number is one more than the highest in the folder and its archive, so that "the last session" does
not depend on a clock. Sessions without a number come before those with one, ordered by the time of
day at which they were written. If a session came from another folder or computer, or from a
companion that assigns no numbers, a number may occur twice or be missing: then `played_last`
returns all sessions that may be the last, and the owner chooses.
"""

from __future__ import annotations

import os
import secrets
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
from companion.system.file_locks import lock
from companion.system.files import open_folder

UNCERTAIN = "It is not certain which session was played last: one may be a copy, or from another computer or version."
TURN_S = 1.0
"""How long a companion waits while another one takes a number, which takes milliseconds."""
_LOOK_S = 0.01  # between two attempts to lock the folder
FOLDER_BYTES = 8


class PlayedLast(NamedTuple):
    """The session that was played last. If that is uncertain, all candidates, the likeliest first,
    and the `doubt` in one sentence; otherwise `doubt` is empty."""

    infos: tuple[SessionInfo, ...]
    doubt: str = ""


def folder_of(path: Path) -> Path:
    """Return the folder in whose order the session at `path` is numbered: for an archived one, the
    folder it came from."""
    return path.parent.parent if path.parent.name == ARCHIVE else path.parent


def next_place(folder: Path, own: Iterable[Place] = (), skipped: Path | None = None) -> Place:
    """Return the place after all in `folder`. `own` are the places of the session `skipped`, which
    is not read. Sessions and folders that cannot be read are ignored; creating a file there reports
    why."""
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
    """Return the highest number of each folder except `own`."""
    numbers: dict[str, int] = {}
    for place in places:
        for folder, number in ((place.folder, place.number), *place.seen):
            if number > numbers.get(folder, 0) and folder != own:
                numbers[folder] = number
    return tuple(sorted(numbers.items()))


@contextmanager
def turn_in(folder: Path) -> Iterator[None]:
    """Be the only companion that takes a number in `folder` during the block. If the system cannot
    lock folders, or another one keeps the lock for longer than `TURN_S`, two may take one number;
    `played_last` detects that."""
    with suppress(OSError):  # creating the session reports why
        make_private(folder)
    held = _lock(folder)
    try:
        yield
    finally:
        if held is not None:
            os.close(held)


def _lock(folder: Path) -> int | None:
    """Return a descriptor that locks the folder until it is closed, or None if that is impossible.
    A lock file would be left behind."""
    try:
        descriptor = open_folder(folder)
    except OSError:
        return None
    if descriptor is None:
        return None
    deadline = time.monotonic() + TURN_S
    while True:
        try:
            lock(descriptor)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                break
            time.sleep(_LOOK_S)
        except OSError:  # for example a network folder
            break
        else:
            return descriptor
    os.close(descriptor)
    return None


def played_last(offered: Iterable[SessionInfo], known: Iterable[SessionInfo]) -> PlayedLast:
    """Return which of the `offered` sessions was played last, by their numbers and those of all
    `known` sessions."""
    by_order = sorted(offered, key=lambda info: info.when_played, reverse=True)
    if not by_order:
        return PlayedLast(())
    last, *others = by_order
    shared = _shared_places(known)
    rivals = [info for info in others if _may_be_later(info, last, shared)]
    return PlayedLast((last, *rivals), UNCERTAIN if rivals else "")


def _may_be_later(info: SessionInfo, last: SessionInfo, shared: frozenset[Place]) -> bool:
    """Return whether `info` may have been played after `last`, whose number is not smaller.

    The time of day alone is no reason to think so, because the clock may have been wrong. It
    decides only if the number of `last` was assigned without knowing that of `info`; if a clock was
    not set, it does not decide either, and sessions without a number are older.
    """
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
    """Return whether the number of `last` was assigned with that of `info` known."""
    # Begun or last resumed by a version that assigned no numbers.
    if not info.places or not info.places[-1].number:
        return False
    place, folder = info.last_place, last.last_place.folder
    if place.folder != folder:
        return place.number <= dict(last.last_place.seen).get(place.folder, 0)
    return all(other.number < place.number for other in shared if other.folder == folder)


def _shared_places(known: Iterable[SessionInfo]) -> frozenset[Place]:
    """Return the places that more than one game has: a folder was copied, and play continued in
    both. A copy of a session is not another game."""
    taken = {
        (place.number, place.folder, info.first)
        for info in known
        for place in info.places
        if place.number
    }
    counts = Counter((number, folder) for number, folder, _ in taken)
    return frozenset(Place(*place) for place, count in counts.items() if count > 1)
