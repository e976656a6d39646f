"""Files: reading one that anybody may have named in bounded time and memory, and making one that others cannot read."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

PRIVATE, SHARED = 0o600, 0o660  # rights of files
LARGEST_TEXT = 1 << 26  # bytes of an export or a transcript; that of a long evening has some megabytes


def mode_in(folder: Path) -> int:
    """Return the rights of a new file in `folder`: its owner's alone, unless the folder's group may write there."""
    try:
        return SHARED if folder.stat().st_mode & stat.S_IWGRP else PRIVATE
    except OSError:
        return PRIVATE


def make_private(folder: Path) -> None:
    """Make a folder that only its owner may look into, and its group where that may write to the one above; one that is
    there stays as it is. Raise `OSError`."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    shared = mode_in(folder.parent) == SHARED
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
        if shared and sys.platform != "win32":
            folder.chmod(0o2770)  # what is made in it belongs to its group


def create_private(path: Path) -> None:
    """Make an empty file with the rights of `mode_in`, whatever the umask, unless it is there; raise `OSError`."""
    mode = mode_in(path.parent)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        return
    try:
        if sys.platform != "win32":
            os.fchmod(handle, mode)
    finally:
        os.close(handle)


def require_regular(path: Path) -> None:
    """Raise `OSError` for what is there and no file: to open a pipe may take for ever, and a device may have no end."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no file but a pipe, a socket or a device", str(path))


def read_regular(path: Path, most: int) -> bytes:
    """Return what stands in a file of at most `most` bytes; raise `OSError` for a pipe, a device and a larger file."""
    require_regular(path)
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most} bytes", str(path))
    return content
