"""What holds the hit sensor's analog pin: nothing, a resistor, or a piezo beside one.

A pin that nothing holds picks up hum, which reads as hits. The chip's own pulls tell: a bare pin follows both to their
ends, and a divider stops on the way. A piezo is a capacitor: beside its 100 kohm it takes a millisecond to charge.
"""

from firmware_protocol.board.clock import const
from firmware_protocol.board.words import REACH, SAMPLE_US
from firmware_protocol.messages import HIT_OPEN, HIT_PIEZO, HIT_RESISTOR, HIT_UNTESTED, PRESSED
from firmware_protocol.messages import SAMPLES as LOST_SAMPLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.clock import Clock
    from firmware_protocol.board.hardware import WiredMachine
    from firmware_protocol.board.hit import SampledHit
    from firmware_protocol.board.words import SampleReader

_TICKS_MASK = const(0x3FFFFFFF)
_TICKS_HALF = const(0x20000000)
_NEITHER = const(0)
_UP = const(1)
_DOWN = const(2)
# RP2040 data sheet: a pull of 50 to 80 kohm. A disc of 30 nF without its 100 kohm has then come within 2 % of 3.3 V
# before the last 2 ms, and one with it is at rest again.
_PULL_US = const(12_000)
_LAST = const(100)
# Over this a pull-up meets nothing: the data sheet's leakage of 1 uA costs 80 kohm at most 100 counts, and 1 Mohm
# leaves at most 3900. The lowest sample counts, so that a piezo that is knocked meanwhile is not taken for nothing.
_OPEN_UP = const(3950)
# A pin that the pull-down leaves above this is driven by something.
_OPEN_DOWN = const(1000)
# What rises less is as good as tied to ground, and its rise is noise.
_LEAST_RISE = const(100)
# From 1/8 to 5/8 of the way up takes 0.85 time constants: of the circuit's own 1 nF at most 0.06 ms, with a disc of
# 5 nF at least 0.15 ms. Both ends are samples: when exactly the pull was switched is nobody's guess.
_PIEZO_US = const(120)
# The poles of a plug that closes meet one after the other, some of them wrongly.
_PLUG_SETTLES_US = const(200_000)


class PullTest:
    """Tests one analog pin where `step` is called while `due`; its hit sensor looks away meanwhile.

    `result` is what STATS has of it: what was found, the readings at the end of both pulls, and the us from 1/8 to 5/8
    of the way up. `emit` and `lose` are those of `Inputs`.
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
        # Since when it is pulled, and since when the test runs.
        self._at = self._began = 0
        # Whether another test is to begin, when, and whether the time that nobody looked is told by OVERRUN.
        self._wanted = self._tells = False
        self._begin_at = 0
        # Of the pull-up: the reading at its end, whether that is all of the way, and the time of the rise.
        self._up = self._charge_us = 0
        self._is_full = False

    def test(self, tells: bool, after_us: int) -> None:
        """Test the pin after so long, as soon as no candidate is being scanned."""
        self.due = self._wanted = True
        self._tells = tells
        self._begin_at = (self._clock.ticks() + after_us) & _TICKS_MASK

    def take_plug(self, channel: int, flags: int, ticks: int, bounces: int, peak: int) -> None:
        """Report a plug's event; one that closed brings another gun."""
        self._emit(channel, flags, ticks, bounces, peak)
        if flags & PRESSED:
            self.test(True, _PLUG_SETTLES_US)

    def begin(self, ticks: int) -> None:
        """Begin a test; `ticks` is when the hit sensor was looked at last."""
        self.due = True
        self._wanted = False
        self._began = ticks
        self._hit.begin_test(ticks)
        self._switch(_UP)

    def step(self, ticks: int) -> bool:
        """Go on with a test that is due; whether it is over with that. `ticks` was read just now."""
        if self._pull != _NEITHER:
            return (ticks - self._at) & _TICKS_MASK >= _PULL_US and self._go_on(ticks)
        if (ticks - self._begin_at) & _TICKS_MASK < _TICKS_HALF:
            self._hit.step(ticks)
            if not self._hit.busy:
                self.begin(ticks)
        return False

    def _go_on(self, ticks: int) -> bool:
        reader = self._reader
        reader.look()
        back = reader.since(self._at)
        if back < _PULL_US // SAMPLE_US:
            # Samples come in after their time.
            return False
        level = reader.total(_LAST, _LAST) // _LAST
        if self._pull == _DOWN:
            self._end(level, ticks)
            return True
        if back >= REACH:
            # The main loop was away for too long: the rise is gone.
            self._switch(_UP)
        else:
            self._up = level
            self._is_full = reader.find(_LAST, _LAST, _OPEN_UP, 0) == _LAST
            self._charge_us = self._rise(back, level)
            self._switch(_DOWN)
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
            count = ((ticks - self._began) & _TICKS_MASK) // SAMPLE_US
            self._lose(LOST_SAMPLES, count, extend(self._began), extend(ticks))

    def _switch(self, pull: int) -> None:
        self._machine.pull(self._gpio, pull)
        # Read here: on the chip the way from the caller's last look takes a millisecond.
        self._at = self._clock.ticks()
        self._pull = pull
