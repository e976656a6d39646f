"""Reading a whole file that anybody may have named: in bounded time and memory."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

LARGEST_TEXT = 1 << 26  # bytes of an export or a transcript; that of a long evening has some megabytes


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
