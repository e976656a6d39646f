"""Edges of one pin: its interrupt writes them down, the main loop takes them; neither ever waits for the other."""

from array import array

from firmware_protocol.board.clock import TICKS_MASK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_protocol.board.hardware import Pin, Ticks

# A bouncing contact gives some 20 edges within 6 ms; the main loop comes round far more often than every 15 ms.
SLOTS = 64
SLOT_MASK = SLOTS - 1


class Edges:
    """A queue with one writer, the interrupt handler `on_edge`, and one reader, `take`.

    `lost` counts the edges that found the queue full; `longest_turn_us` is the handler's longest run.
    """

    def __init__(self, pin: "Pin", active_level: int, ticks_us: "Ticks") -> None:
        self.ticks = 0
        self.pressed = 0
        self.lost = 0
        self.longest_turn_us = 0
        self.stamping = True
        self._pin = pin
        self._active = active_level
        self._ticks_us = ticks_us
        self._stamps = array("I", bytes(4 * SLOTS))
        self._levels = bytearray(SLOTS)
        self._head = 0
        self._tail = 0
        self._suspect = False

    def on_edge(self, pin: "Pin") -> None:
        """Stamp an edge; runs in a hard interrupt, so it allocates nothing."""
        now = self._ticks_us() & TICKS_MASK
        if not self.stamping:
            return
        head = self._head
        after = (head + 1) & SLOT_MASK
        if after == self._tail:
            self.lost = (self.lost + 1) & TICKS_MASK
            return
        self._stamps[head] = now
        self._levels[head] = pin.value()
        # Last: from here on the reader may take the slot.
        self._head = after
        spent = (self._ticks_us() - now) & TICKS_MASK
        if spent > self.longest_turn_us:  # noqa: PLR1730 - no call where a comparison does
            self.longest_turn_us = spent

    def take(self) -> bool:
        """Move the oldest edge to `ticks` and `pressed` (its level after the edge); False when there is none."""
        tail = self._tail
        if tail == self._head:
            return False
        self.ticks = self._stamps[tail]
        self.pressed = 1 if self._levels[tail] == self._active else 0
        # Last: from here on the interrupt may write the slot.
        self._tail = (tail + 1) & SLOT_MASK
        return True

    def level(self) -> int:
        """Return 1 while the pin is at its active level."""
        return 1 if self._pin.value() == self._active else 0

    def missed(self, last: int) -> bool:
        """Whether an edge got lost: the level differs from `last`, the one after the last edge taken.

        Only when asked twice in a row with this result, so that an interrupt held up by others is not overtaken.
        """
        # First the level, then the queue: while an edge waits, the level is newer than the edges taken.
        differs = self.level() != last and self._tail == self._head
        missed = differs and self._suspect
        self._suspect = differs and not missed
        return missed

    def clear(self) -> None:
        """Forget what waits."""
        self._tail = self._head
        self._suspect = False
