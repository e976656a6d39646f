"""The board's inputs, built from the pin map: records of all levels in, the channels' reports out."""

from firmware_protocol.board.clock import Clock, const
from firmware_protocol.board.contacts import Contact
from firmware_protocol.board.hit import HitSensor, PullTest, SampledHit
from firmware_protocol.board.noise import QUIET_US, RESTLESS_US, Muted, edges_of, is_noise, recent
from firmware_protocol.board.words import SAMPLE_US, SAMPLES, EdgeReader, SampleReader
from firmware_protocol.messages import (
    EDGES,
    LATE,
    MUTED,
    ROLE_HIT,
    ROLE_PLUG,
    SAMPLES as LOST_SAMPLES,
    UNMUTED,
    Wave,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.hardware import WiredMachine
    from firmware_protocol.board.pins import PinMap
    from firmware_protocol.board.settings import Settings
    from firmware_protocol.messages import Channel

    Emit = Callable[[int, int, int, int, int], object]

TICKS_MASK = const(0x3FFFFFFF)
TICKS_HALF = const(0x20000000)
NO_TICKS = const(-1)
LATENCY_US = const(4)
# How often the samples are processed while nothing else requires it. Less often costs less, and a hit found this much
# later still goes out long before its mask time is over.
SCAN_US = const(8000)
# The most records of one turn: one takes up to 0.7 ms, and the host waits for its answers meanwhile.
TURN_RECORDS = const(6)
# With this many records in one turn, check for noise.
CROWD = const(4)
# How long samples may wait for the edges before them: a quarter of their ring, because a hit also needs the samples of
# a scan and a lookback before it.
SAMPLES_WAIT_US = SAMPLES // 4 * SAMPLE_US


class Inputs:
    """All channels; `emit(channel, flags, ticks, bounces, peak)` takes their reports.

    `lose(source, count, first_us, last_us)` takes words that were overwritten before they were read, and inputs muted
    for noise; it returns the message's number. `longest_turn_us` is the longest time between two readings. `muted` are
    the inputs that are ignored. `held` tests the hit sensor's analog pin; None if there is none, or if it is always
    sampled.
    """

    def __init__(
        self,
        machine: "WiredMachine",
        pins: "PinMap",
        clock: Clock,
        settings: "Settings",
        emit: "Emit",
        lose: "Callable[[int, int, int, int], int]",
    ) -> None:
        self._machine = machine
        self._clock = clock
        self._settings = settings
        self._emit = emit
        self._lose = lose
        # The number of hits reported, each of which leaves garbage.
        self.hits = 0
        self.stamping = True
        self.muted: list[Muted] = []
        self.longest_turn_us = 0
        self._inputs: list[Contact | HitSensor] = []
        # (GPIO as a bit, the bit's value while pressed, the input)
        self._bits: list[tuple[int, int, Contact | HitSensor]] = []
        self._hit: SampledHit | None = None
        self.held: PullTest | None = None
        for channel in pins.channels:
            one = self._input(machine, pins, channel)
            self._inputs.append(one)
            if pins.has_pin(channel.name):
                gpio = pins.pin(channel.name)
                machine.Pin(
                    gpio,
                    machine.Pin.IN,
                    machine.Pin.PULL_DOWN if channel.active_level else machine.Pin.PULL_UP,
                )
                self._bits.append((1 << gpio, channel.active_level << gpio, one))
        # Most records change one bit: found here without a loop.
        self._by_bit = {bit: (active, one) for bit, active, one in self._bits}
        self._mask = sum([bit for bit, _, _ in self._bits])
        # Inputs that may have something to report without an edge, the first of them at `_due`.
        self._busy: list[Contact | HitSensor] = []
        self._due = 0
        self._ring = machine.edges(self._mask)
        self._reader = EdgeReader(self._ring)
        # Overwritten records, reported once the reader has caught up: their number and times.
        self._lost = self._lost_since = self._lost_until = 0
        # A bound method, created once: the look-up costs more than the call.
        self._taken = self._reader.take
        self._levels = self._read = self._scanned = 0
        self._restart()
        if self.held is not None:
            # No hits before the test of the pin has a result.
            self.held.begin(self._read)

    def collect(self, ticks: int, all_of_it: bool) -> None:
        """Process the records that wait, at most `TURN_RECORDS`, and the samples up to there.

        The samples are processed at once with `all_of_it`, else every `SCAN_US`. `ticks` was read just now: an edge
        whose record has not arrived is then later than what is settled.
        """
        now = (ticks - LATENCY_US) & TICKS_MASK
        waited = (now - self._read) & TICKS_MASK
        self._read = now
        if waited > self.longest_turn_us:  # noqa: PLR1730 - no call where a comparison does
            self.longest_turn_us = waited
        if not self.stamping:
            return
        if self._taken():
            reached = self._take_some(now)
            if reached != now:
                # More records wait: what is due comes after the last of them, and nothing beyond is promised.
                self._read = now = reached
                if (now - self._scanned) & TICKS_MASK < SAMPLES_WAIT_US:
                    return
        if self._busy and (now - self._due) & TICKS_MASK < TICKS_HALF:
            self._step(now)
        if all_of_it or (now - self._scanned) & TICKS_MASK >= SCAN_US:
            self._scanned = now
            if self._hit is not None:
                self._hit.step(now)
            if self._busy or self.muted:
                self._watch()

    def _take_some(self, now: int) -> int:
        """Process the record that was taken and those after it; return the ticks up to which these are all."""
        self._take()
        taken = 1
        while taken < TURN_RECORDS and self._taken():
            self._take()
            taken += 1
        if taken >= CROWD:
            self._mute_noise()
        reader = self._reader
        if reader.waits():
            ahead = (now - reader.ticks) & TICKS_MASK
            if ahead < TICKS_HALF:
                now = reader.ticks
        elif self._lost:
            self._tell_lost()
        return now

    def _mute_noise(self) -> None:
        """Mute each noisy input, and skip its remaining records in the ring."""
        ring = self._ring
        count, span = recent(ring)
        if not count:
            return
        was = self._mask
        for bit, _, one in self._bits:
            if bit & self._mask:
                edges = edges_of(ring, bit, count)
                if is_noise(edges, span):
                    self._mute(bit, one, edges, span)
        if self._mask != was:
            self._reader.pass_over(self._mask)
            if self._reader.lost:
                self._note_lost()
            self._levels = self._reader.levels

    def _mute(self, bit: int, one: "Contact | HitSensor", edges: int, span: int) -> None:
        """Ignore an input from now on, because of `edges` edges within the last `span` us."""
        self._machine.mute(_gpio(bit))
        self._mask &= ~bit
        one.mute()
        now_us = self._clock.now_us()
        muted = Muted(bit, edges, now_us - span, now_us)
        self.muted.append(muted)
        self._tell_muted(muted)

    def tell_muted(self, oldest_seq: int) -> None:
        """Report each muted input again whose message is no longer held, being numbered below `oldest_seq`.

        A host that comes now does not know of it.
        """
        for muted in self.muted:
            if muted.seq < oldest_seq:
                self._tell_muted(muted)

    def _tell_muted(self, muted: Muted) -> None:
        _, one = self._by_bit[muted.bit]
        muted.seq = self._lose(MUTED + one.channel, muted.edges, muted.first_us, muted.since_us)

    def _watch(self) -> None:
        """Mute a contact that does not come to rest, and unmute an input that was quiet for `QUIET_US`."""
        for one in self._busy:
            if one.doubt != NO_TICKS and not isinstance(one, HitSensor):
                # By the time up to which records were read: those that wait may bring it to rest.
                age = (self._read - one.moved) & TICKS_MASK
                if RESTLESS_US < age < TICKS_HALF:
                    self._mute(self._bit_of(one), one, one.bounces, age)
                    return
        ticks = self._clock.ticks()
        for muted in self.muted:
            if muted.returns:
                if not self._reader.waits():
                    self._hear(muted)
                    return
            elif self._machine.stirred(_gpio(muted.bit)):
                muted.stirred = ticks
                muted.noisy += 1
            elif (ticks - muted.stirred) & TICKS_MASK >= QUIET_US:
                self._machine.unmute(_gpio(muted.bit))
                muted.returns = True

    def _bit_of(self, wanted: "Contact | HitSensor") -> int:
        for bit, _, one in self._bits:
            if one is wanted:
                return bit
        return 0

    def _hear(self, muted: Muted) -> None:
        """Use a muted input again, from the level in its record."""
        self.muted.remove(muted)
        self._mask |= muted.bit
        active, one = self._by_bit[muted.bit]
        one.hear(1 if self._levels & muted.bit == active else 0)
        self._lose(UNMUTED + one.channel, muted.noisy, muted.since_us, self._clock.now_us())

    def reconsider(self) -> None:
        """Note that the settings changed: what waits for its time may be due now."""
        self._due = self._read

    def settled(self) -> int:
        """Return the ticks up to which nothing is still to be reported, as of the last `collect`."""
        read, oldest = self._read, 0
        if self._lost:
            # Not reported yet, so it has no number yet.
            oldest = (read - self._lost_since) & TICKS_MASK
        for one in self._busy:
            doubt = one.doubt
            if doubt != NO_TICKS:
                age = (read - doubt) & TICKS_MASK
                if oldest < age < TICKS_HALF:
                    oldest = age
        # Samples are processed only now and then: unprocessed ones may contain an earlier hit.
        if self._hit is not None and self._hit.doubt != NO_TICKS:
            age = (read - self._hit.doubt) & TICKS_MASK
            if oldest < age < TICKS_HALF:
                oldest = age
        return (read - oldest - 1) & TICKS_MASK

    def _step(self, now: int) -> None:
        """Call each busy input to report what is due, and note when the next one is due."""
        # In place: a new list would allocate memory each time.
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
        """Return the pressed channels as bits."""
        bits = 0
        for one in self._inputs:
            if one.pressed():
                bits |= 1 << one.channel
        return bits

    def wave(self) -> Wave:
        """Return the samples around the last hit."""
        return Wave(0, 0, SAMPLE_US) if self._hit is None else self._hit.wave()

    def stop(self) -> None:
        """Stop stamping and discard what waits."""
        self.stamping = False
        self._restart()

    def resume(self) -> None:
        """Stamp again, from the present levels."""
        if not self.stamping:
            self.stamping = True
            self._restart()

    def _input(
        self, machine: "WiredMachine", pins: "PinMap", channel: "Channel"
    ) -> "Contact | HitSensor":
        if channel.role == ROLE_PLUG and self.held is not None:
            return Contact(channel.id, self._clock, self._settings, self.held.take_plug)
        if channel.role != ROLE_HIT:
            return Contact(channel.id, self._clock, self._settings, self._emit)
        adc, emit = pins.adc(channel.name), self._emit_hit
        if adc is None:
            return HitSensor(channel.id, self._clock, self._settings, emit)
        samples = machine.samples(adc)
        if machine.fault:
            # A ring that is not written would never be settled.
            return HitSensor(channel.id, self._clock, self._settings, emit)
        reader = SampleReader(samples)
        self._hit = SampledHit(
            channel.id, reader, self._clock, self._settings, emit, self._lost_samples
        )
        if not pins.always_samples:
            self.held = PullTest(
                machine, adc, reader, self._hit, self._clock, self._emit, self._lose
            )
        return self._hit

    def _emit_hit(self, channel: int, flags: int, ticks: int, width_us: int, peak: int) -> None:
        self.hits += 1
        self._emit(channel, flags, ticks, width_us, peak)

    def _take(self) -> None:
        """Pass the record that was taken to the channels it changes."""
        reader, late = self._reader, 0
        if reader.lost:
            late = LATE
            self._note_lost()
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
        self._lost = 0
        pressed = {}
        for bit, active, one in self._bits:
            pressed[id(one)] = 1 if bit & self._mask and self._levels & bit == active else 0
        for one in self._inputs:
            one.restart(pressed.get(id(one), 0))

    def _note_lost(self) -> None:
        reader = self._reader
        if not self._lost:
            self._lost_since = reader.lost_ticks
        self._lost += reader.lost
        self._lost_until = reader.ticks
        reader.lost = 0

    def _tell_lost(self) -> None:
        extend = self._clock.extend
        self._lose(EDGES, self._lost, extend(self._lost_since), extend(self._lost_until))
        self._lost = 0

    def _lost_samples(self, count: int, first_ticks: int, last_ticks: int) -> None:
        self._lose(
            LOST_SAMPLES, count, self._clock.extend(first_ticks), self._clock.extend(last_ticks)
        )


def _gpio(bit: int) -> int:
    gpio = 0
    while bit >> gpio > 1:
        gpio += 1
    return gpio
