"""A level as text: pyramids at the corners, cards between them, groups as double lines. No color is needed.

level 2   a     b
1         R ═══ R ─── ·
          ║  ♥  │  ♠  │
"""

from __future__ import annotations

from textual.content import Content

from companion.games.sky_rise.rules.model import OPAQUE, SIZES
from companion.games.sky_rise.rules.view import CellView, CornerView, LevelView
from companion.games.sky_rise.screen.cursor import LETTERS, GridCursor, name, size_of

LABEL = 2
UNIT = 6
"""Cells of the screen from one corner to the next; rows are two apart."""
_QUIET = "$quiet"
_SIZE_LETTERS = dict(zip(SIZES, "LMS", strict=True))


def piece_style(color: str, ink: str) -> str:
    """Return the style of a pyramid: its ink as background, and black or white on it, whichever is easier to read."""
    if color == OPAQUE:
        return "bold $background on $foreground"
    return f"bold {'#000000' if _luminance(ink) > 0.18 else '#ffffff'} on {ink}"


def _luminance(ink: str) -> float:
    """The relative luminance of `#rrggbb` as WCAG 2 defines it, from 0 to 1."""
    parts = [int(ink[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def chip(letter: str, color: str, ink: str) -> Content:
    """Return a pyramid as its letter on its ink."""
    return Content.assemble((f" {letter} ", piece_style(color, ink)))


def grid_width(level: LevelView) -> int:
    """Return how many cells of the screen a level takes; a cursor behind the last corner included."""
    return LABEL + UNIT * size_of(level)[0] + 4


def grid_rows(level: LevelView, cursor: GridCursor | None = None) -> list[Content]:
    """Return the rows of a level, the cursor as brackets."""
    columns, rows = size_of(level)
    links = _links(level)
    head = " " * LABEL + "".join(f" {letter}{' ' * (UNIT - 2)}" for letter in LETTERS[: columns + 1])
    lines = [Content.assemble((head.rstrip(), _QUIET))]
    for y in range(rows + 1):
        lines.append(_corners(level, y, links, cursor))
        if y < rows:
            lines.append(_cells(level, y, links, cursor))
    return lines


def place_at(x: int, y: int, cursor: GridCursor) -> tuple[int, int]:
    """Return the column and row of the cell or corner that is nearest to a spot of the text."""
    offset = 4 if cursor.on == "cell" else 1
    row = 2 if cursor.on == "cell" else 1
    return round((x - LABEL - offset) / UNIT), round((y - row) / 2)


def _links(level: LevelView) -> frozenset[tuple[str, str]]:
    """The neighboring corners that are in one group."""
    pairs = set()
    for group in level.groups:
        members = {*group.own, *group.opaque}
        for place in members:
            x, y = LETTERS.index(place[0]), int(place[1:]) - 1
            near = [name(*one) for one in ((x + 1, y), (x, y + 1)) if one[0] < len(LETTERS)]
            pairs |= {(place, other) for other in near if other in members}
    return frozenset(pairs)


def _corners(level: LevelView, y: int, links: frozenset[tuple[str, str]], cursor: GridCursor | None) -> Content:
    columns = size_of(level)[0]
    parts = [Content.assemble((f"{y + 1} ", _QUIET))]
    for x in range(columns + 1):
        corner = next(one for one in level.corners if one.place == name(x, y))
        here = cursor is not None and cursor.on == "corner" and (cursor.x, cursor.y) == (x, y)
        joined = x < columns and (name(x, y), name(x + 1, y)) in links
        edge = ("═══" if joined else "───") if x < columns else ""
        parts.append(_corner(level, corner, edge, here=here))
    return Content("").join(parts)


def _corner(level: LevelView, corner: CornerView, edge: str, *, here: bool) -> Content:
    """A pyramid, its size where that is not the level's, and the edge to the next corner; the cursor around it."""
    standing = corner.pieces[-1] if corner.pieces else None
    size = _SIZE_LETTERS[standing.size] if standing is not None and standing.size != level.size else ""
    what = (standing.letter, piece_style(standing.color, standing.ink)) if standing else (" " if here else "·", _QUIET)
    left, right = "[]" if here else ("", "")
    rest = edge[1:] if size and here else edge if size or here else f" {edge}"
    style = "bold" if "═" in edge else _QUIET
    bracket = "bold $accent"
    return Content.assemble((left or " ", bracket), what, (size, "bold"), (right, bracket), (rest, style))


def _cells(level: LevelView, y: int, links: frozenset[tuple[str, str]], cursor: GridCursor | None) -> Content:
    columns = size_of(level)[0]
    parts = [Content(" " * LABEL)]
    for x in range(columns + 1):
        joined = (name(x, y), name(x, y + 1)) in links
        parts.append(Content.assemble((" ║ " if joined else " │ ", "bold" if joined else _QUIET)))
        if x < columns:
            cell = next(one for one in level.cells if one.place == name(x, y))
            here = cursor is not None and cursor.on == "cell" and (cursor.x, cursor.y) == (x, y)
            parts.append(_cell(cell, here=here))
    return Content("").join(parts)


def _cell(cell: CellView, *, here: bool) -> Content:
    left, right = "[]" if here else "  "
    return Content.assemble((left, "bold $accent"), (cell.sign or " ", "bold"), (right, "bold $accent"))
