"""Order and duplicates of one boot's numbered frames, and the time up to which nothing else can have happened."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from enum import Enum

from companion.link.evidence import Evidence, LastEvidence, Numbered
from companion.link.words import missing
from firmware_protocol.messages import Gap

# More than the ring of a small board holds: a frame further back is never resent, one further ahead is nonsense.
WINDOW = 4096
# The frames of this many ended boots are remembered; of earlier ones the id alone.
REMEMBERED = 8
# The part of a boot id that is on the wire.
BOOT_MASK = 0xFFFF


class FrameOrder(Enum):
    """How a frame relates to those before it."""

    NEW = "new"
    DUPLICATE = "duplicate"
    CLASH = "clash"
    TOO_FAR = "too far"


Frames = Mapping[int, Numbered]
"""The newest frames of a boot, by number."""


class Inbox:
    """The two marks of one (uid, boot id): `delivered`, the highest contiguous number passed on, and `durable`.

    Outlives a connection, so that a frame resent after a reconnect is known as a duplicate. `boot_id` is the board's
    own in its low 16 bits; the bits above count how often the board has drawn that id before. `earlier` maps the boots
    before this one to their frames, as long as these are remembered. `left` are the boards that the session had before:
    uid -> (last boot, its last durable number). `withheld_at` is the number over which a connection was given up.
    """

    def __init__(
        self,
        uid: int,
        boot_id: int,
        first_seq: int,
        earlier: Mapping[int, Frames] | None = None,
        left: Mapping[int, tuple[int, int]] | None = None,
    ) -> None:
        self.uid = uid
        self.earlier = earlier or {}
        self.left = left or {}
        self.withheld_at: int | None = None
        self.boot_id = boot_id
        self.delivered = self.durable = self.highest = first_seq - 1
        self._held: dict[int, Evidence] = {}
        self._past: dict[int, Numbered] = {}
        self._floor = first_seq
        self._missing: list[str] = []
        # last number before a missing range -> last number of the range
        self._skipped: dict[int, int] = {}

    @classmethod
    def resumed(cls, last: LastEvidence) -> Inbox:
        """Return the inbox of the boot whose evidence an earlier run of the session stored last."""
        return cls(
            last.uid,
            last.boot_id,
            last.seq + 1,
            {boot_id: {} for boot_id in last.earlier},
            last.left,
        )

    def followed_by(self, boot_id: int, first_seq: int) -> Inbox:
        """Return the inbox of the next boot; its id in the record is one that no boot of this board had."""
        earlier = {**self.earlier, self.boot_id: self._past}
        earlier |= {ended: {} for ended in [*earlier][:-REMEMBERED]}
        return Inbox(self.uid, _unused_boot_id(boot_id, earlier), first_seq, earlier, self.left)

    def replaced_by(self, uid: int, boot_id: int, oldest_seq: int, next_seq: int) -> Inbox:
        """Return the inbox of another board; its id in the record is one that no boot of any board had.

        It counts as a new boot even if this board belonged to the session before and kept its power: its clock is
        another clock. Frames that the record already has of it are not taken again.
        """
        earlier: dict[int, Frames] = {ended: {} for ended in (*self.earlier, self.boot_id)}
        left = {**self.left, self.uid: (self.boot_id, self.durable)}
        before, durable = left.pop(uid, (None, 0))
        continues = before is not None and before & BOOT_MASK == boot_id and next_seq > durable
        first_seq = durable + 1 if continues else oldest_seq
        return Inbox(uid, _unused_boot_id(boot_id, earlier), first_seq, earlier, left)

    def continued_by(self, uid: int, boot_id: int, next_seq: int) -> bool:
        """Return true if a HELLO continues these numbers; a board that announces a number again has restarted."""
        return self.uid == uid and self.boot_id & BOOT_MASK == boot_id and next_seq > self.highest

    @property
    def waiting(self) -> int:
        """Number of frames received that cannot be passed on yet because an earlier one is missing."""
        return len(self._held)

    def take(self, arrival: Evidence) -> FrameOrder:
        """Sort a frame in; `ready` then returns what can be passed on."""
        seq = arrival.seq
        if seq > self.delivered + WINDOW:
            return FrameOrder.TOO_FAR
        known = self.known(seq)
        if known is not None:
            if known == arrival.message:
                return FrameOrder.DUPLICATE
            return FrameOrder.CLASH
        if seq <= self.delivered or self._was_sent_by_an_earlier_boot(arrival):
            return FrameOrder.DUPLICATE
        self._held[seq] = arrival
        self.highest = max(self.highest, seq)
        return FrameOrder.NEW

    def known(self, seq: int) -> Numbered | None:
        """Return the frame taken under this number, as long as it is remembered."""
        held = self._held.get(seq)
        return self._past.get(seq) if held is None else held.message

    def ready(self) -> list[Evidence]:
        """Remove and return what is now contiguous; a GAP stands for the numbers it covers."""
        out: list[Evidence] = []
        while (arrival := self._next()) is not None:
            del self._held[arrival.seq]
            self.delivered = arrival.seq
            self._past[arrival.seq] = arrival.message
            out.append(arrival)
            self._forget_old()
        return out

    def _forget_old(self) -> None:
        while self._past:
            oldest = next(iter(self._past))
            if oldest > self.delivered - WINDOW:
                return
            del self._past[oldest]

    def floor(self, oldest_seq: int, next_seq: int) -> None:
        """Note that the board holds nothing below `oldest_seq`: it was told that all of it is durable."""
        self._floor = oldest_seq
        if oldest_seq == next_seq and not self._held:
            self._skip_to(oldest_seq)

    def give_up(self, next_seq: int) -> None:
        """Continue after the hole: the board has sent numbers below `next_seq` and does not send those before."""
        self._skip_to(min(self._held, default=next_seq), withheld=True)

    def take_missing(self) -> list[str]:
        """Remove and return the sentences on ranges that can no longer arrive and that this session never got."""
        sentences, self._missing = self._missing, []
        return sentences

    def acknowledge(self, seq: int) -> bool:
        """Note that everything up to `seq` is durable; return whether that is new."""
        if seq <= self.durable or seq > self.delivered:
            return False
        self.durable = seq
        # A missing range has nothing to store: it is as durable as the number before it.
        while self.durable in self._skipped:
            self.durable = self._skipped[self.durable]
        return True

    def _next(self) -> Evidence | None:
        expected = self.delivered + 1
        if expected in self._held:
            return self._held[expected]
        for held in self._held.values():
            if _covers(held, expected):
                return held
        lowest = min(self._held, default=self._floor + 1)
        if lowest > self._floor:
            return None
        self._skip_to(lowest)
        return self._held[lowest]

    def _was_sent_by_an_earlier_boot(self, arrival: Evidence) -> bool:
        """Return whether a boot with the same id on the wire sent this very frame: number, time and body."""
        for boot_id, frames in self.earlier.items():
            has_same_id = (boot_id ^ self.boot_id) & BOOT_MASK == 0
            if has_same_id and frames.get(arrival.seq) == arrival.message:
                return True
        return False

    def _skip_to(self, seq: int, *, withheld: bool = False) -> None:
        if self.delivered < seq - 1:
            self._missing.append(missing(self.delivered + 1, seq - 1, withheld=withheld))
            self._skipped[self.delivered] = seq - 1
            if self.durable == self.delivered:
                self.durable = seq - 1
            self.delivered = seq - 1
            self.highest = max(self.highest, self.delivered)


def _unused_boot_id(boot_id: int, earlier: Collection[int]) -> int:
    """Return an id for the record that none of the `earlier` boots has; its lowest 16 bits are the board's own."""
    same_on_the_wire = [ended for ended in earlier if ended & BOOT_MASK == boot_id]
    if not same_on_the_wire:
        return boot_id
    return max(same_on_the_wire) + BOOT_MASK + 1


