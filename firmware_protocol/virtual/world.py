"""The world around a virtual board: its time, and a schedule of what happens at its pins.

Edges are delivered at poll points, but as of their scheduled time: the hardware's records for that time are written,
however late the poll is. With a `now_us` from outside, time is real; without one it is virtual and moves only when the
firmware reads it or waits. Runs under CPython and MicroPython.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

TICKS_MASK = 0x3FFFFFFF


class WatchdogBite(BaseException):
    """The watchdog was not fed in time; raised in virtual time only."""


class World:
    """Pins by name, each with a level (1 = pressed) or an analog value, and what will happen to them.

    `start_us` (below 2^30) is the board's time at the start; `read_cost_us` is the virtual time that reading the
    counter takes, so that a loop waiting for a time gets there.
    """

    def __init__(
        self, now_us: "Callable[[], int] | None" = None, start_us: int = 0, read_cost_us: int = 2
    ) -> None:
        self._outside = now_us
        self._read_cost_us = read_cost_us
        # The board's time was `_start_us` at `_outside_start` of the outside's clock, and runs `_ppm` fast from there.
        self._outside_start = now_us() if now_us else 0
        self._start_us = start_us
        self._ppm = 0
        self._virtual_us = start_us
        self._schedule: list[tuple[int, int, str, int]] = []
        self._order = 0
        self._levels: dict[str, int] = {}
        self._changed: Callable[[str, int], None] = _nothing
        self._bite_at_us = -1
        self._stirred_us = start_us

    @property
    def is_virtual(self) -> bool:
        """True if time moves only when the firmware makes it."""
        return self._outside is None

    def now_us(self) -> int:
        """Return the board's time, in us since its start."""
        if self._outside is None:
            return self._virtual_us
        elapsed_us = self._outside() - self._outside_start
        return self._start_us + elapsed_us + elapsed_us * self._ppm // 1000000

    def disturb_clock(self, ppm: int, step_us: int) -> None:
        """Advance the counter by `step_us` and run it `ppm` fast (slow if negative) from now on.

        There is no step back: the firmware would take it for a wrap, a step ahead by minutes. Scheduled edges keep
        their place on the board's counter. In virtual time there is no rate to change.
        """
        if self._outside is None:
            self._virtual_us += step_us
            return
        self._start_us = self.now_us() + step_us
        self._outside_start = self._outside()
        self._ppm = ppm

    def ticks_us(self) -> int:
        """Return what `time.ticks_us` of the chip would; a poll point."""
        # Not a new reading of the outside's clock: edges due between the delivery and that reading would be missed.
        self.advance(self._read_cost_us)
        return self._virtual_us & TICKS_MASK

    def advance(self, us: int) -> None:
        """Advance virtual time and deliver what falls due; in real time only deliver."""
        target = self._virtual_us + us
        if self._outside is not None:
            target = self.now_us()
        while self._schedule and self._schedule[-1][0] <= target:
            t_us, _, name, level = self._schedule.pop()
            self._virtual_us = max(self._virtual_us, t_us)
            self._deliver(name, level, t_us)
        self._virtual_us = target
        if self.is_virtual and 0 <= self._bite_at_us <= target:
            raise WatchdogBite

    def schedule(self, edges: "list[tuple[int, str, int]]") -> int:
        """Schedule `(dt_us, name, level)` rows in any order; return the board's time from which the dts count."""
        base_us = self.now_us()
        for dt_us, name, level in edges:
            self._order += 1
            self._schedule.append((base_us + dt_us, self._order, name, level))
        self._schedule.sort(reverse=True)
        return base_us

    def until_next_us(self) -> int:
        """Return the us until the next edge; -1 if none is scheduled, 0 if one is due."""
        if not self._schedule:
            return -1
        return max(0, self._schedule[-1][0] - self.now_us())

    def still_for_us(self) -> int:
        """Return for how many us nothing has happened at any pin."""
        return self.now_us() - self._stirred_us

    def level(self, name: str) -> int:
        """Return the level or value of a pin; 0 before the first change."""
        return self._levels.get(name, 0)

    def set_level(self, name: str, level: int) -> None:
        """Change a pin at once."""
        self._deliver(name, level, self._virtual_us)

    def reached_us(self) -> int:
        """Return the board's time up to which everything is delivered."""
        return self._virtual_us

    def watch(self, changed: "Callable[[str, int], None]") -> None:
        """Call `changed` with name and time after each change of a pin."""
        self._changed = changed

    def feed_watchdog(self, timeout_us: int) -> None:
        """Postpone the watchdog's bite."""
        self._bite_at_us = self.now_us() + timeout_us

    def _deliver(self, name: str, level: int, t_us: int) -> None:
        if self.level(name) == level:
            return
        self._levels[name] = level
        self._stirred_us = t_us
        self._changed(name, t_us)


def _nothing(name: str, t_us: int) -> None:
    """Do nothing: nobody watches."""
