"""The event ring: keeps numbered frames until the host has them on disk; keeps the oldest, refuses the newest.

The first edges decide a round, so a full ring refuses what comes later; a GAP reports the refused numbers, and one
place is always kept free for it.
"""

from array import array

from firmware_protocol.board.packing import Packer
from firmware_protocol.board.quick import gather
from firmware_protocol.messages import Gap, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_protocol.board.clock import Clock

RING_SIZE = 512
# The longest numbered frame is GAP's, with 24 bytes of body: header, body, CRC, one byte of COBS, two delimiters.
SLOT_SIZE = 7 + 24 + 4 + 1 + 2


class EventRing:
    """`size` places, allocated once.

    Numbers every message put in, from 1, and keeps it as the frame that will be sent. `held` frames are kept, at most
    `high_water` were.
    """

    def __init__(self, size: int, packer: Packer, clock: "Clock") -> None:
        self.size = size
        self.next_seq = 1
        self.held = 0
        self.high_water = 0
        self._packer = packer
        self._clock = clock
        self._oldest = 0
        self._slots = bytearray(size * SLOT_SIZE)
        self._lengths = bytearray(size)
        self._seqs = array("I", bytes(4 * size))
        self._gap_count = 0
        self._gap_seq = 0
        self._gap_first_us = 0
        self._gap_last_us = 0

    def oldest_seq(self) -> int:
        """Return the oldest number held; `next_seq` if there is none."""
        return self._seqs[self._oldest] if self.held else self.next_seq

    def has_room(self) -> bool:
        """Return whether `put` would accept: one place stays free for a GAP."""
        return self.size - self.held >= 2

    def put(self, message: Message, t_us: int) -> bool:
        """Number the message and keep it; a full ring refuses it, and its number is used up all the same."""
        if not self.has_room():
            self._refuse(t_us)
            return False
        self._append(message)
        return True

    def put_event(self, channel: int, flags: int, ticks: int, bounces: int, peak: int) -> bool:
        """Number an EVENT and keep it, as `put` does, but without a message object, and with the clock's ticks."""
        size, held = self.size, self.held
        if size - held < 2:
            self._refuse(self._clock.extend(ticks))
            return False
        slot = self._oldest + held
        if slot >= size:
            slot -= size
        at, seq = slot * SLOT_SIZE, self.next_seq
        end = self._packer.event(seq, channel, flags, ticks, bounces, peak, self._slots, at)
        self._lengths[slot] = end - at
        self._seqs[slot] = seq
        self.next_seq = seq + 1
        self.held = held = held + 1
        if held > self.high_water:  # noqa: PLR1730 - no call where a comparison does
            self.high_water = held
        return True

    def drop_through(self, seq: int) -> int:
        """Drop everything up to and including `seq`; return the number of frames dropped. Room closes an open gap."""
        dropped = self.count_before(seq + 1)
        self._oldest = (self._oldest + dropped) % self.size
        self.held -= dropped
        if self._gap_count and self.has_room():
            self._close_gap()
        return dropped

    def count_before(self, seq: int) -> int:
        """Return how many of the frames held have a number below `seq`."""
        count = 0
        while count < self.held and self._seqs[(self._oldest + count) % self.size] < seq:
            count += 1
        return count

    def seq(self, index: int) -> int:
        """Return the number of the frame `index` places after the oldest."""
        return self._seqs[(self._oldest + index) % self.size]

    def gather(self, index: int, count: int, target: bytearray) -> int:
        """Write `count` frames, from `index` places after the oldest on, to `target` with their delimiters; return
        the end."""
        slot = (self._oldest + index) % self.size
        end: int = gather(self._slots, SLOT_SIZE, self.size, self._lengths, slot, count, target)
        return end

    def clear(self) -> None:
        """Drop all frames and an open gap; the numbers go on."""
        self._oldest = 0
        self.held = 0
        self._gap_count = 0

    def _append(self, message: Message) -> None:
        slot = (self._oldest + self.held) % self.size
        at = slot * SLOT_SIZE
        self._keep(slot, self._packer.message(message, self.next_seq, self._slots, at) - at)

    def _keep(self, slot: int, length: int) -> None:
        self._lengths[slot] = length
        self._seqs[slot] = self.next_seq
        self.next_seq += 1
        self.held += 1
        self.high_water = max(self.high_water, self.held)

    def _refuse(self, t_us: int) -> None:
        if not self._gap_count:
            self._gap_seq = self.next_seq
            self._gap_first_us = self._gap_last_us = t_us
        self._gap_first_us = min(self._gap_first_us, t_us)
        self._gap_last_us = max(self._gap_last_us, t_us)
        self._gap_count += 1
        self.next_seq += 1

    def _close_gap(self) -> None:
        gap = Gap(self._gap_seq, self._gap_count, self._gap_first_us, self._gap_last_us)
        self._gap_count = 0
        self._append(gap)