def _covers(arrival: Evidence, seq: int) -> bool:
    gap = arrival.message
    return (
        isinstance(gap, Gap)
        and gap.first_seq + gap.count == arrival.seq
        and gap.first_seq <= seq < arrival.seq
    )


class Hole:
    """Since when the next number has been missing, though later ones arrived or are announced; used by one
    connection."""

    def __init__(self) -> None:
        # the missing number, and when it was first seen to be missing
        self._since: tuple[int, int] | None = None

    def update(self, inbox: Inbox, announced: int, now_ns: int) -> None:
        """Compare what arrived with what the board has sent: every number below `announced`.

        While something is not on the disk yet, the board may be out of credit and hold frames back, so nothing counts
        as missing.
        """
        is_behind = inbox.durable == inbox.delivered < announced - 1
        if not inbox.waiting and not is_behind:
            self._since = None
        elif self._since is None or self._since[0] != inbox.delivered + 1:
            self._since = inbox.delivered + 1, now_ns

    def age_ns(self, now_ns: int) -> int:
        """Return for how long the same number has been missing; 0 if none is."""
        return 0 if self._since is None else now_ns - self._since[1]

    @property
    def seq(self) -> int | None:
        """The number that everything after it waits for; None if none is missing."""
        return None if self._since is None else self._since[0]


# Six seconds of PONGs at the armed pace; beyond that only the newest counts.
_PROMISES = 64


class Watermarks:
    """The promises of PONGs, held back until everything they cover is durable."""

    def __init__(self) -> None:
        self._promised: deque[tuple[int, int]] = deque()
        self._settled_us = -1

    def promise(self, next_seq: int, settled_us: int) -> None:
        """Note that every event stamped up to `settled_us` has a number below `next_seq`."""
        if len(self._promised) == _PROMISES:
            self._promised.pop()  # the newest: the next promise covers it, and the oldest comes due first
        self._promised.append((next_seq, settled_us))

    def advance(self, durable: int) -> int | None:
        """Return how far the board's time is settled with everything up to `durable` on disk; None if no further than
        before."""
        settled_us = self._settled_us
        while self._promised and self._promised[0][0] <= durable + 1:
            settled_us = max(settled_us, self._promised.popleft()[1])
        if settled_us == self._settled_us:
            return None
        self._settled_us = settled_us
        return settled_us
