"""The board as data: regions with resources and places, platforms with bridges, what slots and AI pieces show.

Everything a box may leave open is None or empty here; nothing is filled in.
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
    """A region: what it is called, its two resources and where it lies (east, south); None where nobody knows."""

    id: RegionId
    name: str
    resources: tuple[str, ...] = ()
    point: Point | None = None


@dataclass(frozen=True, slots=True)
class Platform:
    """A floating platform: the regions it is bridged to, how many buildings it holds and its place, if known."""

    id: PlatformId
    regions: tuple[RegionId, ...]
    places: int | None = None
    point: Point | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """An AI's action card: what it does, and the stars of its compass as printed; `large` names those that are large,
    the first one where it names none. Without stars nobody has said which it has, and with `more` not yet all."""

    kind: CardKind
    stars: tuple[Direction, ...] = ()
    large: tuple[Direction, ...] = ()
    more: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """An AI's airship token: its low and its high power (FS-43)."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}/{self.high}"


@dataclass(frozen=True, slots=True)
class Board:
    """What the box says, for one side of the board. `decks` and `tokens` hold a color only where all of it is
    known; `notes` say what its open facts cost; `platforms_open` says that there may be platforms beside these."""

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
        """The regions in play by their ids."""
        return {region.id: region for region in self.regions}

    @property
    @once
    def bridges(self) -> Mapping[RegionId, tuple[Platform, ...]]:
        """The platforms that each region is bridged to."""
        return {
            name: tuple(platform for platform in self.platforms if name in platform.regions)
            for name in self.ids
        }

    @property
    def ids(self) -> tuple[RegionId, ...]:
        """The regions in play, in the order of the box."""
        return tuple(region.id for region in self.regions)

    def platform(self, name: PlatformId) -> Platform | None:
        """The platform of that name, if the table knows one."""
        return next((platform for platform in self.platforms if platform.id == name), None)

    def name(self, region: RegionId) -> str:
        """What a region is called."""
        return self.by_id[region].name if region in self.by_id else region

    def place(self, kind: str, target: str) -> str:
        """What a place for a piece, or the target of a card, of that kind is called: a region's name, `platform 3`, or
        `Hidden card 2`."""
        if kind in ("airship", "skimmer"):
            return self.name(target)
        return f"Hidden card {target}" if kind in ("scout", "marker") else f"platform {target}"

    def price(self, piece: str) -> str:
        """What a piece costs, behind it in a sentence: ` for 2 Iron`; empty where the box does not say."""
        cost = self.costs.get(piece.capitalize())
        amounts = " + ".join(
            f"{number} {resource.capitalize()}"
            for resource, number in (cost or {}).items()
            if number
        )
        return "" if cost is None else f" for {amounts or 'nothing'}"

    @property
    def left_to_right(self) -> tuple[RegionId, ...]:
        """The regions in the order in which they resolve (FS-23), the northern first of two one above the other; in the
        order of the box while a place is unknown."""
        if not self.places_known:
            return self.ids
        return tuple(
            sorted(
                self.ids, key=lambda region: self.by_id[region].point or (Fraction(0), Fraction(0))
            )
        )

    @property
    def places_known(self) -> bool:
        """Whether the place of every region is known."""
        return all(region.point is not None for region in self.regions)


def slug(name: str) -> str:
    """Return the id of a region called `name` in the box."""
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-")


def board_of(box: Box, side: Side) -> Board:
    """Return one side of the board as the box gives it."""
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
    """Where a platform lies: its own place, else the middle of the regions it is bridged to; None while one of these is
    unknown."""
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
    """The rows of a table of which all are known; none else."""
    rows = box.table(table)
    return rows if all(row.fields for row in rows) else ()


def _card(row: ComponentRow) -> Card:
    return Card(row.fields["kind"], tuple(row.fields["stars"]), tuple(row.fields.get("large", ())))


def _token(row: ComponentRow) -> Token:
    return Token(row.fields["low"], row.fields["high"])
