"""The board's time: 64-bit microseconds from a counter that wraps."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_protocol.board.primitives import Ticks


def const(value: int) -> int:
    """Mark a constant that MicroPython's compiler inlines."""
    return value


# `time.ticks_us` wraps every 2^30 us (17.9 min) on 32-bit ports. Masking makes the ports that wrap later do the same.
TICKS_BITS = 30
TICKS_MASK = 0x3FFFFFFF
TICKS_HALF = 0x20000000
NO_TICKS = -1


def ticks_diff(later: int, earlier: int) -> int:
    """Return the us from `earlier` to `later`, two ticks at most 2^29 us apart; negative if they are swapped."""
    ahead = (later - earlier) & TICKS_MASK
    return ahead if ahead < TICKS_HALF else ahead - TICKS_MASK - 1


class Clock:
    """Extends the counter `source` to 64 bits; must be read at least every 17 minutes.

    `last` is its value at the last look, after `epoch` wraps.
    """

    def __init__(self, ticks_us: "Ticks") -> None:
        self.source = ticks_us
        self.last = self.ticks()
        self.epoch = 0

    def ticks(self) -> int:
        """Return the counter's 30 bits."""
        return self.source() & TICKS_MASK

    def look(self) -> int:
        """Return the counter's 30 bits and note a wrap; allocates nothing, unlike `now_us`."""
        ticks = self.source() & TICKS_MASK
        if ticks < self.last:
            self.epoch += 1
        self.last = ticks
        return ticks

    def now_us(self) -> int:
        """Return the time since the counter's start, in us; it never goes back."""
        ticks = self.look()
        return (self.epoch << TICKS_BITS) + ticks

    def extend(self, ticks: int) -> int:
        """Return the 64-bit time of a stamp taken within the last 17 minutes."""
        now = self.now_us()
        return now - ((now - ticks) & TICKS_MASK)
