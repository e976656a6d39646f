"""The schematic, on three sheets: the Pico with lamp and buzzer, the contacts, the hit sensor."""

from __future__ import annotations

import itertools

from firmware_protocol.board.pins import PinMap
from hardware_docs.circuit import (
    ANALOG_GROUND,
    GROUND,
    PICO,
    SUPPLY,
    Circuit,
    Part,
    Pin,
    circuit,
    contacts,
    number_of,
    pairs,
)
from hardware_docs.pico import name_of, pin_of
from hardware_docs.svg import INK, QUIET, Point, box, group, leg, page, text
from hardware_docs.symbols import (
    buzzer,
    capacitor,
    comparator,
    diode,
    joint,
    led,
    piezo,
    poles_last,
    resistor,
    switch,
    tag,
    terminal,
    transistor,
    tvs,
    wire,
)

WIDTH = 1120
PIN_PITCH = 27


def _sheet(title: str, remark: str, height: int, content: list[str]) -> str:
    head = [text(30, 40, title, size=22, bold=True), text(30, 62, remark)]
    return page(WIDTH, height, title, head + poles_last(content))


def board_sheet(pins: PinMap) -> str:
    """Return the sheet of the Pico, the lamp and the buzzer."""
    netlist = circuit(pins)
    content = _pico(netlist)
    if "R51" in netlist.parts:
        content += _lamp(netlist, 780, 190)
    if "R52" in netlist.parts:
        content += _buzzer(netlist, 780, 480)
    remark = "A name in a frame joins all lines of that name, on every sheet. Pins without a line stay open."
    return _sheet("Schematic 1 of 3: Pico, lamp, buzzer", remark, 690, content)


def _pico(netlist: Circuit) -> list[str]:
    left, right, top = 300.0, 500.0, 110.0
    shapes = box(left, top - 22, right - left, 19 * PIN_PITCH + 44, fill="#f4f8f4")
    shapes += text(
        (left + right) / 2, top + 9 * PIN_PITCH, "U1", size=16, anchor="middle", bold=True
    )
    shapes += text((left + right) / 2, top + 9.8 * PIN_PITCH, "Pico", size=13, anchor="middle")
    outside: list[str] = []
    for pin in range(1, 41):
        if pin <= 20:
            x, y, side, anchor = left, top + (pin - 1) * PIN_PITCH, -1, "start"
        else:
            x, y, side, anchor = right, top + (40 - pin) * PIN_PITCH, 1, "end"
        shapes += wire_stub(x, y, side) + leg((x + 22 * side, y), str(pin), "none")
        shapes += text(x - 8 * side, y + 4, name_of(pin), size=10.5, anchor=anchor)
        shapes += text(x + 11 * side, y - 4, str(pin), size=9.5, anchor="middle", color=QUIET)
        net = netlist.net_of.get(Pin(PICO, str(pin)))
        if net is not None:
            outside += _pico_net(net, x + 22 * side, y, side)
    return [group(shapes, part=PICO), *outside]


def wire_stub(x: float, y: float, side: int) -> str:
    """Return the short line of a pin, part of its symbol."""
    return f'<path d="M{x:g} {y:g} h{22 * side}" stroke="{INK}" stroke-width="1.6"/>'


def _pico_net(net: str, x: float, y: float, side: int) -> list[str]:
    if net not in (SUPPLY, GROUND, ANALOG_GROUND):
        return [tag(net, x, y, left=side < 0)]
    # Supplies are further out, clear of the net names' frames above and below.
    length = 90 if net == GROUND else 120
    far = x + length * side
    return [wire((x, y), (far, y)), tag(net, far, y)]


def _lamp(netlist: Circuit, x: float, y: float) -> list[str]:
    parts = netlist.parts
    return [
        text(x - 60, y - 60, "Lamp", size=14, bold=True),
        tag("lamp", x, y, left=True),
        wire((x, y), (x + 20, y)),
        resistor(parts["R51"], x + 50, y, upright=False),
        wire((x + 80, y), (x + 120, y)),
        terminal(parts["J8"], "a", x + 120, y, "J8 +"),
        wire((x + 120, y), (x + 170, y), (x + 170, y + 20)),
        led(parts["LED1"], x + 170, y + 50),
        wire((x + 170, y + 80), (x + 170, y + 100), (x + 120, y + 100)),
        terminal(parts["J8"], "gnd", x + 120, y + 100, "J8 -"),
        wire((x + 120, y + 100), (x + 80, y + 100)),
        tag(GROUND, x + 80, y + 100),
    ]


