"""How systems differ about network connections and the loop that serves them."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Coroutine
from typing import Any

if sys.platform != "win32":
    import resource


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end as `asyncio.run` does.

    The usual loop of Windows cannot watch a socket (`add_reader`), which encrypted pages and the MQTT library need.
    """
    if sys.platform == "win32":
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(main)
    else:
        asyncio.run(main)


def reuse_address(door: socket.socket) -> None:
    """Let a socket listen at a port whose last connections are not forgotten yet. On Windows the same option would let
    two programs listen at one port."""
    if sys.platform != "win32":
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def forget_the_vanished(connection: socket.socket, seconds: float) -> None:
    """End a connection that acknowledges nothing for so long; elsewhere than on Linux (RFC 5482) the system decides."""
    if sys.platform == "linux":
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(seconds * 1000))


def most_open_files(wanted: int) -> int:
    """Raise this process's limit of open files to `wanted` if the system allows; return the least of `wanted` and what
    it allows. Windows has no such limit."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft == resource.RLIM_INFINITY or soft >= wanted:
            return wanted
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        except (OSError, ValueError):  # macOS has a lower limit that it does not report
            return soft
        return allowed
    return wanted
