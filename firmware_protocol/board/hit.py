"""The hit sensor: every pulse of its digital input is a candidate, and every candidate is reported.

With an ADC, its samples give onset, peak, width and wave, however late the main loop reads them. Threshold, scan and
mask time are the parameters common to drum triggers and hit counters.
"""

from array import array

from firmware_protocol.board.clock import NO_TICKS, TICKS_HALF, TICKS_MASK, Clock, const, ticks_diff
from firmware_protocol.board.quick import highest
from firmware_protocol.board.words import REACH, SAMPLE_US, SampleReader
from firmware_protocol.messages import (
    BELOW_THRESHOLD,
    HIT_OPEN,
    HIT_PIEZO,
    HIT_RESISTOR,
    HIT_UNTESTED,
    LATE,
    MASKED,
    PRESSED,
    TESTED,
    UNREAD,
    Wave,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.hardware import WiredMachine
    from firmware_protocol.board.settings import Settings

# A sample at half the threshold begins a candidate, so a weak knock is seen and refused rather than missed; but it must
# be above the ADC's noise (some 8 counts: 9 of its 12 bits are good).
LOWEST_RISE = 24
# How far before the first such sample a rise may have begun: a piezo's takes 0.1 to 1 ms.
LOOKBACK_US = 1000
# The number of samples before that whose mean is the level at rest.
REST = 8
# The time that WAVE shows before a hit, the longest time after it, and its largest number of points.
BEFORE_US = 1000
AFTER_US = 11_000
POINTS = 200
HALF_US = SAMPLE_US // 2
# The ring mask for words that are no ring: larger than any of their indices.
NO_RING = 0xFFFF
# Samples further behind than this are not just under way to the ring.
BEHIND_US = 1000

# The test of what holds the analog pin.
_NEITHER = const(0)
_UP = const(1)
_DOWN = const(2)
# RP2040 data sheet: a pull of 50 to 80 kohm. In 10 of these 12 ms a disc of 30 nF without its 100 kohm comes within 2 %
# of 3.3 V, and one with it is at rest again.
_PULL_US = const(12_000)
_LAST = const(100)
# Above this a pulled-up pin is open: the data sheet's leakage of 1 uA lowers it by at most 100 counts at 80 kohm, and
# 1 Mohm to ground leaves at most 3900. The lowest sample is compared, so a piezo knocked meanwhile does not look open.
_OPEN_UP = const(3950)
# A pulled-down pin that stays above this is driven by something.
_OPEN_DOWN = const(1000)
# A pin that rises less is practically tied to ground, and its rise is noise.
_LEAST_RISE = const(100)
# From 1/8 to 5/8 of the way up takes 0.85 time constants: at most 0.06 ms with the circuit's own 1 nF, at least 0.15 ms
# with a disc of 5 nF. Both ends are samples, so it does not matter when exactly the pull was switched.
_PIEZO_US = const(120)
# The main loop was away for too long and the rise was overwritten: discharge and measure it again.
_GONE = const(-1)
# The contacts of a plug close one after the other, some of them wrongly at first.
_PLUG_SETTLES_US = const(200_000)


class HitSensor:
    """One pulse input without an ADC; `emit(channel, flags, ticks, width_us, peak)` takes candidates.

    A candidate starts with an active edge and ends after the scan time; another within the mask time of one that was
    neither weak nor masked is masked. Its peak is 0: a vibration module gives no strength. `busy`, `due` and `doubt`
    are those of a `Contact`.
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

    def mute(self) -> None:
        """Ignore edges from now on; a candidate that has begun is still reported."""
        self._raw = 0

    def hear(self, pressed: int) -> None:
        """Take edges again; the input's level is `pressed`."""
        self._raw = pressed

    def pressed(self) -> bool:
        """Return whether the pulse input is active."""
        return bool(self._raw)

    def edge(self, ticks: int, pressed: int, late: int) -> None:
        """Take an edge; `late` is the flag of one that was found after its own edge was lost."""
        self.step(ticks)
        self._apply(ticks, pressed, late)
        self._look_ahead()

    def step(self, now: int) -> None:
        """Report what is due; every edge before `now` has been taken."""
        if self._start != NO_TICKS and ticks_diff(now, self._end) >= 0:
            self._report(self._start, self._last, 0, self._late)
            self._look_ahead()

    def wave(self) -> Wave:
        """Return the samples around the last hit; without points if there is none."""
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


class SampledHit(HitSensor):
    """A hit sensor with an ADC; `lose(count, first_ticks, last_ticks)` takes samples overwritten before they were read.

    A candidate starts at an active edge of the digital input, if there is one, or where a rise of the samples began,
    whichever is first. Edges and samples are processed in the order of their times, so the reports do not depend on
    when the main loop comes round. Peaks are 12 bits, 0-4095.
    """

    def __init__(
        self,
        channel: int,
        reader: SampleReader,
        clock: Clock,
        settings: "Settings",
        emit: "Callable[[int, int, int, int, int], object]",
        lose: "Callable[[int, int, int], None]",
    ) -> None:
        self._reader = reader
        self._lose = lose
        self._is_high = self._is_sampled = False
        # Samples are ignored: since `_tested` while the pin is tested, and as long as nothing is connected to it.
        self._aside = False
        self._tested = NO_TICKS
        self._waves = array("H", bytes(2 * (BEFORE_US + AFTER_US) // SAMPLE_US))
        super().__init__(channel, clock, settings, emit)

    def restart(self, pressed: int) -> None:
        """Forget a candidate and the mask time; the input's level is `pressed`."""
        super().restart(pressed)
        self._edges: list[int] = []
        self._at = 0
        self._is_new = True
        self._waved = 0
        self._wave_us = 0
        self._wave_at_us = 0
        self._reader.look()
        self._go_on(self._reader.ticks)
        self._look_ahead()

    def begin_test(self, ticks: int) -> None:
        """Ignore edges and samples from now on: the pin is pulled, and a comparator behind it reacts to that."""
        self._tested = ticks
        self._aside = True
        self._edges = []
        self._look_ahead()

    def end_test(self, listens: bool) -> None:
        """Continue from here; `listens` means that something is connected, so the samples mean something."""
        self._tested = NO_TICKS
        self._aside = not listens
        self.restart(self._raw)

    def mute(self) -> None:
        """Ignore edges from now on; the samples go on."""
        super().mute()
        self._edges = []
        self._look_ahead()

    def edge(self, ticks: int, pressed: int, late: int) -> None:
        """Take an edge, to be processed once the samples before it are there."""
        if self._aside:
            if self._tested != NO_TICKS:
                self._raw = pressed
            else:
                super().edge(ticks, pressed, late)
            return
        edges = self._edges
        # Two entries instead of a tuple: tuples become garbage, and garbage makes every allocation slower.
        edges.append(ticks)
        edges.append(pressed | late)
        self._look_ahead()

    def step(self, now: int) -> None:
        """Report what is due; every edge before `now` has been taken."""
        if self._aside:
            if self._tested == NO_TICKS:
                super().step(now)
            return
        reader = self._reader
        reader.look()
        if (now - reader.ticks) & TICKS_MASK >= TICKS_HALF:
            self._work_off(now)
        else:
            self._catch_up(now)
        self._is_new = False
        if self.busy or self._start != NO_TICKS:
            self._look_ahead()
        else:
            self.doubt = (self._at - LOOKBACK_US) & TICKS_MASK

    def _catch_up(self, now: int) -> None:
        """Process samples that wait for their reader, as a virtual board's do: one look is not enough."""
        reader, reached = self._reader, NO_TICKS
        while ticks_diff(now, reader.ticks) > BEHIND_US and reader.ticks != reached:
            reached = reader.ticks
            self._work_off(reached)
            reader.look()
        self._work_off(now if ticks_diff(reader.ticks, now) >= 0 else reader.ticks)

    def _look_ahead(self) -> None:
        if self._aside:
            super()._look_ahead()
            if self._tested != NO_TICKS:
                self.busy = False
                self.doubt = self._tested
            return
        start, edges = self._start, self._edges
        self.busy = start != NO_TICKS or bool(edges)
        if self.busy:
            self.due = edges[0] if edges else self._end
        self.doubt = ((self._at if start == NO_TICKS else start) - LOOKBACK_US) & TICKS_MASK

    def _work_off(self, now: int) -> None:
        edges = self._edges
        while edges and ticks_diff(edges[0], now) < 0:
            ticks, what = edges.pop(0), edges.pop(0)
            self._scan(ticks)
            self._apply(ticks, what & PRESSED, what & LATE)
        self._scan(now)

    def wave(self) -> Wave:
        """Return the samples around the last hit; without points if there is none, or they were overwritten."""
        waved = self._waved
        step = 1 + max(0, waved - 1) // POINTS
        points = bytearray((waved + step - 1) // step)
        for point in range(len(points)):
            first = point * step
            points[point] = highest(self._waves, NO_RING, first, min(step, waved - first)) >> 4
        return Wave(self._wave_us, self._wave_at_us, step * SAMPLE_US, bytes(points))

    def _begin(self, ticks: int, late: int) -> None:
        super()._begin(ticks, late)
        self._is_sampled = False

    def _scan(self, until: int) -> None:
        """Process the samples before `until`."""
        reader = self._reader
        while True:
            if self._start != NO_TICKS:
                if ticks_diff(until, self._end) < 0:
                    return
                self._finish()
            back = reader.since(self._at)
            count = back - reader.since(until)
            if count <= 0:
                return
            if back > REACH:
                self._skip(back)
                continue
            high = self._is_high
            found = reader.find(back, count, self._fall if high else self._rise, 0 if high else 1)
            # Half a step before the next sample, whose computed time may differ by a microsecond at the next look.
            self._at = (reader.ticks_of(back - found) - HALF_US) & TICKS_MASK
            if found == count:
                return
            self._is_high = not high
            if not high:
                self._begin(reader.ticks_of(back - found), 0)
                self._is_sampled = True

    def _skip(self, back: int) -> None:
        """Continue with the oldest sample that cannot be overwritten yet."""
        lost_from = self._at
        self._go_on(self._reader.ticks_of(REACH))
        # At the first step nothing was promised yet, so nothing counts as lost.
        if not self._is_new:
            self._lose(back - REACH, lost_from, self._at)

    def _go_on(self, ticks: int) -> None:
        """Look for a rise from `ticks` on."""
        reader = self._reader
        self._rise = max(self._settings.hit_threshold // 2, LOWEST_RISE)
        # Hysteresis: noise on a slope must not be a new rise each time.
        self._fall = self._rise // 2
        self._at = (ticks - HALF_US) & TICKS_MASK
        before = reader.since(self._at) + 1
        self._is_high = before <= REACH and reader.value(before) >= self._fall

    def _finish(self) -> None:
        reader, start, end = self._reader, self._start, self._end
        first, stop = reader.since((start - HALF_US) & TICKS_MASK), reader.since(end)
        if first + LOOKBACK_US // SAMPLE_US + REST > REACH:
            t_us = self._clock.extend(start)
            if t_us >= self._mask_until_us:
                self._waved = 0
                self._wave_us = self._wave_at_us = t_us
            self._report(start, self._last, 0, self._late | UNREAD)
        else:
            onset = self._onset(first, stop) if self._is_sampled else start
            last = reader.last(first, first - stop, self._fall)
            if last and ticks_diff(reader.ticks_of(last), self._last) > 0:
                self._last = reader.ticks_of(last)
            peak = reader.highest(first + 1, first + 1 - stop)
            if self._clock.extend(onset) >= self._mask_until_us:
                self._keep(onset, stop)
            self._report(
                onset,
                self._last,
                peak,
                self._late | (BELOW_THRESHOLD if peak < self._settings.hit_threshold else 0),
            )
        # Not back to samples that were reported as lost.
        told = (self._at + HALF_US) & TICKS_MASK
        self._go_on(end if ticks_diff(end, told) > 0 else told)

    def _onset(self, first: int, stop: int) -> int:
        """Return where the straight line through a rise leaves the level at rest; sample `first` began it."""
        reader, before = self._reader, first + LOOKBACK_US // SAMPLE_US
        rest = reader.total(before + REST, REST) // REST
        height, start = reader.value(first) - rest, reader.ticks_of(first)
        higher = reader.find(first, first - stop, rest + height + max(1, height // 2), 1)
        if height <= 0 or higher == first - stop:
            return start
        gained = reader.value(first - higher) - rest - height
        return (start - min(height * higher * SAMPLE_US // gained, LOOKBACK_US)) & TICKS_MASK

    def _keep(self, onset: int, stop: int) -> None:
        """Keep the samples for WAVE: those of a hit, not of its echoes."""
        reader = self._reader
        back = reader.since((onset - BEFORE_US) & TICKS_MASK)
        self._waved = min(back - stop, len(self._waves))
        reader.copy(back, self._waved, memoryview(self._waves))
        self._wave_us = self._clock.extend(onset)
        self._wave_at_us = self._clock.extend(reader.ticks_of(back))


class PullTest:
    """Finds what is connected to a hit sensor's analog pin: nothing, a resistor, or a piezo with a resistor across it.

    An open pin picks up hum, which reads as hits. The chip's own pulls tell: an open pin follows both to their ends,
    and a divider stops on the way. A piezo is a capacitor: with its 100 kohm it takes a millisecond to charge.

    The test proceeds as `step` is called while `due`; its hit sensor ignores the pin meanwhile.

    `result` is for STATS: what was found, the readings at the end of both pulls, and the us from 1/8 to 5/8 of the way
    up. `emit` and `lose` are those of `Inputs`.
    """

    def __init__(
        self,
        machine: "WiredMachine",
        gpio: int,
        reader: "SampleReader",
        hit: "SampledHit",
        clock: "Clock",
        emit: "Callable[[int, int, int, int, int], object]",
        lose: "Callable[[int, int, int, int], object]",
    ) -> None:
        self._machine = machine
        self._gpio = gpio
        self._reader = reader
        self._hit = hit
        self._clock = clock
        self._emit = emit
        self._lose = lose
        self.result = (HIT_UNTESTED, 0, 0, 0)
        self.due = False
        self._pull = _NEITHER
        # When the current pull was switched on, and when the test began.
        self._at = self._began = 0
        # Whether another test is to begin, when, and whether OVERRUN reports the time in which the pin was ignored.
        self._wanted = self._tells = False
        self._begin_at = 0
        # The pull-up's results: the reading at its end, whether that is the full way, and the time of the rise.
        self._up = self._charge_us = 0
        self._is_full = False

    def test(self, tells: bool, after_us: int) -> None:
        """Test the pin after `after_us`, as soon as no candidate is being scanned."""
        self.due = self._wanted = True
        self._tells = tells
        self._begin_at = (self._clock.ticks() + after_us) & TICKS_MASK

    def take_plug(self, channel: int, flags: int, ticks: int, bounces: int, peak: int) -> None:
        """Report a plug's event; a plug that closes brings another gun, which is tested."""
        self._emit(channel, flags, ticks, bounces, peak)
        if flags & PRESSED:
            self.test(True, _PLUG_SETTLES_US)

    def begin(self, ticks: int) -> None:
        """Begin a test; `ticks` is when the hit sensor was last processed."""
        self.due = True
        self._wanted = False
        self._began = ticks
        self._hit.begin_test(ticks)
        self._switch(_UP)

    def step(self, ticks: int) -> bool:
        """Continue a test that is due; return whether this ended it. `ticks` was read just now."""
        if self._pull != _NEITHER:
            return (ticks - self._at) & TICKS_MASK >= _PULL_US and self._go_on(ticks)
        if (ticks - self._begin_at) & TICKS_MASK < TICKS_HALF:
            self._hit.step(ticks)
            if not self._hit.busy:
                self.begin(ticks)
        return False

    def _go_on(self, ticks: int) -> bool:
        reader = self._reader
        reader.look()
        back = reader.since(self._at)
        if back < _PULL_US // SAMPLE_US:
            # The pull's time is over, but its last samples are not in the ring yet.
            return False
        level = reader.total(_LAST, _LAST) // _LAST
        if self._pull == _UP:
            self._up = level
            self._is_full = reader.find(_LAST, _LAST, _OPEN_UP, 0) == _LAST
            self._charge_us = self._rise(back, level) if back < REACH else _GONE
            self._switch(_DOWN)
        elif self._charge_us == _GONE:
            self._switch(_UP)
        else:
            self._end(level, ticks)
            return True
        return False

    def _rise(self, back: int, level: int) -> int:
        reader = self._reader
        rest = reader.value(back + 1)
        way = level - rest
        if way < _LEAST_RISE:
            return 0
        before = reader.find(back, back, rest + way // 8, 1)
        return reader.find(back - before, back - before, rest + way * 5 // 8, 1) * SAMPLE_US

    def _end(self, down: int, ticks: int) -> None:
        self._switch(_NEITHER)
        found = HIT_RESISTOR
        if self._is_full and down < _OPEN_DOWN:
            found = HIT_OPEN
        elif self._charge_us >= _PIEZO_US:
            found = HIT_PIEZO
        self.result = (found, self._up, down, self._charge_us)
        self.due = self._wanted
        self._hit.end_test(found != HIT_OPEN)
        if self._tells:
            extend = self._clock.extend
            count = ((ticks - self._began) & TICKS_MASK) // SAMPLE_US
            self._lose(TESTED, count, extend(self._began), extend(ticks))

    def _switch(self, pull: int) -> None:
        self._machine.pull(self._gpio, pull)
        # Read here, not passed in: on the chip the way from the caller's reading to here takes a millisecond.
        self._at = self._clock.ticks()
        self._pull = pull
