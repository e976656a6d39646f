"""The interfaces that the firmware is given, for type checkers only; never loaded on the board."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, overload

from firmware_protocol.board.words import EdgeRing, SampleRing


class Pin(Protocol):
    """A pin of the `machine` module: level 0 or 1."""

    @overload
    def value(self) -> int:
        """Return the level."""

    @overload
    def value(self, level: int, /) -> "int | None":
        """Set the level; the return value means nothing."""


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

    def __call__(self, id: int, /, mode: int, pull: int = ...) -> Pin:  # noqa: A002
        """Take GPIO `id` into use."""


class Watchdog(Protocol):
    """Resets the chip if it is not fed in time."""

    def feed(self) -> None:
        """Postpone the reset."""


class Machine(Protocol):
    """The part of MicroPython's `machine` module that the firmware uses."""

    @property
    def Pin(self) -> PinClass:  # noqa: N802
        """`machine.Pin` itself."""

    def WDT(self, *, timeout: int) -> Watchdog:  # noqa: N802
        """Start the watchdog; `timeout` in ms."""

    @property
    def WDT_RESET(self) -> int:  # noqa: N802
        """What `reset_cause` returns after a reset through the watchdog."""

    @property
    def mem32(self) -> "Mapping[int, int]":
        """The chip's registers, by address."""

    def unique_id(self) -> bytes:
        """Return the chip's own number, 8 bytes on the Pico."""

    def reset_cause(self) -> int:
        """Return why the chip started."""


class Clocked(Protocol):
    """Sets the processor's clock."""

    def freq(self, hz: int) -> None:
        """Run at so many Hz; raise `ValueError` if the chip cannot."""


class WiredMachine(Machine, Protocol):
    """The machine with the two rings that its hardware writes."""

    @property
    def fault(self) -> str:
        """Why a ring stays empty, in words; "" while the hardware writes."""

    def edges(self, mask: int) -> "EdgeRing":
        """Return the ring of levels of the GPIOs in `mask`, which the hardware writes from now on; others read 0."""

    def samples(self, gpio: int) -> "SampleRing":
        """Return the ring of samples of an ADC pin, which the hardware writes from now on."""

    def mute(self, gpio: int) -> None:
        """Read 0 at a GPIO from now on, whatever its level: it causes no more records."""

    def unmute(self, gpio: int) -> None:
        """Read a muted GPIO's level again: if that is 1, it is a change."""

    def stirred(self, gpio: int) -> bool:
        """Return whether a muted GPIO had an edge since it was muted or last checked."""

    def pull(self, gpio: int, pull: int) -> None:
        """Switch the chip's resistor at an ADC pin: 0 neither, 1 to 3.3 V, 2 to ground."""

    def stop(self) -> None:
        """Stop the hardware: the rings are no longer written."""


class Wire(Protocol):
    """The bytes to and from the host."""

    def wait(self, ms: int) -> bool:
        """Return whether there may be something to read, as soon as there is, or after `ms`."""

    def read(self, into: bytearray, /) -> int:
        """Read what is there, possibly nothing, into `into` and return the number of bytes; never wait."""

    def write(self, data: "bytes | memoryview") -> None:
        """Send `data`."""


# The names that `rp2.asm_pio` defines inside a decorated function only.
block: Any
isr: Any
jmp: Any
label: Any
mov: Any
pins: Any
push: Any
wrap: Any
wrap_target: Any
x: Any
x_not_y: Any
y: Any

KeyboardInterrupts = Callable[[int], None]
