"""A `machine` module over a `World`: what the firmware uses of MicroPython's own. Runs under both interpreters."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.hardware import Pin
    from firmware_protocol.board.pins import PinMap
    from firmware_protocol.virtual.world import World

# The hit sensor's analog value is a name of its own.
ANALOG = "-adc"


class VirtualPin:
    """A pin whose electrical level follows its channel in the world: active while the channel is pressed."""

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

    def irq(self, handler: "Callable[[Pin], None]", trigger: int, hard: bool) -> None:
        """Call `handler` with this pin at every edge; both directions only, hard only."""
        if trigger != VirtualPinClass.IRQ_RISING | VirtualPinClass.IRQ_FALLING or not hard:
            raise ValueError("the virtual pin knows hard interrupts on both edges only")
        self._world.watch(self._name, lambda: handler(self))


class VirtualPinClass:
    """Stands for `machine.Pin`: constants, and a call that takes a GPIO into use."""

    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2
    IRQ_FALLING = 4
    IRQ_RISING = 8

    def __init__(self, world: "World", names: "dict[int, tuple[str, int]]") -> None:
        self._world = world
        self._names = names

    def __call__(self, id: int, mode: int, pull: "int | None" = None) -> "Pin":  # noqa: A002, ARG002
        """Take GPIO `id` into use; KeyError for one that no channel or output uses."""
        name, active_level = self._names[id]
        return VirtualPin(self._world, name, active_level)


class VirtualAdc:
    """An analog input; the world gives 12-bit values, the chip's driver 16-bit ones."""

    def __init__(self, world: "World", name: str) -> None:
        self._world = world
        self._name = name

    def read_u16(self) -> int:
        """Return the value, 0-65535 over the full scale."""
        value = self._world.held_level(self._name)
        return value << 4 | value >> 8


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
    mem32 = {0x40058008: 1}  # noqa: RUF012 - MicroPython knows no ClassVar

    def __init__(self, world: "World", pins: "PinMap", uid: int, cause: int = 1) -> None:
        self._world = world
        self._uid = uid
        self._cause = cause
        self._analog: dict[int, str] = {}
        names: dict[int, tuple[str, int]] = {}
        for channel in pins.channels:
            names[pins.pin(channel.name)] = (channel.name, channel.active_level)
            gpio = pins.adc(channel.name)
            if gpio is not None:
                self._analog[gpio] = channel.name + ANALOG
        for name in pins.outputs:
            names[pins.pin(name)] = (name, 1)
        self.Pin = VirtualPinClass(world, names)

    def ADC(self, pin: int) -> VirtualAdc:  # noqa: N802
        """Take GPIO `pin` into use as an analog input."""
        return VirtualAdc(self._world, self._analog[pin])

    def WDT(self, timeout: int) -> VirtualWatchdog:  # noqa: N802
        """Start the watchdog; `timeout` in ms."""
        return VirtualWatchdog(self._world, timeout)

    def unique_id(self) -> bytes:
        """Return the board's number."""
        return self._uid.to_bytes(8, "big")

    def reset_cause(self) -> int:
        """Return why the board started."""
        return self._cause
