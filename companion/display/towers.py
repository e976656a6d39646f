"""Draws a tower of pyramids in cells: each floor from above, and its rows from the side.

     a     b     c
1    R ═══ R ─── ·      the smallest scale: a letter for each pyramid, a double line inside a group
     ║  ♥  │  ♠  │
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from companion.display.cells import (
    GAP,
    MARK,
    QUIET,
    STRONG,
    Canvas,
    Line,
    Pen,
    Run,
    beside,
    plain,
    widest,
)
from companion.display.pictures import Floor, Point, Tile, Tower
from companion.rules.columns import width

_LABEL = 2  # cells left of a floor for the rows' numbers
_SIDE_GAP = 3  # cells between two rows from the side
_SIZE_LETTERS = " SML"
_SIDE_LABEL = 8  # cells left of the side views for the floors' names


@dataclass(frozen=True, slots=True)
class Scale:
    """Distances between crossings in cells and rows.

    `more` is how many rows a pyramid gets beyond its size, None if a single letter stands for it.
    """

    across: int
    down: int
    more: int | None

    @property
    def tallest(self) -> int:
        """Rows of the largest pyramid from above."""
        return 1 if self.more is None else 3 + self.more

    @property
    def half(self) -> int:
        """Cells to either side of a crossing for the largest pyramid."""
        return 0 if self.more is None else self.tallest

    def top(self, place: Point) -> Point:
        """Return the topmost cell of a crossing."""
        return _LABEL + 1 + self.half + self.across * place[0], 1 + self.down * place[1]

    def box(self, size: int) -> tuple[int, int]:
        """Return the cells and rows of a pyramid from above; `size` 0 is an empty crossing."""
        if self.more is None or not size:
            return 1, 1
        high = size + self.more
        return 2 * high + 1, high


SCALES = (Scale(6, 2, None), Scale(9, 4, 0), Scale(11, 5, 1))
"""From the smallest up.

A terminal's cell is about twice as high as wide, so a square is 2 n + 1 cells by n rows.
"""

DENSE = Scale(4, 2, None)
"""For towers too wide for the smallest of `SCALES`."""


@dataclass(frozen=True, slots=True)
class TowerCursor:
    """A field or a crossing, marked with brackets."""

    at: Point
    on_field: bool


def plan_size(floor: Floor, scale: Scale) -> tuple[int, int]:
    """Return the cells and rows of a floor from above, with room for a cursor on any crossing."""
    x, y = scale.top((floor.columns, floor.rows))
    return x + scale.half + 3, y + scale.tallest


def plan(floor: Floor, scale: Scale, cursor: TowerCursor | None = None) -> list[Line]:
    """Return the floor from above: the letters of its columns, the visible pyramids on each
    crossing, the card in each field."""
    canvas = Canvas(*plan_size(floor, scale))
    for x in range(floor.columns + 1):
        canvas.put(scale.top((x, 0))[0], 0, ascii_lowercase[x], QUIET)
    for y in range(floor.rows + 1):
        canvas.put(0, _middle(scale, (0, y)), str(y + 1), QUIET)
        for x in range(floor.columns + 1):
            _draw_edges(canvas, floor, scale, (x, y))
    for x in range(floor.columns + 1):
        for y in range(floor.rows + 1):
            marked = cursor is not None and not cursor.on_field and cursor.at == (x, y)
            _draw_crossing(canvas, floor, scale, (x, y), marked=marked)
    for tile in floor.tiles:
        _draw_tile(canvas, scale, tile)
    if cursor is not None and cursor.on_field:
        x, y = _field_center(scale, cursor.at)
        canvas.put(x - 1, y, "[", MARK)
        canvas.put(x + 1, y, "]", MARK)
    return canvas.rows()


def _draw_tile(canvas: Canvas, scale: Scale, tile: Tile) -> None:
    """Draw a card as the sign of its suit, on a ground of the suit's color."""
    x, y = _field_center(scale, tile.at)
    if not tile.ink:
        canvas.put(x, y, tile.sign, STRONG)
        return
    canvas.put(x - 1, y, f" {tile.sign} ", Pen("strong", tile.ink, filled=True))


