"""What the link hands to the journal, one numbered frame of the board with its stamps, and its way to the disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.link.retry import Retry
from firmware_protocol.messages import Event, Gap, Overrun, State

Numbered = Event | State | Gap | Overrun
"""What a board numbers, keeps and sends again."""


class NotDurable(Exception):
    """The journal cannot keep evidence now; the message is one sentence: why, and what to do. The link tries again."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A numbered frame; (`uid`, `boot_id`, `seq`) is its identity, the board's stamp in `message` its time.

    `read_ns` is when the host read it, by its monotonic clock; how the board's lies to that, a `SyncPoint` says.
    """

    uid: int
    boot_id: int
    seq: int
    message: Numbered
    read_ns: int


@dataclass(frozen=True, slots=True)
class LastEvidence:
    """The last evidence of an earlier run that is durable: what a resumed session knows of its board. `earlier` are the
    boots before that one: a board draws 16 bits, so it may come back under the boot id of one of them. `left`: see
    `Inbox`."""

    uid: int
    boot_id: int
    seq: int
    earlier: tuple[int, ...] = ()
    left: Mapping[int, tuple[int, int]] = field(default_factory=dict)


_MS = 1_000_000


class EvidenceQueue:
    """What cannot be stored is kept, not acknowledged, and tried again; outlives a connection. `keep` is the listener's
    `store`; `retry` says when to call `store` again."""

    def __init__(self, keep: Callable[[list[Evidence]], None]) -> None:
        self._keep = keep
        self._pending: list[Evidence] = []
        self.retry = Retry(100 * _MS, 2_000 * _MS)
        self.problem: str | None = None

    @property
    def waiting(self) -> int:
        """How many pieces of evidence are not durable yet."""
        return len(self._pending)

    def add(self, evidence: Evidence, now_ns: int) -> None:
        """Take in one more."""
        self._pending.append(evidence)
        self.retry.ensure(now_ns)

    def store(self, now_ns: int) -> list[Evidence]:
        """Store what waits, if it is time to; return what is durable now."""
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
