"""A canvas of terminal cells: written in any order, read back as lines.

Pure: each screen decides what a `Pen` looks like.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise, zip_longest
from typing import Literal, NamedTuple

from companion.rules.columns import width

Role = Literal["", "quiet", "strong", "mark", "link"]
"""The emphasis of some text: plain, secondary, important, to look at now, or a connection."""


class Pen(NamedTuple):
    """The style of a run of cells.

    `ink` is a color `#rrggbb` for the letters, or with `filled` for the background; an empty one
    leaves the screen's own color.
    """

    role: Role = ""
    ink: str = ""
    filled: bool = False
    reverse: bool = False


class Run(NamedTuple):
    """Text in one pen."""

    text: str
    pen: Pen


Line = tuple[Run, ...]

QUIET, STRONG, MARK, LINK = Pen("quiet"), Pen("strong"), Pen("mark"), Pen("link")
GAP = "  "
"""Space between two blocks side by side."""
_BLANK = (" ", Pen())  # an unwritten cell


class Canvas:
    """`width` by `height` cells, each holding one character and its pen."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[_BLANK] * width for _ in range(height)]
        self._clear: set[tuple[int, int]] = set()
        self._written: set[tuple[int, int]] = set()

    def put(self, x: int, y: int, text: str, pen: Pen = _BLANK[1]) -> None:
        """Write `text` from a cell on; clip what lies outside, wide characters as a whole."""
        for char in text:
            columns = width(char)
            self._written.add((x, y))
            if columns and 0 <= y < self.height and 0 <= x <= self.width - columns:
                # The further cells of a wide character hold no text but count as written.
                self._cells[y][x : x + columns] = [(char, pen), *[("", pen)] * (columns - 1)]
            x += columns

    def keep_clear(self, x: int, y: int, width: int, height: int) -> None:
        """Keep lines out of these cells."""
        self._clear |= {
            (column, row) for column in range(x, x + width) for row in range(y, y + height)
        }

    def line(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Draw a line between two cells, over blank cells only."""
        (x0, y0), (x1, y1) = start, end
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        path = []
        for step in range(steps + 1):
            path.append(
                (round(x0 + (x1 - x0) * step / steps), round(y0 + (y1 - y0) * step / steps))
            )
        # Both ends may lie under text; only what is free is drawn.
        free = [cell for cell in path if self.is_free(cell)]
        drawn = [cell for cell in free if cell not in self._clear]
        if not drawn and y0 == y1:
            drawn = free  # between two texts that almost touch
        strokes = {here: _stroke(here, after) for here, after in pairwise(path)}
        strokes[path[-1]] = strokes[path[-2]]
        for x, y in drawn:
            self._cells[y][x] = (strokes[x, y], LINK)

    def is_free(self, cell: tuple[int, int]) -> bool:
        """Return whether nothing was written or drawn in a cell."""
        x, y = cell
        inside = 0 <= y < self.height and 0 <= x < self.width
        return inside and cell not in self._written and self._cells[y][x] == _BLANK

    def rows(self) -> list[Line]:
        """Return the cells as lines."""
        lines = []
        for row in self._cells:
            by_pen = groupby(row, key=lambda cell: cell[1])
            lines.append(tuple(Run("".join(char for char, _ in run), pen) for pen, run in by_pen))
        return lines


def _stroke(here: tuple[int, int], after: tuple[int, int]) -> str:
    """Return the sign in a line's cell before its next one, which is one of the eight around it."""
    right, down = after[0] - here[0], after[1] - here[1]
    if down == 0:
        return "─"
    if right == 0:
        return "│"
    return "╲" if right * down > 0 else "╱"


def plain(line: Line) -> str:
    """Return the text of a line, without trailing blanks."""
    return "".join(run.text for run in line).rstrip()


def padded(line: Line, columns: int) -> Line:
    """Return the line padded to `columns`; if it is longer, drop trailing blanks down to that."""
    more = columns - widest([line])
    if more < 0 and line and line[-1].text.endswith(" " * -more):
        return (*line[:-1], line[-1]._replace(text=line[-1].text[:more]))
    return (*line, Run(" " * more, Pen()))


def widest(lines: Iterable[Line]) -> int:
    """Return the width of the widest line, in cells."""
    return max((sum(width(run.text) for run in line) for line in lines), default=0)


def beside(blocks: Sequence[Iterable[Line]], wide: int) -> Iterator[Line]:
    """Yield the lines of blocks side by side, each block `wide` cells."""
    for lines in zip_longest(*blocks, fillvalue=()):
        row: Line = ()
        for place, line in enumerate(lines):
            if place:
                row += (Run(GAP, Pen()),)
            row += padded(line, wide)
        yield row
