"""Parts as seen from above, on a breadboard or a stripboard."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, degrees, hypot

from hardware_docs.circuit import Kind, Part
from hardware_docs.svg import INK, QUIET, Point, group, leg, text

LEAD = "#9e9e9e"
BANDS = (
    "#111111",
    "#7b3f00",
    "#d32f2f",
    "#ef6c00",
    "#fbc02d",
    "#388e3c",
    "#1565c0",
    "#7b1fa2",
    "#757575",
    "#ffffff",
)
GOLD = "#c9a227"
# Places of the rings along the body; the last one, the tolerance, is apart from the others.
RING_PLACES = (0.16, 0.35, 0.54, 0.81)
BODY_PX = {Kind.RESISTOR: (28, 10), Kind.DIODE: (20, 8), Kind.TVS: (22, 13)}


@dataclass(frozen=True, slots=True)
class Label:
    """The place of a part's name, from the middle of its legs."""

    dx: float
    dy: float
    anchor: str = "middle"


def draw_part(part: Part, legs: dict[str, Point], label: Label) -> str:
    """Return a part with its legs in place."""
    middle = (
        sum(x for x, _ in legs.values()) / len(legs),
        sum(y for _, y in legs.values()) / len(legs),
    )
    shapes = _body(part, legs, middle)
    if part.kind is not Kind.TERMINAL:
        name = part.name
        if part.value not in ("LED", "TVS", "buzzer"):
            name += f" {part.value}"
        x, y = middle[0] + label.dx, middle[1] + label.dy
        shapes += text(x, y, name, size=11, anchor=label.anchor, bold=True, halo=True)
    # The legs last: on top of the body, and where the tests read the part's pins.
    for pin, at in legs.items():
        shapes += leg(at, pin)
    return group(shapes, part=part.name)


def _body(part: Part, legs: dict[str, Point], middle: Point) -> str:
    if part.kind in BODY_PX:
        return _axial(part, *legs.values())
    return _ROUND[part.kind](part, legs, middle)


def ohms(value: str) -> int:
    """Return the resistance of a value such as 330, 4k7 or 10M."""
    for letter, factor in (("k", 1000), ("M", 1_000_000)):
        if letter in value:
            whole, rest = value.split(letter)
            return int(whole) * factor + int(rest or 0) * factor // 10
    return int(value)


