"""Files and names that are on the disk when a function returns."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from companion.journal.disk import create_private

DAMAGED = ".damaged"


def force_to_disk(path: Path) -> None:
    """Return when what was written to `path` is on the disk."""
    _sync(path, os.O_RDWR)


def sync_folder(folder: Path) -> None:
    """Return when the names in `folder` are on the disk; Windows does that by itself."""
    if sys.platform != "win32":
        _sync(folder, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def free_name(path: Path) -> Path:
    """Return `path`, or when that is taken the first of `path-2`, `path-3`... that is free."""
    candidate, count = path, 1
    while candidate.exists():
        count += 1
        candidate = path.with_name(f"{path.name}-{count}")
    return candidate


def discard(*left: Path) -> None:
    """Remove what a try that failed has left, as far as the system lets: why it failed is what has to be told."""
    for path in left:
        with suppress(OSError):
            path.unlink()


def put_in_place(new: Path, session: Path) -> Path:
    """Give `new`, which is on the disk, the name of a session file; what stood there keeps its log under a name for
    damaged files, which is returned. At any moment all is under some name. Raise `OSError`."""
    aside = free_name(session.with_name(session.name + DAMAGED))
    log = Path(f"{session}-wal")
    if session.exists():
        try:
            aside.hardlink_to(session)
        except OSError:  # a disk without hard links
            create_private(aside)
            aside.write_bytes(session.read_bytes())
            force_to_disk(aside)
    # The log before the file: SQLite would apply it to whatever file stands under the name.
    with suppress(FileNotFoundError):
        log.rename(f"{aside}-wal")
    Path(f"{session}-shm").unlink(missing_ok=True)
    sync_folder(session.parent)
    new.replace(session)
    sync_folder(session.parent)
    return aside
