"""The hit sensor's circuit: one piezo, clamped, into the ADC; a comparator only where the pin map has one."""

from __future__ import annotations

from firmware_protocol.board.pins import PinMap
from hardware_docs.pico import AGND, SUPPLY_PIN, pin_of
from hardware_docs.svg import GROUND, SUPPLY, dot, group, labelled, line, page, text

Y = 150
LOW = 330
P = 320


def hit_sensor(pins: PinMap) -> str:
    """The drawing; without a digital pin in the map the comparator is left out, without an analog one the filter."""
    adc = pins.adc("hit")
    content = [
        text(450, 36, "Hit sensor: piezo, clamp, samples", size=18, anchor="middle"),
        *_piezo(),
        *_clamp(),
    ]
    if adc is not None:
        content.append(_samples(adc))
    if pins.has_pin("hit"):
        content.append(_comparator(pins.pin("hit")))
    content += [
        line(40, LOW, 860, LOW, GROUND, 3),
        text(44, LOW + 20, f"AGND, pin {AGND} of the Pico; nothing else shares this wire"),
        text(
            44, LOW + 46, "Before the Pico is connected: P at rest well below 0.1 V, never above 3.6 V or below -0.3 V."
        ),
    ]
    return page(900, 400, "Hit sensor", content)


def _down(x: int, words: str, wide: int = 70) -> str:
    """A part from the live wire to ground."""
    middle = (Y + LOW) / 2
    return line(x, Y, x, LOW) + dot(x, Y) + labelled(x - wide / 2, middle, wide, words)


def _piezo() -> list[str]:
    return [
        _down(70, "piezo"),
        _down(160, "100 kohm"),
        line(70, Y, 200, Y),
        labelled(200, Y, 70, "4.7 kohm"),
        line(270, Y, P, Y),
        text(P - 20, Y - 10, "P", size=15),
    ]


def _clamp() -> list[str]:
    return [
        _down(P, "BAT54S low", 86),
        line(P, Y, P, 80) + labelled(P - 43, 110, 86, "BAT54S high") + line(P, 80, 420, 80, SUPPLY),
        text(426, 84, f"3V3, pin {SUPPLY_PIN}", color=SUPPLY),
    ]


def _samples(gpio: int) -> str:
    shapes = line(P, Y, 860, Y) + _down(740, "1 nF", 52)
    shapes += text(750, Y - 12, f"GP{gpio}, pin {pin_of(gpio)}")
    return group(shapes, channel="hit", role="adc", gpio=gpio, pin=pin_of(gpio))


def _comparator(gpio: int) -> str:
    shape = f'<path d="M450 {Y + 40} L450 {Y + 120} L530 {Y + 80} Z" fill="white" stroke="#1a1a1a" stroke-width="1.5"/>'
    plus = line(P, Y, 420, Y) + line(420, Y, 420, Y + 55) + line(420, Y + 55, 450, Y + 55) + dot(420, Y)
    plus += text(454, Y + 60, "+") + text(440, Y + 30, "only for a time within 2 us:", size=10)
    minus = line(450, Y + 105, 410, Y + 105) + line(410, Y + 105, 410, Y + 125) + text(454, Y + 109, "-")
    minus += text(380, Y + 138, "0.1 V: 33 kohm to 3V3, 1 kohm to AGND", size=10)
    out = line(530, Y + 80, 590, Y + 80) + text(596, Y + 76, f"GP{gpio}, pin {pin_of(gpio)}")
    out += text(596, Y + 92, "10 kohm to 3V3", size=10) + text(462, Y + 84, "LM393", size=10)
    return group(shape + plus + minus + out, channel="hit", role="in", gpio=gpio, pin=pin_of(gpio))
