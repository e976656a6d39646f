"""Pictures that a game declares, as plain data. `rules.towers` draws them in cells for terminals and plain lines,
`reports.pictures` as SVG for phones and reports. Nothing in them is told by color alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Point = tuple[int, int]
"""A column and a row, both from 0; the row 0 lies farthest away."""
Size = Literal[1, 2, 3]
"""Small, medium, large."""


@dataclass(frozen=True, slots=True)
class Pyramid:
    """A pyramid on a crossing: its size, its letter, its color `#rrggbb`, and what it is in words."""

    at: Point
    size: Size
    letter: str
    ink: str
    words: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A card in the field between four crossings: the sign of its suit, and what it is in words."""

    at: Point
    sign: str
    words: str


@dataclass(frozen=True, slots=True)
class Floor:
    """One level of a tower: `columns` x `rows` fields, one crossing more each way. `usual` is the size of its pyramids,
    None where any may stand; of those on one crossing the lowest comes first. `joined` are the neighboring crossings
    of one group, the left or the farther one first."""

    title: str
    columns: int
    rows: int
    usual: Size | None
    tiles: tuple[Tile, ...]
    pyramids: tuple[Pyramid, ...]
    joined: frozenset[tuple[Point, Point]] = frozenset()

    def standing(self, at: Point) -> tuple[Pyramid, ...]:
        """The pyramids on a crossing, the lowest first."""
        return tuple(one for one in self.pyramids if one.at == at)


@dataclass(frozen=True, slots=True)
class Tower:
    """Floors on one another, the lowest first, below a title; `legend` says what each letter and sign stands for."""

    title: str
    floors: tuple[Floor, ...]
    legend: tuple[str, ...]
    long: bool = False

    @property
    def rows(self) -> tuple[Floor, ...]:
        """The floors: without one, nothing is shown."""
        return self.floors

    @property
    def words(self) -> str:
        """The tower in words, from the ground up."""
        told = []
        for floor in self.floors:
            tiles = ", ".join(tile.words for tile in floor.tiles) or "no cards"
            pyramids = ", ".join(one.words for one in floor.pyramids) or "no pyramids"
            told.append(f"{floor.title}: {tiles}; {pyramids}")
        return f"{self.title} from the ground up. {'. '.join(told)}."
