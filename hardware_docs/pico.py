"""The 40 pins of a Raspberry Pi Pico (*Raspberry Pi Pico Datasheet*, "Pinout"), and the wires of a pin map to them."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_protocol.board.pins import PinMap

GROUNDS = (3, 8, 13, 18, 23, 28, 38)
AGND = 33
SUPPLY_PIN = 36
OTHERS = {
    30: "RUN",
    33: "AGND",
    35: "ADC_VREF",
    36: "3V3(OUT)",
    37: "3V3_EN",
    39: "VSYS",
    40: "VBUS",
}
_GPIOS = {
    **{gpio: gpio + 1 for gpio in (0, 1)},
    **{gpio: gpio + 2 for gpio in range(2, 6)},
    **{gpio: gpio + 3 for gpio in range(6, 10)},
    **{gpio: gpio + 4 for gpio in range(10, 14)},
    **{gpio: gpio + 5 for gpio in range(14, 18)},
    **{gpio: gpio + 6 for gpio in range(18, 22)},
    **{22: 29, 26: 31, 27: 32, 28: 34},
}


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire of the map: its channel and its role there; `pin` is the place on the Pico's edge."""

    channel: str
    role: str
    gpio: int
    pin: int


def pin_of(gpio: int) -> int:
    """Return a GPIO's place on the edge; raise `ValueError` for a GPIO that serves the Pico itself."""
    if gpio not in _GPIOS:
        raise ValueError(f"GP{gpio} is on no pin of a Pico")
    return _GPIOS[gpio]


def name_of(pin: int) -> str:
    """Return the name printed beside a pin."""
    if pin in GROUNDS:
        return "GND"
    if pin in OTHERS:
        return OTHERS[pin]
    gpio_at = {place: gpio for gpio, place in _GPIOS.items()}
    return f"GP{gpio_at[pin]}"


def wires(pins: PinMap) -> list[Wire]:
    """Return every wire in the pin map, inputs first."""
    wires_found: list[Wire] = []
    for name in [channel.name for channel in pins.channels] + list(pins.outputs):
        if pins.has_pin(name):
            role = "out" if name in pins.outputs else "in"
            gpio = pins.pin(name)
            wires_found.append(Wire(name, role, gpio, pin_of(gpio)))
        adc = pins.adc(name)
        if adc is not None:
            wires_found.append(Wire(name, "adc", adc, pin_of(adc)))
    return wires_found