def nearest(floor: Floor, scale: Scale, cell: Point, *, field: bool) -> Point:
    """Return the field or crossing nearest to a cell of the plan."""
    if field:
        x, y = _field_center(scale, (0, 0))
    else:
        x, y = scale.top((0, 0))[0], _middle(scale, (0, 0))
    column, row = round((cell[0] - x) / scale.across), round((cell[1] - y) / scale.down)
    # One field fewer than crossings each way.
    return max(0, min(column, floor.columns - field)), max(0, min(row, floor.rows - field))


def _middle(scale: Scale, place: Point) -> int:
    return scale.top(place)[1] + (scale.tallest - 1) // 2


def _field_center(scale: Scale, place: Point) -> Point:
    """Return the cell in the middle of a field, in the row between two rows of crossings."""
    x, y = scale.top(place)
    return x + scale.across // 2, y + scale.tallest


def _bounds(scale: Scale, place: Point, size: int) -> tuple[int, int, int, int]:
    """Return first cell, first row, cells and rows of a pyramid on a crossing."""
    x, (wide, high) = scale.top(place)[0], scale.box(size)
    return x - wide // 2, _middle(scale, place) - (high - 1) // 2, wide, high


def _largest(floor: Floor, place: Point) -> int:
    return max((pyramid.size for pyramid in floor.standing(place)), default=0)


def _draw_edges(canvas: Canvas, floor: Floor, scale: Scale, place: Point) -> None:
    """Draw the edges from a crossing to the right and to the front: double inside a group."""
    x, y = place
    left, top, wide, high = _bounds(scale, place, _largest(floor, place))
    if x < floor.columns:
        right = (x + 1, y)
        begin, end = left + wide + 1, _bounds(scale, right, _largest(floor, right))[0] - 1
        sign, pen = ("═", STRONG) if (place, right) in floor.joined else ("─", QUIET)
        canvas.put(begin, _middle(scale, place), sign * (end - begin), pen)
    if y < floor.rows:
        front = (x, y + 1)
        sign, pen = ("║", STRONG) if (place, front) in floor.joined else ("│", QUIET)
        for row in range(top + high, _bounds(scale, front, _largest(floor, front))[1]):
            canvas.put(scale.top(place)[0], row, sign, pen)


def _draw_crossing(
    canvas: Canvas, floor: Floor, scale: Scale, place: Point, *, marked: bool
) -> None:
    standing = floor.standing(place)
    x, y, wide, high = _bounds(scale, place, _largest(floor, place))
    if not standing:
        canvas.put(x, y, " " if marked else "·", QUIET)
    elif scale.more is None:
        top = standing[-1]
        canvas.put(x, y, top.letter, Pen("strong", top.ink, filled=True))
        if top.size != floor.usual:
            canvas.put(x + 1, y, _SIZE_LETTERS[top.size], STRONG)
            wide += marked
    else:
        # From the lowest up, so that a smaller one is drawn over a larger one.
        for pyramid in standing:
            left, first_row, _, rows = _bounds(scale, place, pyramid.size)
            for row, text in enumerate(_from_above(pyramid.letter, rows), start=first_row):
                canvas.put(left, row, text, Pen("strong", pyramid.ink, filled=True))
    if marked:
        for row in range(y, y + high):
            canvas.put(x - 1, row, "[", MARK)
            canvas.put(x + wide, row, "]", MARK)


