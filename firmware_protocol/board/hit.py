"""The hit sensor: time from its interrupt, peak from the ADC; every candidate is reported, with flags.

Threshold, scan and mask time are the three parameters common to drum triggers and hit counters.
"""

from firmware_protocol.board.clock import NO_TICKS, Clock, ticks_diff
from firmware_protocol.messages import BELOW_THRESHOLD, LATE, MASKED, PRESSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.edges import Edges
    from firmware_protocol.board.hardware import Adc
    from firmware_protocol.board.settings import Settings

# How long one step may sample without a break. A piezo peaks within its first milliseconds: a loop that does other work
# between single readings would miss that.
BURST_US = 1000


class HitSensor:
    """One pulse input with an optional ADC beside it; `emit(channel, flags, t_us, width_us, peak)` takes candidates.

    A candidate starts with the first active edge and ends after the scan time. Peaks are 12 bit, 0-4095; 0 without
    `BELOW_THRESHOLD` means that no reading was had.
    """

    def __init__(
        self,
        channel: int,
        edges: "Edges",
        adc: "Adc | None",
        clock: Clock,
        settings: "Settings",
        emit: "Callable[[int, int, int, int, int], None]",
    ) -> None:
        self.channel = channel
        self.edges = edges
        self._adc = adc
        self._clock = clock
        self._settings = settings
        self._emit = emit
        self.restart()

    def restart(self) -> None:
        """Forget a candidate and the mask time."""
        self.edges.clear()
        self._raw = self.edges.level()
        self._start = NO_TICKS
        self._last = 0
        self._peak = 0
        self._read = False
        self._late = 0
        self._mask_until_us = 0

    @property
    def pressed(self) -> bool:
        """Whether the pulse input is active."""
        return bool(self._raw)

    def step(self) -> None:
        """Work off the edges that wait, sample the peak while scanning, and report what is due."""
        self._take_edges()
        if self._start != NO_TICKS:
            self._sample()
            # First the time, then the edges: an edge not yet taken is then later than the scan that ends.
            now = self._clock.ticks()
            self._take_edges()
            self._finish(now)

    def recheck(self) -> None:
        """Compare the pin with the edges seen, so that a lost edge does not stick."""
        if self.edges.missed(self._raw):
            self._edge(self._clock.ticks(), 1 - self._raw, LATE)

    def unsettled_ticks(self) -> int:
        """Return the stamp of the candidate being scanned, or `NO_TICKS`."""
        return self._start

    def _take_edges(self) -> None:
        edges = self.edges
        while edges.take():
            self._edge(edges.ticks, edges.pressed, 0)

    def _edge(self, ticks: int, pressed: int, late: int) -> None:
        self._finish(ticks)
        # An inactive level right after an inactive one: the pulse was over before the interrupt could read the pin.
        active = pressed or not self._raw
        self._raw = pressed
        if self._start != NO_TICKS:
            self._last = ticks
        elif active:
            self._start = self._last = ticks
            self._peak = 0
            self._read = False
            self._late = late

    def _sample(self) -> None:
        if self._adc is None:
            return
        begun = self._clock.ticks()
        while True:
            now = self._clock.ticks()
            if ticks_diff(now, self._start) >= self._settings.hit_scan_us:
                return
            self._peak = max(self._peak, self._adc.read_u16() >> 4)
            self._read = True
            if ticks_diff(now, begun) >= BURST_US:
                return

    def _finish(self, now: int) -> None:
        if self._start == NO_TICKS or ticks_diff(now, self._start) < self._settings.hit_scan_us:
            return
        t_us = self._clock.extend(self._start)
        width_us = ticks_diff(self._last, self._start)
        self._start = NO_TICKS
        flags = PRESSED | self._late
        if self._read and self._peak < self._settings.hit_threshold:
            flags |= BELOW_THRESHOLD
        if t_us < self._mask_until_us:
            flags |= MASKED
        if not flags & (BELOW_THRESHOLD | MASKED):
            self._mask_until_us = t_us + self._settings.hit_mask_us
        self._emit(self.channel, flags, t_us, min(width_us, 0xFFFF), self._peak)
