"""The board's clock on the host's, by interval intersection; and whether the host's stood still.

A PING sent at T1, received by the board at T2, answered at T3 and read at T4 proves that the offset (board - host) lies
in [T3 - T4, T2 - T1], whatever the delays were. Delays only widen an interval, so the intersection of many is narrow
and still sure.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

KEEP = 32
# The sum of two ordinary crystals: 30 to 50 ppm each, with temperature.
DRIFT_PPM = 100
_US = 1_000


@dataclass(frozen=True, slots=True)
class Sample:
    """What one PING proves: the offset was at most `high_ns` at host time `sent_ns`, at least `low_ns` at `read_ns`."""

    sent_ns: int
    read_ns: int
    low_ns: int
    high_ns: int


class Clock:
    """Maps between one boot's microseconds and the host's monotonic nanoseconds.

    The samples are an immutable tuple, so any thread may read while one thread adds.
    """

    def __init__(self, boot_id: int = 0) -> None:
        self.boot_id = boot_id
        self.samples: tuple[Sample, ...] = ()
        """What the mapping rests on."""
        self.restarts = 0
        """How often all samples had to go."""
        self.rtt_us: int | None = None

    def add(self, sent_ns: int, rx_us: int, tx_us: int, read_ns: int) -> bool:
        """Take in one round trip; False is a clock fault: it contradicts itself (it goes) or those before (they go)."""
        # The board's stamps are cut to whole microseconds: the true T2 may be up to 1 us later.
        sample = Sample(sent_ns, read_ns, tx_us * _US - read_ns, (rx_us + 1) * _US - sent_ns)
        if sample.low_ns - sample.high_ns > _drift(read_ns - sent_ns):
            return False
        self.rtt_us = max(0, (read_ns - sent_ns) // _US - (tx_us - rx_us))
        if all(_agree(sample, kept) and _agree(kept, sample) for kept in self.samples):
            self.samples = (*self.samples, sample)[-KEEP:]
            return True
        self.samples = (sample,)
        self.restarts += 1
        return False

    def forget(self) -> None:
        """Start over: the host's clock stood still while the board's ran on."""
        self.samples = ()
        self.restarts += 1

    def device_at(self, host_ns: int) -> tuple[int, int] | None:
        """Return (us, pm_us): the board's counter at a host time and its sure +-; None without a sample."""
        offset = self.offset_at(host_ns)
        if offset is None:
            return None
        low, high = offset
        return (host_ns + (low + high) // 2) // _US, (high - low) // 2 // _US + 1

    def offset_at(self, host_ns: int) -> tuple[int, int] | None:
        """Return the interval (ns) in which board minus host surely lies at a host time; None without a sample."""
        samples = self.samples
        if not samples:
            return None
        low = max([one.low_ns - _drift(host_ns - one.read_ns) for one in samples])
        high = min([one.high_ns + _drift(host_ns - one.sent_ns) for one in samples])
        middle, half = (low + high) // 2, (high - low + 1) // 2 + 1
        return middle - half, middle + half


def rate_between(begun: Sequence[Sample], ended: Sequence[Sample]) -> tuple[float, float] | None:
    """Return how much faster than the host's the board's clock runs, and the sure +- of that, both in ppm, for a rate
    that stays as it is; None where no sample of the end follows one of the beginning.

    Nothing is supposed of the rate: a mapping, which supposes `DRIFT_PPM`, would hide what goes beyond.
    """
    pairs = [(one, other) for one in begun for other in ended if one.read_ns < other.sent_ns]
    if not pairs:
        return None
    low = max((other.low_ns - one.high_ns) / (other.read_ns - one.sent_ns) for one, other in pairs)
    high = min((other.high_ns - one.low_ns) / (other.sent_ns - one.read_ns) for one, other in pairs)
    return (low + high) / 2 * 1e6, abs(high - low) / 2 * 1e6


def _agree(one: Sample, other: Sample) -> bool:
    """Whether the lower bound of the one and the upper bound of the other can be true at once."""
    return one.low_ns - other.high_ns <= _drift(one.read_ns - other.sent_ns)


def _drift(span_ns: int) -> int:
    return abs(span_ns) * DRIFT_PPM // 1_000_000 + 1


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
