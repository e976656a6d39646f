"""Noticing that the computer slept: a clock that stands still meanwhile, against one that does not."""

from __future__ import annotations

import time
from collections.abc import Callable

# Two readings are never this far apart by being read one after the other.
SLEPT_NS = 500_000_000
# The time of day is also set by people and by the network; small corrections are no sleep.
SET_NS = 5_000_000_000

ClockNs = Callable[[], int]


class SuspendWatch:
    """Compares two clocks at every look; `awake_ns` stands still while the computer sleeps, `always_ns` runs on."""

    def __init__(self, awake_ns: ClockNs, always_ns: ClockNs, slept_ns: int = SLEPT_NS) -> None:
        self._awake_ns = awake_ns
        self._always_ns = always_ns
        self._slept_ns = slept_ns
        self._ahead_ns = always_ns() - awake_ns()

    def look(self) -> bool:
        """Return whether the computer slept since the look before."""
        ahead_ns = self._always_ns() - self._awake_ns()
        jumped_ns, self._ahead_ns = ahead_ns - self._ahead_ns, ahead_ns
        return abs(jumped_ns) >= self._slept_ns


def system_watch() -> SuspendWatch:
    """Return a watch over this system's clocks: the time since boot where it is told, else the time of day."""
    boottime = getattr(time, "CLOCK_BOOTTIME", None)
    if boottime is None:
        return SuspendWatch(time.monotonic_ns, time.time_ns, SET_NS)
    return SuspendWatch(time.monotonic_ns, lambda: time.clock_gettime_ns(boottime))