def rings(value: str) -> list[str]:
    """Return the colors of a resistor's four rings; the tolerance is 5 %."""
    resistance = ohms(value)
    power = len(str(resistance)) - 2
    first, second = divmod(resistance // 10**power, 10)
    return [BANDS[first], BANDS[second], BANDS[power], GOLD]


def _axial(part: Part, start: Point, end: Point) -> str:
    (x1, y1), (x2, y2) = start, end
    distance = hypot(x2 - x1, y2 - y1)
    limit, height = BODY_PX[part.kind]
    width = min(limit, distance * 0.66)
    left = -width / 2
    fill = {Kind.RESISTOR: "#e8d3a8", Kind.DIODE: "#d98c4a", Kind.TVS: "#33373d"}[part.kind]
    shapes = f'<path d="M{-distance / 2:g} 0 H{distance / 2:g}" stroke="{LEAD}" stroke-width="2"/>'
    shapes += (
        f'<rect x="{left:g}" y="{-height / 2:g}" width="{width:g}" height="{height}" rx="3" fill="{fill}" '
        f'stroke="{INK}" stroke-width="0.8"/>'
    )
    if part.kind is Kind.RESISTOR:
        for place, color in zip(RING_PLACES, rings(part.value), strict=True):
            shapes += _ring(left + width * place, height, color)
    elif part.kind is Kind.DIODE:
        # The ring marks the cathode, the second leg.
        shapes += _ring(left + width * 0.78, height, INK)
    angle = degrees(atan2(y2 - y1, x2 - x1))
    return f'<g transform="translate({(x1 + x2) / 2:g} {(y1 + y2) / 2:g}) rotate({angle:g})">{shapes}</g>'


def _ring(x: float, height: float, color: str) -> str:
    return f'<rect x="{x:g}" y="{-height / 2:g}" width="3" height="{height}" fill="{color}"/>'


def _leads(legs: dict[str, Point], middle: Point) -> str:
    path = "".join(f"M{x:g} {y:g} L{middle[0]:g} {middle[1]:g} " for x, y in legs.values())
    return f'<path d="{path.strip()}" stroke="{LEAD}" stroke-width="2"/>'


def _capacitor(_: Part, legs: dict[str, Point], middle: Point) -> str:
    x, y = middle
    (x1, y1), (x2, y2) = legs.values()
    angle = degrees(atan2(y2 - y1, x2 - x1))
    disc = f'<ellipse rx="11" ry="6" fill="#e2a24a" stroke="{INK}" stroke-width="0.8"/>'
    return (
        _leads(legs, middle) + f'<g transform="translate({x:g} {y:g}) rotate({angle:g})">{disc}</g>'
    )


def _led(_: Part, legs: dict[str, Point], middle: Point) -> str:
    x, y = middle
    cathode = legs["K"]
    shapes = (
        _leads(legs, middle)
        + f'<circle cx="{x:g}" cy="{y:g}" r="12" fill="#ff6659" stroke="{INK}"/>'
    )
    # The rim is flat beside the cathode.
    side = 11 if cathode[0] > x else -11
    shapes += f'<path d="M{x + side:g} {y - 6:g} V{y + 6:g}" stroke="{INK}" stroke-width="2.4"/>'
    return shapes + "".join(_leg_name(pin, at, middle) for pin, at in legs.items())


def _leg_name(pin: str, at: Point, middle: Point) -> str:
    away = 9 if at[0] >= middle[0] else -9
    return text(at[0] + away, at[1] - 5, pin, size=9.5, anchor="middle", color=QUIET, halo=True)


def _transistor(_: Part, legs: dict[str, Point], middle: Point) -> str:
    x, y = middle
    (x1, y1), *_rest, (x2, y2) = legs.values()
    angle = degrees(atan2(y2 - y1, x2 - x1))
    # Seen from above, with the flat side at the bottom of the drawing.
    half = f'<path d="M-26 7 H26 A26 22 0 0 0 -26 7 Z" fill="#33373d" stroke="{INK}"/>'
    shapes = f'<g transform="translate({x:g} {y:g}) rotate({angle:g})">{half}</g>'
    for pin, at in legs.items():
        # Beside the flat side: below a lying transistor, left of an upright one.
        dx, dy = (0, 18) if y1 == y2 else (-15, 4)
        shapes += text(at[0] + dx, at[1] + dy, pin, size=10, anchor="middle", bold=True, halo=True)
    return shapes


def _buzzer(_: Part, legs: dict[str, Point], middle: Point) -> str:
    x, y = middle
    shapes = (
        f'<circle cx="{x:g}" cy="{y:g}" r="30" fill="#4a4e55" stroke="{INK}" fill-opacity="0.94"/>'
    )
    shapes += f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="#17191c"/>'
    for pin, at in legs.items():
        sign = "+" if pin == "plus" else "-"
        inwards = (at[0] + 0.4 * (x - at[0]), at[1] + 0.4 * (y - at[1]) + 5)
        shapes += text(
            inwards[0], inwards[1], sign, size=14, anchor="middle", color="white", bold=True
        )
    return shapes


def _switch(part: Part, _: dict[str, Point], middle: Point) -> str:
    x, y = middle
    fill = {"trigger": "#ffe0b2", "plug": "#c8e6c9"}.get(part.value, "#bbdefb")
    shapes = f'<rect x="{x - 32:g}" y="{y:g}" width="64" height="44" rx="8" fill="{fill}" stroke="{INK}"/>'
    if part.value == "plug":
        shapes += f'<path d="M{x - 12:g} {y + 18:g} H{x + 12:g}" stroke="{INK}" stroke-width="4"/>'
    else:
        shapes += f'<circle cx="{x:g}" cy="{y + 18:g}" r="12" fill="white" stroke="{INK}" stroke-width="1.5"/>'
    return shapes


def _piezo(_: Part, legs: dict[str, Point], middle: Point) -> str:
    x, y = middle
    shapes = f'<circle cx="{x:g}" cy="{y - 24:g}" r="24" fill="#d8b04c" stroke="{INK}"/>'
    shapes += f'<circle cx="{x:g}" cy="{y - 24:g}" r="15" fill="#f3f1ea" stroke="{INK}" stroke-width="0.8"/>'
    (mx, my), (rx, ry) = legs["middle"], legs["rim"]
    shapes += f'<path d="M{mx:g} {my:g} L{x - 6:g} {y - 24:g} M{rx:g} {ry:g} L{x + 15:g} {y - 8:g}" stroke="{LEAD}" '
    return shapes + 'stroke-width="2" fill="none"/>'


def _terminal(part: Part, legs: dict[str, Point], middle: Point) -> str:
    ys = [y for _, y in legs.values()]
    x = middle[0]
    top = min(ys) - 14
    shapes = (
        f'<rect x="{x - 11:g}" y="{top:g}" width="22" height="{max(ys) - min(ys) + 28:g}" rx="3" fill="#8fbf9a" '
        f'stroke="{INK}"/>'
    )
    shapes += text(x, min(ys) + 20, part.name, size=10, anchor="middle", bold=True)
    for _, y in legs.values():
        shapes += f'<circle cx="{x:g}" cy="{y:g}" r="7" fill="#d9dde1" stroke="{INK}" stroke-width="0.8"/>'
        shapes += f'<path d="M{x - 5:g} {y - 3:g} L{x + 5:g} {y + 3:g}" stroke="{INK}" stroke-width="1.4"/>'
    return shapes


_ROUND = {
    Kind.CAPACITOR: _capacitor,
    Kind.LED: _led,
    Kind.TRANSISTOR: _transistor,
    Kind.BUZZER: _buzzer,
    Kind.SWITCH: _switch,
    Kind.PIEZO: _piezo,
    Kind.TERMINAL: _terminal,
}
