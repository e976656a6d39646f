"""How systems differ about files and folders: bytes, permissions, names on the disk, files that others have open."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

REPLACE_S = 1.0
"""Seconds for which Windows is asked to replace a file that somebody has open."""
_ASK_AGAIN_S = 0.02
_OTHERS = 0o077  # permission bits of group and others

# Flags of `os.open`: no line ends are translated, and the open of a pipe waits for no writer.
if sys.platform == "win32":
    BINARY, AT_ONCE = os.O_BINARY, 0
else:
    BINARY, AT_ONCE = 0, os.O_NONBLOCK


def open_folder(folder: Path) -> int | None:
    """Return a descriptor of a folder, to lock it or to force its names to the disk; None on Windows, which opens no
    folders. Raise `OSError`."""
    if sys.platform == "win32":
        return None
    return os.open(folder, os.O_RDONLY)


def set_mode(descriptor: int, mode: int) -> None:
    """Give an open file its mode, including the bits that the umask removed. A disk without permissions refuses this;
    there, and on Windows, the file keeps what it has."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.fchmod(descriptor, mode)


def share_with_group(folder: Path) -> None:
    """Let the group of a folder enter it, and own what is made there, as far as the disk keeps permissions."""
    if sys.platform != "win32":
        # A disk without permissions refuses this, and gives everybody access anyway.
        with suppress(OSError):
            folder.chmod(0o2770)  # setgid: files made in it belong to its group


def is_private(descriptor: int) -> bool:
    """Return whether others cannot open our file; on Windows, the rights of the folder decide."""
    return sys.platform == "win32" or stat.S_IMODE(os.fstat(descriptor).st_mode) & _OTHERS == 0


def delete_open(path: Path, close: Callable[[], object]) -> None:
    """Delete a file that this process has open and locked, and `close` it, ignoring errors of the deletion.

    It is deleted first, so that nobody else can have locked it by then. Windows deletes no open file, but does not
    delete one that another process has opened meanwhile either.
    """
    if sys.platform == "win32":
        close()
        with suppress(OSError):
            path.unlink()
    else:
        with suppress(OSError):
            path.unlink()
        close()


def replace(
    new: Path,
    path: Path,
    clock_s: Callable[[], float] = time.monotonic,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Rename `new` to `path`, replacing a file there. Raise `OSError`.

    Windows refuses this while a reader, a virus scanner among them, has the file open; so it is asked again for a
    second.
    """
    deadline = clock_s() + REPLACE_S
    while True:
        try:
            new.replace(path)
        except PermissionError:
            if sys.platform != "win32" or clock_s() >= deadline:
                raise
            pause(_ASK_AGAIN_S)
        else:
            return
