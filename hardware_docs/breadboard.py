"""The breadboard: 830 holes, the Pico over the middle gap, bare contacts, hit sensor, lamp and buzzer."""

from __future__ import annotations

import itertools
import re

from firmware_protocol.board.pins import PinMap
from hardware_docs.bodies import Label, draw_part
from hardware_docs.circuit import (
    ANALOG_GROUND,
    GROUND,
    PICO,
    SUPPLY,
    Circuit,
    circuit,
    contacts,
    number_of,
)
from hardware_docs.legend import legend
from hardware_docs.pico import AGND, SUPPLY_PIN, name_of, pin_of
from hardware_docs.svg import (
    COLORS,
    QUIET,
    Point,
    box,
    color_of,
    dot,
    group,
    insulated,
    leg,
    page,
    polyline,
    text,
)

PITCH = 16.0
LEFT, TOP = 70.0, 236.0
WIDTH, HEIGHT = 1150, 812
COLUMNS = 63
# Each row's distance from row j, in holes. The gap between e and f, three holes wide, is under the Pico.
ROWS = {"j": 0, "i": 1, "h": 2, "g": 3, "f": 4, "e": 7, "d": 8, "c": 9, "b": 10, "a": 11}
RAILS = {"-top": -4, "+top": -3, "+bottom": 14, "-bottom": 15}
PICO_COLUMN = 6
BUTTONS_Y = 640.0


def hole(column: int, row: str) -> Point:
    """Return the middle of a hole; `row` is a letter or a rail."""
    steps = RAILS[row] if row in RAILS else ROWS[row]
    return LEFT + (column - 1) * PITCH, TOP + steps * PITCH


def has_rail_hole(column: int) -> bool:
    """Return whether the rails have a hole in this column: they come in groups of five."""
    return 3 <= column <= 61 and (column - 3) % 6 != 5


def pico_place(pin: int) -> tuple[int, str]:
    """Return the column and row of a pin.

    USB is to the left, so 1 to 20 are below and 40 to 21 above.
    """
    if pin <= 20:
        return PICO_COLUMN + pin, "c"
    return PICO_COLUMN + 41 - pin, "h"


def breadboard(pins: PinMap) -> str:
    """Return the drawing."""
    parts = circuit(pins).bare()
    content = [
        text(LEFT - 34, 40, "Table board on a breadboard", size=22, bold=True),
        text(
            LEFT - 34,
            62,
            "Bare contacts, for leads of up to half a metre. Not yet built by anybody: confirmed.md",
        ),
        *_board(),
        _pico(),
        *_supply_wires(),
    ]
    if "PZ1" in parts.parts:
        content += _hit_sensor(parts)
    if "LED1" in parts.parts:
        content += _lamp(parts, pins)
    if "BZ1" in parts.parts:
        content += _buzzer(parts, pins)
    content += _contacts(parts, pins)
    content += _column_numbers(content)
    content += legend(LEFT - 34, 786, list(COLORS))
    return page(WIDTH, HEIGHT, "Wiring of the table board on a breadboard", content)


def _board() -> list[str]:
    width = (COLUMNS + 1) * PITCH + 4
    height = (RAILS["-bottom"] - RAILS["-top"] + 2.4) * PITCH
    shapes = [box(LEFT - 18, TOP - 5.2 * PITCH, width, height, fill="#f7f5ef", color="#b9b4a6")]
    gap = TOP + 4.7 * PITCH
    shapes.append(
        f'<rect x="{LEFT - 18:g}" y="{gap:g}" width="{width:g}" height="{1.6 * PITCH:g}" fill="#e9e5da"/>'
    )
    for rail, steps in RAILS.items():
        y = TOP + steps * PITCH
        color = color_of(SUPPLY) if rail[0] == "+" else "#1565c0"
        # The printed line runs beside its holes, outwards.
        aside = -8 if rail in ("-top", "+bottom") else 8
        shapes.append(
            polyline([(LEFT + 24, y + aside), (LEFT + 61 * PITCH, y + aside)], color, 1.2)
        )
        for x in (LEFT - 2, LEFT + 62 * PITCH):
            shapes.append(text(x, y + 5, rail[0], size=15, anchor="middle", color=color, bold=True))
        for column in range(1, COLUMNS + 1):
            if has_rail_hole(column):
                shapes.append(_hole(hole(column, rail), "rail"))
    for row in ROWS:
        x, y = hole(1, row)
        shapes += [text(x - 11, y + 3.5, row, size=9.5, anchor="middle", color=QUIET)]
        shapes += [_hole(hole(column, row), "hole") for column in range(1, COLUMNS + 1)]
    return shapes


