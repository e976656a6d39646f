"""The board's clock on the host's: interval intersection.

A PING sent at T1, received by the board at T2, answered at T3 and read at T4 proves that the offset (board - host) lies
in [T3 - T4, T2 - T1], whatever the delays were. Delays only widen an interval, so the intersection of many is narrow
and still sure.
"""

from __future__ import annotations

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


Bounds = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
"""Lower and upper bounds of the offset in ns, each with the host's time at which it holds exactly."""


class Clock:
    """Maps between one boot's microseconds and the host's monotonic nanoseconds.

    Samples and bounds are immutable tuples, so any thread may read while one thread adds.
    """

    def __init__(self, drift_ppm: int = DRIFT_PPM, keep: int = KEEP) -> None:
        self._ppm = drift_ppm
        self._keep = keep
        self._samples: tuple[Sample, ...] = ()
        self._bounds: Bounds = ((), ())
        self.faults = 0
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
        if not self._agree(sample, sample):
            self.faults += 1
            return False
        self.rtt_us = max(0, (read_ns - sent_ns) // _US - (tx_us - rx_us))
        if all(self._agree(sample, old) and self._agree(old, sample) for old in self._samples):
            self._take((*self._samples, sample)[-self._keep :])
            return True
        self._take((sample,))
        self.faults += 1
        self.restarts += 1
        return False

    def forget(self) -> None:
        """Start over: the host's clock stood still while the board's ran on."""
        self._take(())
        self.restarts += 1

    def host_at(self, device_us: int) -> tuple[int, int] | None:
        """Return (ns, pm_ns): the host time of a board's stamp and its sure +-; None without a sample."""
        bounds, samples = self._bounds, self._samples
        if not bounds[0] or not samples:
            return None
        device_ns = device_us * _US
        at_ns = samples[-1].read_ns
        middle = half = 0
        for _ in range(3):  # the offset depends on the host time sought; far stamps settle in two rounds
            middle, half = self._offset(bounds, at_ns)
            at_ns = device_ns - middle
        return at_ns, half + self._drift(half)

    def device_at(self, host_ns: int) -> tuple[int, int] | None:
        """Return (us, pm_us): the board's counter at a host time and its sure +-; None without a sample."""
        bounds = self._bounds
        if not bounds[0]:
            return None
        middle, half = self._offset(bounds, host_ns)
        return (host_ns + middle) // _US, half // _US + 1

    def offset_at(self, host_ns: int) -> tuple[int, int] | None:
        """Return the interval (ns) in which board minus host surely lies at a host time; None without a sample."""
        bounds = self._bounds
        if not bounds[0]:
            return None
        middle, half = self._offset(bounds, host_ns)
        return middle - half, middle + half

    def uncertainty_us(self, host_ns: int) -> int | None:
        """The published +- at a host time, in whole microseconds rounded up; None without a sample."""
        mapped = self.device_at(host_ns)
        return None if mapped is None else mapped[1]

    def _take(self, samples: tuple[Sample, ...]) -> None:
        lows = self._sharpest(sorted(((sample.low_ns, sample.read_ns) for sample in samples), reverse=True))
        highs = self._sharpest(sorted((-sample.high_ns, sample.sent_ns) for sample in samples)[::-1])
        self._samples = samples
        self._bounds = lows, tuple((-bound, at_ns) for bound, at_ns in highs)

    def _sharpest(self, falling: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Leave out lower bounds that say less than another one at every time: the drift between their times is allowed
        for, and the drift over a sum of spans is at most the sum of their drifts."""
        kept: list[tuple[int, int]] = []
        for bound, at_ns in falling:
            if not any(better - self._drift(at_ns - better_ns) >= bound for better, better_ns in kept):
                kept.append((bound, at_ns))
        return tuple(kept)

    def _offset(self, bounds: Bounds, at_ns: int) -> tuple[int, int]:
        low = max(bound - self._drift(at_ns - bound_ns) for bound, bound_ns in bounds[0])
        high = min(bound + self._drift(at_ns - bound_ns) for bound, bound_ns in bounds[1])
        return (low + high) // 2, (high - low + 1) // 2 + 1

    def _agree(self, one: Sample, other: Sample) -> bool:
        return one.low_ns - other.high_ns <= self._drift(one.read_ns - other.sent_ns)

    def _drift(self, span_ns: int) -> int:
        return abs(span_ns) * self._ppm // 1_000_000 + 1
