"""Evidence: one numbered frame of the board with its stamps, and its queue to the disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.link.retry import Retry
from firmware_protocol.messages import Event, Gap, Overrun, State

Numbered = Event | State | Gap | Overrun
"""The messages that a board numbers, keeps and sends again until they are acknowledged."""


class NotDurable(Exception):
    """The journal cannot store evidence now; the message is one sentence: the reason and the remedy. The link tries
    again."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A numbered frame; (`uid`, `boot_id`, `seq`) is its identity, the stamp in `message` its time.

    `read_ns` is when the host read it, by the host's monotonic clock; a `SyncPoint` maps it to the board's.
    """

    uid: int
    boot_id: int
    seq: int
    message: Numbered
    read_ns: int


@dataclass(frozen=True, slots=True)
class LastEvidence:
    """The last durable evidence of an earlier run, all that a resumed session knows about its board.

    `earlier` are the boots before that one: a board draws a boot id of 16 bits, so it may come back with the id of one
    of them. For `left`, see `Inbox`.
    """

    uid: int
    boot_id: int
    seq: int
    earlier: tuple[int, ...] = ()
    left: Mapping[int, tuple[int, int]] = field(default_factory=dict)


_MS = 1_000_000


class EvidenceQueue:
    """Evidence that is not stored yet: kept, not acknowledged, and tried again. Outlives a connection.

    `keep` is the listener's `store`; `retry` holds the time of the next try.
    """

    def __init__(self, keep: Callable[[list[Evidence]], None]) -> None:
        self._keep = keep
        self._pending: list[Evidence] = []
        self.retry = Retry(100 * _MS, 2_000 * _MS)
        self.problem: str | None = None

    @property
    def waiting(self) -> int:
        """Number of pieces of evidence that are not durable yet."""
        return len(self._pending)

    def add(self, evidence: Evidence, now_ns: int) -> None:
        """Append a piece of evidence, to be stored at the next turn."""
        self._pending.append(evidence)
        self.retry.ensure(now_ns)

    def store(self, now_ns: int) -> list[Evidence]:
        """Store what is waiting, if it is time to; return what became durable."""
        if not self.retry.take(now_ns):
            return []
        try:
            self._keep(list(self._pending))
        except NotDurable as reason:
            self.problem = str(reason)
            return []
        self.retry.stop()
        self.problem = None
        stored, self._pending = self._pending, []
        return stored
