"""Pictures that a game declares, as plain data. Nothing in them is told by color alone.

`display.towers`, `display.charts` and `display.stacks` draw them in cells for terminals and plain lines,
`reports.tables` as SVG for phones and reports.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Point = tuple[int, int]
"""A column and a row, both from 0; the row 0 lies farthest away."""
Size = Literal[1, 2, 3]
"""Small, medium, large."""


@dataclass(frozen=True, slots=True)
class DrawnPyramid:
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
    pyramids: tuple[DrawnPyramid, ...]
    joined: frozenset[tuple[Point, Point]] = frozenset()

    def standing(self, at: Point) -> tuple[DrawnPyramid, ...]:
        """The pyramids on a crossing, the lowest first."""
        return tuple(pyramid for pyramid in self.pyramids if pyramid.at == at)


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
        floors = []
        for floor in self.floors:
            tiles = ", ".join(tile.words for tile in floor.tiles) or "no cards"
            pyramids = ", ".join(pyramid.words for pyramid in floor.pyramids) or "no pyramids"
            floors.append(f"{floor.title}: {tiles}; {pyramids}")
        return f"{self.title} from the ground up. {'. '.join(floors)}."


@dataclass(frozen=True, slots=True)
class Site:
    """Something on a map: its name, what is there in words, and `short`, two lines of signs for where there is too
    little room. `at` is how far east and south it lies, None: nobody knows. `major` sites are the places, the others
    lie between them; `marked`: look here; `under`: the cursor is on it."""

    id: str
    head: str
    words: tuple[str, ...]
    short: tuple[str, str]
    at: tuple[Fraction, Fraction] | None
    major: bool
    marked: bool = False
    under: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A map: sites, and the bridges between pairs of them by their ids; `legend` says what the signs stand for
    where there is no room for words, `people` whose pieces lie there. Paper has no room for it."""

    title: str
    sites: tuple[Site, ...]
    bridges: tuple[tuple[str, str], ...]
    legend: tuple[str, ...]
    people: tuple[str, ...] = ()
    long: bool = True

    @property
    def rows(self) -> tuple[Site, ...]:
        """The sites: without one, nothing is shown."""
        return self.sites

    @property
    def places_known(self) -> bool:
        """Whether it is known where every site lies."""
        return all(site.at is not None for site in self.sites)

    @property
    def words(self) -> str:
        """The map in words."""
        return ". ".join(
            (self.title, *(f"{site.head}: {', '.join(site.words)}" for site in self.sites))
        )


@dataclass(frozen=True, slots=True)
class Lying:
    """A card that lies face down in a stack: whose it is with the sign and the color `#rrggbb`, and a short note."""

    who: str
    ink: str
    note: str


@dataclass(frozen=True, slots=True)
class Stack:
    """Cards upon one another, the lowest first, below a title and a note on all of them."""

    title: str
    note: str
    cards: tuple[Lying, ...]


@dataclass(frozen=True, slots=True)
class Stacks:
    """Stacks side by side. Paper has no room for them."""

    title: str
    stacks: tuple[Stack, ...]
    long: bool = True

    @property
    def rows(self) -> tuple[Stack, ...]:
        """The stacks: without one, nothing is shown."""
        return self.stacks

    @property
    def words(self) -> str:
        """The stacks in words, each from the lowest card to the newest."""
        stacks = (
            f"{stack.title}, {stack.note}: {', '.join(card.who for card in stack.cards) or 'empty'}"
            for stack in self.stacks
        )
        return ". ".join((self.title, *stacks))
