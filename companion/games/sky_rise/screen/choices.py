"""What can be entered at the cursor: a row for each color with its suit, points here, total and stock."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from textual.content import Content

from companion.dashboard.themes import on_ink
from companion.dashboard.widgets.static import GAP, clickable
from companion.games.sky_rise.rules.box import OPAQUE_INK, OPAQUE_LETTER
from companion.games.sky_rise.rules.facts import Piece, Size
from companion.games.sky_rise.rules.model import OPAQUE as OPAQUE_PIECE, SIZES
from companion.games.sky_rise.rules.view import (
    CellView,
    ColorView,
    CornerView,
    LevelView,
    SkyRiseView,
)
from companion.games.sky_rise.screen.grid import KIND_IDS, OPAQUE_ID, SIZE_IDS, GridCursor, chip

_HEAD = f"{'score here':>17} total   LMS"
_WIDE_HEAD = f"{'score here':>17}{'total':>6}{'level':>7}{'large':>7}{'med':>5}{'small':>7}"
WIDTH = {False: len(_HEAD), True: len(_WIDE_HEAD)}
"""Cells of the rows, with letters as column heads and with words."""

Keys = Mapping[str, str]
"""The key of each action of the grid, as people read it."""


def choice_rows(
    game: SkyRiseView,
    cursor: GridCursor,
    keys: Keys,
    chosen: Piece | None,
    size: Size | None,
    *,
    wide: bool = False,
) -> list[Content]:
    """Return the heading, a row for each color in key order, the opaque row, and on the roof the sizes.

    A click on a row acts as its key. `score here` is for a pyramid at the cursor; after a color's total, `+` adds
    what the level so far would bring. `wide` rows have words as column heads.
    """
    rows = [Content.assemble((_WIDE_HEAD if wide else _HEAD, "$quiet"))]
    for action, color in zip(KIND_IDS, game.colors, strict=False):
        here = _here(game, cursor, color.name)
        row = _color(keys[action], color, here, chosen=chosen == color.name, wide=wide)
        rows.append(clickable(action, row))
    opaque = _opaque(game, cursor, keys[OPAQUE_ID], chosen=chosen == OPAQUE_PIECE, wide=wide)
    rows.append(clickable(OPAQUE_ID, opaque))
    if game.phase == "antennas":
        rows.append(size_row(keys, size))
    return rows


def corner_at(game: SkyRiseView, cursor: GridCursor) -> CornerView | None:
    """Return the corner under the cursor, or None."""
    if cursor.on != "corner":
        return None
    return next(corner for corner in game.levels[-1].corners if corner.place == cursor.place)


def _here(game: SkyRiseView, cursor: GridCursor, piece: Piece) -> str:
    corner = corner_at(game, cursor)
    points = dict(corner.offers).get(piece) if corner else None
    return "-" if points is None else str(points)


def by_size(numbers: Iterable[int | None], *, wide: bool) -> str:
    """Return large, medium and small, `?` for unknown: under words as heads if `wide`, else under `LMS`."""
    texts = ["?" if number is None else str(number) for number in numbers]
    if not wide:
        return f" {''.join(texts)}"
    large, medium, small = texts
    return f"{large:>7}{medium:>5}{small:>7}"


def _color(key: str, color: ColorView, here: str, *, chosen: bool, wide: bool) -> Content:
    suit_and_piece = f"{color.sign} {color.letter}"
    piece = chip(suit_and_piece, color.name, color.ink)
    head = _head(key, piece, color.name, here, chosen=chosen)
    building = f"+{color.building}" if color.building else ""
    stock = by_size(color.stock, wide=wide)
    if wide:
        return Content.assemble(head, f"{color.total:>6}{building:>7}{stock}")
    return Content.assemble(head, f"{color.total:>4}{building:>4}{stock}")


def _head(key: str, piece: Content, name: str, here: str, *, chosen: bool) -> Content:
    """Return the beginning of a row: mark, key, chip with the suit, name, points here."""
    mark = (">" if chosen else " ", "bold $accent")
    return Content.assemble(
        mark, (key, "bold $primary"), piece, f"{name:<6}", (f"{here:>4}", "bold")
    )


def _opaque(
    game: SkyRiseView, cursor: GridCursor, key: str, *, chosen: bool, wide: bool
) -> Content:
    piece = chip(f"  {OPAQUE_LETTER}", OPAQUE_PIECE, OPAQUE_INK)
    here = _here(game, cursor, OPAQUE_PIECE)
    whose = own = ""
    for seat in game.seats:
        if seat.id == game.due:
            whose = f"{seat.initial}'s {seat.opaque}"
            own = by_size(seat.opaque_sizes, wide=wide)
    head = _head(key, piece, OPAQUE_PIECE, here, chosen=chosen)
    return Content.assemble(head, (f"{whose:>{13 if wide else 8}}", "$quiet"), own)


def size_row(keys: Keys, chosen: Size | None) -> Content:
    """Return the sizes of an antenna with their keys (SR-13)."""
    parts = []
    for size in SIZES:
        action = SIZE_IDS[size]
        mark = (">" if size == chosen else " ", "bold $accent")
        row = Content.assemble(mark, (keys[action], "bold $primary"), f" {size} ")
        parts.append(clickable(action, row))
    return Content("").join(parts)


LEGENDS = {
    False: (
        "═ one group; LMS: large, medium, small left; + points of this level",
        "═ group; LMS: large, medium, small left; + level",
        "LMS: large, medium, small left",
    ),
    True: (
        "═ one group; here: at the cursor; level: points so far; large, med, small: pieces left",
        "═ one group; level: points so far; large, med, small: pieces left",
        "═ one group",
    ),
}
"""Legends of the column heads, letters or words, and of the tower's signs, the fullest first."""