def _column_numbers(content: list[str]) -> list[str]:
    """Return the numbers above and below the rows, except where a wire runs."""
    wires = re.findall(r'class="wire" d="([^"]+)"', "".join(content))
    shapes: list[str] = []
    for column in (1, *range(5, COLUMNS + 1, 5)):
        for row, aside in (("j", -9), ("a", 16)):
            x, y = hole(column, row)
            is_covered = any(_passes(wire, x, y + aside - 3) for wire in wires)
            if not is_covered:
                shapes.append(
                    text(x, y + aside, str(column), size=9.5, anchor="middle", color=QUIET)
                )
    return shapes


def _passes(path: str, x: float, y: float) -> bool:
    """Return whether a wire of straight pieces comes near a point."""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
    corners = list(zip(numbers[::2], numbers[1::2], strict=True))
    for (x1, y1), (x2, y2) in itertools.pairwise(corners):
        if min(x1, x2) - 9 < x < max(x1, x2) + 9 and min(y1, y2) - 6 < y < max(y1, y2) + 6:
            return True
    return False


def _hole(at: Point, kind: str) -> str:
    return f'<circle class="{kind}" cx="{at[0]:g}" cy="{at[1]:g}" r="2.6" fill="#6d6a62"/>'


def _pico() -> str:
    x1, y1 = hole(*pico_place(40))
    x2, y2 = hole(*pico_place(20))
    shapes = box(x1 - 14, y1 - 12, x2 - x1 + 28, y2 - y1 + 24, fill="#2e7d4f")
    shapes += box(x1 - 50, (y1 + y2) / 2 - 16, 36, 32, fill="#cfd3d7")
    shapes += text(x1 - 32, (y1 + y2) / 2 + 4, "USB", size=10, anchor="middle")
    shapes += text(
        (x1 + x2) / 2,
        (y1 + y2) / 2 + 5,
        "Raspberry Pi Pico",
        size=13,
        anchor="middle",
        color="white",
    )
    for pin in range(1, 41):
        at = hole(*pico_place(pin))
        name = name_of(pin).removesuffix("(OUT)").replace("ADC_VREF", "VREF")
        turn = f'transform="rotate(-90 {at[0]:g} {at[1]:g})"'
        if pin <= 20:
            label = text(at[0] + 8, at[1] + 3, f"{pin} {name}", size=9.5, color="white")
        else:
            label = text(
                at[0] - 8, at[1] + 3, f"{name} {pin}", size=9.5, anchor="end", color="white"
            )
        shapes += dot(*at, "#e0c068", 4.2) + f"<g {turn}>{label}</g>" + leg(at, str(pin))
    return group(shapes, part=PICO)


def _lane(top: bool, number: float) -> float:
    """Return the height of a lane for wires between the holes and the rails."""
    if top:
        return TOP - (0.95 + number) * PITCH
    return TOP + (ROWS["a"] + 0.95 + number) * PITCH


def _to_rail(column: int, row: str, rail: str, color: str) -> str:
    """Return a jumper from a hole to a rail's hole in the same column, routed past the holes of the nearer rail."""
    rail_column = column if has_rail_hole(column) else column + 1
    start, end = hole(column, row), hole(rail_column, rail)
    if rail.startswith("+"):
        return insulated([start, end], color)
    aside = start[0] + PITCH / 2
    inward = -PITCH * 0.7 if start[1] < end[1] else PITCH * 0.7
    return insulated([start, (aside, start[1] - inward), (aside, end[1] + inward), end], color)


def _supply_wires() -> list[str]:
    black, red = color_of(GROUND), color_of(SUPPLY)
    (supply, _), (ground, _), (low, _) = pico_place(SUPPLY_PIN), pico_place(38), pico_place(3)
    wires = [
        _to_rail(supply, "j", "+top", red),
        _to_rail(ground, "j", "-top", black),
        _to_rail(low, "a", "-bottom", black),
    ]
    for column, sign, color, aside, down in (
        (61, "+", red, 1.1, PITCH / 2),
        (60, "-", black, 1.8, -PITCH / 2),
    ):
        x = LEFT + (62 + aside) * PITCH
        start, end = hole(column, f"{sign}top"), hole(column, f"{sign}bottom")
        bend = [
            (start[0] + 8, start[1] + down),
            (x, start[1] + down),
            (x, end[1] - down),
            (end[0] + 8, end[1] - down),
        ]
        wires.append(insulated([start, *bend, end], color))
    return wires


