"""The features of a folder's disk that a session needs; each is tested with a temporary file."""

from __future__ import annotations

import mmap
import os
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
from companion.journal.locks import LockTaken, lock
from companion.system.file_locks import try_as_sqlite
from companion.system.files import is_private

_MAPPED = 32 << 10  # bytes; SQLite maps shared memory in regions of this size


class Feature(StrEnum):
    """A feature that a disk may lack."""

    LOCKS = "file locks"
    SHARED_MEMORY = "shared memory for files"
    PERMISSIONS = "permissions"


_CONSEQUENCE = {
    Feature.LOCKS: "two programs could write one file at once",
    Feature.SHARED_MEMORY: "SQLite cannot write safely there",
    Feature.PERMISSIONS: "anybody with this disk or stick can read hands and goals",
}


def lacks_sentence(folder: Path, feature: Feature) -> str:
    """Return which feature the disk of a folder lacks and what that means, a sentence without a
    full stop."""
    return f"{folder} is on a disk without {feature}: {_CONSEQUENCE[feature]}"


class FolderUnfit(SessionDeniedError):
    """The disk of a folder lacks a feature that a session needs, a new one or the existing
    `session`; nothing is written there."""

    def __init__(self, folder: Path, feature: Feature, session: Path | None = None) -> None:
        advice = "Choose a folder on a disk of this computer."
        if session is not None:
            advice = f"Copy {session.name} and what lies beside it to a disk of this computer, and name it there."
        super().__init__(f"{lacks_sentence(folder, feature)}. {advice}")
        self.folder = folder
        self.feature = feature


def missing_in(folder: Path, longest: int = 0) -> tuple[Feature, ...]:
    """Return the features that the disk of a folder lacks; raise `OSError` if no file with a name
    of `longest` characters can be created there."""
    probe = folder / f".companion-{os.getpid()}-{os.urandom(4).hex()}".ljust(longest, "-")
    try:
        with os.fdopen(open_private(probe, PRIVATE), "r+b", buffering=0) as file:
            return tuple(feature for feature, has in _TRIALS.items() if not has(file, probe))
    finally:
        discard(probe)


def there_is(folder: Path) -> Path:
    """Return the folder, or if it does not exist, its nearest existing parent."""
    return next(parent for parent in (folder, *folder.parents) if parent.exists())


ACCEPTED = "readable-by-anybody.txt"
_NOTE = """The disk of this folder keeps no permissions: anybody who has it can read hands and goals.
Somebody who played here has agreed to that. Remove this file to be asked again.
"""


def is_accepted(folder: Path) -> bool:
    """Return whether the people who play there have agreed that anybody can read the sessions of a
    folder."""
    return is_file(folder / ACCEPTED)


def accept(folder: Path) -> None:
    """Record in a folder that they have agreed; raise `OSError`."""
    make_private(folder)
    write_private(folder / ACCEPTED, _NOTE.encode())


def require_accepted(folder: Path) -> None:
    """Raise `FolderUnfit` if anybody can read what is written to a folder and nobody has agreed to
    that. If it cannot be tested, the later write reports why."""
    try:
        missing = missing_in(there_is(folder))
    except OSError:
        return
    if Feature.PERMISSIONS in missing and not is_accepted(folder):
        raise FolderUnfit(folder, Feature.PERMISSIONS)


def require_features(folder: Path, longest: int = 0, session: Path | None = None) -> None:
    """Raise `FolderUnfit` for a folder in which no session can be written, `OSError` as
    `missing_in` does."""
    for feature in missing_in(folder, longest):
        # Missing permissions are for the people to decide: `require_accepted`.
        if feature is not Feature.PERMISSIONS:
            raise FolderUnfit(folder, feature, session)


def _has_locks(file: BinaryIO, path: Path) -> bool:
    """Return whether both kinds of lock exist, and a taken lock keeps others out."""
    try:
        lock(file)
        with path.open("r+b", buffering=0) as other:
            try:
                lock(other)
            except LockTaken:
                pass
            else:
                return False
        try_as_sqlite(file.fileno())
    except OSError:
        return False
    return True


def _has_shared_memory(file: BinaryIO, _: Path) -> bool:
    file.seek(0)
    # Write before mapping: touching a mapped page that has no room on the disk kills the process (SIGBUS).
    file.write(bytes(_MAPPED))
    try:
        mmap.mmap(file.fileno(), _MAPPED, access=mmap.ACCESS_WRITE).close()
    except OSError:
        return False
    return True


def _has_permissions(file: BinaryIO, _: Path) -> bool:
    return is_private(file.fileno())


_TRIALS: dict[Feature, Callable[[BinaryIO, Path], bool]] = {
    Feature.LOCKS: _has_locks,
    Feature.SHARED_MEMORY: _has_shared_memory,
    Feature.PERMISSIONS: _has_permissions,
}
