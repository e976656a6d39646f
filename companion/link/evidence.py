"""What the link hands to the journal: one numbered frame of the board with its stamps."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_protocol.messages import Event, Gap, Overrun, State

Numbered = Event | State | Gap | Overrun
"""What a board numbers, keeps and sends again."""


class NotDurable(Exception):  # noqa: N818  it reads as what it is: `raise NotDurable(...)`
    """The journal cannot keep evidence now; the message is one sentence: why, and what to do. The link tries again."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A numbered frame; (`uid`, `boot_id`, `seq`) is its identity, the board's stamp in `message` its time.

    `read_ns` is when the host read it; `mapped_ns` +- `pm_ns` is the board's stamp on the host's monotonic clock (of a
    GAP or OVERRUN its `last_us`), None while the clocks are not yet matched. The board's own stamp error comes on top
    of `pm_ns`.
    """

    uid: int
    boot_id: int
    seq: int
    message: Numbered
    read_ns: int
    mapped_ns: int | None = None
    pm_ns: int | None = None


@dataclass(frozen=True, slots=True)
class LastEvidence:
    """The last evidence of an earlier run that is durable: what a resumed session knows of its board. `earlier` are the
    boots before that one: a board draws 16 bits, so it may come back under the boot id of one of them."""

    uid: int
    boot_id: int
    seq: int
    earlier: tuple[int, ...] = ()
