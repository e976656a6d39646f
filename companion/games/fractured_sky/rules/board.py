"""One side of the board as data: regions, platforms, turn slots, and the AIs' cards and tokens.

A component fact that nobody has entered is None or empty here; no default stands in for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from companion.games.fractured_sky.rules.box import COLORS, costs_of, place_of, regions_on
from companion.rules.components import Box, ComponentRow
from companion.rules.once import once

RegionId = str
PlatformId = str
Side = Literal["eight", "ten"]
CardKind = Literal["airship", "fortress", "market", "skimmer", "scout"]
Direction = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
Point = tuple[Fraction, Fraction]


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
        return {
            name: tuple(platform for platform in self.platforms if name in platform.regions)
            for name in self.ids
        }

    @property
    def ids(self) -> tuple[RegionId, ...]:
        """The ids of the regions of this side, in the order of the box."""
        return tuple(region.id for region in self.regions)

    def platform(self, name: PlatformId) -> Platform | None:
        """Return the platform with that id, or None."""
        return next((platform for platform in self.platforms if platform.id == name), None)

    def name(self, region: RegionId) -> str:
        """Return a region's name, or the id itself if it is unknown."""
        return self.by_id[region].name if region in self.by_id else region

    def place(self, kind: str, target: str) -> str:
        """Return the name of the place `target` of a piece or card of that kind: a region's name,
        `platform 3` or `Hidden card 2`."""
        if kind in ("airship", "skimmer"):
            return self.name(target)
        return f"Hidden card {target}" if kind in ("scout", "marker") else f"platform {target}"

    def price(self, piece: str) -> str:
        """Return the cost of a piece as the end of a sentence, ` for 2 Iron`; empty if the box does not state it."""
        cost = self.costs.get(piece.capitalize())
        amounts = " + ".join(
            f"{number} {resource.capitalize()}"
            for resource, number in (cost or {}).items()
            if number
        )
        return "" if cost is None else f" for {amounts or 'nothing'}"

    @property
    def left_to_right(self) -> tuple[RegionId, ...]:
        """The regions in the order in which they resolve, the northern first of two above each other (FS-23).

        While any place is unknown, the order of the box: the order changes no result (FS-U3).
        """
        if not self.places_known:
            return self.ids
        return tuple(
            sorted(
                self.ids, key=lambda region: self.by_id[region].point or (Fraction(0), Fraction(0))
            )
        )

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
    chips = next((row.fields.get("values", ()) for row in box.table("chips")), ())
    return Board(
        side=side,
        regions=regions,
        platforms=tuple(_platform(row, regions) for row in rows if row.fields),
        gold=tuple(
            row.value for row in sorted(box.table(f"slot_{side}"), key=lambda row: row.name)
        ),
        chips=tuple(sorted(chips)),
        decks={
            color: tuple(map(_card, cards))
            for color in COLORS
            if (cards := _complete_rows(box, f"card_{color}"))
        },
        tokens={
            color: tuple(map(_token, known))
            for color in COLORS
            if (known := _complete_rows(box, f"token_{color}"))
        },
        market_numbers={
            row.name: row.value for row in box.table("market_card") if row.value is not None
        },
        ai_skimmers=box.value("count", "Skimmers of an AI", 2),
        starfall_tokens=box.value("count", "Starfall tokens", 28),
        costs={row.name: row.fields for row in box.table("cost") if row.fields},
        notes=costs_of(box, side),
        platforms_open=not rows or any(not row.fields for row in rows),
        example=any(row.status == "example" for row in box.rows),
    )


def platform_point(board: Board, platform: Platform) -> Point | None:
    """Return a platform's own place, else the middle of the regions it is bridged to (FS-T7); None
    while that is unknown."""
    if platform.point is not None:
        return platform.point
    around = [board.by_id[region].point for region in platform.regions if region in board.by_id]
    known = [point for point in around if point is not None]
    if not known or len(known) < len(around):
        return None
    return sum((x for x, _ in known), Fraction(0)) / len(known), sum(
        (y for _, y in known), Fraction(0)
    ) / len(known)


def _region(box: Box, side: Side, name: str) -> Region:
    row, place, label = (
        box.row("region", name),
        box.row(f"place_{side}", name),
        box.row("label", name),
    )
    return Region(
        slug(name),
        label.value if label is not None and label.value else name,
        tuple(row.fields.get("resources", ())) if row is not None else (),
        _point(place),
    )


def _point(row: ComponentRow | None) -> Point | None:
    at = place_of(row)
    return None if at is None else (Fraction(at[0]), Fraction(at[1]))


def _platform(row: ComponentRow, regions: tuple[Region, ...]) -> Platform:
    ids = {region.id for region in regions}
    bridged = tuple(slug(name) for name in row.fields["regions"] if slug(name) in ids)
    return Platform(row.name, bridged, row.fields.get("places"), _point(row))


def _complete_rows(box: Box, table: str) -> tuple[ComponentRow, ...]:
    """Return the rows of a table if every one of them is known, else none."""
    rows = box.table(table)
    return rows if all(row.fields for row in rows) else ()


def _card(row: ComponentRow) -> Card:
    return Card(row.fields["kind"], tuple(row.fields["stars"]), tuple(row.fields.get("large", ())))


def _token(row: ComponentRow) -> Token:
    return Token(row.fields["low"], row.fields["high"])
