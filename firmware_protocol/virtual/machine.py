"""A `machine` module over a `World`: what the firmware uses of MicroPython's own. Runs under both interpreters."""

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

# The hit sensor's analog value is a name of its own.
ANALOG = "-adc"


class VirtualPin:
    """A pin: as an output it sets its level in the world, as an input it is what the ring of levels is written from."""

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
    """Stands for `machine.Pin`: constants, and a call that takes a GPIO into use."""

    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2

    def __init__(self, world: "World", names: "dict[int, tuple[str, int]]") -> None:
        self._world = world
        self._names = names

    def __call__(self, id: int, mode: int, pull: "int | None" = None) -> "Pin":  # noqa: A002, ARG002
        """Take GPIO `id` into use; KeyError for one that no channel or output uses."""
        name, active_level = self._names[id]
        return VirtualPin(self._world, name, active_level)


class EdgeWriter:
    """Writes the ring of levels as PIO and DMA do: a record at each change of the GPIOs in `mask`."""

    def __init__(self, names: "dict[int, tuple[str, int]]", mask: int) -> None:
        self._gpios = {name: (gpio, active) for gpio, (name, active) in names.items() if mask >> gpio & 1}
        self._levels = 0
        self._next = 0
        self._muted: set[int] = set()
        self._stirred: set[int] = set()
        self.ring = EdgeRing(
            memoryview(array("I", bytes(4 * RECORDS))), memoryview(array("H", bytes(4 * RECORDS))), lambda: self._next
        )

    def write(self, world: "World", t_us: int, changed: str = "") -> None:
        """Take the levels as they are; write a record where they differ from the last."""
        levels = 0
        for name, (gpio, active) in self._gpios.items():
            if gpio in self._muted:
                if name == changed:
                    self._stirred.add(gpio)
            else:
                levels |= (active if world.level(name) else 1 - active) << gpio
        if levels != self._levels:
            self._levels = levels
            self.ring.levels[self._next] = levels
            put_time(self.ring, self._next, t_us)
            self._next = (self._next + 1) % RECORDS

    def mute(self, gpio: int) -> None:
        """Read 0 at a GPIO from the next look on."""
        self._muted.add(gpio)
        self._stirred.discard(gpio)

    def unmute(self, gpio: int) -> None:
        """Read its level again from the next look on."""
        self._muted.discard(gpio)

    def stirred(self, gpio: int) -> bool:
        """Whether a muted GPIO changed since it was muted or last asked for."""
        was = gpio in self._stirred
        self._stirred.discard(gpio)
        return was


class SampleWriter:
    """Writes the ring of samples as ADC and DMA do: one each `SAMPLE_US`, up to the instant the world has come to.

    It writes when it is read. In real time it is then never further ahead than a reader can follow: a busy machine may
    stop this process for longer than any chip is held up.
    """

    def __init__(self, world: "World", name: str) -> None:
        self._world = world
        self._level = world.level(name)
        self._changes: list[tuple[int, int]] = []
        self._same = 0
        self.ring = SampleRing(
            memoryview(array("H", bytes(2 * SAMPLES))), memoryview(array("H", bytes(4 * BLOCKS))), self._written
        )
        # As if it had run for long: a reader looks back on blocks that have their time.
        self._done = world.reached_us() // SAMPLE_US
        self._stamp(SAMPLES)

    def change(self, t_us: int, level: int) -> None:
        """From that instant on the level is another one."""
        self._changes.append((t_us, level))

    def _written(self) -> int:
        until_us = self._world.reached_us()
        if not self._world.is_virtual:
            until_us = min(until_us, (self._done + REACH // 2) * SAMPLE_US)
        while self._changes and self._changes[0][0] <= until_us:
            t_us, level = self._changes.pop(0)
            self._write(t_us)
            self._level = level
            self._same = 0
        self._write(until_us)
        return self._done & SAMPLE_MASK

    def _write(self, until_us: int) -> None:
        """Write the samples before that instant, all at the level that is there."""
        done = -(-until_us // SAMPLE_US)
        count = min(done - self._done, SAMPLES)
        if count <= 0:
            return
        self._done = done
        if self._same < SAMPLES:
            for place in range(done - count, done):
                self.ring.values[place & SAMPLE_MASK] = self._level
            self._same += count
        self._stamp(count)

    def _stamp(self, count: int) -> None:
        last = self._done // BLOCK
        for block in range(last - count // BLOCK - 1, last):
            put_time(self.ring, block % BLOCKS, ((block + 1) * BLOCK - 1) * SAMPLE_US + CONVERSION_US)


def put_time(ring: "EdgeRing | SampleRing", at: int, t_us: int) -> None:
    """Write the low 32 bits of a time as the hardware lays them down."""
    ring.times[2 * at] = t_us & 0xFFFF
    ring.times[2 * at + 1] = t_us >> 16 & 0xFFFF


class VirtualWatchdog:
    """A watchdog that bites in the world's virtual time."""

    def __init__(self, world: "World", timeout: int) -> None:
        self._world = world
        self._timeout_us = timeout * 1000
        self.feed()

    def feed(self) -> None:
        """Put the bite off."""
        self._world.feed_watchdog(self._timeout_us)


class VirtualMachine:
    """Stands for the `machine` module of a board with number `uid` (u64), wired as the pin map says."""

    WDT_RESET = 3
    # Every reset of it through the watchdog was the watchdog's own.
    mem32 = {RP2040.watchdog_reason: 1}  # noqa: RUF012 - MicroPython knows no ClassVar

    def __init__(self, world: "World", pins: "PinMap", uid: int, cause: int = 1) -> None:
        self._world = world
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
            self._edges = EdgeWriter(self._names, mask)
            self._edges.write(self._world, self._world.now_us())
        return self._edges.ring

    def samples(self, gpio: int) -> SampleRing:
        """Return the ring of samples of an ADC pin."""
        if self._samples is None:
            self._samples = SampleWriter(self._world, self._analog[gpio])
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
        """Whether a muted GPIO had an edge since it was muted or last asked for."""
        assert self._edges is not None
        return self._edges.stirred(gpio)

    def stop(self) -> None:
        """Nothing to stop: a world writes on as long as it is asked to."""

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
