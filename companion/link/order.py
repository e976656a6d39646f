"""Order and duplicates of one boot's numbered frames, and up to when the host may say that nothing else happened."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from enum import Enum

from companion.link.evidence import Evidence, LastEvidence, Numbered
from companion.link.words import missing
from firmware_protocol.messages import Gap

# More than the ring of a small board holds: what is further back is never resent, what is further ahead is nonsense.
WINDOW = 4096
# Of so many ended boots the frames are kept in mind, of all others the id alone.
REMEMBERED = 8
# What the wire says of a boot id.
BOOT_MASK = 0xFFFF


class FrameOrder(Enum):
    """What a frame turned out to be."""

    NEW = "new"
    DUPLICATE = "duplicate"
    CLASH = "clash"
    TOO_FAR = "too far"


Frames = Mapping[int, Numbered]
"""The newest frames of a boot, by number."""


class Inbox:
    """The two marks of one (uid, boot id): `delivered`, the highest contiguous number handed on, and `durable`.

    Outlives a connection, so that a resend after a reconnect is known as a duplicate. `boot_id` is the board's own in
    its low 16 bits; above them stands how often the board was caught drawing that one again. `earlier` are the boots
    before this one, each with its frames as long as these are kept in mind. `left` are the boards that the session had
    before: uid -> the last boot and its last durable number. `withheld_at` is the number for whose sake a connection
    was given up.
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
        self._skipped: dict[
            int, int
        ] = {}  # last number before a missing range -> last number of the range

    @classmethod
    def resumed(cls, last: LastEvidence) -> Inbox:
        """The inbox of the boot that an earlier run of the session stored last."""
        return cls(
            last.uid,
            last.boot_id,
            last.seq + 1,
            {boot_id: {} for boot_id in last.earlier},
            last.left,
        )

    def followed_by(self, boot_id: int, first_seq: int) -> Inbox:
        """The inbox of the boot after this one; its id for the record is one that no boot of this board had."""
        earlier = {**self.earlier, self.boot_id: self._past}
        earlier |= {ended: {} for ended in [*earlier][:-REMEMBERED]}
        return Inbox(self.uid, _unused_boot_id(boot_id, earlier), first_seq, earlier, self.left)

    def replaced_by(self, uid: int, boot_id: int, oldest_seq: int, next_seq: int) -> Inbox:
        """The inbox of another board, whose id for the record is one that no boot of any board had: its clock is
        another one, also where it was the session's board before and kept its power. What the record has of it is not
        taken in again."""
        earlier: dict[int, Frames] = {ended: {} for ended in (*self.earlier, self.boot_id)}
        left = {**self.left, self.uid: (self.boot_id, self.durable)}
        before, durable = left.pop(uid, (None, 0))
        continues = before is not None and before & BOOT_MASK == boot_id and next_seq > durable
        first_seq = durable + 1 if continues else oldest_seq
        return Inbox(uid, _unused_boot_id(boot_id, earlier), first_seq, earlier, left)

    def continued_by(self, uid: int, boot_id: int, next_seq: int) -> bool:
        """Whether a HELLO goes on with these numbers; one that names a number again which came before started anew."""
        return self.uid == uid and self.boot_id & BOOT_MASK == boot_id and next_seq > self.highest

    @property
    def waiting(self) -> int:
        """How many frames were received that cannot be handed on yet, for a hole before them."""
        return len(self._held)

    def take(self, arrival: Evidence) -> FrameOrder:
        """Sort a frame in; `ready` then gives what may be handed on."""
        seq = arrival.seq
        if seq > self.delivered + WINDOW:
            return FrameOrder.TOO_FAR
        known = self.known(seq)
        if known is not None:
            return FrameOrder.DUPLICATE if known == arrival.message else FrameOrder.CLASH
        if seq <= self.delivered or self._was_sent_by_an_earlier_boot(arrival):
            return FrameOrder.DUPLICATE
        self._held[seq] = arrival
        self.highest = max(self.highest, seq)
        return FrameOrder.NEW

    def known(self, seq: int) -> Numbered | None:
        """The frame that stands under this number, while it is remembered."""
        held = self._held.get(seq)
        return self._past.get(seq) if held is None else held.message

    def ready(self) -> list[Evidence]:
        """Take out what is now contiguous; a GAP stands for the numbers it covers."""
        out: list[Evidence] = []
        while (arrival := self._next()) is not None:
            del self._held[arrival.seq]
            self.delivered = arrival.seq
            self._past[arrival.seq] = arrival.message
            out.append(arrival)
            while self._past and (oldest := next(iter(self._past))) <= self.delivered - WINDOW:
                del self._past[oldest]
        return out

    def floor(self, oldest_seq: int, next_seq: int) -> None:
        """Note that the board holds nothing below `oldest_seq`: it has been told that all of it is durable."""
        self._floor = oldest_seq
        if oldest_seq == next_seq and not self._held:
            self._skip_to(oldest_seq)

    def give_up(self, next_seq: int) -> None:
        """Go on behind the hole: the board, which has sent numbers below `next_seq`, does not send what is before."""
        self._skip_to(min(self._held, default=next_seq), withheld=True)

    def take_missing(self) -> list[str]:
        """Take out the sentences on ranges that will not come any more and this session never got."""
        sentences, self._missing = self._missing, []
        return sentences

    def acknowledge(self, seq: int) -> bool:
        """Note that everything up to `seq` is durable; return whether that was news."""
        if seq <= self.durable or seq > self.delivered:
            return False
        self.durable = seq
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
        """Whether a boot that had the same id on the wire sent this very frame: number, time and body."""
        matching = (
            frames
            for boot_id, frames in self.earlier.items()
            if (boot_id ^ self.boot_id) & BOOT_MASK == 0
        )
        return any(frames.get(arrival.seq) == arrival.message for frames in matching)

    def _skip_to(self, seq: int, *, withheld: bool = False) -> None:
        if self.delivered < seq - 1:
            self._missing.append(missing(self.delivered + 1, seq - 1, withheld=withheld))
            self._skipped[self.delivered] = seq - 1
            if self.durable == self.delivered:
                self.durable = seq - 1
            self.delivered = seq - 1
            self.highest = max(self.highest, self.delivered)


