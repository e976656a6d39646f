"""Lamp and buzzer: switched on by CUE, off by time."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_protocol.board.clock import Clock
    from firmware_protocol.board.hardware import Pin


class Outputs:
    """The outputs by their number in CUE; one without a pin is None. `on` means that something must be switched off
    later."""

    def __init__(self, pins: "tuple[Pin | None, ...]", clock: "Clock") -> None:
        self._pins = pins
        self._clock = clock
        # A pin keeps its level over a restart of the firmware, and the buzzer would keep sounding.
        self.off()

    def off(self) -> None:
        """Switch everything off."""
        self.on = False
        self._off_at_us = [0] * len(self._pins)
        for pin in self._pins:
            if pin is not None:
                pin.value(0)

    def has_any(self) -> bool:
        """Return whether there is any output."""
        return any(pin is not None for pin in self._pins)

    def switch_on(self, output: int, ms: int) -> int:
        """Switch an output on for `ms` and return the time in us; -1 if there is no such output."""
        pin = self._pins[output] if output < len(self._pins) else None
        if pin is None:
            return -1
        pin.value(1)
        now_us = self._clock.now_us()
        self._off_at_us[output] = now_us + ms * 1000
        self.on = True
        return now_us

    def step(self, now_us: int) -> None:
        """Switch off what is due."""
        for output, off_at_us in enumerate(self._off_at_us):
            pin = self._pins[output]
            if off_at_us and now_us >= off_at_us and pin is not None:
                pin.value(0)
                self._off_at_us[output] = 0
        self.on = any(self._off_at_us)
