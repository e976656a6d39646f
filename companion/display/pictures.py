"""Pictures that a game declares, as plain data. Color never carries meaning alone.

`display.towers`, `display.charts`, `display.stacks` and `display.races` draw them in cells for terminals and plain
lines, `reports.pictures` as SVG for phones and reports.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from companion.rules.facts import Seat

Point = tuple[int, int]
"""A column and a row, both from 0; row 0 is the farthest."""
Size = Literal[1, 2, 3]
"""Small, medium, large."""


@dataclass(frozen=True, slots=True)
class DrawnPyramid:
    """A pyramid on a crossing: size, letter, color `#rrggbb` and description.

    `owner` is its owner's glyph, and `owner_ink` their color; empty: nobody's.
    """

    at: Point
    size: Size
    letter: str
    ink: str
    words: str
    owner: str = ""
    owner_ink: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """A card in the field between four crossings: the sign of its suit, and its description.

    `ink` is the color `#rrggbb` of its suit, empty for a suit without one.
    """

    at: Point
    sign: str
    words: str
    ink: str = ""


@dataclass(frozen=True, slots=True)
class Floor:
    """One level of a tower: `columns` x `rows` fields, with one more crossing each way.

    `usual` is the size of its pyramids, None if any may be there. Pyramids on one crossing are
    listed from the lowest up. `joined` are the pairs of neighboring crossings in one group, left or
    farther one first.
    """

    title: str
    columns: int
    rows: int
    usual: Size | None
    tiles: tuple[Tile, ...]
    pyramids: tuple[DrawnPyramid, ...]
    joined: frozenset[tuple[Point, Point]] = frozenset()

    def standing(self, at: Point) -> tuple[DrawnPyramid, ...]:
        """Return the pyramids on a crossing, the lowest first."""
        return tuple(pyramid for pyramid in self.pyramids if pyramid.at == at)


@dataclass(frozen=True, slots=True)
class Tower:
    """Floors on one another, the lowest first; `legend` explains each letter and sign.

    `inks` are the colors `#rrggbb` of the legend's entries, in their order; empty: none has one.
    `people` are the owners of pyramids, each with glyph and color: `● Ada`, `#d55e00`.
    """

    title: str
    floors: tuple[Floor, ...]
    legend: tuple[str, ...]
    long: bool = False
    inks: tuple[str, ...] = ()
    people: tuple[tuple[str, str], ...] = ()

    @property
    def rows(self) -> tuple[Floor, ...]:
        """The floors; a tower without any is not shown."""
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


Shape = Literal["ship", "tower", "house", "dart", "star", "full star"]
"""The outline of a piece on a map."""


@dataclass(frozen=True, slots=True)
class MapPiece:
    """A piece on a map: its shape, the sign inside, its owner's color `#rrggbb`, and its description.

    The sign is the owner's glyph, with a number if there is more to say; of nobody's piece, a count
    or nothing, and `ink` is empty.
    """

    shape: Shape
    sign: str
    ink: str
    words: str


@dataclass(frozen=True, slots=True)
class Site:
    """A place on a map, or something between places.

    `words` describe it; `short` is two lines for when there is too little room. `at` is how far
    east and south it lies, None if unknown. `major` sites are the places, the others lie
    between them. `marked` draws attention to it; `under` is the cursor; `linked` is bridged to the
    site under the cursor.

    `lines` are what the map shows below the head, a row each; empty: `words`, wrapped. `room` is
    the cells and rows that the map keeps for head and lines, so that no site moves when pieces
    come or go; (0, 0): as many as its text takes now. `brief` are fewer lines than `lines`, for a
    map of middle size, with a room of their own; without them there is no such map.

    `pieces` are what lies there, for drawings, and `about` the other lines below the head; None:
    `lines` say it all. `piece_room` is how many pieces a drawing keeps room for.
    """

    id: str
    head: str
    words: tuple[str, ...]
    short: tuple[str, str]
    at: tuple[Fraction, Fraction] | None
    major: bool
    marked: bool = False
    under: bool = False
    lines: tuple[str, ...] = ()
    room: tuple[int, int] = (0, 0)
    linked: bool = False
    brief: tuple[str, ...] | None = None
    brief_room: tuple[int, int] = (0, 0)
    pieces: tuple[MapPiece, ...] | None = None
    about: tuple[str, ...] = ()
    piece_room: int = 0


@dataclass(frozen=True, slots=True)
class Chart:
    """A map: sites, and bridges between pairs of them by id. Not printed on paper.

    `legend` explains the signs used where there is no room for words, `people` whose pieces are
    there. `inks` are the owners' marks with their colors `#rrggbb`: below a site's head, and among
    the people, a mark has its owner's color. `shapes` names the shapes of pieces.
    """

    title: str
    sites: tuple[Site, ...]
    bridges: tuple[tuple[str, str], ...]
    legend: tuple[str, ...]
    people: tuple[str, ...] = ()
    long: bool = True
    inks: tuple[tuple[str, str], ...] = ()
    shapes: tuple[tuple[Shape, str], ...] = ()

    def by_owner(self, text: str) -> tuple[tuple[str, str], ...]:
        """Return the text in parts, each with the color of the owner whose mark it is, or ""."""
        inks = dict(self.inks)
        if not inks:
            return ((text, ""),)
        marks = "|".join(re.escape(mark) for mark in sorted(inks, key=len, reverse=True))
        parts = re.split(f"({marks})", text)
        return tuple((part, inks.get(part, "")) for part in parts if part)

    @property
    def rows(self) -> tuple[Site, ...]:
        """The sites; a map without any is not shown."""
        return self.sites

    @property
    def places_known(self) -> bool:
        """Whether the position of every site is known."""
        return all(site.at is not None for site in self.sites)

    @property
    def words(self) -> str:
        """The map in words."""
        sites = [f"{site.head}: {', '.join(site.words)}" for site in self.sites]
        return ". ".join((self.title, *sites))


@dataclass(frozen=True, slots=True)
class Lying:
    """A face-down card in a stack: its owner with glyph, their color `#rrggbb`, and a short note."""

    who: str
    ink: str
    note: str


@dataclass(frozen=True, slots=True)
class Stack:
    """Cards on one another, the lowest first, with a title and a note on all of them."""

    title: str
    note: str
    cards: tuple[Lying, ...]

    @property
    def words(self) -> str:
        """The stack in words, from the lowest card to the newest."""
        cards = [f"{card.who} {card.note}".rstrip() for card in self.cards]
        return f"{self.title}, {self.note}: {', '.join(cards) or 'empty'}"


@dataclass(frozen=True, slots=True)
class Stacks:
    """Stacks side by side. Not printed on paper."""

    title: str
    stacks: tuple[Stack, ...]
    long: bool = True

    @property
    def rows(self) -> tuple[Stack, ...]:
        """The stacks; none are shown if there are none."""
        return self.stacks

    @property
    def words(self) -> str:
        """The stacks in words, each from the lowest card to the newest."""
        return ". ".join((self.title, *(stack.words for stack in self.stacks)))


@dataclass(frozen=True, slots=True)
class Lane:
    """A player's bar: the part from 0 to 1 that is full, and what is written at its end."""

    player: Seat
    part: float
    end: str


@dataclass(frozen=True, slots=True)
class Race:
    """Bars of one scale, for how far players are or how long something took. Not printed on paper.

    Of several lanes of a player in a row the first has the name. With a `goal` a full bar is the
    end of the way, and what is missing of it is drawn too.
    """

    title: str
    lanes: tuple[Lane, ...]
    goal: bool = False
    long: bool = True

    @property
    def rows(self) -> tuple[Lane, ...]:
        """The lanes; without any, a race is not shown."""
        return self.lanes

    @property
    def words(self) -> str:
        """The race in words."""
        lanes = [f"{lane.player.name} {lane.end}" for lane in self.lanes]
        return f"{self.title}: {', '.join(lanes)}"
