"""What the firmware is given from outside, as type checkers see it; never loaded on the board."""

from collections.abc import Callable, Mapping
from typing import Protocol, overload


class Irq(Protocol):
    """What `Pin.irq` returns; the firmware does not use it."""


class Pin(Protocol):
    """A pin of the `machine` module: level 0 or 1."""

    @overload
    def value(self) -> int:
        """Return the level."""

    @overload
    def value(self, level: int, /) -> "int | None":
        """Set the level; what is returned then means nothing."""

    def irq(self, handler: "Callable[[Pin], None]", trigger: int, *, hard: bool) -> "Irq | None":
        """Call `handler` with the pin at each edge in `trigger`."""


class PinClass(Protocol):
    """`machine.Pin` itself."""

    @property
    def IN(self) -> int:  # noqa: N802
        """The mode of an input."""

    @property
    def OUT(self) -> int:  # noqa: N802
        """The mode of an output."""

    @property
    def PULL_UP(self) -> int:  # noqa: N802
        """The chip's own resistor to 3.3 V."""

    @property
    def PULL_DOWN(self) -> int:  # noqa: N802
        """The chip's own resistor to ground."""

    @property
    def IRQ_RISING(self) -> int:  # noqa: N802
        """The edge to 1."""

    @property
    def IRQ_FALLING(self) -> int:  # noqa: N802
        """The edge to 0."""

    def __call__(self, id: int, /, mode: int, pull: int = ...) -> Pin:  # noqa: A002
        """Take GPIO `id` into use."""


class Adc(Protocol):
    """An analog input."""

    def read_u16(self) -> int:
        """Return a reading, 0-65535 over the full scale."""


class Watchdog(Protocol):
    """Resets the chip when it is not fed in time."""

    def feed(self) -> None:
        """Put the reset off."""


class Machine(Protocol):
    """What the firmware uses of MicroPython's `machine` module."""

    @property
    def Pin(self) -> PinClass:  # noqa: N802
        """`machine.Pin` itself."""

    def ADC(self, pin: int) -> Adc:  # noqa: N802
        """Take GPIO `pin` into use as an analog input."""

    def WDT(self, *, timeout: int) -> Watchdog:  # noqa: N802
        """Start the watchdog; `timeout` in ms."""

    @property
    def WDT_RESET(self) -> int:  # noqa: N802
        """What `reset_cause` returns after a reset that went through the watchdog."""

    @property
    def mem32(self) -> "Mapping[int, int]":
        """The chip's registers, by address."""

    def unique_id(self) -> bytes:
        """Return the chip's own number, 8 bytes on the Pico."""

    def reset_cause(self) -> int:
        """Return why the chip started."""


class Wire(Protocol):
    """The bytes to and from the host."""

    def wait(self, ms: int) -> None:
        """Return when there is something to read, or after `ms`."""

    def read(self) -> bytes:
        """Return what is there, possibly nothing; never wait."""

    def write(self, data: "bytes | memoryview") -> None:
        """Send `data`."""


Ticks = Callable[[], int]
KeyboardInterrupts = Callable[[int], None]