def _buzzer(netlist: Circuit, x: float, y: float) -> list[str]:
    parts = netlist.parts
    c = x + 148
    top, low = y - 118, y - 34
    return [
        text(x - 60, y - 130, "Buzzer", size=14, bold=True),
        tag("buzzer", x, y, left=True),
        wire((x, y), (x + 20, y)),
        resistor(parts["R52"], x + 50, y, upright=False),
        wire((x + 80, y), (x + 106, y)),
        transistor(parts["Q1"], x + 140, y),
        wire((c, low), (c, y - 46)),
        joint(c, y - 46),
        wire((c, y - 46), (c, y - 50)),
        buzzer(parts["BZ1"], c, y - 80),
        wire((c, y - 110), (c, top)),
        joint(c, top),
        tag(SUPPLY, c, top),
        wire((c, top), (c - 70, top), (c - 70, y - 110)),
        diode(parts["D51"], c - 70, y - 80, left=True),
        wire((c - 70, y - 50), (c - 70, y - 46), (c, y - 46)),
        wire((c, y + 34), (c, y + 44)),
        tag(GROUND, c, y + 44),
    ]


def contacts_sheet(pins: PinMap) -> str:
    """Return the sheet of the contacts, each drawn in full."""
    netlist = circuit(pins)
    content: list[str] = []
    places = {name: at for at, name in enumerate(contacts(pins))}
    for number, names in enumerate(pairs(pins), start=1):
        for pole, name in zip("ab", names, strict=False):
            column, row = places[name] % 3, places[name] // 3
            content += _contact(
                netlist, pins, name, (f"J{number}", pole), 26 + column * 358, 92 + row * 214
            )
    remark = (
        "Soldered: every part. On the breadboard: the switch alone, between pin and GND. "
        "D1 to D12: TVS diodes P6KE6.8CA or SA5.0CA."
    )
    height = 92 + 214 * ((len(places) + 2) // 3) + 16
    return _sheet("Schematic 2 of 3: contacts", remark, height, content)


def _contact(
    netlist: Circuit, pins: PinMap, name: str, pole: tuple[str, str], x: float, y: float
) -> list[str]:
    parts, number = netlist.parts, number_of(name)
    y += 104
    node, lead, post, end = x + 96, x + 216, x + 262, x + 304
    low = y + 70
    gpio = pins.pin(name)
    terminal_part = parts[pole[0]]
    return [
        text(x, y - 56, f"GP{gpio}", size=11),
        text(x, y - 42, f"pin {pin_of(gpio)}", size=11),
        tag(name, node - 18, y, left=True),
        wire((node - 18, y), (node, y)),
        joint(node, y),
        wire((node, y), (node, y - 12)),
        resistor(parts[f"R{number}"], node, y - 42),
        tag(SUPPLY, node, y - 72),
        wire((node, y), (node, y + 10)),
        capacitor(parts[f"C{number}"], node, y + 40),
        tag(GROUND, node, low),
        wire((node, y), (node + 30, y)),
        resistor(parts[f"R{20 + number}"], node + 60, y, upright=False),
        wire((node + 90, y), (lead, y)),
        joint(lead, y),
        wire((lead, y), (lead, y + 10)),
        tvs(parts[f"D{number}"], lead, y + 40),
        joint(lead, low),
        tag(GROUND, lead, low),
        wire((lead, y), (post, y)),
        terminal(terminal_part, pole[1], post, y, f"{pole[0]} {pole[1]}"),
        wire((post, y), (end, y), (end, y + 10)),
        switch(parts[f"S{number}"], end, y + 40),
        wire((end, low), (post, low)),
        wire((post, low), (lead, low)),
        _ground_pole(terminal_part, pole[1], post, low),
    ]


def _ground_pole(part: Part, pole: str, x: float, y: float) -> str:
    """Return the ground pole that two contacts share; its leg is drawn with the first of them."""
    drawing = terminal(part, "gnd", x, y, "")
    if pole == "a":
        return drawing + text(x, y + 18, f"{part.name} gnd", size=10, anchor="middle")
    plain = (
        f'<circle cx="{x:g}" cy="{y:g}" r="4.5" fill="white" stroke="{INK}" stroke-width="1.6"/>'
    )
    return plain + text(x, y + 18, f"{part.name} gnd", size=10, anchor="middle")


def hit_sheet(pins: PinMap) -> str:
    """Return the sheet of the hit sensor; without a digital pin in the map the comparator is left out."""
    netlist = circuit(pins)
    content: list[str] = []
    height = 360
    if "PZ1" in netlist.parts:
        content += _piezo(netlist, 210.0)
    if "U2" in netlist.parts:
        content += _timing(netlist, 510.0)
        height = 710
    remark = "AGND is the Pico's pin 33; it is joined to GND inside the Pico and nowhere else."
    return _sheet("Schematic 3 of 3: hit sensor", remark, height, content)


def _piezo(netlist: Circuit, y: float) -> list[str]:
    parts = netlist.parts
    low = y + 100
    disc, bleed, p, filtered = 120.0, 290.0, 500.0, 720.0
    shapes = [
        piezo(parts["PZ1"], disc, y + 50),
        wire((disc, y + 20), (disc, y), (200, y)),
        terminal(parts["J7"], "a", 200, y, "J7 piezo"),
        wire((200, y), (bleed, y)),
        joint(bleed, y),
        wire((bleed, y), (bleed, y + 20)),
        resistor(parts["R41"], bleed, y + 50),
        wire((bleed, y), (360, y)),
        resistor(parts["R42"], 390, y, upright=False),
        wire((420, y), (p, y)),
        joint(p, y),
        wire((p, y), (p, y - 20)),
        diode(parts["D41"], p, y - 50),
        wire((p, y - 80), (p, y - 90)),
        tag(SUPPLY, p, y - 90),
        wire((p, y), (p, y + 20)),
        diode(parts["D42"], p, y + 50),
        wire((p, y), (590, y)),
        resistor(parts["R43"], 620, y, upright=False),
        wire((650, y), (filtered, y)),
        joint(filtered, y),
        wire((filtered, y), (filtered, y + 20)),
        capacitor(parts["C41"], filtered, y + 50),
        wire((filtered, y), (790, y)),
        tag("hit-adc", 790, y),
        text(790, y + 30, "to the Pico's analog input", size=11, color=QUIET),
    ]
    bottom: list[Point] = [(disc, low), (200, low), (bleed, low), (p, low), (filtered, low)]
    shapes += [wire((x, y + 80), (x, low)) for x in (disc, bleed, p, filtered)]
    shapes += [wire(start, end) for start, end in itertools.pairwise(bottom)]
    shapes += [joint(bleed, low), joint(p, low), tag(ANALOG_GROUND, p, low)]
    shapes.append(terminal(parts["J7"], "agnd", 200, low, "J7 AGND"))
    if "U2" in parts:
        shapes += [joint(p + 50, y), wire((p + 50, y), (p + 50, y - 24)), tag("P", p + 50, y - 24)]
    return shapes


def _timing(netlist: Circuit, y: float) -> list[str]:
    """Return the comparator, which is needed only for times of hits within 2 us."""
    parts = netlist.parts
    x, plus, minus, out = 560.0, y - 20, y + 20, 760.0
    node, divider = 430.0, 330.0
    return [
        text(30, y - 140, "Comparator, only for a time within 2 us", size=14, bold=True),
        text(30, y - 122, "left out on the breadboard and on the stripboard", size=11, color=QUIET),
        tag("P", 140, plus, left=True),
        wire((140, plus), (170, plus)),
        resistor(parts["R61"], 200, plus, upright=False),
        wire((230, plus), (node, plus)),
        joint(node, plus),
        wire((node, plus), (x - 60, plus)),
        comparator(parts["U2"], x, y),
        wire((x + 60, y), (out, y)),
        joint(out, y),
        wire((node, plus), (node, y - 100), (x - 30, y - 100)),
        resistor(parts["R62"], x, y - 100, upright=False),
        wire((x + 30, y - 100), (out - 60, y - 100), (out - 60, y)),
        joint(out - 60, y),
        wire((out, y), (out, y - 20)),
        resistor(parts["R65"], out, y - 50),
        tag(SUPPLY, out, y - 80),
        wire((out, y), (out + 40, y)),
        tag("hit", out + 40, y),
        wire((x - 60, minus), (divider, minus)),
        joint(divider, minus),
        wire((divider, minus), (divider - 90, minus)),
        resistor(parts["R63"], divider - 120, minus, upright=False),
        wire((divider - 150, minus), (80, minus)),
        tag(SUPPLY, 80, minus),
        wire((divider, minus), (divider, minus + 10)),
        resistor(parts["R64"], divider, minus + 40),
        tag(ANALOG_GROUND, divider, minus + 70),
        tag(SUPPLY, x, y - 50),
        tag(ANALOG_GROUND, x, y + 50),
        *_other_half(parts["U2"], 920, y),
        capacitor(parts["C61"], 660, y + 100),
        tag(SUPPLY, 660, y + 70),
        tag(ANALOG_GROUND, 660, y + 130),
        text(676, y + 124, "beside U2", size=10.5, color=QUIET),
    ]


def _other_half(part: Part, x: float, y: float) -> list[str]:
    shapes = f'<path d="M{x:g} {y + 64:g} v52 l46 -26 Z" fill="white" stroke="{INK}" stroke-width="1.6"/>'
    shapes += text(x - 8, y + 74, "5", size=9.5, anchor="end") + text(
        x - 8, y + 100, "6", size=9.5, anchor="end"
    )
    shapes += text(x + 52, y + 86, "7", size=9.5)
    shapes += (
        leg((x - 20, y + 78), "5", "none")
        + leg((x - 20, y + 104), "6", "none")
        + leg((x + 60, y + 90), "7", "none")
    )
    for x1, y1, x2 in ((x - 20, y + 78, x), (x - 20, y + 104, x), (x + 46, y + 90, x + 60)):
        shapes += f'<path d="M{x1:g} {y1:g} H{x2:g}" stroke="{INK}" stroke-width="1.6"/>'
    return [
        group(shapes, part=part.name),
        wire((x - 20, y + 78), (x - 20, y + 104)),
        joint(x - 20, y + 104),
        wire((x - 20, y + 104), (x - 20, y + 120)),
        tag(ANALOG_GROUND, x - 20, y + 120),
        text(x - 30, y + 56, "U2, the unused half", size=11),
    ]
