"""Sheets to print and cut: zone labels and seat cards (A4, millimetres)."""

from __future__ import annotations

from firmware_protocol.board.pins import PinMap
from firmware_protocol.messages import ROLE_ZONE
from hardware_docs.svg import box, group, line, page, text

A4 = (210, 297)


def zones(pins: PinMap) -> list[int]:
    """Return the numbers of the zone buttons in the map."""
    return [channel.index for channel in pins.channels if channel.role == ROLE_ZONE]


def zone_labels(pins: PinMap) -> str:
    """Return a label for each button and each end of its lead, with number and GPIO; cut along the outlines."""
    content: list[str] = []
    for place, zone in enumerate(zones(pins)):
        x, y = 10 + (place % 2) * 97, 12 + (place // 2) * 54
        shapes = box(x, y, 45, 45) + text(x + 22.5, y + 30, str(zone), size=26, anchor="middle")
        shapes += text(x + 22.5, y + 41, f"zone-{zone}", size=5, anchor="middle")
        gpio = pins.pin(f"zone-{zone}")
        shapes += box(x + 48, y, 42, 12) + text(
            x + 69, y + 8, f"zone-{zone}  GP{gpio}", size=5, anchor="middle"
        )
        content.append(group(shapes, zone=zone, gpio=gpio))
    return page(*A4, "Zone labels", content, "mm")


def seat_cards(pins: PinMap) -> str:
    """Return a folding card for each seat: its zone, a line for the name, and how to use a button."""
    content: list[str] = []
    for place, zone in enumerate(zones(pins)):
        x, y = 10 + (place % 2) * 97, 8 + (place // 2) * 57
        shapes = box(x, y, 90, 52) + text(x + 6, y + 20, str(zone), size=18)
        shapes += line(x + 32, y + 20, x + 84, y + 20, width=0.3) + text(
            x + 32, y + 26, "name", size=4
        )
        shapes += text(x + 6, y + 36, "tap: press and let go", size=4)
        shapes += text(x + 6, y + 42, "hold: keep it down for 0.6 s", size=4)
        shapes += text(x + 6, y + 48, "what they mean: see the screen's foot", size=4)
        content.append(group(shapes, zone=zone))
    return page(*A4, "Seat cards", content, "mm")