def _hit_sensor(parts: Circuit) -> list[str]:
    a, ground, p, live, ground2 = 32, 35, 39, 44, 50
    adc = parts.pin_of_pico("hit-adc")
    agnd, color, piezo = hole(pico_place(AGND)[0], "j"), color_of(ANALOG_GROUND), color_of("piezo")
    from_adc, to_adc = hole(pico_place(int(adc.name))[0], "j"), hole(a, "j")
    to_ground = hole(ground, "j")
    gap, start, end = TOP + 5.5 * PITCH, hole(ground, "f"), hole(ground2, "f")
    shapes = [
        insulated(
            [agnd, (agnd[0], _lane(True, 0.75)), (to_ground[0], _lane(True, 0.75)), to_ground],
            color,
        ),
        insulated(
            [from_adc, (from_adc[0], _lane(True, 0)), (to_adc[0], _lane(True, 0)), to_adc], piezo
        ),
        insulated([start, (start[0], gap), (end[0], gap), end], color),
    ]
    places: list[tuple[str, dict[str, Point], Label]] = [
        ("C41", {"1": hole(a, "h"), "2": hole(ground, "h")}, Label(0, 17)),
        ("R43", {"1": hole(p, "i"), "2": hole(a, "i")}, Label(0, -8)),
        ("D42", {"A": hole(ground, "g"), "K": hole(p, "g")}, Label(-2, 17)),
        ("D41", {"A": hole(p, "j"), "K": hole(p, "+top")}, Label(8, -14, "start")),
        ("R42", {"1": hole(live, "h"), "2": hole(p, "h")}, Label(0, -8)),
        ("R41", {"1": hole(live, "g"), "2": hole(ground2, "g")}, Label(0, 16)),
    ]
    (x1, y1), (x2, _) = hole(live, "-top"), hole(ground2, "-top")
    middle, rim = ((x1 + x2) / 2 - 16, y1 - 62), ((x1 + x2) / 2 + 16, y1 - 62)
    shapes.append(insulated([hole(live, "j"), (x1, y1 - 24), (middle[0], y1 - 40), middle], piezo))
    shapes.append(insulated([hole(ground2, "j"), (x2, y1 - 24), (rim[0], y1 - 40), rim], color))
    places.append(("PZ1", {"middle": middle, "rim": rim}, Label(34, -22, "start")))
    for name, legs, label in places:
        shapes.append(draw_part(parts.parts[name], legs, label))
    shapes.append(text((x1 + x2) / 2 + 34, y1 - 68, "in the gun, through its cable", size=11))
    x, y = hole(p, "f")
    shapes.append(text(x + 12, y + 4, "P", size=13, anchor="middle", bold=True, halo=True))
    return shapes


def _from_pico(pin: int, lane: float, to: Point, color: str) -> str:
    """Return a wire from a pin to a hole of row a, in a lane below it.

    From the upper side it goes round the Pico's end.
    """
    column, row = pico_place(pin)
    low = _lane(False, lane)
    if row == "c":
        start = hole(column, "a")
        return insulated([start, (start[0], low), (to[0], low), to], color)
    start = hole(column, "j")
    aside = hole(PICO_COLUMN + 22, "a")[0] + PITCH / 2 * (1 + 2 * lane)
    high = _lane(True, 1.4 - lane / 8)
    return insulated(
        [start, (start[0], high), (aside, high), (aside, low), (to[0], low), to], color
    )


def _lamp(parts: Circuit, pins: PinMap) -> list[str]:
    start, anode, cathode = 31, 35, 38
    wire = _from_pico(pin_of(pins.pin("lamp")), 0, hole(start, "a"), color_of("lamp"))
    return [
        wire,
        draw_part(parts.parts["R51"], {"1": hole(start, "c"), "2": hole(anode, "c")}, Label(0, -8)),
        draw_part(
            parts.parts["LED1"], {"A": hole(anode, "d"), "K": hole(cathode, "d")}, Label(0, -16)
        ),
        _to_rail(cathode, "a", "-bottom", color_of(GROUND)),
    ]