def with_legend(here: Content, width: int, *, wide: bool = False) -> Content:
    """Return the line followed by the fullest legend that fits in `width` cells."""
    room = width - here.cell_length - len(GAP)
    for legend in LEGENDS[wide]:
        if len(legend) <= room:
            return Content.assemble(here, (f"{GAP}{legend:>{room}}", "$quiet"))
    return here


def here_line(
    game: SkyRiseView, cursor: GridCursor, chosen: Piece | None, size: Size | None
) -> Content:
    """Return what is at the cursor, in words: the cards a corner touches, or its pyramids and their points."""
    level = game.levels[-1]
    if cursor.on is None:
        return Content("")
    if cursor.on == "cell":
        cell = next(cell for cell in level.cells if cell.place == cursor.place)
        content = f"{cell.rank} {cell.suit}".strip() if cell.suit else "free"
        return Content.assemble((f"cell {cell.place} ", "bold $accent"), content)
    corner = corner_at(game, cursor)
    assert corner is not None
    words = _standing(game, level, corner) if corner.pieces else _touching(level, corner.place)
    question = ""
    if chosen:
        question = f"{chosen} antenna: which size?   "
    elif size:
        question = f"{size} antenna: which color?   "
    return Content.assemble((f"{corner.place} {question}", "bold $accent"), *_colored(game, words))


def _colored(game: SkyRiseView, words: str) -> Iterator[tuple[str, str]]:
    """Yield the words in parts with their styles: the sign of a suit is on its color."""
    styles = {color.sign: f"bold {on_ink(color.ink)}" for color in game.colors}
    signs = "|".join(map(re.escape, styles))
    for part in re.split(f"({signs})", words):
        yield part, styles.get(part, "")


def _touching(level: LevelView, place: str) -> str:
    around = level.grid.touching(place)
    cards = _cards(cell for cell in level.cells if cell.place in around and cell.suit)
    return f"touches {cards}" if cards else "touches no card"


def _cards(cells: Iterable[CellView]) -> str:
    """Return the cards by suit: `♥ a1 b2, ♠ b1`."""
    places: dict[str, list[str]] = {}
    for cell in cells:
        places.setdefault(cell.sign, []).append(cell.place)
    return ", ".join(f"{sign} {' '.join(where)}" for sign, where in places.items())


def _standing(game: SkyRiseView, level: LevelView, corner: CornerView) -> str:
    names = {seat.id: seat.name for seat in game.seats}
    cells = {cell.place: cell for cell in level.cells}
    texts = []
    for piece in corner.pieces:
        cards = _cards(cells[place] for place in piece.cards)
        points = f"{piece.points} for {cards}" if piece.points else "0"
        texts.append(f"{piece.size} {piece.color} of {names[piece.seat]}: {points}")
    return "; ".join(texts)
