"""A canvas of cells that is written on anywhere and read off as lines. Pure: a screen says what a pen looks like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Literal, NamedTuple

from companion.rules.columns import width

Role = Literal["", "quiet", "strong", "mark", "link"]
"""What a sign is: plain, less wanted than the rest, much wanted, what somebody is to look at now, what leads on."""


class Pen(NamedTuple):
    """How cells are written: their role, and a color `#rrggbb` of the letters, or with `filled` of the ground below
    them; nothing: the screen's own."""

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
"""Between two blocks side by side."""
_BLANK = (" ", Pen())


class Canvas:
    """`width` by `height` cells, each a sign of one column with its pen."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[_BLANK] * width for _ in range(height)]
        self._kept: set[tuple[int, int]] = set()

    def put(self, x: int, y: int, text: str, pen: Pen = _BLANK[1]) -> None:
        """Write `text` from a cell on; what lies outside is left out, and a sign that is only half inside."""
        for char in text:
            columns = width(char)
            if columns and 0 <= y < self.height and 0 <= x <= self.width - columns:
                self._cells[y][x : x + columns] = [(char, pen), *[("", pen)] * (columns - 1)]
            x += columns

    def keep_clear(self, x: int, y: int, width: int, height: int) -> None:
        """Let no line through these cells."""
        self._kept |= {
            (column, row) for column in range(x, x + width) for row in range(y, y + height)
        }

    def line(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Draw a dotted line between two cells, where nothing is written yet."""
        (x0, y0), (x1, y1) = start, end
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        for step in range(steps + 1):
            x, y = round(x0 + (x1 - x0) * step / steps), round(y0 + (y1 - y0) * step / steps)
            inside = 0 <= y < self.height and 0 <= x < self.width
            if inside and (x, y) not in self._kept and self._cells[y][x] == _BLANK:
                self._cells[y][x] = ("·", QUIET)

    def rows(self) -> list[Line]:
        """Return the lines."""
        return [
            tuple(
                Run("".join(char for char, _ in run), pen)
                for pen, run in groupby(row, key=lambda cell: cell[1])
            )
            for row in self._cells
        ]


def plain(line: Line) -> str:
    """Return a line without its pens."""
    return "".join(run.text for run in line).rstrip()


def padded(line: Line, columns: int) -> Line:
    """Return a line filled with blanks to `columns`, or without as many of its last blanks."""
    more = columns - widest([line])
    if more < 0 and line and line[-1].text.endswith(" " * -more):
        return (*line[:-1], line[-1]._replace(text=line[-1].text[:more]))
    return (*line, Run(" " * more, Pen()))


def widest(lines: Iterable[Line]) -> int:
    """Return the cells of the widest line."""
    return max((sum(width(run.text) for run in line) for line in lines), default=0)


def beside(blocks: Sequence[Iterable[Line]], wide: int) -> Iterator[Line]:
    """Return blocks of lines side by side, each `wide` cells."""
    for lines in zip_longest(*blocks, fillvalue=()):
        row: Line = ()
        for place, line in enumerate(lines):
            row += ((Run(GAP, Pen()),) if place else ()) + padded(line, wide)
        yield row
