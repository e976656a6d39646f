"""The rings of raw words - levels with their time, and samples - and their readers.

The writer is hardware: PIO and DMA on the chip, the world on a virtual board. It never waits and does not know how far
the reader has come, so a reader that is too late finds its words overwritten; it notices, and says how many are lost.
"""

from firmware_protocol.board.clock import TICKS_HALF, TICKS_MASK
from firmware_protocol.board.quick import find, highest, last, total, unchanged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.primitives import Words

# The bits of a time's upper half that belong to the ticks. Masked before the shift: a larger number would be allocated.
HIGH_TICKS = TICKS_MASK >> 16

# A bouncing contact gives some 20 records; the main loop comes round every few milliseconds.
RECORDS = 512
RECORD_MASK = RECORDS - 1
# How far ahead of the writer, which goes on meanwhile, a reader continues after it was overtaken.
HEADWAY = RECORDS // 4
# Upper limit from an edge at the pin to its record in the ring: the PIO's loop, its FIFO and two DMA transfers.
LATENCY_US = 4
# The largest error of a record's time: half a microsecond of PIO and DMA, one microsecond of the counter's step.
EDGE_ERROR_US = 2

# 82 ms of samples: far longer than a scan of 10 ms and any turn of the main loop that is not stuck.
SAMPLES = 4096
SAMPLE_MASK = SAMPLES - 1
BLOCK = 256
BLOCKS = SAMPLES // BLOCK
BLOCK_MASK = BLOCKS - 1
# The oldest two blocks may be overwritten while they are read: only newer samples are used.
REACH = SAMPLES - 2 * BLOCK
# 48 MHz / 960: a sample then comes within 1.3 % of the crest of a piezo that rings at 2.5 kHz.
SAMPLE_US = 20
# From a sample's instant to the end of its conversion (96 cycles at 48 MHz), when DMA stores the time.
CONVERSION_US = 2


class EdgeRing:
    """Records of all levels after each change: `levels` has bit n for GPIO n, `written()` is the place written next.

    `times` has two halves for each record, the low one first, of the 32-bit us counter: a whole number beyond 2^30
    would be allocated on the chip's heap. A record counts once `written()` is past it.
    """

    def __init__(self, levels: "Words", times: "Words", written: "Callable[[], int]") -> None:
        self.levels = levels
        self.times = times
        self.written = written


class EdgeReader:
    """Takes records out of a ring: `levels` and `ticks` are those of the last one taken.

    After an overrun `lost` is the least number of records lost since `lost_ticks`; the current record is then the last
    of the lost.
    """

    def __init__(self, ring: EdgeRing) -> None:
        self._ring = ring
        self._at = self._low_at = self._low = self._high = self.levels = self.ticks = 0
        self.skip()

    def skip(self) -> None:
        """Discard what waits; the levels are those of the newest record."""
        self.lost = 0
        self.lost_ticks = 0
        self._hold(self._ring.written())

    def take(self) -> bool:
        """Take the oldest record that waits; return False if there is none."""
        ring = self._ring
        # The quick way out of nearly every turn of the main loop. An overrun that it misses, one in millions, is seen
        # with the next record.
        if ring.written() == self._at and ring.times[self._low_at] == self._low:
            return False
        return self._take()

    def waits(self) -> bool:
        """Return whether there is a record to take."""
        return self._ring.written() != self._at

    def pass_over(self, bits: int) -> None:
        """Skip all records up to the first that changes one of `bits`."""
        ring, low_at = self._ring, self._low_at
        times = ring.times
        if (
            times[low_at] != self._low
            or times[low_at + 1] != self._high
            or ring.levels[low_at >> 1] != self.levels
        ):
            self._jump()
        at = self._at
        waiting = (ring.written() - at) & RECORD_MASK
        passed: int = unchanged(ring.levels, RECORD_MASK, at, waiting, self.levels, bits)
        if passed:
            self._hold((at + passed) & RECORD_MASK)

    def _take(self) -> bool:
        ring, at, low_at = self._ring, self._at, self._low_at
        times = ring.times
        waits = ring.written() != at
        low, high, levels = times[2 * at], times[2 * at + 1], ring.levels[at]
        # Checked last: as long as the previous record is the one remembered, the writer has not come round to here.
        if (
            times[low_at] != self._low
            or times[low_at + 1] != self._high
            or ring.levels[low_at >> 1] != self.levels
        ):
            self._jump()
            return True
        if waits:
            self._low, self._high, self.levels = low, high, levels
            self.ticks = low | (high & HIGH_TICKS) << 16
            self._low_at = 2 * at
            self._at = (at + 1) & RECORD_MASK
        return waits

    def _jump(self) -> None:
        self.lost_ticks = self.ticks
        while True:
            at, written = self._at, self._ring.written()
            waiting = (written - at) & RECORD_MASK
            # Just short of a whole round, the writer may still be at the first record that it overwrites.
            self.lost += waiting + HEADWAY if waiting != RECORD_MASK else HEADWAY - 1
            self._hold((written + HEADWAY) & RECORD_MASK)
            if (self._ring.written() - written) & RECORD_MASK < HEADWAY - 1:
                return

    def _hold(self, at: int) -> None:
        ring, before = self._ring, (at - 1) & RECORD_MASK
        self._at = at
        self._low_at = 2 * before
        self._low, self._high, self.levels = (
            ring.times[2 * before],
            ring.times[2 * before + 1],
            ring.levels[before],
        )
        self.ticks = self._low | (self._high & HIGH_TICKS) << 16


