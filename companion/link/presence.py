"""Looking now and then whether a port is still there, and who else reads it: not every system says so by itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

from companion.link.holders import others_at

_MS = 1_000_000
LOOK_NS = 250 * _MS
# Asking every process what it has open takes some 30 ms of a processor; nobody needs the answer sooner.
OTHERS_NS = 20_000 * _MS


class Presence:
    """The port of one connection. A port that was no file when it was opened is never missed."""

    def __init__(self, port: str, now_ns: int, others: Callable[[str], tuple[str, ...]] = others_at) -> None:
        self._path = Path(port) if port.startswith("/") and Path(port).exists() else None
        self._port = port
        self._others = others
        self._look_ns = now_ns + LOOK_NS
        self._others_ns = now_ns
        self._named: set[str] = set()
        self._found: SimpleQueue[str] = SimpleQueue()

    def gone(self, now_ns: int) -> bool:
        """Whether the port's file has disappeared; looked at every 250 ms."""
        if self._path is None or now_ns < self._look_ns:
            return False
        self._look_ns = now_ns + LOOK_NS
        return not self._path.exists()

    def intruders(self, now_ns: int) -> list[str]:
        """Other programs that have the port open, each said once; looked for every 20 s, behind the link's thread."""
        if self._path is not None and now_ns >= self._others_ns:
            self._others_ns = now_ns + OTHERS_NS
            threading.Thread(target=self._find, name=f"link-others {self._port}", daemon=True).start()
        found = [self._found.get() for _ in range(self._found.qsize())]
        news = [name for name in found if name not in self._named]
        self._named.update(news)
        return news

    def _find(self) -> None:
        for name in self._others(self._port):
            self._found.put(name)
