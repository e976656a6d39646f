"""Noisy inputs: more edges than a finger and a bouncing contact make, for example from a broken wire beside a motor.

The board would spend all its time on them. So such a pin is muted in hardware until it has been quiet for a second.
"""

from firmware_protocol.board.clock import TICKS_MASK
from firmware_protocol.board.quick import changes
from firmware_protocol.board.words import HIGH_TICKS, RECORD_MASK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_protocol.board.words import EdgeRing

# So many edges of one input within this time are neither fingers nor bounces. A press of an ordinary switch makes some
# 20 edges (Ganssle's worst, in 6.2 ms), one of a switch that `companion board selftest` calls worn out 60 or more, and
# its release as many; a knock makes 40 edges of a piezo's comparator in 7 ms, and a vibration module toggles as long as
# it shakes.
NOISE_US = 50_000
NOISE_EDGES = 128
# The number of newest records examined: at first `LOOK`, then as many more as long as all are recent. Never the whole
# ring: its writer goes on meanwhile.
LOOK = 144
LONGEST_LOOK = 3 * LOOK
RECENT_US = 125_000
# Slower noise leaves the loop enough time, but a contact that never rests may still be released at any time: nothing
# after it could be promised, and no press would be read. The longest known bounce of a switch is 157 ms.
RESTLESS_US = 250_000
# A pin without an edge for this long is unmuted.
QUIET_US = 1_000_000


class Muted:
    """An input that the hardware ignores, for noise of `edges` edges from `first_us` to `since_us`.

    `seq` is the number of the last message about it, `stirred` the ticks of its last edge, and `noisy` how often it was
    found to have had edges since.
    """

    def __init__(self, bit: int, edges: int, first_us: int, since_us: int) -> None:
        self.bit = bit
        self.edges = edges
        self.first_us = first_us
        # 64 bits: noise may last for hours, and ticks wrap.
        self.since_us = since_us
        self.seq = 0
        self.stirred = since_us & TICKS_MASK
        self.noisy = 0
        # Unmuted, but not used yet: the record with its level is under way.
        self.returns = False


def recent(ring: "EdgeRing") -> "tuple[int, int]":
    """Return the number of newest records to examine, 0 if too few are recent, and their span in us."""
    newest = (ring.written() - 1) & RECORD_MASK
    last = _ticks(ring, newest)
    count, span = 0, 0
    look = LOOK
    while look <= LONGEST_LOOK:
        age = (last - _ticks(ring, (newest - look) & RECORD_MASK)) & TICKS_MASK
        if age >= RECENT_US:
            break
        count, span = look, age
        look += LOOK
    return count, span


def edges_of(ring: "EdgeRing", bit: int, count: int) -> int:
    """Return how many of the newest `count` records changed the GPIO with this bit."""
    edges: int = changes(
        ring.levels, RECORD_MASK, (ring.written() - count) & RECORD_MASK, count, bit
    )
    return edges


def is_noise(edges: int, span_us: int) -> bool:
    """Return whether so many edges of one input within so long are noise."""
    return edges >= max(NOISE_EDGES, NOISE_EDGES * span_us // NOISE_US)


def _ticks(ring: "EdgeRing", at: int) -> int:
    return ring.times[2 * at] | (ring.times[2 * at + 1] & HIGH_TICKS) << 16
