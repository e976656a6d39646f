"""The hit sensor without an ADC: every pulse of its digital input is a candidate, and every candidate is reported."""

from firmware_protocol.board.clock import NO_TICKS, TICKS_MASK, Clock, ticks_diff
from firmware_protocol.board.words import SAMPLE_US
from firmware_protocol.messages import BELOW_THRESHOLD, MASKED, PRESSED, Wave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.settings import Settings


class HitSensor:
    """One pulse input; `emit(channel, flags, ticks, width_us, peak)` takes candidates.

    A candidate starts with an active edge and ends after the scan time; what follows within the mask time of one that
    was neither weak nor masked is masked. Its peak is 0: a vibration module knows no strength. `busy`, `due` and
    `doubt` are those of a `Contact`.
    """

    def __init__(
        self,
        channel: int,
        clock: Clock,
        settings: "Settings",
        emit: "Callable[[int, int, int, int, int], object]",
    ) -> None:
        self.channel = channel
        self._clock = clock
        self._settings = settings
        self._emit = emit
        self.restart(0)

    def restart(self, pressed: int) -> None:
        """Forget a candidate and the mask time; the input's level is `pressed`."""
        self._raw = pressed
        self._start = self.doubt = NO_TICKS
        self._mask_until_us = 0
        self.busy = False
        self.due = 0

    def pressed(self) -> bool:
        """Whether the pulse input is active."""
        return bool(self._raw)

    def edge(self, ticks: int, pressed: int, late: int) -> None:
        """Take in an edge; `late` is the flag of one that was found after its own was lost."""
        self.step(ticks)
        self._apply(ticks, pressed, late)
        self._look_ahead()

    def step(self, now: int) -> None:
        """Report what is due; every edge before `now` has been handed over."""
        if self._start != NO_TICKS and ticks_diff(now, self._end) >= 0:
            self._report(self._start, self._last, 0, self._late)
            self._look_ahead()

    def wave(self) -> Wave:
        """Return the samples around the last hit; without points where there is none."""
        return Wave(0, 0, SAMPLE_US)

    def _look_ahead(self) -> None:
        self.doubt = self._start
        self.busy = self._start != NO_TICKS
        if self.busy:
            self.due = self._end

    def _apply(self, ticks: int, pressed: int, late: int) -> None:
        self._raw = pressed
        if self._start != NO_TICKS:
            self._last = ticks
        elif pressed:
            self._begin(ticks, late)

    def _begin(self, ticks: int, late: int) -> None:
        self._start = self._last = ticks
        self._end = (ticks + self._settings.hit_scan_us) & TICKS_MASK
        self._late = late

    def _report(self, ticks: int, last: int, peak: int, flags: int) -> None:
        t_us = self._clock.extend(ticks)
        self._start = NO_TICKS
        if t_us < self._mask_until_us:
            flags |= MASKED
        if not flags & (BELOW_THRESHOLD | MASKED):
            self._mask_until_us = t_us + self._settings.hit_mask_us
        self._emit(self.channel, PRESSED | flags, ticks, min(ticks_diff(last, ticks), 0xFFFF), peak)
