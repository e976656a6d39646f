"""The gun's cable: from the board's terminals through the break-away plug to switch and piezo."""

from __future__ import annotations

import itertools

from firmware_protocol.board.pins import PinMap
from hardware_docs.circuit import Circuit, Pin, circuit, lead_of
from hardware_docs.svg import INK, QUIET, box, color_of, group, leg, page, polyline, text
from hardware_docs.symbols import joint, piezo, poles_last, switch, terminal, wire

WIDTH, HEIGHT = 1120, 560
BOARD, PLUG, BRIDGE, GUN = 150.0, 470.0, 560.0, 930.0
TRIGGER, RETURN, SENSE, LIVE, RIM, SCREEN = 140.0, 200.0, 260.0, 330.0, 390.0, 440.0
# (number, row, net, core in the cable) of each pole of the plug
CORES = (
    ("1", TRIGGER, "trigger", "red core"),
    ("2", RETURN, "GND", "black core"),
    ("3", SENSE, "plug", "green core"),
    ("4", LIVE, "piezo", "white core of the screened pair"),
    ("5", RIM, "AGND", "brown core of the screened pair"),
    ("6", SCREEN, "AGND", "screen of the pair"),
)


def gun_cable(pins: PinMap) -> str:
    """Return the drawing; an empty page if the map lacks the trigger, the piezo or the sense line."""
    netlist = circuit(pins)
    content = [
        text(30, 40, "The gun's cable", size=22, bold=True),
        text(
            30, 62, "Each line is one core; a dot joins two. Not yet built by anybody: confirmed.md"
        ),
    ]
    if "X1" in netlist.parts:
        content += _grounds() + _lines(netlist)
    return page(WIDTH, HEIGHT, "The gun's cable", poles_last(content))


def _grounds() -> list[str]:
    """Return the boxes in the background: board, the plug's two halves, gun, and the screen around its pair."""
    shapes = []
    for x, width, title in (
        (40, 140, "board"),
        (400, 110, "board's half"),
        (510, 120, "gun's half"),
        (852, 228, "gun"),
    ):
        shapes.append(box(x, 92, width, 372, fill="#f5f7fa", color="#9aa5b1"))
        shapes.append(text(x + width / 2, 110, title, size=12, anchor="middle", color=QUIET))
    shapes.append(
        text(
            510,
            86,
            "break-away plug X1, about 1 m from the gun",
            size=12,
            anchor="middle",
            bold=True,
        )
    )
    for x1, x2 in ((196, 392), (640, 840)):
        shapes.append(
            f'<rect x="{x1}" y="{LIVE - 22:g}" width="{x2 - x1}" height="{RIM - LIVE + 36:g}" rx="14" fill="none" '
            f'stroke="{color_of("AGND")}" stroke-width="2" stroke-dasharray="6 4"/>'
        )
    notes = (
        "The screen is joined to AGND at the board alone. In the gun it ends, cut short and insulated: "
        "joined to the disc's rim as well,",
        "it would carry part of the disc's current and form a loop.",
        "Strain relief at both ends: a knot or a cable tie behind the hole takes the pull, never the solder joint. "
        "The plug lets go first.",
    )
    return shapes + [text(40, 496 + 20 * at, note, size=12) for at, note in enumerate(notes)]


def _terminal_pole(netlist: Circuit, net: str) -> Pin:
    """Return the terminal's pole on a lead's net."""
    for pin, other in netlist.net_of.items():
        if other == net and pin.part.startswith("J"):
            return pin
    raise ValueError(f"no terminal is on {net}")


def _lines(netlist: Circuit) -> list[str]:
    parts = netlist.parts
    trigger, sense = (
        _terminal_pole(netlist, lead_of("trigger")),
        _terminal_pole(netlist, lead_of("plug")),
    )
    shapes = [
        terminal(parts[trigger.part], trigger.name, BOARD, TRIGGER, f"{trigger.part} trigger"),
        terminal(parts[trigger.part], "gnd", BOARD, RETURN, f"{trigger.part} GND"),
        terminal(parts[sense.part], sense.name, BOARD, SENSE, f"{sense.part} plug"),
        terminal(parts["J7"], "a", BOARD, LIVE, "J7 piezo"),
        terminal(parts["J7"], "agnd", BOARD, RIM, "J7 AGND"),
        switch(parts["S11"], GUN, (TRIGGER + RETURN) / 2),
        _bridge(),
        piezo(parts["PZ1"], GUN, (LIVE + RIM) / 2),
        joint(BRIDGE, RETURN),
        joint(BOARD + 20, RIM),
    ]
    starts = {
        TRIGGER: BOARD,
        RETURN: BOARD,
        SENSE: BOARD,
        LIVE: BOARD,
        RIM: BOARD + 20,
        SCREEN: BOARD + 20,
    }
    ends = {
        TRIGGER: [GUN],
        RETURN: [BRIDGE, GUN],
        SENSE: [BRIDGE],
        LIVE: [GUN],
        RIM: [GUN],
        SCREEN: [600.0],
    }
    for pole, y, net, core in CORES:
        color = color_of(net)
        stops = [starts[y], PLUG, *ends[y]]
        for start, end in itertools.pairwise(stops):
            shapes.append(polyline([(start, y), (end, y)], color, 3, kind="net"))
        shapes.append(text(205, y - 7, core, size=11, color=QUIET))
        shapes.append(group(_pole(pole, y), part="X1"))
    shapes.append(wire((BOARD, RIM), (BOARD + 20, RIM)))
    shapes.append(
        polyline([(BOARD + 20, RIM), (BOARD + 20, SCREEN)], color_of("AGND"), 3, kind="net")
    )
    shapes.append(_screen_in_the_gun())
    shapes.append(
        text(GUN + 12, TRIGGER - 6, "NO", size=10) + text(GUN + 12, RETURN + 14, "C", size=10)
    )
    return shapes


def _pole(number: str, y: float) -> str:
    shapes = (
        f'<circle cx="{PLUG:g}" cy="{y:g}" r="8" fill="white" stroke="{INK}" stroke-width="1.6"/>'
    )
    shapes += text(PLUG, y + 4, number, size=10.5, anchor="middle", bold=True)
    return shapes + leg((PLUG, y), number, "none")


def _bridge() -> str:
    """Return the wire inside the gun's half that closes the sense line while the plug is in."""
    shapes = polyline([(BRIDGE, RETURN), (BRIDGE, SENSE)], INK, 4)
    shapes += text(BRIDGE + 10, (RETURN + SENSE) / 2, "S12", size=11, bold=True)
    shapes += text(BRIDGE + 10, (RETURN + SENSE) / 2 + 13, "bridge", size=10.5)
    return group(
        shapes + leg((BRIDGE, SENSE), "1", "none") + leg((BRIDGE, RETURN), "2", "none"), part="S12"
    )


def _screen_in_the_gun() -> str:
    """Return the screen beyond the plug: a conductor whose far end is open."""
    color = color_of("AGND")
    shapes = (
        f'<path d="M600 {SCREEN:g} H834" stroke="{color}" stroke-width="3" stroke-dasharray="8 5"/>'
    )
    shapes += f'<path d="M834 {SCREEN - 9:g} v18" stroke="{INK}" stroke-width="3"/>'
    shapes += text(834, SCREEN + 20, "ends here, insulated", size=11, anchor="end")
    return group(
        shapes + leg((600, SCREEN), "plug", "none") + leg((834, SCREEN), "gun", "none"), part="SCR"
    )
