"""Mapping of the board's clock to the host's by interval intersection, and detection of a host that slept.

A PING sent at T1, received by the board at T2, answered at T3 and read at T4 proves that the offset (board - host) lies
in [T3 - T4, T2 - T1], whatever the delays were. Delays only widen an interval, so the intersection of many is narrow
and still certain. The most likely offset within it is an estimate: older samples are shifted by the measured drift of
the two clocks, where the certain bounds are widened by the largest possible drift.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.system.clocks import since_boot_ns

SAMPLES = 32
# The sum of two ordinary crystals: 30 to 50 ppm each, with temperature.
DRIFT_PPM = 100
_US = 1_000
# Used for the rate alone: the narrowest sample of each of the last 32 seconds. `SAMPLES` span only some 3 s, in which
# a drift of 100 ppm is lost in USB's delays.
RATE_SAMPLES = 32
_RATE_EVERY_NS = 1_000_000_000
# Scatter of a sample's midpoint on a link of 1 ms: how little a few samples say about the rate.
_SCATTER_NS = 150_000


@dataclass(frozen=True, slots=True)
class Sample:
    """What one PING proves: the offset was at most `high_ns` at host time `sent_ns`, and at least `low_ns` at
    `read_ns`."""

    sent_ns: int
    read_ns: int
    low_ns: int
    high_ns: int

    @property
    def width_ns(self) -> int:
        """Width of the interval left open."""
        return self.high_ns - self.low_ns


class Clock:
    """Map between one boot's microseconds and the host's monotonic nanoseconds.

    The samples are an immutable tuple, so any thread may read while one thread adds. An estimate made from samples that
    have just been discarded is still clamped to the certain interval.
    """

    def __init__(self, boot_id: int = 0) -> None:
        self.boot_id = boot_id
        self.samples: tuple[Sample, ...] = ()
        """The samples that the mapping is computed from."""
        self._by_second: tuple[Sample, ...] = ()
        self.restarts = 0
        """How often all samples were discarded."""
        self.rtt_us: int | None = None

    def add(self, sent_ns: int, rx_us: int, tx_us: int, read_ns: int) -> bool:
        """Add one round trip; return False on a clock fault.

        A sample that contradicts itself is dropped; one that contradicts those before replaces them all.
        """
        # The board's stamps are cut to whole microseconds: the true T2 may be up to 1 us later.
        sample = Sample(sent_ns, read_ns, tx_us * _US - read_ns, (rx_us + 1) * _US - sent_ns)
        if sample.low_ns - sample.high_ns > _drift(read_ns - sent_ns):
            return False
        self.rtt_us = max(0, (read_ns - sent_ns) // _US - (tx_us - rx_us))
        # Either bound can contradict: each lower bound must be compatible with each upper one.
        if all(
            _compatible(sample, earlier) and _compatible(earlier, sample)
            for earlier in self.samples
        ):
            self.samples = (*self.samples, sample)[-SAMPLES:]
            self._by_second = _add_for_rate(self._by_second, sample)
            return True
        self.samples = self._by_second = (sample,)
        self.restarts += 1
        return False

    def forget(self) -> None:
        """Discard all samples: the host's clock stood still while the board's ran on."""
        self.samples = self._by_second = ()
        self.restarts += 1

    def device_at(self, host_ns: int) -> tuple[int, int] | None:
        """Return (us, pm_us): the board's likely counter at a host time and its certain +-; None without a sample."""
        offset = self.offset_at(host_ns)
        if offset is None:
            return None
        low, high = offset
        likely = min(max(self._likely_offset(host_ns, (low + high) // 2), low), high)
        return (host_ns + likely) // _US, max(likely - low, high - likely) // _US + 1

    def _likely_offset(self, host_ns: int, middle: int) -> int:
        """Return the midpoint of the samples' intersection, assuming a constant drift; `middle` without samples."""
        samples = self.samples
        if not samples:
            return middle
        newest = samples[-1].read_ns
        older = tuple(sample for sample in self._by_second if sample.read_ns < samples[0].read_ns)
        rate = _rate((*older, *samples), newest)
        low = max(
            [sample.low_ns - middle + rate * (host_ns - sample.read_ns) for sample in samples]
        )
        high = min(
            [sample.high_ns - middle + rate * (host_ns - sample.sent_ns) for sample in samples]
        )
        return middle + round((low + high) / 2)

    def offset_at(self, host_ns: int) -> tuple[int, int] | None:
        """Return the interval (ns) that surely holds board minus host at a host time; None without a sample."""
        samples = self.samples
        if not samples:
            return None
        low = max([sample.low_ns - _drift(host_ns - sample.read_ns) for sample in samples])
        high = min([sample.high_ns + _drift(host_ns - sample.sent_ns) for sample in samples])
        # One nanosecond more on each side than the halves need: integer division must not make the interval narrower.
        middle, half = (low + high) // 2, (high - low + 1) // 2 + 1
        return middle - half, middle + half


def rate_between(first: Sequence[Sample], last: Sequence[Sample]) -> tuple[float, float] | None:
    """Return (ppm, pm_ppm): how much faster than the host's the board's clock runs, and the certain +- of that.

    The rate is assumed constant, and nothing else: the mapping above, which assumes `DRIFT_PPM`, would hide a larger
    one. Return None if no sample of `last` follows one of `first`.
    """
    pairs = [
        (earlier, later) for earlier in first for later in last if earlier.read_ns < later.sent_ns
    ]
    if not pairs:
        return None
    low = max(
        (later.low_ns - earlier.high_ns) / (later.read_ns - earlier.sent_ns)
        for earlier, later in pairs
    )
    high = min(
        (later.high_ns - earlier.low_ns) / (later.sent_ns - earlier.read_ns)
        for earlier, later in pairs
    )
    return (low + high) / 2 * 1e6, abs(high - low) / 2 * 1e6


def _add_for_rate(by_second: tuple[Sample, ...], sample: Sample) -> tuple[Sample, ...]:
    """Add a sample to those for the rate, of which only the narrowest of each second is kept."""
    if not by_second or by_second[-1].read_ns // _RATE_EVERY_NS != sample.read_ns // _RATE_EVERY_NS:
        return (*by_second, sample)[-RATE_SAMPLES:]
    if sample.width_ns < by_second[-1].width_ns:
        return (*by_second[:-1], sample)
    return by_second


def _rate(samples: Sequence[Sample], origin_ns: int) -> float:
    """Return the estimated rate of the board's clock relative to the host's, minus 1.

    A weighted least-squares line through the samples' midpoints, narrow samples weighing more. It is shrunk towards
    zero as long as the samples span too little time to tell a drift from scatter.
    """
    first = samples[0]
    rows = []
    for sample in samples:
        at_ns = (sample.sent_ns + sample.read_ns) / 2 - origin_ns
        middle_ns = (sample.low_ns + sample.high_ns - first.low_ns - first.high_ns) / 2
        rows.append((at_ns, middle_ns, 1 / max(sample.width_ns, _US) ** 2))
    total = sum(weight for _, _, weight in rows)
    mean_at = sum(at * weight for at, _, weight in rows) / total
    mean_middle = sum(middle * weight for _, middle, weight in rows) / total
    variance = sum((at - mean_at) ** 2 * weight for at, _, weight in rows) / total
    covariance = (
        sum((at - mean_at) * (middle - mean_middle) * weight for at, middle, weight in rows) / total
    )
    limit = DRIFT_PPM / 1e6
    # The variance in time at which a drift of `limit` would exceed the scatter; below it, the slope is mostly noise.
    prior = (_SCATTER_NS / limit) ** 2 * 3 / len(samples)
    return min(max(covariance / (variance + prior), -limit), limit)


def _compatible(low: Sample, high: Sample) -> bool:
    """Return whether the lower bound of one sample and the upper bound of another can both be true."""
    return low.low_ns - high.high_ns <= _drift(low.read_ns - high.sent_ns)


def _drift(span_ns: int) -> int:
    return abs(span_ns) * DRIFT_PPM // 1_000_000 + 1


# Two clocks read one after the other never differ by this much unless one of them stopped.
SLEPT_NS = 500_000_000
# The time of day is also set by people and by the network: a small correction is not a sleep.
SET_NS = 5_000_000_000

ClockNs = Callable[[], int]


class SuspendWatch:
    """Detect a suspended computer from two clocks: `awake_ns` stands still meanwhile, `always_ns` runs on."""

    def __init__(self, awake_ns: ClockNs, always_ns: ClockNs, slept_ns: int = SLEPT_NS) -> None:
        self._awake_ns = awake_ns
        self._always_ns = always_ns
        self._slept_ns = slept_ns
        self._ahead_ns = always_ns() - awake_ns()

    def look(self) -> bool:
        """Return whether the computer slept since the last call."""
        ahead_ns = self._always_ns() - self._awake_ns()
        jumped_ns, self._ahead_ns = ahead_ns - self._ahead_ns, ahead_ns
        return abs(jumped_ns) >= self._slept_ns


def system_watch() -> SuspendWatch:
    """Return a watch over this system's clocks: time since boot where the system has it, else the time of day."""
    always_ns = since_boot_ns()
    if always_ns is None:
        return SuspendWatch(time.monotonic_ns, time.time_ns, SET_NS)
    return SuspendWatch(time.monotonic_ns, always_ns)
