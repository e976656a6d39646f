"""Terminals that read nothing: Linux and macOS tell of them, Windows does not."""

from __future__ import annotations

import os
import sys
from typing import TextIO

if sys.platform != "win32":
    import select


def has_room(descriptor: int, seconds: float) -> bool:
    """Return whether a terminal takes more output within `seconds`."""
    if sys.platform != "win32":
        return bool(select.select([], [descriptor], [], seconds)[1])
    return True  # select works on sockets alone there


def reads_nothing(stream: TextIO) -> bool:
    """Return whether the stream is a terminal that takes nothing now: writing to it would wait."""
    return sys.platform != "win32" and stream.isatty() and not has_room(stream.fileno(), 0)


def open_without_waiting(stream: TextIO) -> int | None:
    """Return a descriptor of the stream's terminal to which a write never waits; None if it cannot be opened by name.

    The stream's own descriptor cannot be changed, since the shell shares it.
    """
    if sys.platform == "win32":
        return None
    try:
        return os.open(os.ttyname(stream.fileno()), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return None
