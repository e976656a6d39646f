"""Inputs that are noisy: more edges than a finger and a bouncing contact make, of a broken wire beside a motor say.

The board would spend all its time on them. So the hardware stops looking at such a pin (it is muted), until the pin
has been quiet for a second.
"""

from firmware_protocol.board.clock import TICKS_MASK
from firmware_protocol.board.quick import changes
from firmware_protocol.board.settings import RANGES
from firmware_protocol.board.words import HIGH_TICKS, RECORD_MASK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_protocol.board.words import EdgeRing

# No finger closes a contact twice within the longest lock time, and one closing bounces some 20 times (the worst
# ordinary switch that Ganssle measured, for 6.2 ms). So many edges within that time are neither.
NOISE_US: int = {name: most for name, _, most in RANGES}["lock_us"]
NOISE_EDGES = 80
# A noise that fills the ring of records is found sooner, but never by fewer edges than this. A knock rings: 40 edges of
# a piezo's comparator in 7 ms, and a vibration module toggles as long as it shakes.
FEWEST_EDGES = 40
FEWEST_OF_HIT = 128
# How many of the newest records are looked at: first so many, then twice as many as long as all are recent. Not all of
# the ring: its writer goes on meanwhile.
FIRST_LOOK = 56
LONGEST_LOOK = 8 * FIRST_LOOK
RECENT_US = 125_000
# Slower noise leaves the loop its time, but a contact that never stays open for its lock time is one whose release may
# still come: nothing after it could be promised, and no press would be read. No finger keeps one so for so long.
RESTLESS_US = 250_000
RESTLESS_LOCKS = 20
# A pin without an edge for so long is listened to again.
QUIET_US = 1_000_000


class Muted:
    """An input that the hardware does not look at; `stirred` is when it last had an edge, `since` when it was muted.

    `noisy` is how often it was found to have had edges since.
    """

    def __init__(self, bit: int, since: int) -> None:
        self.bit = bit
        self.since = self.stirred = since
        self.noisy = 0
        # Looked at again, but not counted yet: the record of its level is on its way.
        self.returns = False


def recent(ring: "EdgeRing") -> "tuple[int, int]":
    """Return how many of the newest records to look at, 0 where too few are recent, and how many us they span."""
    newest = (ring.written() - 1) & RECORD_MASK
    last = _ticks(ring, newest)
    count, span = 0, 0
    look = FIRST_LOOK
    while look <= LONGEST_LOOK:
        age = (last - _ticks(ring, (newest - look) & RECORD_MASK)) & TICKS_MASK
        if age >= RECENT_US:
            break
        count, span = look, age
        look *= 2
    return count, span


def edges_of(ring: "EdgeRing", bit: int, count: int) -> int:
    """Return how many of the newest `count` records changed the GPIO with this bit."""
    edges: int = changes(ring.levels, RECORD_MASK, (ring.written() - count) & RECORD_MASK, count, bit)
    return edges


def is_noise(edges: int, span_us: int, *, of_hit: bool) -> bool:
    """Whether so many edges of one input within so long are noise."""
    fewest = FEWEST_OF_HIT if of_hit else FEWEST_EDGES
    return edges >= max(fewest, NOISE_EDGES * span_us // NOISE_US)


def _ticks(ring: "EdgeRing", at: int) -> int:
    return ring.times[2 * at] | (ring.times[2 * at + 1] & HIGH_TICKS) << 16
