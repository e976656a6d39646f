"""Who the link talks to."""

from __future__ import annotations

from typing import Protocol

from companion.link.events import Configured, CueGiven
from companion.link.evidence import Evidence
from companion.link.status import LinkStatus
from companion.link.sync import SyncPoint
from firmware_protocol.messages import Hello


class Listener(Protocol):
    """Called from the link's thread, one call at a time; only `store` may take long, or raise: `NotDurable`."""

    def on_status(self, status: LinkStatus) -> None:
        """The state, its sentence or a count changed."""

    def on_identified(self, hello: Hello, boot_id: int) -> None:
        """A board said who it is: at each connection, and after each boot of the board; what was between two boots is
        unknown."""

    def store(self, evidence: list[Evidence]) -> None:
        """Return once all of it is durable; raise `NotDurable` when it cannot be, then it comes again.

        What was stored by an earlier run of the companion can come once more: (uid, boot_id, seq) tells. The same
        identity with another stamp or body is a clash, and both are to be kept.
        """

    def on_watermark(self, boot_id: int, settled_us: int) -> None:
        """Everything that happened up to `settled_us` has been stored."""

    def on_configured(self, configured: Configured) -> None:
        """What settings the board has: at each connection, and whenever that changes."""

    def on_sync(self, point: SyncPoint) -> None:
        """How the clocks of board and computer lie to each other, now and then."""

    def on_cue(self, cue: CueGiven, boot_id: int) -> None:
        """The board switched a lamp or a buzzer on, and when."""

    def on_note(self, sentence: str) -> None:
        """Something to show and to keep: noise, a clash, a clock fault, what the firmware logged."""
