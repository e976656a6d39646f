"""Evidence on its way to the disk."""

from __future__ import annotations

from collections.abc import Callable

from companion.link.evidence import Evidence, NotDurable
from companion.link.retry import Retry

_MS = 1_000_000


class EvidenceQueue:
    """What cannot be stored is kept, not acknowledged, and tried again; outlives a connection. `keep` is the listener's
    `store`."""

    def __init__(self, keep: Callable[[list[Evidence]], None]) -> None:
        self._keep = keep
        self._pending: list[Evidence] = []
        self._retry = Retry(100 * _MS, 2_000 * _MS)
        self.problem: str | None = None

    @property
    def due_ns(self) -> int | None:
        """When to call `store` again; None while nothing waits."""
        return self._retry.due_ns

    @property
    def waiting(self) -> int:
        """How many pieces of evidence are not durable yet."""
        return len(self._pending)

    def add(self, evidence: Evidence, now_ns: int) -> None:
        """Take in one more."""
        self._pending.append(evidence)
        self._retry.ensure(now_ns)

    def hasten(self, now_ns: int) -> None:
        """Have the next `store` try it, however long it was to wait."""
        self._retry.hasten(now_ns)

    def store(self, now_ns: int) -> list[Evidence]:
        """Store what waits, if it is time to; return what is durable now."""
        if not self._retry.take(now_ns):
            return []
        try:
            self._keep(list(self._pending))
        except NotDurable as reason:
            self.problem = str(reason)
            return []
        self._retry.stop()
        self.problem = None
        stored, self._pending = self._pending, []
        return stored
