"""What the link's thread waits on: reads, a lost port, and being woken."""

from __future__ import annotations

import queue
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Read:
    """Bytes with the host's monotonic time at which they were there."""

    port: str
    read_ns: int
    data: bytes


@dataclass(frozen=True, slots=True)
class PortLost:
    """The port is gone; nothing more comes from it."""

    port: str
    reason: str


class Mailbox:
    """A bounded queue: a flood of foreign bytes waits in the port, not in memory."""

    def __init__(self, limit: int = 64) -> None:
        self._queue: queue.Queue[Read | PortLost | None] = queue.Queue(limit)

    def offer(self, item: Read | PortLost, timeout_s: float) -> bool:
        """Put an item in; False when there was no room in time."""
        try:
            self._queue.put(item, timeout=timeout_s)
        except queue.Full:
            return False
        return True

    def wake(self) -> None:
        """End a `take` with None; a full mailbox needs no waking."""
        try:
            self._queue.put_nowait(None)
        except queue.Full:
            return

    def take(self, timeout_s: float) -> Read | PortLost | None:
        """Return the next item; None after `timeout_s` or when woken."""
        try:
            return self._queue.get(timeout=timeout_s) if timeout_s > 0 else self._queue.get_nowait()
        except queue.Empty:
            return None
