"""The board's clock on the host's, by interval intersection; and whether the host's stood still.

A PING sent at T1, received by the board at T2, answered at T3 and read at T4 proves that the offset (board - host) lies
in [T3 - T4, T2 - T1], whatever the delays were. Delays only widen an interval, so the intersection of many is narrow
and still sure.
"""

from __future__ import annotations

import time
from collections.abc import Callable
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


Bound = tuple[int, int]
"""A bound of the offset in ns, with the host's time at which it holds exactly."""
Bounds = tuple[tuple[Bound, ...], tuple[Bound, ...]]
"""Lower and upper bounds."""


class Clock:
    """Maps between one boot's microseconds and the host's monotonic nanoseconds.

    Samples and bounds are immutable tuples, so any thread may read while one thread adds.
    """

    def __init__(self, drift_ppm: int = DRIFT_PPM) -> None:
        self._ppm = drift_ppm
        self._samples: tuple[Sample, ...] = ()
        self._bounds: Bounds = ((), ())
        self.restarts = 0
        """How often all samples had to go."""
        self.rtt_us: int | None = None

    @property
    def samples(self) -> int:
        """How many samples the mapping rests on."""
        return len(self._samples)

    def add(self, sent_ns: int, rx_us: int, tx_us: int, read_ns: int) -> bool:
        """Take in one round trip; False is a clock fault: it contradicts itself (it goes) or those before (they go)."""
        # The board's stamps are cut to whole microseconds: the true T2 may be up to 1 us later.
        sample = Sample(sent_ns, read_ns, tx_us * _US - read_ns, (rx_us + 1) * _US - sent_ns)
        if sample.low_ns - sample.high_ns > self._drift(read_ns - sent_ns):
            return False
        self.rtt_us = max(0, (read_ns - sent_ns) // _US - (tx_us - rx_us))
        if self._agrees(sample):
            self._take(sample)
            return True
        self._samples, self._bounds = (sample,), _bounds_of(sample)
        self.restarts += 1
        return False

    def forget(self) -> None:
        """Start over: the host's clock stood still while the board's ran on."""
        self._samples, self._bounds = (), ((), ())
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
        lows, highs = self._bounds
        if not lows:
            return None
        ppm = self._ppm  # every stamp is mapped: a call of `_drift` for each bound would cost as much as all the rest
        low = max([bound - abs(host_ns - at_ns) * ppm // 1_000_000 for bound, at_ns in lows]) - 1
        high = min([bound + abs(host_ns - at_ns) * ppm // 1_000_000 for bound, at_ns in highs]) + 1
        middle, half = (low + high) // 2, (high - low + 1) // 2 + 1
        return middle - half, middle + half

    def uncertainty_us(self, host_ns: int) -> int | None:
        """The published +- at a host time, in whole microseconds rounded up; None without a sample."""
        mapped = self.device_at(host_ns)
        return None if mapped is None else mapped[1]

    def _agrees(self, sample: Sample) -> bool:
        """Whether a sample and all those kept can be true at once. The bounds tell: whatever contradicts one that was
        left out contradicts the better one too."""
        lows, highs = self._bounds
        return all(sample.low_ns - high <= self._drift(sample.read_ns - at_ns) for high, at_ns in highs) and all(
            low - sample.high_ns <= self._drift(at_ns - sample.sent_ns) for low, at_ns in lows
        )

    def _take(self, sample: Sample) -> None:
        samples, gone = (*self._samples, sample), self._samples[: -KEEP + 1]
        lows, highs = self._bounds
        if any(old_low in lows or old_high in highs for ((old_low,), (old_high,)) in map(_bounds_of, gone)):
            samples, lows, highs = samples[-KEEP:], (), ()
            for kept in samples:
                lows, highs = self._sharper(lows, highs, kept)
        else:
            lows, highs = self._sharper(lows, highs, sample)
        self._samples, self._bounds = samples[-KEEP:], (lows, highs)

    def _sharper(self, lows: tuple[Bound, ...], highs: tuple[Bound, ...], sample: Sample) -> Bounds:
        """Put a sample's bounds in. A bound that says less than another one at every time is left out: the drift
        between their times is allowed for, and the drift over a sum of spans is at most the sum of their drifts."""
        low, high = sample.low_ns, sample.high_ns
        low_at, high_at = sample.read_ns, sample.sent_ns
        if all(other - self._drift(low_at - at_ns) < low for other, at_ns in lows):
            lows = (*(one for one in lows if low - self._drift(low_at - one[1]) < one[0]), (low, low_at))
        if all(other + self._drift(high_at - at_ns) > high for other, at_ns in highs):
            highs = (*(one for one in highs if high + self._drift(high_at - one[1]) > one[0]), (high, high_at))
        return lows, highs

    def _drift(self, span_ns: int) -> int:
        return abs(span_ns) * self._ppm // 1_000_000 + 1


def _bounds_of(sample: Sample) -> Bounds:
    return ((sample.low_ns, sample.read_ns),), ((sample.high_ns, sample.sent_ns),)


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
