"""Whether a port is still there, and which other programs have it open.

Not every system reports the loss of a port, so it is checked now and then.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

from companion.system.port_users import others_at

_MS = 1_000_000
CHECK_NS = 250 * _MS
# Listing the open files of every process takes some 30 ms of processor time.
OTHERS_EVERY_NS = 20_000 * _MS


class Presence:
    """The port of one connection. A port that was no file when it was opened is never reported as gone."""

    def __init__(
        self, port: str, now_ns: int, others: Callable[[str], tuple[str, ...]] = others_at
    ) -> None:
        self._path = Path(port) if port.startswith("/") and Path(port).exists() else None
        self._port = port
        self._others = others
        self._check_ns = now_ns + CHECK_NS
        self._others_ns = now_ns
        self._named: set[str] = set()
        self._reported: SimpleQueue[str] = SimpleQueue()

    def gone(self, now_ns: int) -> bool:
        """Return whether the port's file has disappeared; checked every 250 ms."""
        if self._path is None or now_ns < self._check_ns:
            return False
        self._check_ns = now_ns + CHECK_NS
        return not self._path.exists()

    def intruders(self, now_ns: int) -> list[str]:
        """Return other programs that have the port open, each once; searched every 20 s in a thread of its own."""
        if self._path is not None and now_ns >= self._others_ns:
            self._others_ns = now_ns + OTHERS_EVERY_NS
            threading.Thread(
                target=self._find_others, name=f"link-others {self._port}", daemon=True
            ).start()
        reported = [self._reported.get() for _ in range(self._reported.qsize())]
        unnamed = [name for name in reported if name not in self._named]
        self._named.update(unnamed)
        return unnamed

    def _find_others(self) -> None:
        for name in self._others(self._port):
            self._reported.put(name)