def _unused_boot_id(boot_id: int, earlier: Collection[int]) -> int:
    """An id for the record that none of the `earlier` boots has; the lowest 16 bits are the board's own."""
    same_on_the_wire = [ended for ended in earlier if ended & BOOT_MASK == boot_id]
    return max(same_on_the_wire) + BOOT_MASK + 1 if same_on_the_wire else boot_id


def _covers(arrival: Evidence, seq: int) -> bool:
    gap = arrival.message
    return (
        isinstance(gap, Gap)
        and gap.first_seq + gap.count == arrival.seq
        and gap.first_seq <= seq < arrival.seq
    )


class Hole:
    """Since when the next number has been missing, though later ones are here or announced; used by one connection."""

    def __init__(self) -> None:
        # the number that is missing, and when that was seen first
        self._since: tuple[int, int] | None = None

    def update(self, inbox: Inbox, announced: int, now_ns: int) -> None:
        """Compare what came with what the board has sent: it has given away every number below `announced`.

        While something is not on the disk yet, the board may be out of credit, and is not asked for what it holds back.
        """
        is_behind = inbox.durable == inbox.delivered < announced - 1
        if not inbox.waiting and not is_behind:
            self._since = None
        elif self._since is None or self._since[0] != inbox.delivered + 1:
            self._since = inbox.delivered + 1, now_ns

    def age_ns(self, now_ns: int) -> int:
        """For how long the same number has been missing though the board has sent later ones; 0 while none is."""
        return 0 if self._since is None else now_ns - self._since[1]

    @property
    def seq(self) -> int | None:
        """The number that everything after it waits for; None while none is missing."""
        return None if self._since is None else self._since[0]


# Six seconds of PONGs at the armed pace; beyond that only the newest counts.
_PROMISES = 64


class Watermarks:
    """What PONGs promised, held back until everything they count on is durable."""

    def __init__(self) -> None:
        self._promised: deque[tuple[int, int]] = deque()
        self._settled_us = -1

    def promise(self, next_seq: int, settled_us: int) -> None:
        """Every event stamped up to `settled_us` has a number below `next_seq`."""
        if len(self._promised) == _PROMISES:
            self._promised.pop()
        self._promised.append((next_seq, settled_us))

    def advance(self, durable: int) -> int | None:
        """Everything up to `durable` is durable; return how far that settles the board's time, None if no further."""
        settled_us = self._settled_us
        while self._promised and self._promised[0][0] <= durable + 1:
            settled_us = max(settled_us, self._promised.popleft()[1])
        if settled_us == self._settled_us:
            return None
        self._settled_us = settled_us
        return settled_us
