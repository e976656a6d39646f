"""SVG by hand: the few shapes from which the drawings and labels of this folder are built."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]

INK = "#1a1a1a"
QUIET = "#5f6368"
GROUND = "#1a1a1a"
SUPPLY = "#d32f2f"
ANALOG_GROUND = "#8d6e63"
# The color of each net's wires. Zones alternate between two blues, so that neighbours can be told apart.
COLORS = {
    "3V3": SUPPLY,
    "GND": GROUND,
    "AGND": ANALOG_GROUND,
    "trigger": "#e65100",
    "plug": "#2e7d32",
    "zone": "#1565c0",
    "zone (even)": "#29a3dd",
    "piezo": "#7b1fa2",
    "lamp": "#c79100",
    "buzzer": "#ad1457",
}
_NETS = {"P": "piezo", "hit": "piezo", "hit-adc": "piezo"}


def color_of(net: str) -> str:
    """Return the color of a net's wires."""
    if net in COLORS:
        return COLORS[net]
    if net.startswith("zone-"):
        even = int(net.removeprefix("zone-").split()[0]) % 2 == 0
        name = "zone (even)" if even else "zone"
        return COLORS[name]
    return COLORS[_NETS.get(net, net.split("-")[0].split()[0])]


def text(
    x: float,
    y: float,
    content: str,
    *,
    size: float = 12,
    anchor: str = "start",
    color: str = INK,
    bold: bool = False,
    halo: bool = False,
) -> str:
    """Return text at a point; `anchor` is start, middle or end. A halo makes it readable over holes and wires."""
    weight = ' font-weight="bold"' if bold else ""
    if halo:
        weight += ' paint-order="stroke" stroke="white" stroke-width="3" stroke-linejoin="round"'
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" fill="{color}"{weight}>'
        f"{escape(content)}</text>"
    )


def line(x1: float, y1: float, x2: float, y2: float, color: str = INK, width: float = 2) -> str:
    """Return a straight line."""
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{color}" stroke-width="{width:g}" '
        'stroke-linecap="round"/>'
    )


def polyline(points: list[Point], color: str = INK, width: float = 2, *, kind: str = "") -> str:
    """Return a bent line.

    One of the kind `wire` or `link` joins the holes at its two ends, and nothing between.
    """
    path = " L".join(f"{x:g} {y:g}" for x, y in points)
    name = f' class="{kind}"' if kind else ""
    return (
        f'<path{name} d="M{path}" fill="none" stroke="{color}" stroke-width="{width:g}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def insulated(points: list[Point], color: str) -> str:
    """Return a jumper wire, with a light edge that sets it apart where it crosses another."""
    return polyline(points, "white", 5.5) + polyline(points, color, 3.2, kind="wire")


def leg(point: Point, name: str, fill: str = "#9e9e9e") -> str:
    """Return the end of a part's leg; tests read its place and the pin's name."""
    x, y = point
    return f'<circle class="leg" data-pin={quoteattr(name)} cx="{x:g}" cy="{y:g}" r="2.2" fill="{fill}"/>'


def box(
    x: float, y: float, width: float, height: float, *, fill: str = "white", color: str = INK
) -> str:
    """Return a rectangle with rounded corners."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" fill="{fill}" stroke="{color}" '
        'stroke-width="1.5"/>'
    )


def dot(x: float, y: float, color: str = INK, radius: float = 3.5) -> str:
    """Return a joint, or a pin."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{color}"/>'


def group(content: str, **data: object) -> str:
    """Return shapes that belong together; `data` becomes data- attributes, by which tests read a drawing."""
    attributes = "".join(
        f" data-{name.replace('_', '-')}={quoteattr(str(value))}" for name, value in data.items()
    )
    return f"<g{attributes}>{content}</g>"


def page(width: int, height: int, title: str, content: list[str], unit: str = "") -> str:
    """Return a whole drawing on white; `unit` (mm) makes it print in its true size."""
    body = "\n".join(content)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}{unit}" height="{height}{unit}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif">\n<title>{escape(title)}</title>\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n{body}\n</svg>\n'
    )
