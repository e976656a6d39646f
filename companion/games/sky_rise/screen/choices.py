"""What can be entered at the cursor: a row for each color with its suit, points here, total and stock."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from textual.content import Content

from companion.dashboard.themes import on_ink
from companion.dashboard.widgets.static import clickable
from companion.games.sky_rise.rules.box import OPAQUE_INK, OPAQUE_LETTER
from companion.games.sky_rise.rules.controls import KIND_IDS, OPAQUE_ID, SIZE_IDS
from companion.games.sky_rise.rules.facts import Piece, Size
from companion.games.sky_rise.rules.model import OPAQUE as OPAQUE_PIECE, SIZES
from companion.games.sky_rise.rules.view import (
    CellView,
    ColorView,
    CornerView,
    LevelView,
    PieceView,
    SeatView,
    SkyRiseView,
)
from companion.games.sky_rise.screen.grid import (
    CARDS,
    PYRAMIDS,
    GridCursor,
    chip,
)
from companion.rules.columns import plural, width as cells_of

_TOTAL = 7
_HERE = "here"
_POINTS = f" key    points {_HERE}"
_BAR = "│"  # between the points at the cursor, those of levels, and the pyramids left
LEFT = "pyramids left"
_SIZE_NAMES: Mapping[Size, str] = {"large": "large", "medium": "med", "small": "small"}


@dataclass(frozen=True, slots=True)
class Columns:
    """Cells of what the level adds, and of the pyramids left: large, medium, small."""

    adds: int
    sizes: tuple[int, int, int]

    @property
    def width(self) -> int:
        return len(_POINTS) + _TOTAL + self.adds + sum(self.sizes)


_PLAIN = Columns(5, (12, 4, 6))
_FRAMED = Columns(5, (6, 4, 6))
_ROOF = Columns(0, (9, 7, 9))


def columns_of(game: SkyRiseView, *, framed: bool) -> Columns:
    """Return the columns: on the roof, which adds nothing to a color, the sizes have room for their keys.

    `framed` is for a panel whose title says what is left; otherwise a head does.
    """
    if game.phase == "antennas":
        return _ROOF
    return _FRAMED if framed else _PLAIN


Keys = Mapping[str, str]
"""The key of each action of the grid, as people read it."""


def choice_rows(
    game: SkyRiseView,
    cursor: GridCursor,
    keys: Keys,
    chosen: Piece | None,
    size: Size | None,
    *,
    framed: bool = False,
    captions: bool = False,
) -> list[Content]:
    """Return the heading, a row for each color in key order, and the opaque row.

    A click on a row acts as its key; on the roof, so does one on a size in the heading (SR-13). `points here` are
    those of a pyramid at the cursor, `earlier` what the levels before this one brought the color, `now` what this
    one has. `captions` are a row above the heads.
    """
    columns = columns_of(game, framed=framed)
    rows = [*_heads(game, keys, size, columns, captions=captions)]
    for action, color in zip(KIND_IDS, game.colors, strict=False):
        here = _here(game, cursor, color.name)
        usable = game.phase in CARDS or _may_be_placed(game, color.stock)
        key = keys[action] if usable else ""
        row = _color(key, color, here, columns, chosen=chosen == color.name)
        rows.append(clickable(action, row))
    opaque = _opaque(game, cursor, keys[OPAQUE_ID], columns, chosen=chosen == OPAQUE_PIECE)
    rows.append(clickable(OPAQUE_ID, opaque))
    return rows


def _heads(
    game: SkyRiseView, keys: Keys, size: Size | None, columns: Columns, *, captions: bool
) -> Iterator[Content]:
    """Yield the heads of the columns; with `captions`, below a row that says what groups of them are."""
    earlier, adds = ("earlier", "now") if game.levels[-1].size else ("in all", "")
    here = _POINTS
    if captions:
        above = "of levels" if adds else ""
        yield Content.styled(
            f"{'points':>{len(_POINTS)}}{_BAR}{above:>{_TOTAL + columns.adds - 1}}{_BAR}"
            f"{LEFT:>{sum(columns.sizes) - 1}}",
            "$quiet",
        )
        here = f"{' key':<{len(_POINTS) - len(_HERE)}}{_HERE}"
    levels = f"{earlier:>{_TOTAL - 1}}"
    head = f"{here}{_BAR}{levels}{adds:>{_TOTAL - 1 + columns.adds - len(levels)}}{_BAR}"
    yield Content.assemble((head, "$quiet"), *_size_heads(keys, size, columns))


def _size_heads(keys: Keys, chosen: Size | None, columns: Columns) -> Iterator[Content]:
    """Yield the heads of the pyramids left; on the roof with the key of each size, and a mark at the chosen one."""
    for size, cells in _sizes(columns):
        name = _SIZE_NAMES[size]
        if columns is not _ROOF:
            label = f"left: {name}" if columns is _PLAIN and size == "large" else name
            yield Content.styled(f"{label:>{cells}}", "$quiet")
            continue
        action = SIZE_IDS[size]
        mark = (">" if size == chosen else " ", "bold $accent")
        head = Content.assemble(mark, (keys[action], "bold $primary"), f" {name}")
        yield Content(" " * (cells - head.cell_length)) + clickable(action, head)


def _sizes(columns: Columns) -> Iterator[tuple[Size, int]]:
    """Yield each size with its cells; the first has one less, for the bar before it."""
    for place, (size, cells) in enumerate(zip(SIZES, columns.sizes, strict=True)):
        yield size, cells if place else cells - 1


def corner_at(game: SkyRiseView, cursor: GridCursor) -> CornerView | None:
    """Return the corner under the cursor, or None."""
    if cursor.on != "corner":
        return None
    return next(corner for corner in game.levels[-1].corners if corner.place == cursor.place)


def _here(game: SkyRiseView, cursor: GridCursor, piece: Piece) -> str:
    corner = corner_at(game, cursor)
    points = dict(corner.offers).get(piece) if corner else None
    return "-" if points is None else str(points)


def _by_size(numbers: Iterable[int | None], columns: Columns) -> str:
    """Return large, medium and small below their heads, `?` for unknown."""
    texts = ("?" if number is None else str(number) for number in numbers)
    return "".join(
        f"{text:>{cells}}" for text, (_, cells) in zip(texts, _sizes(columns), strict=True)
    )


def _color(key: str, color: ColorView, here: str, columns: Columns, *, chosen: bool) -> Content:
    suit_and_piece = f"{color.sign} {color.letter}"
    piece = chip(suit_and_piece, color.name, color.ink)
    head = _head(key, piece, color.name, here, chosen=chosen)
    building = f"+{color.building}" if color.building else ""
    total = f"{color.total:>{_TOTAL - 1}}{building:>{columns.adds}}"
    bar = (_BAR, "$quiet")
    return Content.assemble(head, bar, total, bar, _by_size(color.stock, columns))


def _may_be_placed(game: SkyRiseView, numbers: tuple[int | None, ...]) -> bool:
    """Return whether one of so many large, medium and small pyramids, None if unknown, may be placed now."""
    if game.phase not in PYRAMIDS:
        return False
    size = game.levels[-1].size
    if size is None:
        return any(number != 0 for number in numbers)
    return numbers[SIZES.index(size)] != 0


def _head(key: str, piece: Content, name: str, here: str, *, chosen: bool) -> Content:
    """Return the beginning of a row: mark, key, chip with the suit, name, points here.

    Without a key the name is quiet, and there are no points: none of these can be entered now.
    """
    mark = (">" if chosen else " ", "bold $accent")
    points = here if key else "-"
    return Content.assemble(
        mark,
        (key or " ", "bold $primary"),
        " ",
        piece,
        (f" {name:<6}", "" if key else "$quiet"),
        (f"{points:>4}", "bold"),
    )


def _opaque(
    game: SkyRiseView, cursor: GridCursor, key: str, columns: Columns, *, chosen: bool
) -> Content:
    piece = chip(f"  {OPAQUE_LETTER}", OPAQUE_PIECE, OPAQUE_INK)
    here = _here(game, cursor, OPAQUE_PIECE)
    whose = own = ""
    usable = False
    room = _TOTAL + columns.adds - 1
    for seat in game.seats:
        if seat.id == game.due:
            whose = _whose(seat, room)
            own = _by_size(seat.opaque_sizes, columns)
            usable = _may_be_placed(game, seat.opaque_sizes)
    head = _head(key if usable else "", piece, OPAQUE_PIECE, here, chosen=chosen)
    # No bar after it: it says whose the numbers are.
    return Content.assemble(head, (f"{_BAR}{whose:>{room}} ", "$quiet"), own)


def _whose(seat: SeatView, room: int) -> str:
    """Return whose opaque pyramids the row counts, and how many there are while their sizes are not known."""
    count = f" {seat.opaque}" if None in seat.opaque_sizes else ""
    whose = f"{seat.name} has{count}:"
    return whose if cells_of(whose) <= room else f"own{count}:"


def here_line(
    game: SkyRiseView, cursor: GridCursor, chosen: Piece | None, size: Size | None, width: int
) -> Content:
    """Return what is at the cursor, in words: the cards a corner touches, or its pyramids and their points, and the
    pyramids below, as fully as fits in `width`."""
    level = game.levels[-1]
    if cursor.on is None:
        return Content("")
    if cursor.on == "cell":
        cell = next(cell for cell in level.cells if cell.place == cursor.place)
        content = f"{cell.sign} {cell.rank} {cell.suit}" if cell.suit else "free"
        words = " ".join(content.split())
        return Content.assemble((f"[ ] cell {cell.place}: ", "bold $accent"), *colored(game, words))
    corner = corner_at(game, cursor)
    assert corner is not None
    question = ""
    if chosen:
        question = f"{chosen} antenna: which size?   "
    elif size:
        question = f"{size} antenna: which color?   "
    line = Content("")
    for where, words in _corner_words(game, corner, question):
        line = Content.assemble((where, "bold $accent"), *colored(game, words))
        if line.cell_length <= width:
            break
    return line


def _corner_words(
    game: SkyRiseView, corner: CornerView, question: str
) -> Iterator[tuple[str, str]]:
    """Yield where the cursor is with a `question`, and what is there, the fullest first."""
    level, place = game.levels[-1], corner.place
    if corner.pieces:
        where, short = f"[ ] corner {place}: {question}", f"[ ] {place}: {question}"
        words = brief = _standing(game, level, corner)
    else:
        where = f"[ ] corner {place}{': ' if question else ' '}{question}"
        short = f"[ ] {place}: {question}"
        brief = _cards_around(level, place) or "no card"
        words = f"touches {brief}"
    below = _below(game, place)
    if not below:
        yield where, words
        return
    colors = ", ".join(piece.color for piece in below)
    yield where, f"{words}; below: {', '.join(f'{piece.size} {piece.color}' for piece in below)}"
    yield where, f"{words}; below: {colors}"
    yield short, f"{brief}; below: {colors}"
    yield short, f"{brief}; below: {' '.join(piece.letter for piece in below)}"


def _below(game: SkyRiseView, place: str) -> list[PieceView]:
    """Return the pyramids of the earlier levels at a corner, the highest first."""
    return [
        piece
        for level in reversed(game.levels[:-1])
        for corner in level.corners
        if corner.place == place
        for piece in corner.pieces
    ]


def colored(game: SkyRiseView, words: str) -> Iterator[tuple[str, str]]:
    """Yield the words in parts with their styles: the sign of a suit is on its color."""
    styles = {color.sign: f"bold {on_ink(color.ink)}" for color in game.colors}
    signs = "|".join(map(re.escape, styles))
    for part in re.split(f"({signs})", words):
        yield part, styles.get(part, "")


def _cards_around(level: LevelView, place: str) -> str:
    around = level.grid.touching(place)
    return _cards(cell for cell in level.cells if cell.place in around and cell.suit)


def _cards(cells: Iterable[CellView]) -> str:
    """Return the cards by suit: `♥ a1 b2, ♠ b1`."""
    places: dict[str, list[str]] = {}
    for cell in cells:
        places.setdefault(cell.sign, []).append(cell.place)
    return ", ".join(f"{sign} {' '.join(where)}" for sign, where in places.items())


def _standing(game: SkyRiseView, level: LevelView, corner: CornerView) -> str:
    """Return each pyramid of a corner with its points, whose it is last: a long name may be cut there."""
    names = {seat.id: seat.name for seat in game.seats}
    cells = {cell.place: cell for cell in level.cells}
    return "; ".join(_placed(piece, cells, names[piece.seat]) for piece in corner.pieces)


def _placed(piece: PieceView, cells: Mapping[str, CellView], owner: str) -> str:
    cards = _cards(cells[place] for place in piece.cards)
    points = f"{plural(piece.points, 'point')} for {cards}" if piece.points else "no points"
    return f"{piece.size} {piece.color}: {points} ({owner})"
