"""SVG by hand: the few shapes that the drawings and labels of this folder are made of."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

INK = "#1a1a1a"
COLORS = {
    "trigger": "#b3261e",
    "plug": "#5b5b00",
    "hit": "#8a4b00",
    "zone": "#0b57d0",
    "lamp": "#8a6d00",
    "buzzer": "#6a1b9a",
}
GROUND = "#3c3c3c"
SUPPLY = "#c2185b"


def text(x: float, y: float, words: str, *, size: int = 12, anchor: str = "start", color: str = INK) -> str:
    """Words at a point; `anchor` is start, middle or end."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{color}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, color: str = INK, width: float = 2) -> str:
    """A straight wire."""
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{color}" stroke-width="{width:g}" '
        'stroke-linecap="round"/>'
    )


def box(x: float, y: float, wide: float, high: float, *, fill: str = "white", color: str = INK) -> str:
    """A rectangle with rounded corners."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="3" fill="{fill}" stroke="{color}" '
        'stroke-width="1.5"/>'
    )


def dot(x: float, y: float, color: str = INK, radius: float = 3.5) -> str:
    """A joint, or a pin."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{color}"/>'


def labelled(x: float, y: float, wide: float, words: str, *, fill: str = "white", color: str = INK) -> str:
    """A part: a box of 22 points' height whose middle is at `y`, with its value in it."""
    return box(x, y - 11, wide, 22, fill=fill, color=color) + text(x + wide / 2, y + 4, words, size=11, anchor="middle")


def group(content: str, **data: object) -> str:
    """Shapes that belong together; `data` becomes data- attributes, by which tests read a drawing."""
    attributes = "".join(f" data-{name.replace('_', '-')}={quoteattr(str(value))}" for name, value in data.items())
    return f"<g{attributes}>{content}</g>"


def page(width: int, height: int, title: str, content: list[str], unit: str = "") -> str:
    """A whole drawing on white; `unit` (mm) makes it print in its true size."""
    body = "\n".join(content)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}{unit}" height="{height}{unit}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif">\n<title>{escape(title)}</title>\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n{body}\n</svg>\n'
    )
