"""The symbols of a schematic (outlines of IEC 60617), each drawn around its legs."""

from __future__ import annotations

from hardware_docs.circuit import ANALOG_GROUND, GROUND, SUPPLY, Part
from hardware_docs.svg import INK, Point, color_of, group, leg, polyline, text

FAR = 30.0
THIN = 1.6


def resistor(part: Part, x: float, y: float, *, upright: bool = True) -> str:
    """Return a resistor with its middle at a point; its legs are 30 to either side."""
    if upright:
        shapes = polyline([(x, y - FAR), (x, y - 16)], width=THIN) + polyline(
            [(x, y + 16), (x, y + FAR)], width=THIN
        )
        shapes += _rect(x - 6, y - 16, 12, 32)
        legs = [(x, y - FAR), (x, y + FAR)]
    else:
        shapes = polyline([(x - FAR, y), (x - 16, y)], width=THIN) + polyline(
            [(x + 16, y), (x + FAR, y)], width=THIN
        )
        shapes += _rect(x - 16, y - 6, 32, 12)
        legs = [(x - FAR, y), (x + FAR, y)]
    return _part(part, shapes, legs, x, y, upright, None)


def capacitor(part: Part, x: float, y: float) -> str:
    """Return a capacitor, upright."""
    shapes = polyline([(x, y - FAR), (x, y - 4)], width=THIN) + polyline(
        [(x, y + 4), (x, y + FAR)], width=THIN
    )
    shapes += polyline([(x - 11, y - 4), (x + 11, y - 4)], width=2.6)
    shapes += polyline([(x - 11, y + 4), (x + 11, y + 4)], width=2.6)
    return _part(part, shapes, [(x, y - FAR), (x, y + FAR)], x, y, True, None)


def diode(part: Part, x: float, y: float, *, left: bool = False) -> str:
    """Return a diode that conducts upwards: its cathode is above. A Schottky diode has hooks."""
    shapes = polyline([(x, y - FAR), (x, y + FAR)], width=THIN)
    shapes += f'<path d="M{x - 10:g} {y + 8:g} H{x + 10:g} L{x:g} {y - 8:g} Z" fill="white" stroke="{INK}" '
    shapes += f'stroke-width="{THIN}"/>'
    bar = f"M{x - 10:g} {y - 8:g} H{x + 10:g}"
    if part.value == "BAT85":
        bar = f"M{x - 6:g} {y - 4:g} H{x - 10:g} V{y - 8:g} H{x + 10:g} V{y - 12:g} H{x + 6:g}"
    shapes += f'<path d="{bar}" fill="none" stroke="{INK}" stroke-width="2.2"/>'
    if left:
        return _part(part, shapes, [(x, y + FAR), (x, y - FAR)], x, y, True, (-16, -2), "end")
    return _part(part, shapes, [(x, y + FAR), (x, y - FAR)], x, y, True, None)


def led(part: Part, x: float, y: float) -> str:
    """Return an LED with its cathode below."""
    shapes = polyline([(x, y - FAR), (x, y + FAR)], width=THIN)
    shapes += f'<path d="M{x - 10:g} {y - 8:g} H{x + 10:g} L{x:g} {y + 8:g} Z" fill="white" stroke="{INK}" '
    shapes += f'stroke-width="{THIN}"/>' + polyline([(x - 10, y + 8), (x + 10, y + 8)], width=2.2)
    for down in (-4, 4):
        shapes += (
            f'<path d="M{x + 13:g} {y + down:g} l10 -8 m-5 0 h5 v5" fill="none" '
            f'stroke="{INK}" stroke-width="1.3"/>'
        )
    return _part(part, shapes, [(x, y - FAR), (x, y + FAR)], x, y, True, (32, -2))


def tvs(part: Part, x: float, y: float) -> str:
    """Return a TVS diode for both polarities, upright."""
    shapes = polyline([(x, y - FAR), (x, y - 16)], width=THIN) + polyline(
        [(x, y + 16), (x, y + FAR)], width=THIN
    )
    shapes += f'<path d="M{x - 9:g} {y - 16:g} H{x + 9:g} L{x:g} {y:g} '
    shapes += f'L{x + 9:g} {y + 16:g} H{x - 9:g} L{x:g} {y:g} Z" '
    shapes += f'fill="white" stroke="{INK}" stroke-width="{THIN}"/>'
    shapes += f'<path d="M{x - 12:g} {y + 4:g} L{x - 9:g} {y:g} H{x + 9:g} L{x + 12:g} {y - 4:g}" fill="none" '
    shapes += f'stroke="{INK}" stroke-width="2.2"/>'
    return _part(part, shapes, [(x, y - FAR), (x, y + FAR)], x, y, True, None)


