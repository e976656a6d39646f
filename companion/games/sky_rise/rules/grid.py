"""Where cards and pyramids lie: cells `a1` to `c3`, columns by letters and rows by numbers, and their corners `a1` to
`d4`, named the same way. Corner `b2` is the one that the cells a1, b1, a2 and b2 have in common (SR-6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

_LETTERS = "abcd"


@dataclass(frozen=True, slots=True)
class Grid:
    """A floor of `columns` x `rows` cards; it has one corner more each way (SR-5, SR-6)."""

    columns: int
    rows: int

    @property
    def cells(self) -> tuple[str, ...]:
        """The names of the cells, row by row."""
        return _names(self.columns, self.rows)

    @property
    def places(self) -> tuple[str, ...]:
        """The names of the corners, row by row."""
        return _names(self.columns + 1, self.rows + 1)

    def touching(self, place: str) -> tuple[str, ...]:
        """The cells that a corner touches, one to four of them (SR-8)."""
        return _touching(place, self.columns, self.rows)

    def next_to(self, place: str) -> tuple[str, ...]:
        """The corners beside a corner: left, right, behind, in front; never diagonally (SR-10)."""
        return _beside(place, self.columns + 1, self.rows + 1)

    def cells_beside(self, cell: str) -> tuple[str, ...]:
        """The cells that share an edge with a cell."""
        return _beside(cell, self.columns, self.rows)


# Asked again for each color and corner of each view, of a handful of places: what they answer is kept.


@cache
def _touching(place: str, columns: int, rows: int) -> tuple[str, ...]:
    x, y = _position(place)
    return _inside(((x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)), columns, rows)


@cache
def _beside(name: str, columns: int, rows: int) -> tuple[str, ...]:
    x, y = _position(name)
    return _inside(((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)), columns, rows)


@cache
def _names(columns: int, rows: int) -> tuple[str, ...]:
    return tuple(_name(x, y) for y in range(rows) for x in range(columns))


def _inside(around: Iterable[tuple[int, int]], columns: int, rows: int) -> tuple[str, ...]:
    return tuple(_name(x, y) for x, y in around if 0 <= x < columns and 0 <= y < rows)


def _name(x: int, y: int) -> str:
    return f"{_LETTERS[x]}{y + 1}"


def _position(name: str) -> tuple[int, int]:
    return _LETTERS.index(name[0]), int(name[1]) - 1