def _from_above(letter: str, rows: int) -> list[str]:
    r"""Return a pyramid from above, its four edges running to the tip: `\ R /` over `/   \`."""
    wide = 2 * rows + 1
    if rows == 1:
        return [f"<{letter}>"]
    drawn = []
    for row in range(rows):
        cells = [" "] * wide
        edge = 2 * min(row, rows - 1 - row)
        # In the middle row of an odd number the edges meet at the letter's cell.
        if edge != rows - 1 or not rows % 2:
            cells[edge], cells[wide - 1 - edge] = ("\\", "/") if row < rows / 2 else ("/", "\\")
        if row == (rows - 1) // 2:
            cells[wide // 2] = letter
        drawn.append("".join(cells))
    return drawn


# -- from the side


def side_size(tower: Tower, scale: Scale, rows: Sequence[int] = ()) -> tuple[int, int]:
    """Return the cells and rows of some `rows` of crossings from the side, beside one another.

    Without `rows`, of all of them.
    """
    floor, (wide, across) = tower.floors[0], _side_spacing(scale)
    row_width = across * floor.columns + wide
    count = len(rows) or floor.rows + 1
    cells = _SIDE_LABEL + count * row_width + (count - 1) * _SIDE_GAP
    return cells, 2 + sum(_heights(tower, scale))


def side(tower: Tower, scale: Scale, rows: Sequence[int] = ()) -> list[Line]:
    """Return some `rows` of crossings as seen from the front, with a line for the cards of each floor.

    Without `rows`, all of them.
    """
    ground, (wide, across) = tower.floors[0], _side_spacing(scale)
    canvas = Canvas(*side_size(tower, scale, rows))
    row_width = across * ground.columns + wide
    for place, y in enumerate(rows or range(ground.rows + 1)):
        left = _SIDE_LABEL + place * (row_width + _SIDE_GAP)
        canvas.put(left, 0, f"row {y + 1}", QUIET)
        for x in range(ground.columns + 1):
            canvas.put(left + wide // 2 + across * x, canvas.height - 1, ascii_lowercase[x], QUIET)
        _draw_elevation(canvas, tower, scale, left, y)
    bottom = canvas.height - 2
    for floor, high in zip(tower.floors, _heights(tower, scale), strict=True):
        name, _, rest = floor.title.partition(" (")
        # The name is beside the pyramids, above what they are: read as one label.
        canvas.put(0, bottom - 1, name[: _SIDE_LABEL - 1], QUIET)
        canvas.put(0, bottom, rest.rstrip(")")[: _SIDE_LABEL - 1], QUIET)
        bottom -= high
    return canvas.rows()


def _side_spacing(scale: Scale) -> tuple[int, int]:
    """Return the width of the largest pyramid from the side, and of a step between crossings."""
    wide = 2 * (3 + (scale.more or 0)) - 1
    return wide, wide + 1


def _heights(tower: Tower, scale: Scale) -> list[int]:
    """Return the rows of each floor from the side: its highest crossing and the line of its cards."""
    more = scale.more or 0
    heights = []
    for floor in tower.floors:
        highest = more + (floor.usual or 1)
        for place in {pyramid.at for pyramid in floor.pyramids}:
            stack = floor.standing(place)
            highest = max(highest, sum(pyramid.size + more for pyramid in stack))
        heights.append(1 + highest)
    return heights


def _draw_elevation(canvas: Canvas, tower: Tower, scale: Scale, left: int, y: int) -> None:
    bottom, (wide, across) = canvas.height - 2, _side_spacing(scale)
    for floor, high in zip(tower.floors, _heights(tower, scale), strict=True):
        if any(tile.at[1] in (y - 1, y) for tile in floor.tiles):
            canvas.put(left, bottom, "─" * (across * floor.columns + wide), QUIET)
        for x in range(floor.columns + 1):
            foot = bottom
            for pyramid in floor.standing((x, y)):
                lines = _from_the_side(pyramid.letter, pyramid.size + (scale.more or 0))
                foot -= len(lines)
                for row, text in enumerate(lines):
                    at = left + wide // 2 + across * x - len(text) // 2
                    canvas.put(at, foot + row, text, Pen("strong", pyramid.ink, filled=True))
        bottom -= high


def _from_the_side(letter: str, rows: int) -> list[str]:
    r"""Return a pyramid from the side, the tip first: `^` over `/R\`."""
    if rows == 1:
        return [letter]
    body = [f"/{' ' * (2 * row - 1)}\\" for row in range(1, rows - 1)]
    return ["^", *body, f"/{letter:^{2 * rows - 3}}\\"]


# -- the whole tower


def tower_lines(tower: Tower, columns: int, *, sides: bool = True) -> Iterator[Line]:
    """Yield the floors from the ground up, side by side where they fit in `columns`.

    With `sides`, the rows of crossings from the side follow if they fit; the legend comes last.
    """
    scale = SCALES[0]
    if _abreast(tower, scale, columns) < len(tower.floors):
        scale = DENSE
    abreast = _abreast(tower, scale, columns)
    for first in range(0, len(tower.floors), abreast):
        blocks = [_titled(floor, scale) for floor in tower.floors[first : first + abreast]]
        yield from beside(blocks, _width(tower, scale))
        yield ()
    if sides and side_size(tower, SCALES[1])[0] <= columns:
        yield from side(tower, SCALES[1])
        yield ()
    yield from legend_lines(tower, columns)


def legend_lines(tower: Tower, columns: int) -> Iterator[Line]:
    """Yield the legend in `columns`, each letter and sign on its own color."""
    inks = tower.inks or ("",) * len(tower.legend)
    line: Line = ()
    for place, (entry, ink) in enumerate(zip(tower.legend, inks, strict=True)):
        letter, _, rest = entry.partition(" ")
        if place + 1 < len(tower.legend):
            rest += ","
        pen = Pen("strong", ink, filled=True) if ink else QUIET
        words = (Run(letter, pen), Run(f" {rest}", QUIET))
        if line and widest([line]) + 1 + widest([words]) > columns:
            yield line
            line = ()
        line += (Run(" ", QUIET), *words) if line else words
    yield line


def view_lines(tower: Tower, columns: int, rows: int = 0) -> list[Line]:
    """Return the tower level by level from above, then row by row from the side, then its legend.

    The pyramids are as large as two levels beside each other in `columns` allow; smaller if all of
    it then fits in `rows`.
    """
    allowed = 0
    for place, scale in enumerate(SCALES):
        if _abreast(tower, scale, columns) >= min(2, len(tower.floors)):
            allowed = place
    for above, from_side in _VIEWS:
        if above <= allowed:
            lines = [*_view(tower, columns, SCALES[above], SCALES[from_side])]
            if len(lines) <= rows:
                return lines
    return [*_view(tower, columns, SCALES[allowed], SCALES[allowed])]


_VIEWS = ((2, 2), (1, 1), (0, 1), (0, 0))
"""Scales from above and from the side, by their places in `SCALES`, the largest first."""


def _view(tower: Tower, columns: int, above: Scale, from_side: Scale) -> Iterator[Line]:
    """Yield what `view_lines` returns, in these scales from above and from the side."""
    abreast = _abreast(tower, above, columns)
    for first in range(0, len(tower.floors), abreast):
        blocks = [_titled(floor, above) for floor in tower.floors[first : first + abreast]]
        yield from beside(blocks, _width(tower, above))
        yield ()
    yield (Run("from the side", STRONG),)
    rows = range(tower.floors[0].rows + 1)
    count = len(rows)
    while count > 1 and side_size(tower, from_side, rows[:count])[0] > columns:
        count -= 1
    for first in rows[::count]:
        yield from side(tower, from_side, rows[first : first + count])
        yield ()
    yield from legend_lines(tower, columns)


def built_lines(tower: Tower, columns: int, rows: int) -> list[Line]:
    """Return the finished tower in `columns`: from the side, and level by level from above, as far
    as both fit in `rows`; the one that fits alone, or from above in more rows."""
    plans = list(tower_lines(tower, columns, sides=False))
    count = tower.floors[0].rows + 1
    sides = [*side(tower, SCALES[1])] if side_size(tower, SCALES[1])[0] <= columns else []
    if not sides and count > 1:
        half = range(-(-count // 2))
        rest = range(len(half), count)
        if side_size(tower, SCALES[1], half)[0] <= columns:
            sides = [*side(tower, SCALES[1], half), (), *side(tower, SCALES[1], rest)]
    if sides and len(sides) + 1 + len(plans) <= rows:
        return [*sides, (), *plans]
    legend = list(legend_lines(tower, columns))
    if sides and len(sides) + 1 + len(legend) <= rows:
        return [*sides, (), *legend]
    return plans


def floors_beside(
    floors: Sequence[Floor], scale: Scale, columns: int, *, letters: bool = True
) -> Iterator[Line]:
    """Yield floors with their titles, side by side where they fit in `columns`.

    Without `letters` above its crossings, each has a row less.
    """
    blocks = []
    for floor in floors:
        title, head, *rows = _titled(floor, scale)
        blocks.append([title, head, *rows] if letters else [title, *rows])
    wide = widest(line for block in blocks for line in block)
    abreast = max(1, (columns + len(GAP)) // (wide + len(GAP)))
    for first in range(0, len(blocks), abreast):
        if first:
            yield ()
        yield from beside(blocks[first : first + abreast], wide)


def _width(tower: Tower, scale: Scale) -> int:
    """Return the width of the widest floor with its title, in cells."""
    lines = [line for floor in tower.floors for line in _titled(floor, scale)]
    return max(width(plain(line)) for line in lines)  # without trailing blanks


def _abreast(tower: Tower, scale: Scale, columns: int) -> int:
    return max(1, (columns + len(GAP)) // (_width(tower, scale) + len(GAP)))


def _titled(floor: Floor, scale: Scale) -> list[Line]:
    return [(Run(floor.title, STRONG),), *plan(floor, scale)]