def switch(part: Part, x: float, y: float) -> str:
    """Return a normally open contact, upright. The plug's bridge has no button."""
    shapes = polyline([(x, y - FAR), (x, y - 12)], width=THIN) + polyline(
        [(x, y + 12), (x, y + FAR)], width=THIN
    )
    shapes += polyline([(x, y + 12), (x - 12, y - 12)], width=2)
    if part.value != "plug":
        shapes += polyline([(x - 6, y), (x - 18, y)], width=1.2) + polyline(
            [(x - 18, y - 6), (x - 18, y + 6)], width=2
        )
    return _part(part, shapes, [(x, y - FAR), (x, y + FAR)], x, y, True, (14, 4))


def terminal(part: Part, pin: str, x: float, y: float, words: str) -> str:
    """Return one pole of a terminal: a circle."""
    shapes = (
        f'<circle cx="{x:g}" cy="{y:g}" r="4.5" fill="white" stroke="{INK}" stroke-width="{THIN}"/>'
    )
    shapes += text(x, y - 9, words, size=10, anchor="middle")
    return group(shapes + _leg((x, y), pin), part=part.name)


def piezo(part: Part, x: float, y: float) -> str:
    """Return a piezo disc, upright: a crystal between two plates."""
    shapes = polyline([(x, y - FAR), (x, y - 13)], width=THIN) + polyline(
        [(x, y + 13), (x, y + FAR)], width=THIN
    )
    shapes += polyline([(x - 14, y - 13), (x + 14, y - 13)], width=2.4)
    shapes += polyline([(x - 14, y + 13), (x + 14, y + 13)], width=2.4) + _rect(
        x - 12, y - 8, 24, 16
    )
    return _part(part, shapes, [(x, y - FAR), (x, y + FAR)], x, y, True, (-22, -4), "end")


def transistor(part: Part, x: float, y: float) -> str:
    """Return an NPN transistor: base to the left, collector above, emitter below."""
    shapes = (
        f'<circle cx="{x:g}" cy="{y:g}" r="19" fill="white" stroke="{INK}" stroke-width="1.2"/>'
    )
    shapes += polyline([(x - 34, y), (x - 7, y)], width=THIN) + polyline(
        [(x - 7, y - 11), (x - 7, y + 11)], width=3
    )
    shapes += polyline([(x - 7, y - 5), (x + 8, y - 14), (x + 8, y - 34)], width=THIN)
    shapes += polyline([(x - 7, y + 5), (x + 8, y + 14), (x + 8, y + 34)], width=THIN)
    shapes += f'<path d="M{x + 7:g} {y + 13:g} l-9 -1 l4 -6 Z" fill="{INK}"/>'
    shapes += text(x + 26, y - 2, part.name, size=11, bold=True) + text(
        x + 26, y + 12, "2N2222 or alike", size=10.5
    )
    legs = {"E": (x + 8, y + 34), "B": (x - 34, y), "C": (x + 8, y - 34)}
    return group(shapes + "".join(_leg(at, pin) for pin, at in legs.items()), part=part.name)


def buzzer(part: Part, x: float, y: float) -> str:
    """Return a buzzer, plus above."""
    shapes = polyline([(x, y - FAR), (x, y - 8), (x + 10, y - 8)], width=THIN)
    shapes += polyline([(x, y + FAR), (x, y + 8), (x + 10, y + 8)], width=THIN)
    shapes += f'<path d="M{x + 10:g} {y - 18:g} V{y + 18:g} A18 18 0 0 0 {x + 10:g} {y - 18:g} Z" fill="white" '
    shapes += f'stroke="{INK}" stroke-width="{THIN}"/>' + text(
        x - 8, y - 14, "+", size=13, anchor="middle"
    )
    shapes += text(x + 36, y - 2, part.name, size=11, bold=True) + text(
        x + 36, y + 12, "active, 3 V", size=10.5
    )
    return group(shapes + _leg((x, y - FAR), "plus") + _leg((x, y + FAR), "minus"), part=part.name)


