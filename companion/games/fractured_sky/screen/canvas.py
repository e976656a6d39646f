"""A canvas of cells that is written on anywhere and read off as lines."""

from __future__ import annotations

from itertools import groupby

from textual.content import Content

BLANK = (" ", "")


class Canvas:
    """`width` by `height` cells, each a character of one column with its style."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[BLANK] * width for _ in range(height)]
        self._kept: set[tuple[int, int]] = set()

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """Write `text` from a cell on; what lies outside is left out."""
        for place, char in enumerate(text, start=x):
            if 0 <= y < self.height and 0 <= place < self.width:
                self._cells[y][place] = (char, style)

    def keep_clear(self, x: int, y: int, width: int, height: int) -> None:
        """Let no line through these cells."""
        self._kept |= {(column, row) for column in range(x, x + width) for row in range(y, y + height)}

    def line(self, start: tuple[int, int], end: tuple[int, int], style: str = "") -> None:
        """Draw a dotted line between two cells, where nothing is written yet."""
        (x0, y0), (x1, y1) = start, end
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        for step in range(steps + 1):
            x, y = round(x0 + (x1 - x0) * step / steps), round(y0 + (y1 - y0) * step / steps)
            inside = 0 <= y < self.height and 0 <= x < self.width
            if inside and (x, y) not in self._kept and self._cells[y][x] == BLANK:
                self._cells[y][x] = ("·", style)

    def rows(self) -> list[Content]:
        """Return the lines."""
        return [
            Content.assemble(*(("".join(char for char, _ in run), style) for style, run in _runs(row)))
            for row in self._cells
        ]


def _runs(row: list[tuple[str, str]]) -> list[tuple[str, list[tuple[str, str]]]]:
    return [(style, list(run)) for style, run in groupby(row, key=lambda cell: cell[1])]
