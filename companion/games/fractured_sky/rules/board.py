"""One side of the board as data: regions, platforms, turn slots, and the AIs' cards and tokens.

A component fact that nobody has entered is None or empty here; no default stands in for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from companion.games.fractured_sky.rules.box import (
    COLORS,
    costs_of,
    place_of,
    regions_on,
    shown_name,
)
from companion.rules.components import Box, ComponentRow
from companion.rules.once import once

RegionId = str
PlatformId = str
Side = Literal["eight", "ten"]
CardKind = Literal["airship", "fortress", "market", "skimmer", "scout"]
Direction = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
Point = tuple[Fraction, Fraction]
_ORIGIN: Point = (Fraction(0), Fraction(0))


@dataclass(frozen=True, slots=True)
class Region:
    """A region: its name, its two resources and its place (east, south); empty or None while unknown."""

    id: RegionId
    name: str
    resources: tuple[str, ...] = ()
    point: Point | None = None


@dataclass(frozen=True, slots=True)
class Platform:
    """A floating platform: the regions it is bridged to, its places for buildings and its own
    place, None while unknown."""

    id: PlatformId
    regions: tuple[RegionId, ...]
    places: int | None = None
    point: Point | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """An AI's action card: what it does and the stars of its compass, as printed.

    `large` names the large stars; if it is empty, the first star is the large one. A card of the
    table may come without stars; `more` says that it has stars that were not named yet.
    """

    kind: CardKind
    stars: tuple[Direction, ...] = ()
    large: tuple[Direction, ...] = ()
    more: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """An AI's airship token with its low and its high power (FS-43)."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}/{self.high}"


@dataclass(frozen=True, slots=True)
class Board:
    """One side of the board as the box describes it.

    `gold` is the Gold on each turn slot. `decks` and `tokens` have a color only if all its cards or
    tokens are known. `notes` say what each open fact costs the table; `platforms_open` means that
    the board may have platforms beside these. `example` marks the invented map.
    """

    side: Side
    regions: tuple[Region, ...]
    platforms: tuple[Platform, ...]
    gold: tuple[int | None, ...]
    chips: tuple[int, ...]
    decks: Mapping[str, tuple[Card, ...]]
    tokens: Mapping[str, tuple[Token, ...]]
    market_numbers: Mapping[str, int]
    ai_skimmers: int
    starfall_tokens: int
    costs: Mapping[str, Mapping[str, int]]
    example: bool
    notes: tuple[str, ...] = ()
    platforms_open: bool = False

    @property
    @once
    def by_id(self) -> Mapping[RegionId, Region]:
        """The regions of this side by id."""
        return {region.id: region for region in self.regions}

    @property
    @once
    def bridges(self) -> Mapping[RegionId, tuple[Platform, ...]]:
        """The platforms bridged to each region."""
        bridges: dict[RegionId, tuple[Platform, ...]] = dict.fromkeys(self.ids, ())
        for platform in self.platforms:
            # the table may name a region of the other side of the board
            for name in bridges.keys() & platform.regions:
                bridges[name] += (platform,)
        return bridges

    @property
    def ids(self) -> tuple[RegionId, ...]:
        """The ids of the regions of this side, in the order of the box."""
        return tuple(region.id for region in self.regions)

    def platform(self, name: PlatformId) -> Platform | None:
        """Return the platform with that id, or None."""
        for platform in self.platforms:
            if platform.id == name:
                return platform
        return None

    def name(self, region: RegionId) -> str:
        """Return a region's name, or the id itself if it is unknown."""
        return self.by_id[region].name if region in self.by_id else region

    def place(self, kind: str, target: str) -> str:
        """Return the name of the place `target` of a piece or card of that kind: a region's name,
        `platform 3` or `Hidden card 2`."""
        if kind in ("airship", "skimmer"):
            return self.name(target)
        if kind in ("scout", "marker"):
            return f"Hidden card {target}"
        return f"platform {target}"

    def price(self, piece: str) -> str:
        """Return the cost of a piece as the end of a sentence, ` for 2 Iron`; empty if the box does not state it."""
        cost = self.costs.get(piece.capitalize())
        if cost is None:
            return ""
        parts = []
        for resource, number in cost.items():
            if number:
                parts.append(f"{number} {resource.capitalize()}")
        return f" for {' + '.join(parts) or 'nothing'}"

    @property
    def left_to_right(self) -> tuple[RegionId, ...]:
        """The regions in the order in which they resolve, the northern first of two above each other (FS-23).

        While any place is unknown, the order of the box (FS-U3).
        """
        points = {region.id: region.point for region in self.regions}
        if None in points.values():
            return self.ids
        return tuple(sorted(self.ids, key=lambda name: points[name] or _ORIGIN))

    @property
    def places_known(self) -> bool:
        """Return whether the place of every region is known."""
        return all(region.point is not None for region in self.regions)


