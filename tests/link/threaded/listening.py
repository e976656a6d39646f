"""A listener that records its calls, and waits with a deadline instead of sleeping."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import pairwise
from typing import TypeVar

from companion.link.events import Configured, CueGiven, Replaced
from companion.link.evidence import Evidence, NotDurable
from companion.link.status import LinkState, LinkStatus
from companion.link.sync import SyncPoint
from firmware_protocol.messages import Hello

DEADLINE_S = 10.0
T = TypeVar("T")


class Notebook:
    """Records every call; `broken` makes `store` raise."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.calls: list[tuple[str, object]] = []
        self.statuses: list[LinkStatus] = []
        self.evidence: list[Evidence] = []
        self.notes: list[str] = []
        self.configured: list[Configured] = []
        self.points: list[SyncPoint] = []
        self.cues: list[tuple[CueGiven, int]] = []
        self.identified: list[int] = []
        self.replaced: list[Replaced] = []
        self.settled: list[tuple[int, int]] = []
        self.broken: str | None = None
        self.refused = 0

    @property
    def status(self) -> LinkStatus:
        """The last status."""
        return self.statuses[-1] if self.statuses else LinkStatus(LinkState.OPENING, "")

    @property
    def booted(self) -> list[tuple[int, int]]:
        """The boots in their order, each with the one before."""
        return [(before, now) for before, now in pairwise(self.identified) if before != now]

    def on_status(self, status: LinkStatus) -> None:
        self._remember(self.statuses, status)

    def on_identified(self, hello: Hello, boot_id: int, replaced: Replaced | None = None) -> None:  # noqa: ARG002
        if replaced is not None:
            self._remember(self.replaced, replaced)
        self._remember(self.identified, boot_id)

    def store(self, evidence: list[Evidence]) -> None:
        with self.changed:
            if self.broken is not None:
                self.refused += 1
                self.changed.notify_all()
                raise NotDurable(self.broken)
            self.evidence += evidence
            self.changed.notify_all()

    def on_watermark(self, boot_id: int, settled_us: int) -> None:
        self._remember(self.settled, (boot_id, settled_us))

    def on_configured(self, configured: Configured) -> None:
        self._remember(self.configured, configured)

    def on_sync(self, point: SyncPoint) -> None:
        self._remember(self.points, point)

    def on_cue(self, cue: CueGiven, boot_id: int) -> None:
        self._remember(self.cues, (cue, boot_id))

    def on_note(self, sentence: str) -> None:
        self._remember(self.notes, sentence)

    def wait(self, condition: Callable[[], bool]) -> None:
        """Return once `condition` holds; fail after the deadline."""
        until = time.monotonic() + DEADLINE_S
        with self.changed:
            while not condition():
                assert time.monotonic() < until, self.statuses[-3:]
                self.changed.wait(0.02)  # some conditions change without a call to the listener

    def wait_for(self, state: LinkState, after: int = 0) -> LinkStatus:
        """Return the first status with this state, from the `after`-th on."""
        self.wait(lambda: any(status.state is state for status in self.statuses[after:]))
        return next(status for status in self.statuses[after:] if status.state is state)

    def seqs(self, boot_id: int = 7) -> list[int]:
        with self.changed:
            return [item.seq for item in self.evidence if item.boot_id == boot_id]

    def _remember(self, into: list[T], item: T) -> None:
        with self.changed:
            into.append(item)
            self.changed.notify_all()
