"""A `machine` module over a `World`, with what the firmware uses of MicroPython's. Runs under both interpreters."""

from array import array

from firmware_protocol.board.registers import RP2040
from firmware_protocol.board.words import (
    BLOCK,
    BLOCKS,
    CONVERSION_US,
    REACH,
    RECORDS,
    SAMPLE_MASK,
    SAMPLE_US,
    SAMPLES,
    EdgeRing,
    SampleRing,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_protocol.board.hardware import Pin
    from firmware_protocol.board.pins import PinMap
    from firmware_protocol.virtual.world import World

# The suffix that makes a channel's name that of its analog value in the world.
ANALOG = "-adc"
ADC_MAX = 4095
# The chip's pulls (RP2040 data sheet: 50 to 80 kohm).
PULL_KOHM = 65
# Circuits at the analog pin: kohm to ground (0: none), and the us in which the pin follows a pull nearly all the way
# (four time constants of 100 kohm parallel to the pull, with the circuit's 1 nF or with a disc of 20 nF).
CIRCUITS = {"open": (0, 0), "resistor": (100, 160), "piezo": (100, 3200)}
CHARGES = 32
# The hum that an open pin picks up, of 4095 (assumed), and its period: mains at 50 Hz.
HUM = 600
HUM_US = 20_000


class VirtualPin:
    """A pin: as an output it sets its level in the world; as an input it is a source of the ring of levels."""

    def __init__(self, world: "World", name: str, active_level: int) -> None:
        self._world = world
        self._name = name
        self._active = active_level

    def value(self, level: int = -1) -> int:
        """Return the electrical level, or set it."""
        if level >= 0:
            self._world.set_level(self._name, level)
        pressed = self._world.level(self._name)
        return self._active if pressed else 1 - self._active


class VirtualPinClass:
    """Stands for `machine.Pin`: its constants, and a call that takes a GPIO into use."""

    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2

    def __init__(self, world: "World", names: "dict[int, tuple[str, int]]") -> None:
        self._world = world
        self._names = names
        # GPIOs that the chip's pull returns to rest when nothing drives them.
        self.rests: set[int] = set()

    def __call__(self, id: int, mode: int, pull: "int | None" = None) -> "Pin":  # noqa: A002
        """Take GPIO `id` into use; raise `KeyError` for one that no channel or output uses."""
        name, active_level = self._names[id]
        self.rests.discard(id)
        if mode == self.IN and pull == (self.PULL_DOWN if active_level else self.PULL_UP):
            self.rests.add(id)
        return VirtualPin(self._world, name, active_level)


class EdgeWriter:
    """Writes the ring of levels as PIO and DMA do: a record at each change of the GPIOs in `mask`.

    An input that is released and is not in `rests` keeps its level: it has no pull.
    """

    def __init__(self, names: "dict[int, tuple[str, int]]", rests: "set[int]", mask: int) -> None:
        self._rests = rests
        self._gpios = {
            name: (gpio, active) for gpio, (name, active) in names.items() if mask >> gpio & 1
        }
        self._levels = 0
        self._next = 0
        self._muted: set[int] = set()
        self._stirred: set[int] = set()
        self.ring = EdgeRing(
            memoryview(array("I", bytes(4 * RECORDS))),
            memoryview(array("H", bytes(4 * RECORDS))),
            lambda: self._next,
        )

    def write(self, world: "World", t_us: int, changed: str = "") -> None:
        """Read the levels; write a record if they differ from the last."""
        levels = 0
        for name, (gpio, active) in self._gpios.items():
            if gpio in self._muted:
                if name == changed:
                    self._stirred.add(gpio)
            elif world.level(name):
                levels |= active << gpio
            elif gpio in self._rests:
                levels |= (1 - active) << gpio
            else:
                levels |= self._levels & 1 << gpio
        if levels != self._levels:
            self._levels = levels
            self.ring.levels[self._next] = levels
            put_time(self.ring, self._next, t_us)
            self._next = (self._next + 1) % RECORDS

    def mute(self, gpio: int) -> None:
        """Read 0 at a GPIO from the next `write` on."""
        self._muted.add(gpio)
        self._stirred.discard(gpio)

    def unmute(self, gpio: int) -> None:
        """Read its level again from the next `write` on."""
        self._muted.discard(gpio)

    def stirred(self, gpio: int) -> bool:
        """Return whether a muted GPIO changed since it was muted or last checked."""
        has_stirred = gpio in self._stirred
        self._stirred.discard(gpio)
        return has_stirred


class SampleWriter:
    """Writes the ring of samples as ADC and DMA do: one each `SAMPLE_US`, up to the time that the world has reached.

    It writes when it is read. In real time it then never gets further ahead than a reader can follow: a busy computer
    can stop this process for longer than any chip is ever held up.
    """

    def __init__(self, world: "World", name: str, circuit: str = "piezo") -> None:
        self._world = world
        self._kohm, self._charge_us = CIRCUITS[circuit]
        # The pin's value in the world, and what a pull adds to it.
        self._level = world.level(name)
        self._pulled = 0
        self._pull = 0
        # (time, whether it changes what a pull adds, new value), in order of time
        self._changes: list[tuple[int, bool, int]] = []
        self._same = 0
        self.ring = SampleRing(
            memoryview(array("H", bytes(2 * SAMPLES))),
            memoryview(array("H", bytes(4 * BLOCKS))),
            self._written,
        )
        # As if it had run for long: a reader looks back at blocks with their time.
        self._done = world.reached_us() // SAMPLE_US
        self._stamp(SAMPLES)

    def change(self, t_us: int, level: int) -> None:
        """Change the level at that time."""
        self._note((t_us, False, level))

    def change_circuit(self, name: str) -> None:
        """Connect another circuit to the pin."""
        self._written()
        self._kohm, self._charge_us = CIRCUITS[name]
        self._same = 0

    def pull(self, t_us: int, pull: int) -> None:
        """Make the pin follow the chip's pull-up (1), its pull-down (2) or neither (0) from that time on."""
        # All at once, without the limit of `_written`: the pin is not read during a test, so no reader must follow.
        self._take_changes(t_us)
        self._changes = [change for change in self._changes if not change[1]]
        self._pull = pull
        if not self._kohm:
            self._note((t_us, True, ADC_MAX if pull == 1 else 0))
            return
        end = ADC_MAX * self._kohm // (self._kohm + PULL_KOHM) if pull == 1 else 0
        remaining = self._pulled - end
        for step in range(1, CHARGES + 1):
            # An eighth of a time constant each: e^(-1/8) is 0.8825.
            remaining = remaining * 8825 // 10000 if step < CHARGES else 0
            self._note((t_us + step * self._charge_us // CHARGES, True, end + remaining))

    def _note(self, change: "tuple[int, bool, int]") -> None:
        at = len(self._changes)
        while at and self._changes[at - 1][0] > change[0]:
            at -= 1
        self._changes.insert(at, change)

    def _written(self) -> int:
        until_us = self._world.reached_us()
        if not self._world.is_virtual:
            until_us = min(until_us, (self._done + REACH // 2) * SAMPLE_US)
        self._take_changes(until_us)
        return self._done & SAMPLE_MASK

    def _take_changes(self, until_us: int) -> None:
        """Write all samples before that time, applying the changes in between."""
        while self._changes and self._changes[0][0] <= until_us:
            t_us, is_pull, level = self._changes.pop(0)
            self._write(t_us)
            if is_pull:
                self._pulled = level
            else:
                self._level = level
            self._same = 0
        self._write(until_us)

    def _write(self, until_us: int) -> None:
        """Write the samples before that time, all at the present level."""
        done = -(-until_us // SAMPLE_US)
        count = min(done - self._done, SAMPLES)
        if count <= 0:
            return
        self._done = done
        if not self._kohm and self._pull == 0:
            for place in range(done - count, done):
                self.ring.values[place & SAMPLE_MASK] = min(
                    self._level + hum(place * SAMPLE_US), ADC_MAX
                )
        elif self._same < SAMPLES:
            level = min(self._level + self._pulled, ADC_MAX)
            for place in range(done - count, done):
                self.ring.values[place & SAMPLE_MASK] = level
            self._same += count
        self._stamp(count)

    def _stamp(self, count: int) -> None:
        last = self._done // BLOCK
        for block in range(last - count // BLOCK - 1, last):
            put_time(
                self.ring, block % BLOCKS, ((block + 1) * BLOCK - 1) * SAMPLE_US + CONVERSION_US
            )


def hum(t_us: int) -> int:
    """Return the reading that an open pin picks up: mains, with its lower half cut at 0 by the pin's diode."""
    at = t_us % HUM_US
    half = HUM_US // 2
    return 4 * HUM * at * (half - at) // (half * half) if at < half else 0


def put_time(ring: "EdgeRing | SampleRing", at: int, t_us: int) -> None:
    """Write the low 32 bits of a time as the hardware does: two halves, the low one first."""
    ring.times[2 * at] = t_us & 0xFFFF
    ring.times[2 * at + 1] = t_us >> 16 & 0xFFFF


class VirtualWatchdog:
    """A watchdog in the world's virtual time."""

    def __init__(self, world: "World", timeout: int) -> None:
        self._world = world
        self._timeout_us = timeout * 1000
        self.feed()

    def feed(self) -> None:
        """Postpone the reset."""
        self._world.feed_watchdog(self._timeout_us)


class VirtualMachine:
    """Stands for the `machine` module of a board with number `uid` (u64), wired as the pin map says.

    `circuit` is connected to the hit sensor's analog pin: `open`, `resistor` or `piezo`.
    """

    WDT_RESET = 3
    # REASON_TIMER: here every reset through the watchdog was caused by the watchdog.
    mem32 = {RP2040.watchdog_reason: 1}  # noqa: RUF012 - MicroPython knows no ClassVar

    def __init__(
        self, world: "World", pins: "PinMap", uid: int, cause: int = 1, circuit: str = "piezo"
    ) -> None:
        self._world = world
        self.circuit = circuit
        self._uid = uid
        self._cause = cause
        self.fault = ""
        self._analog: dict[int, str] = {}
        self._names: dict[int, tuple[str, int]] = {}
        self._edges: EdgeWriter | None = None
        self._samples: SampleWriter | None = None
        for channel in pins.channels:
            if pins.has_pin(channel.name):
                self._names[pins.pin(channel.name)] = (channel.name, channel.active_level)
            gpio = pins.adc(channel.name)
            if gpio is not None:
                self._analog[gpio] = channel.name + ANALOG
        for name in pins.outputs:
            self._names[pins.pin(name)] = (name, 1)
        self.Pin = VirtualPinClass(world, self._names)
        world.watch(self._changed)

    def edges(self, mask: int) -> EdgeRing:
        """Return the ring of levels of the GPIOs in `mask`."""
        if self._edges is None:
            self._edges = EdgeWriter(self._names, self.Pin.rests, mask)
            self._edges.write(self._world, self._world.now_us())
        return self._edges.ring

    def samples(self, gpio: int) -> SampleRing:
        """Return the ring of samples of an ADC pin."""
        if self._samples is None:
            self._samples = SampleWriter(self._world, self._analog[gpio], self.circuit)
        return self._samples.ring

    def mute(self, gpio: int) -> None:
        """Read 0 at a GPIO, whatever its level."""
        assert self._edges is not None
        self._edges.mute(gpio)
        self._edges.write(self._world, self._world.reached_us())

    def unmute(self, gpio: int) -> None:
        """Read a GPIO's level again."""
        assert self._edges is not None
        self._edges.unmute(gpio)
        self._edges.write(self._world, self._world.reached_us())

    def stirred(self, gpio: int) -> bool:
        """Return whether a muted GPIO had an edge since it was muted or last checked."""
        assert self._edges is not None
        return self._edges.stirred(gpio)

    def pull(self, gpio: int, pull: int) -> None:  # noqa: ARG002 - one ADC pin is sampled
        """Switch the chip's resistor at the ADC pin."""
        if self._samples is not None:
            self._samples.pull(self._world.reached_us(), pull)

    def change_circuit(self, name: str) -> None:
        """Connect another circuit to the ADC pin."""
        self.circuit = name
        if self._samples is not None:
            self._samples.change_circuit(name)

    def stop(self) -> None:
        """Do nothing: a world writes only when it is read."""

    def WDT(self, timeout: int) -> VirtualWatchdog:  # noqa: N802
        """Start the watchdog; `timeout` in ms."""
        return VirtualWatchdog(self._world, timeout)

    def unique_id(self) -> bytes:
        """Return the board's number."""
        return self._uid.to_bytes(8, "big")

    def reset_cause(self) -> int:
        """Return why the board started."""
        return self._cause

    def _changed(self, name: str, t_us: int) -> None:
        if name.endswith(ANALOG):
            if self._samples is not None:
                self._samples.change(t_us, self._world.level(name))
        elif self._edges is not None:
            self._edges.write(self._world, t_us, name)
