"""The board's clock on the host's, by interval intersection; and whether the host's stood still.

A PING sent at T1, received by the board at T2, answered at T3 and read at T4 proves that the offset (board - host) lies
in [T3 - T4, T2 - T1], whatever the delays were. Delays only widen an interval, so the intersection of many is narrow
and still sure. Where in it the truth lies is an estimate: old samples are moved by the rate at which the clocks drift
apart, not widened by the most that they may.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

KEEP = 32
# The sum of two ordinary crystals: 30 to 50 ppm each, with temperature.
DRIFT_PPM = 100
_US = 1_000
# For the rate alone: the narrowest sample of each of so many past seconds. Within the 3 s of the others a rate of 100
# ppm is lost in the delays of USB.
KEEP_FOR_RATE = 32
_RATE_EVERY_NS = 1_000_000_000
# The scatter of a sample's middle on a link of 1 ms, which says how much few samples tell of the rate.
_SCATTER_NS = 150_000


@dataclass(frozen=True, slots=True)
class Sample:
    """What one PING proves: the offset was at most `high_ns` at host time `sent_ns`, at least `low_ns` at `read_ns`."""

    sent_ns: int
    read_ns: int
    low_ns: int
    high_ns: int

    @property
    def width_ns(self) -> int:
        """How much it leaves open."""
        return self.high_ns - self.low_ns


class Clock:
    """Maps between one boot's microseconds and the host's monotonic nanoseconds.

    The samples are an immutable tuple, so any thread may read while one thread adds; an estimate by samples that have
    just been given up is still held within the sure interval.
    """

    def __init__(self, boot_id: int = 0) -> None:
        self.boot_id = boot_id
        self.samples: tuple[Sample, ...] = ()
        """What the mapping rests on."""
        self._by_second: tuple[Sample, ...] = ()
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
            self._by_second = _with(self._by_second, sample)
            return True
        self.samples = self._by_second = (sample,)
        self.restarts += 1
        return False

    def forget(self) -> None:
        """Start over: the host's clock stood still while the board's ran on."""
        self.samples = self._by_second = ()
        self.restarts += 1

    def device_at(self, host_ns: int) -> tuple[int, int] | None:
        """Return (us, pm_us): the board's likely counter at a host time and its sure +-; None without a sample."""
        offset = self.offset_at(host_ns)
        if offset is None:
            return None
        low, high = offset
        likely = min(max(self._likely_offset(host_ns, (low + high) // 2), low), high)
        return (host_ns + likely) // _US, max(likely - low, high - likely) // _US + 1

    def _likely_offset(self, host_ns: int, middle: int) -> int:
        """The middle of the samples' intersection, had the clocks kept their rate; `middle` where no sample is left."""
        samples = self.samples
        if not samples:
            return middle
        newest = samples[-1].read_ns
        older = tuple(one for one in self._by_second if one.read_ns < samples[0].read_ns)
        rate = _rate((*older, *samples), newest)
        low = max([one.low_ns - middle + rate * (host_ns - one.read_ns) for one in samples])
        high = min([one.high_ns - middle + rate * (host_ns - one.sent_ns) for one in samples])
        return middle + round((low + high) / 2)

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


def _with(by_second: tuple[Sample, ...], sample: Sample) -> tuple[Sample, ...]:
    """Return the samples for the rate with one more, of which each second keeps the narrowest."""
    if not by_second or by_second[-1].read_ns // _RATE_EVERY_NS != sample.read_ns // _RATE_EVERY_NS:
        return (*by_second, sample)[-KEEP_FOR_RATE:]
    if sample.width_ns < by_second[-1].width_ns:
        return (*by_second[:-1], sample)
    return by_second


def _rate(samples: Sequence[Sample], origin_ns: int) -> float:
    """Return how much faster than the host's the board's clock seems to run.

    A line through the middles, where a narrow sample counts more, drawn towards no difference while they span too
    little time to tell.
    """
    first = samples[0]
    rows = []
    for one in samples:
        at_ns = (one.sent_ns + one.read_ns) / 2 - origin_ns
        middle_ns = (one.low_ns + one.high_ns - first.low_ns - first.high_ns) / 2
        rows.append((at_ns, middle_ns, 1 / max(one.width_ns, _US) ** 2))
    weight = sum(row[2] for row in rows)
    mean_at = sum(at * by for at, _, by in rows) / weight
    mean_middle = sum(middle * by for _, middle, by in rows) / weight
    spread = sum((at - mean_at) ** 2 * by for at, _, by in rows) / weight
    together = sum((at - mean_at) * (middle - mean_middle) * by for at, middle, by in rows) / weight
    most = DRIFT_PPM / 1e6
    doubt = (_SCATTER_NS / most) ** 2 * 3 / len(samples)
    return min(max(together / (spread + doubt), -most), most)


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