def slug(name: str) -> str:
    """Return the id of the region that the box calls `name`."""
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-")


def board_of(box: Box, side: Side) -> Board:
    """Return one side of the board as the box describes it."""
    regions = tuple(_region(box, side, name) for name in regions_on(box, side))
    rows = box.table(f"platform_{side}")
    platforms = tuple(_platform(row, regions) for row in rows if row.fields)
    chips = box.table("chips")[:1]  # one row: all players have the same
    slots = sorted(box.table(f"slot_{side}"), key=lambda row: row.name)
    market_numbers = {}
    for row in box.table("market_card"):
        if row.value is not None:
            market_numbers[row.name] = row.value
    return Board(
        side=side,
        regions=regions,
        platforms=platforms,
        gold=tuple(slot.value for slot in slots),
        chips=tuple(sorted(chips[0].fields.get("values", ()))) if chips else (),
        decks=_decks(box),
        tokens=_tokens(box),
        market_numbers=market_numbers,
        ai_skimmers=box.value("count", "Skimmers of an AI", 2),
        starfall_tokens=box.value("count", "Starfall tokens", 28),
        costs={row.name: row.fields for row in box.table("cost") if row.fields},
        notes=costs_of(box, side),
        # a file that names no platform says nothing about how many there are
        platforms_open=not rows or any(not row.fields for row in rows),
        example=any(row.status == "example" for row in box.rows),
    )


def _decks(box: Box) -> dict[str, tuple[Card, ...]]:
    """Return each color's action cards; a color is missing unless all its cards are known."""
    decks = {}
    for color in COLORS:
        rows = _complete_rows(box, f"card_{color}")
        if rows:
            decks[color] = tuple(_card(row) for row in rows)
    return decks


def _tokens(box: Box) -> dict[str, tuple[Token, ...]]:
    """Return each color's tokens; a color is missing unless all its tokens are known."""
    tokens = {}
    for color in COLORS:
        rows = _complete_rows(box, f"token_{color}")
        if rows:
            tokens[color] = tuple(_token(row) for row in rows)
    return tokens


def platform_point(board: Board, platform: Platform) -> Point | None:
    """Return a platform's own place, else the middle of the regions it is bridged to (FS-T7); None
    while that is unknown."""
    if platform.point is not None:
        return platform.point
    points = []
    for region in platform.regions:
        if region in board.by_id:
            point = board.by_id[region].point
            if point is None:
                return None
            points.append(point)
    if not points:
        return None
    east = sum((x for x, _ in points), Fraction(0))
    south = sum((y for _, y in points), Fraction(0))
    return east / len(points), south / len(points)


def _region(box: Box, side: Side, name: str) -> Region:
    row = box.row("region", name)
    resources = () if row is None else row.fields.get("resources", ())
    label = box.row("label", name)
    called = label.value if label is not None and label.value else shown_name(name)
    place = box.row(f"place_{side}", name)
    return Region(slug(name), called, tuple(resources), _point(place))


def _point(row: ComponentRow | None) -> Point | None:
    place = place_of(row)
    if place is None:
        return None
    right, down = place
    return Fraction(right), Fraction(down)


def _platform(row: ComponentRow, regions: tuple[Region, ...]) -> Platform:
    ids = {region.id for region in regions}
    bridged = tuple(slug(name) for name in row.fields["regions"] if slug(name) in ids)
    return Platform(row.name, bridged, row.fields.get("places"), _point(row))


def _complete_rows(box: Box, table: str) -> tuple[ComponentRow, ...]:
    """Return the rows of a table if every one of them is known, else none."""
    rows = box.table(table)
    if all(row.fields for row in rows):
        return rows
    return ()


def _card(row: ComponentRow) -> Card:
    return Card(row.fields["kind"], tuple(row.fields["stars"]), tuple(row.fields.get("large", ())))


def _token(row: ComponentRow) -> Token:
    return Token(row.fields["low"], row.fields["high"])