def comparator(part: Part, x: float, y: float) -> str:
    """Return half an LM393: plus above, minus below, the output to the right, supplies above and below."""
    shapes = f'<path d="M{x - 36:g} {y - 40:g} V{y + 40:g} L{x + 36:g} {y:g} Z" fill="white" stroke="{INK}" '
    shapes += f'stroke-width="{THIN}"/>'
    legs = {
        "3": (x - 60, y - 20),
        "2": (x - 60, y + 20),
        "1": (x + 60, y),
        "8": (x, y - 50),
        "4": (x, y + 50),
    }
    for at, edge in (("3", (x - 36, y - 20)), ("2", (x - 36, y + 20)), ("1", (x + 36, y))):
        shapes += polyline([legs[at], edge], width=THIN)
    shapes += polyline([legs["8"], (x, y - 20)], width=THIN) + polyline(
        [legs["4"], (x, y + 20)], width=THIN
    )
    shapes += text(x - 30, y - 15, "+", size=16) + text(x - 30, y + 25, "-", size=18)
    shapes += text(x - 16, y - 3, part.name, size=11, bold=True) + text(
        x - 16, y + 10, "LM393", size=10
    )
    for pin, (dx, dy) in (("3", (-52, -25)), ("2", (-52, 15)), ("1", (46, -5))):
        shapes += text(x + dx, y + dy, pin, size=9.5)
    shapes += text(x + 5, y - 34, "8", size=9.5) + text(x + 5, y + 46, "4", size=9.5)
    return group(shapes + "".join(_leg(at, pin) for pin, at in legs.items()), part=part.name)


def tag(net: str, x: float, y: float, *, left: bool = False, words: str = "") -> str:
    """Return the name of a net at the end of a line: tags of one name are joined on all sheets. Supplies have
    symbols."""
    color = color_of(net)
    if net == SUPPLY:
        shapes = polyline([(x, y), (x, y - 12)], width=THIN) + polyline(
            [(x - 9, y - 12), (x + 9, y - 12)], color, 2.6
        )
        shapes += text(x, y - 17, net, size=10.5, anchor="middle", color=color, bold=True)
    elif net in (GROUND, ANALOG_GROUND):
        shapes = polyline([(x, y), (x, y + 8)], width=THIN)
        for width, down in ((11, 8), (7, 12), (3, 16)):
            shapes += polyline([(x - width, y + down), (x + width, y + down)], color, 2.2)
        if net == ANALOG_GROUND:
            shapes += text(x, y + 28, net, size=10, anchor="middle", color=color, bold=True)
    else:
        label = words or net
        length = 14 + 6.6 * len(label)
        side = -1 if left else 1
        shapes = f'<path d="M{x:g} {y:g} l{8 * side} -9 h{length * side:g} v18 h{-length * side:g} Z" fill="white" '
        shapes += f'stroke="{color}" stroke-width="1.5"/>'
        shapes += text(
            x + (8 + length / 2) * side,
            y + 4,
            label,
            size=11,
            anchor="middle",
            color=color,
            bold=True,
        )
    return f'<g class="tag" data-net="{net}"><circle class="end" cx="{x:g}" cy="{y:g}" r="1" fill="none"/>{shapes}</g>'


def wire(*points: Point) -> str:
    """Return a line of the schematic, which joins at its ends."""
    return polyline(list(points), width=THIN, kind="net")


def joint(x: float, y: float) -> str:
    """Return a dot: every line through it is joined."""
    return f'<circle class="joint" cx="{x:g}" cy="{y:g}" r="3.6" fill="{INK}"/>'


def poles_last(content: list[str]) -> list[str]:
    """Return the shapes with the terminals' poles last, on top of the lines that run to them."""
    return sorted(content, key=lambda shape: 'data-part="J' in shape)


def _rect(x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="white" stroke="{INK}" '
        f'stroke-width="{THIN}"/>'
    )


def _leg(at: Point, pin: str) -> str:
    return leg(at, pin, "none")


def _part(
    part: Part,
    shapes: str,
    legs: list[Point],
    x: float,
    y: float,
    upright: bool,
    words: Point | None,
    anchor: str = "start",
) -> str:
    """Return the symbol with name and value: to the right of an upright part, above a lying one."""
    value = _VALUES.get(part.value, part.value)
    if upright:
        dx, dy = words or (16, -2)
        shapes += text(x + dx, y + dy, part.name, size=11, bold=True, anchor=anchor)
        shapes += text(x + dx, y + dy + 13, value, size=10.5, anchor=anchor)
    else:
        dx, dy = words or (0, -11)
        shapes += text(x + dx, y + dy, f"{part.name}  {value}", size=11, anchor="middle", bold=True)
    return group(
        shapes + "".join(_leg(at, pin) for pin, at in zip(part.pins, legs, strict=True)),
        part=part.name,
    )


_VALUES = {
    "330": "330 ohm",
    "100": "100 ohm",
    "1k": "1 kohm",
    "1k5": "1.5 kohm",
    "4k7": "4.7 kohm",
    "10k": "10 kohm",
    "22k": "22 kohm",
    "33k": "33 kohm",
    "100k": "100 kohm",
    "10M": "10 Mohm",
    "1n": "1 nF",
    "100n": "100 nF",
    "LED": "in the lid",
}
