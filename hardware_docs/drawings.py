"""The wiring drawings, made from one netlist and the firmware's own pin map: `python -m hardware_docs.drawings`."""

from __future__ import annotations

from pathlib import Path

from firmware_protocol.board.pins import PinMap
from hardware_docs.breadboard import breadboard
from hardware_docs.circuit import drawn_pins
from hardware_docs.gun_cable import gun_cable
from hardware_docs.labels import seat_cards, zone_labels
from hardware_docs.schematic import board_sheet, contacts_sheet, hit_sheet
from hardware_docs.stripboard import copper_side, stripboard

FOLDER = Path(__file__).parent / "drawings"


def all_drawings(pins: PinMap | None = None) -> dict[str, str]:
    """Return every drawing by its file name."""
    pins = drawn_pins() if pins is None else pins
    return {
        "breadboard.svg": breadboard(pins),
        "stripboard.svg": stripboard(pins),
        "stripboard-cuts.svg": copper_side(pins),
        "schematic-pico.svg": board_sheet(pins),
        "schematic-contacts.svg": contacts_sheet(pins),
        "schematic-hit-sensor.svg": hit_sheet(pins),
        "gun-cable.svg": gun_cable(pins),
        "zone-labels.svg": zone_labels(pins),
        "seat-cards.svg": seat_cards(pins),
    }


def main() -> None:
    """Write them, and remove drawings that are made no more."""
    FOLDER.mkdir(exist_ok=True)
    drawings = all_drawings()
    for old in FOLDER.glob("*.svg"):
        if old.name not in drawings:
            old.unlink()
    for name, drawing in drawings.items():
        (FOLDER / name).write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
