"""What is printed and cut: zone labels, seat cards (A4, millimetres), and the gun's cable."""

from __future__ import annotations

from firmware_protocol.board.pins import PinMap
from hardware_docs.svg import COLORS, GROUND, box, group, labelled, line, page, text

A4 = (210, 297)
# 12-core cable is stiff; six cores of 0.14 mm2 bend.
CORES = (
    ("trigger", "red", "switch NO"),
    ("GND", "black", "switch C"),
    ("piezo +", "white", "disc's middle; inner of the screened pair"),
    ("AGND", "screen", "disc's rim; screen of the pair, joined at the board only"),
    ("sense", "green", "bridged to GND inside the gun's half of the plug"),
    ("GND", "brown", "bridge of the sense line"),
)


def zones(pins: PinMap) -> list[int]:
    """The numbers of the zone buttons in the map."""
    return [int(channel.name.removeprefix("zone-")) for channel in pins.channels if channel.name.startswith("zone-")]


def zone_labels(pins: PinMap) -> str:
    """A label for each button and each end of its lead: number, GPIO; the outlines are where to cut."""
    content: list[str] = []
    for place, zone in enumerate(zones(pins)):
        x, y = 10 + (place % 2) * 97, 12 + (place // 2) * 54
        shapes = box(x, y, 45, 45) + text(x + 22.5, y + 30, str(zone), size=26, anchor="middle")
        shapes += text(x + 22.5, y + 41, f"zone-{zone}", size=5, anchor="middle")
        gpio = pins.pin(f"zone-{zone}")
        shapes += box(x + 48, y, 42, 12) + text(x + 69, y + 8, f"zone-{zone}  GP{gpio}", size=5, anchor="middle")
        content.append(group(shapes, zone=zone, gpio=gpio))
    return page(*A4, "Zone labels", content, "mm")


def seat_cards(pins: PinMap) -> str:
    """A card to fold for each seat: its zone, a line for the name, and how a button is worked."""
    content: list[str] = []
    for place, zone in enumerate(zones(pins)):
        x, y = 10 + (place % 2) * 97, 8 + (place // 2) * 57
        shapes = box(x, y, 90, 52) + text(x + 6, y + 20, str(zone), size=18)
        shapes += line(x + 32, y + 20, x + 84, y + 20, width=0.3) + text(x + 32, y + 26, "name", size=4)
        shapes += text(x + 6, y + 36, "tap: press and let go", size=4)
        shapes += text(x + 6, y + 42, "hold: keep it down for 0.6 s", size=4)
        shapes += text(x + 6, y + 48, "what they mean: see the screen's foot", size=4)
        content.append(group(shapes, zone=zone))
    return page(*A4, "Seat cards", content, "mm")


def gun_cable() -> str:
    """The cores from board to gun, and where the plug breaks away."""
    content = [
        text(450, 34, "The gun's cable", size=18, anchor="middle"),
        labelled(30, 70, 130, "board: J1"),
        labelled(280, 70, 220, "break-away plug, 1 m from the gun"),
        labelled(560, 70, 120, "gun"),
    ]
    for place, (name, core, there) in enumerate(CORES):
        y = 115 + place * 34
        color = COLORS["trigger"] if name == "trigger" else COLORS["hit"] if "piezo" in name else GROUND
        far = 390 if name == "sense" or core == "brown" else 560
        shapes = text(30, y + 4, name) + line(160, y, far, y, color) + text(180, y - 5, core, size=10)
        shapes += text(far + 8, y + 4, there, size=11)
        content.append(group(shapes, core=name))
    content += [
        line(390, 115 + 4 * 34, 390, 115 + 5 * 34, GROUND, 3),
        text(
            30,
            340,
            "Strain relief at both ends: a knot or a cable tie behind the hole, never the solder joint.",
            size=12,
        ),
        text(
            30,
            360,
            "The plug is the weakest place on purpose: it lets go before the cable pulls the board off the table.",
        ),
    ]
    return page(900, 380, "The gun's cable", content)