def _buzzer(parts: Circuit, pins: PinMap) -> list[str]:
    start, emitter, base, collector, cathode, minus, plus = 41, 44, 45, 46, 49, 54, 57
    wire = _from_pico(pin_of(pins.pin("buzzer")), 0.75, hole(start, "a"), color_of("buzzer"))
    (x1, y1), (x2, _) = hole(collector, "e"), hole(minus, "e")
    gap = y1 - PITCH
    legs = {"E": hole(emitter, "d"), "B": hole(base, "d"), "C": hole(collector, "d")}
    return [
        wire,
        draw_part(
            parts.parts["R52"], {"1": hole(start, "b"), "2": hole(base, "b")}, Label(-16, 17)
        ),
        insulated([(x1, y1), (x1, gap), (x2, gap), (x2, y1)], color_of("buzzer")),
        draw_part(parts.parts["Q1"], legs, Label(-30, 0, "end")),
        _to_rail(emitter, "a", "-bottom", color_of(GROUND)),
        draw_part(
            parts.parts["D51"],
            {"A": hole(collector, "c"), "K": hole(cathode, "c")},
            Label(6, 17, "middle"),
        ),
        _to_rail(cathode, "a", "+bottom", color_of(SUPPLY)),
        draw_part(
            parts.parts["BZ1"], {"plus": hole(plus, "c"), "minus": hole(minus, "c")}, Label(0, 22)
        ),
        _to_rail(plus, "a", "+bottom", color_of(SUPPLY)),
    ]


def _contacts(parts: Circuit, pins: PinMap) -> list[str]:
    """Return each contact with the two cores of its lead, which leave side by side and never cross."""
    names = contacts(pins)
    starts = _starts(names, pins)
    step = (WIDTH - 70) / max(len(names), 1)
    ends: list[tuple[list[Point], float, str]] = []
    for place, name in enumerate(names):
        middle = 35 + step * (place + 0.5)
        signal, ground = starts[name]
        ends.append((ground, middle - 10, GROUND))
        ends.append((signal, middle + 10, name))
    # Wires that go left get deeper lanes from left to right, those that go right the other way round: none cross.
    lefts: list[int] = []
    rights: list[int] = []
    for at, (path, x, _) in enumerate(ends):
        if x < path[-1][0]:
            lefts.append(at)
        else:
            rights.append(at)
    depth: dict[int, int] = {}
    for order in (lefts, rights[::-1]):
        for lane, at in enumerate(order):
            depth[at] = lane
    top = hole(1, "-bottom")[1] + 1.6 * PITCH
    shapes: list[str] = []
    for at, (path, x, net) in enumerate(ends):
        y = top + depth[at] * 6.5
        shapes.append(insulated([*path, (path[-1][0], y), (x, y), (x, BUTTONS_Y)], color_of(net)))
    for place, name in enumerate(names):
        middle = 35 + step * (place + 0.5)
        part = parts.parts[f"S{number_of(name)}"]
        legs = {"1": (middle + 10, BUTTONS_Y), "2": (middle - 10, BUTTONS_Y)}
        shapes.append(draw_part(part, legs, Label(0, 60)))
        role = {"trigger": "switch in the gun", "plug": "bridge in the plug"}.get(name, "button")
        shapes.append(text(middle, BUTTONS_Y + 76, role, size=9.5, anchor="middle", color=QUIET))
    return shapes


def _starts(names: list[str], pins: PinMap) -> dict[str, tuple[list[Point], list[Point]]]:
    """Return where the cores of each lead begin: the signal's path down from its hole, and the ground's hole."""
    starts: dict[str, tuple[list[Point], list[Point]]] = {}
    used: set[int] = {pico_place(3)[0]}
    round_the_end = 0
    for name in names:
        column, row = pico_place(pin_of(pins.pin(name)))
        below = hole(1, "-bottom")[1] + 0.6 * PITCH
        if row == "c":
            x, y = hole(column, "a")
            path = [(x, y), (x + PITCH / 2, y + 0.7 * PITCH), (x + PITCH / 2, below)]
        else:
            round_the_end += 1
            x, y = hole(column, "j")
            aside = hole(PICO_COLUMN + 22 + round_the_end, "a")[0] + PITCH / 2
            high = _lane(True, 0.2 * round_the_end)
            path = [(x, y), (x, high), (aside, high), (aside, below)]
        wanted = round((path[-1][0] - LEFT) / PITCH + 0.5)
        ground = _nearest_free(wanted, used)
        used.add(ground)
        starts[name] = (path, [hole(ground, "-bottom")])
    return starts


def _nearest_free(wanted: int, used: set[int]) -> int:
    """Return the column of the nearest unused rail hole."""
    free = [
        column for column in range(1, COLUMNS + 1) if has_rail_hole(column) and column not in used
    ]
    return min(free, key=lambda column: abs(column - wanted))
