"""The legend of a drawing: the color of each wire."""

from __future__ import annotations

from hardware_docs.svg import COLORS, polyline, text

WORDS = {
    "3V3": "3.3 V",
    "GND": "ground",
    "AGND": "piezo's ground, AGND",
    "plug": "sense line",
    "zone": "zones, odd",
    "zone (even)": "zones, even",
    "piezo": "hit sensor",
}


def legend(x: float, y: float, names: list[str]) -> list[str]:
    """Return one line of color samples with their labels."""
    shapes = [text(x, y + 4, "Wires:", size=12, bold=True)]
    x += 56
    for name in names:
        label = WORDS.get(name, name)
        shapes.append(polyline([(x, y), (x + 24, y)], COLORS[name], 4))
        shapes.append(text(x + 30, y + 4, label, size=11.5))
        x += 30 + 5.8 * len(label) + 14
    return shapes
