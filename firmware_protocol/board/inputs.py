"""The board's inputs, built from the pin map: records of all levels in, what each channel makes of them out."""

from firmware_protocol.board.clock import NO_TICKS, TICKS_HALF, TICKS_MASK, Clock
from firmware_protocol.board.contacts import Contact
from firmware_protocol.board.hit import HitSensor, SampledHit
from firmware_protocol.board.words import LATENCY_US, SAMPLE_US, EdgeReader, SampleReader
from firmware_protocol.messages import EDGES, LATE, ROLE_HIT, SAMPLES, Wave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.hardware import WiredMachine
    from firmware_protocol.board.pins import PinMap
    from firmware_protocol.board.settings import Settings
    from firmware_protocol.messages import Channel

    Emit = Callable[[int, int, int, int, int], object]

# How often the samples are looked through while nothing else calls for it: less often costs less, and a hit that is
# found this much later still goes out long before its mask time is over.
SCAN_US = 8000


class Inputs:
    """All channels; `emit(channel, flags, ticks, bounces, peak)` takes what they report, `lose(source, count, first_us,
    last_us)` what was overwritten before it was read.

    `longest_turn_us` is the longest time between two readings.
    """

    def __init__(
        self,
        machine: "WiredMachine",
        pins: "PinMap",
        clock: Clock,
        settings: "Settings",
        emit: "Emit",
        lose: "Callable[[int, int, int, int], None]",
    ) -> None:
        self._clock = clock
        self._settings = settings
        self._lose = lose
        self.stamping = True
        self.longest_turn_us = 0
        self._inputs: list[Contact | HitSensor] = []
        # GPIO as a bit, level while pressed, and the channel's place in `_inputs`.
        self._bits: list[tuple[int, int, Contact | HitSensor]] = []
        self._hit: SampledHit | None = None
        for channel in pins.channels:
            one = self._input(machine, pins, channel, emit)
            self._inputs.append(one)
            if pins.has_pin(channel.name):
                gpio = pins.pin(channel.name)
                machine.Pin(
                    gpio, machine.Pin.IN, machine.Pin.PULL_DOWN if channel.active_level else machine.Pin.PULL_UP
                )
                self._bits.append((1 << gpio, channel.active_level << gpio, one))
        # Most records change one of them.
        self._by_bit = {bit: (active, one) for bit, active, one in self._bits}
        self._mask = sum([bit for bit, _, _ in self._bits])
        # Those that may have something to report by time alone, the first of them at `_due`.
        self._busy: list[Contact | HitSensor] = []
        self._due = 0
        self._reader = EdgeReader(machine.edges(self._mask))
        # Bound once: to look a method up costs more than what it does.
        self._taken = self._reader.take
        self._levels = self._read = self._scanned = 0
        self._restart()

    def collect(self, ticks: int, all_of_it: bool) -> None:
        """Work off every record that waits, and every sample: at once with `all_of_it`, else every `SCAN_US`.

        `ticks` was read just now: an edge whose record has not come is then later than what is settled.
        """
        now = (ticks - LATENCY_US) & TICKS_MASK
        waited = (now - self._read) & TICKS_MASK
        self._read = now
        if waited > self.longest_turn_us:  # noqa: PLR1730 - no call where a comparison does
            self.longest_turn_us = waited
        if not self.stamping:
            return
        while self._taken():
            self._take()
        if self._busy and (now - self._due) & TICKS_MASK < TICKS_HALF:
            self._step(now)
        if all_of_it or (now - self._scanned) & TICKS_MASK >= SCAN_US:
            self._scanned = now
            if self._hit is not None:
                self._hit.step(now)

    def reconsider(self) -> None:
        """Other settings are in force: what waits for its time may be due."""
        self._due = self._read

    def settled(self) -> int:
        """Return the ticks up to which nothing is still to be reported, as of the last `collect`."""
        read, oldest = self._read, 0
        for one in self._busy:
            doubt = one.doubt
            if doubt != NO_TICKS:
                age = (read - doubt) & TICKS_MASK
                if oldest < age < TICKS_HALF:
                    oldest = age
        # Samples are worked off now and then: what they hold may come before what is known of now.
        if self._hit is not None:
            age = (read - self._hit.doubt) & TICKS_MASK
            if oldest < age < TICKS_HALF:
                oldest = age
        return (read - oldest - 1) & TICKS_MASK

    def _step(self, now: int) -> None:
        """Let each of the busy report what is due, and note when the next of them is."""
        # In its place: a new list would cost memory each time.
        busy, kept = self._busy, 0
        for one in busy:
            one.step(now)
            if one.busy:
                due = one.due
                if kept == 0 or (due - self._due) & TICKS_MASK >= TICKS_HALF:
                    self._due = due
                busy[kept] = one
                kept += 1
        while len(busy) > kept:
            busy.pop()

    def levels(self) -> int:
        """Return the channels that are pressed, as bits."""
        bits = 0
        for one in self._inputs:
            if one.pressed():
                bits |= 1 << one.channel
        return bits

    def wave(self) -> Wave:
        """Return the samples around the last hit."""
        return Wave(0, 0, SAMPLE_US) if self._hit is None else self._hit.wave()

    def stop(self) -> None:
        """Stop stamping and forget what waits."""
        self.stamping = False
        self._restart()

    def resume(self) -> None:
        """Stamp again, from the levels that are there."""
        if not self.stamping:
            self.stamping = True
            self._restart()

    def _input(
        self, machine: "WiredMachine", pins: "PinMap", channel: "Channel", emit: "Emit"
    ) -> "Contact | HitSensor":
        if channel.role != ROLE_HIT:
            return Contact(channel.id, self._clock, self._settings, emit)
        adc = pins.adc(channel.name)
        if adc is None:
            return HitSensor(channel.id, self._clock, self._settings, emit)
        samples = machine.samples(adc)
        if machine.fault:
            # A ring that nobody writes would never be settled.
            return HitSensor(channel.id, self._clock, self._settings, emit)
        reader = SampleReader(samples)
        self._hit = SampledHit(channel.id, reader, self._clock, self._settings, emit, self._lost_samples)
        return self._hit

    def _take(self) -> None:
        """Hand the record that was taken to the channels that it changes."""
        reader, late = self._reader, 0
        if reader.lost:
            late = LATE
            self._lost_records()
        levels = reader.levels
        changed = (levels ^ self._levels) & self._mask
        self._levels = levels
        if changed in self._by_bit:
            active, one = self._by_bit[changed]
            self._hand(one, 1 if levels & changed == active else 0, late)
        elif changed:
            for bit, active, one in self._bits:
                if changed & bit:
                    self._hand(one, 1 if levels & bit == active else 0, late)

    def _hand(self, one: "Contact | HitSensor", pressed: int, late: int) -> None:
        was_busy = one.busy
        one.edge(self._reader.ticks, pressed, late)
        if one.busy:
            busy, due = self._busy, one.due
            if not busy or (due - self._due) & TICKS_MASK >= TICKS_HALF:
                self._due = due
            if not was_busy and one not in busy:
                busy.append(one)

    def _restart(self) -> None:
        self._read = (self._clock.ticks() - LATENCY_US) & TICKS_MASK
        self._reader.skip()
        self._levels = self._reader.levels
        self._busy = []
        self._scanned = self._read
        pressed = {id(one): 1 if self._levels & bit == active else 0 for bit, active, one in self._bits}
        for one in self._inputs:
            one.restart(pressed.get(id(one), 0))

    def _lost_records(self) -> None:
        reader, extend = self._reader, self._clock.extend
        self._lose(EDGES, reader.lost, extend(reader.lost_ticks), extend(reader.ticks))
        reader.lost = 0

    def _lost_samples(self, count: int, first_ticks: int, last_ticks: int) -> None:
        self._lose(SAMPLES, count, self._clock.extend(first_ticks), self._clock.extend(last_ticks))
