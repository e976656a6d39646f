"""What the disk of a folder can do, of what a session needs: each is tried with a file that is gone afterwards."""

from __future__ import annotations

import mmap
import os
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from companion.journal.disk import (
    PRIVATE,
    discard,
    is_file,
    make_private,
    open_private,
    write_private,
)
from companion.journal.errors import SessionDeniedError
from companion.journal.locks import LockTaken, lock, try_as_sqlite

_MAPPED = 32 << 10  # bytes; SQLite maps as many of the file that the connections of a session share
_OTHERS = 0o077


class Feature(StrEnum):
    """What a disk may lack."""

    LOCKS = "file locks"
    SHARED_MEMORY = "shared memory for files"
    PERMISSIONS = "permissions"


_CONSEQUENCE = {
    Feature.LOCKS: "two programs could write one file at once",
    Feature.SHARED_MEMORY: "SQLite cannot write safely there",
    Feature.PERMISSIONS: "anybody with this disk or stick can read hands and goals",
}


def lacks_sentence(folder: Path, feature: Feature) -> str:
    """Return what the disk of a folder lacks and what that means, a sentence without its end."""
    return f"{folder} is on a disk without {feature}: {_CONSEQUENCE[feature]}"


class FolderUnfit(SessionDeniedError):
    """The disk of a folder lacks what a session needs, or the `session` that is there; nothing is written there."""

    def __init__(self, folder: Path, feature: Feature, session: Path | None = None) -> None:
        advice = "Choose a folder on a disk of this computer."
        if session is not None:
            advice = f"Copy {session.name} and what lies beside it to a disk of this computer, and name it there."
        super().__init__(f"{lacks_sentence(folder, feature)}. {advice}")
        self.folder = folder
        self.feature = feature


def missing_in(folder: Path, longest: int = 0) -> tuple[Feature, ...]:
    """Return what the disk of a folder lacks; raise `OSError` where no file can be made there whose name has `longest`
    characters."""
    probe = folder / f".companion-{os.getpid()}-{os.urandom(4).hex()}".ljust(longest, "-")
    try:
        with os.fdopen(open_private(probe, PRIVATE), "r+b", buffering=0) as file:
            return tuple(feature for feature, has in _TRIALS.items() if not has(file, probe))
    finally:
        discard(probe)


def there_is(folder: Path) -> Path:
    """Return the folder, or where it is still to be made, the nearest one above it that is there."""
    return next(parent for parent in (folder, *folder.parents) if parent.exists())


ACCEPTED = "readable-by-anybody.txt"
_NOTE = """The disk of this folder keeps no permissions: anybody who has it can read hands and goals.
Somebody who played here has agreed to that. Remove this file to be asked again.
"""


def is_accepted(folder: Path) -> bool:
    """Return whether the people who play there have agreed that anybody can read the sessions of a folder."""
    return is_file(folder / ACCEPTED)


def accept(folder: Path) -> None:
    """Note in a folder that they have agreed; raise `OSError`."""
    make_private(folder)
    write_private(folder / ACCEPTED, _NOTE.encode())


def require_accepted(folder: Path) -> None:
    """Raise `FolderUnfit` where anybody can read what is written to a folder, and nobody has agreed to that. Where it
    cannot be tried, writing there says why."""
    try:
        missing = missing_in(there_is(folder))
    except OSError:
        return
    if Feature.PERMISSIONS in missing and not is_accepted(folder):
        raise FolderUnfit(folder, Feature.PERMISSIONS)


def require_features(folder: Path, longest: int = 0, session: Path | None = None) -> None:
    """Raise `FolderUnfit` for a folder in which no session can be written, `OSError` as `missing_in` does."""
    for feature in missing_in(folder, longest):
        # that is for the people to decide: `require_accepted`
        if feature is not Feature.PERMISSIONS:
            raise FolderUnfit(folder, feature, session)


def _has_locks(file: BinaryIO, path: Path) -> bool:
    """Whether both kinds of lock are there, and the one that keeps others away does so."""
    try:
        lock(file)
        with path.open("r+b", buffering=0) as other:
            try:
                lock(other)
            except LockTaken:
                pass
            else:
                return False
        try_as_sqlite(file)
    except OSError:
        return False
    return True


def _has_shared_memory(file: BinaryIO, _: Path) -> bool:
    file.seek(0)
    file.write(bytes(_MAPPED))  # to map what has no room on the disk would end the process
    try:
        mmap.mmap(file.fileno(), _MAPPED, access=mmap.ACCESS_WRITE).close()
    except OSError:
        return False
    return True


def _has_permissions(file: BinaryIO, _: Path) -> bool:
    """Whether a file of ours is closed to others; on Windows the rights of the folder decide."""
    return sys.platform == "win32" or os.fstat(file.fileno()).st_mode & _OTHERS == 0


_TRIALS: dict[Feature, Callable[[BinaryIO, Path], bool]] = {
    Feature.LOCKS: _has_locks,
    Feature.SHARED_MEMORY: _has_shared_memory,
    Feature.PERMISSIONS: _has_permissions,
}
