"""The wiring drawings, generated from one netlist and the firmware's own pin map.

`python -m hardware_docs.drawings` writes them; with a `pins.json` and a new folder, those of another wiring.
"""

from __future__ import annotations

import sys
from pathlib import Path

from firmware_protocol.board.pins import PinMap, parse_pins
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


def write(folder: Path, drawings: dict[str, str]) -> None:
    """Write the drawings, and remove others from the folder."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.svg"):
        if old.name not in drawings:
            old.unlink()
    for name, drawing in drawings.items():
        (folder / name).write_text(drawing, encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Write the default wiring into this folder, or that of a pins.json into a new one."""
    if not arguments:
        write(FOLDER, all_drawings())
        return
    if len(arguments) != 2 or Path(arguments[1]).exists():
        raise SystemExit("Name no file, or a pins.json and a folder that does not exist yet.")
    pins = parse_pins(Path(arguments[0]).read_text(encoding="utf-8"))
    write(Path(arguments[1]), all_drawings(pins))


if __name__ == "__main__":
    main(sys.argv[1:])