class SampleRing:
    """Samples of 12 bits, one each `SAMPLE_US`; `written()` is the place written next.

    `times` has, in halves as in `EdgeRing`, the time at which the last sample of each `BLOCK` was there.
    """

    def __init__(self, values: "Words", times: "Words", written: "Callable[[], int]") -> None:
        self.values = values
        self.times = times
        self.written = written


class SampleReader:
    """Looks back from the newest sample: `back` counts from it, 1 being the newest; at most `REACH` are safe to read.

    `ticks` is the instant of the sample that comes next, as of the last `look`.
    """

    def __init__(self, ring: SampleRing) -> None:
        self._ring = ring
        self.look()

    def look(self) -> None:
        """Note how far the writer is."""
        self._next = self._ring.written()
        # Not the block that ended last: its time may not be written yet.
        block = (self._next // BLOCK - 2) & BLOCK_MASK
        ended = (block + 1) * BLOCK
        time = self._ring.times[2 * block] | (self._ring.times[2 * block + 1] & HIGH_TICKS) << 16
        since = ((self._next - ended) & SAMPLE_MASK) + 1
        self.ticks = (time - CONVERSION_US + since * SAMPLE_US) & TICKS_MASK

    def since(self, ticks: int) -> int:
        """Return how many samples were taken at or after `ticks`; those beyond `REACH` are lost."""
        ahead = (self.ticks - ticks) & TICKS_MASK
        return ahead // SAMPLE_US if ahead < TICKS_HALF else 0

    def ticks_of(self, back: int) -> int:
        """Return the instant of a sample."""
        return (self.ticks - back * SAMPLE_US) & TICKS_MASK

    def value(self, back: int) -> int:
        """Return a sample."""
        return self._ring.values[(self._next - back) & SAMPLE_MASK]

    def find(self, back: int, count: int, level: int, above: int) -> int:
        """Return how many of the `count` samples from `back` on come before the first that is at least `level`.

        With `above` 0, before the first that is below `level`. Return `count` if there is none.
        """
        before: int = find(self._ring.values, SAMPLE_MASK, self._next - back, count, level, above)
        return before

    def highest(self, back: int, count: int) -> int:
        """Return the highest of the `count` samples from `back` on; 0 for none."""
        found: int = highest(self._ring.values, SAMPLE_MASK, self._next - back, count)
        return found

    def last(self, back: int, count: int, level: int) -> int:
        """Return the place of the last of the `count` samples from `back` on that is at least `level`; 0 if there is
        none."""
        beyond: int = last(self._ring.values, SAMPLE_MASK, self._next - back, count, level)
        return back - beyond + 1 if beyond else 0

    def total(self, back: int, count: int) -> int:
        """Return the sum of the `count` samples from `back` on."""
        found: int = total(self._ring.values, SAMPLE_MASK, self._next - back, count)
        return found

    def copy(self, back: int, count: int, into: "Words") -> None:
        """Copy the `count` samples from `back` on."""
        first = (self._next - back) & SAMPLE_MASK
        whole = min(count, SAMPLES - first)
        into[:whole] = self._ring.values[first : first + whole]
        into[whole:count] = self._ring.values[: count - whole]
