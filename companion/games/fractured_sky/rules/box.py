"""The component file (FS-U1 to FS-U8): its tables, checks for contradictions, and the price of what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.rules.components import (
    Box,
    ComponentRow,
    ComponentTable,
    Field,
    Problem,
    Unlock,
    box_of,
    example,
)
from companion.rules.facts import Setup

RESOURCES = ("Gold", "Iron", "Wood")
DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
ROSE = ("w", "e", "d", "c", "x", "z", "a", "q")  # around the s key, in the order of `DIRECTIONS`
KINDS = ("airship", "fortress", "market", "skimmer", "scout")
SIDES = ("eight", "ten")
NAME_UNKNOWN = "Tenth region"
"""What the component file calls the region of which no name is published."""
COLORS = ("black", "orange")
GRID = 999  # places are read off a grid over the map, as fine as the owner likes

_PLACE = (
    Field("x", "number", most=GRID, asks="how far to the right on a grid?"),
    Field("y", "number", most=GRID, asks="how far down on that grid?"),
)
_PLATFORM = (
    Field("regions", "texts", asks="bridges to which regions?"),
    Field(
        "places", "number", least=1, most=20, optional=True, asks="how many buildings does it hold?"
    ),
    *(replace(field, optional=True) for field in _PLACE),
)
_CARD = (
    Field("kind", "text", choices=KINDS, asks="what does it place?"),
    Field("stars", "texts", choices=DIRECTIONS, keys=ROSE, asks="its stars, in their order?"),
    Field("large", "texts", choices=DIRECTIONS, keys=ROSE, optional=True, asks="which stars are large?",
          among="stars", without="only the first is large"),
)  # fmt: skip
_TOKEN = (
    Field("low", "number", most=20, asks="what is its low power?"),
    Field("high", "number", most=20, asks="what is its high power?"),
)
_SLOT = (Field("value", "number", most=5, asks="how much Gold?"),)
_IN_WORDS = {"eight": "eight regions", "ten": "ten regions"}
_SLOTS = {"eight": ("1", "2", "3"), "ten": ("1", "2", "3", "4", "5")}

TABLES = (
    ComponentTable("count", "how many pieces of a kind are in the box",
                   (Field("value", "number", most=200, asks="how many?"),), heading="counts"),
    ComponentTable("chips", "the Power chips of a player (FS-2)", (Field("values", "numbers", most=20),)),
    ComponentTable("region", "a region and its two resources (FS-U2)",
                   (Field("resources", "texts", choices=RESOURCES, exactly=2, asks="which two resources?"),),
                   heading="resources of the regions"),
    ComponentTable("label", "what a region is called on screens (FS-U1)",
                   (Field("value", "text", asks="what is it called?"),), heading="names of the regions"),
    ComponentTable("side", "the regions on a side of the board (FS-U8)", (Field("regions", "texts"),), names=SIDES),
    ComponentTable("bearing", "where a region lies, seen from another (FS-U3)",
          (Field("region", "text"), Field("seen_from", "text"), Field("direction", "text", choices=DIRECTIONS))),
    *(ComponentTable(f"place_{side}", "where a region lies, x to the right and y down (FS-U3)", _PLACE,
                     heading=f"places, {words}", row=f"{{name}}, {words}", map_side=side)
      for side, words in _IN_WORDS.items()),
    *(ComponentTable(f"platform_{side}", "a platform: its bridges, and how many buildings it holds (FS-U4)", _PLATFORM,
                     heading=f"platforms, {words}", row=f"platform {{name}}, {words}", map_side=side)
      for side, words in _IN_WORDS.items()),
    *(ComponentTable(f"slot_{side}", "the Gold on a turn slot (FS-U5)", _SLOT, heading=f"turn slots, {words}",
                     row=f"turn slot {{name}} of {len(_SLOTS[side])}", names=_SLOTS[side])
      for side, words in _IN_WORDS.items()),
    ComponentTable("cost", "what a piece costs (FS-U5)",
                   tuple(Field(name.lower(), "number", most=9, asks=f"how much {name}?") for name in RESOURCES),
          names=("Fortress", "Market", "Skimmer"), heading="costs", row="a {name} costs"),
    *(ComponentTable(f"card_{color}", f"an action card of the {color} AI (FS-U7)", _CARD,
                     heading=f"{color} AI: cards", row=f"{color.capitalize()} AI, card {{name}} of 10")
      for color in COLORS),
    *(ComponentTable(f"token_{color}", f"an airship token of the {color} AI (FS-U7)", _TOKEN,
                     heading=f"{color} AI: tokens", row=f"{color.capitalize()} AI, token {{name}} of 6")
      for color in COLORS),
    ComponentTable("market_card", "the resources for one Starfall on an AI's Market card (FS-U7)",
          (Field("value", "number", least=1, most=20, asks="how many resources for one Starfall?"),),
          names=("medium", "hard"), heading="AIs' Market cards", row="Market card, {name}"),
    ComponentTable("objective", "an Objective card (FS-U6)",
          (Field("text", "text"), Field("players", "number", least=2, most=5, optional=True))),
)  # fmt: skip

UNLOCKS = (
    *(
        Unlock((f"card_{color}", f"token_{color}"), f"shuffles and turns up the {color} AI's cards")
        for color in COLORS
    ),
    Unlock(
        ("market_card",), "knows when an easy or medium AI trades for a Starfall", rows=("medium",)
    ),
    Unlock(("market_card",), "knows when a hard AI trades for a Starfall", rows=("hard",)),
    Unlock(("cost",), "says what a building or a Skimmer costs"),
    *(
        Unlock((f"slot_{side}",), f"says how much Gold a turn slot gives, with {_IN_WORDS[side]}")
        for side in SIDES
    ),
    *(
        Unlock((f"place_{side}",), f"follows an AI's compass on the map with {_IN_WORDS[side]}")
        for side in SIDES
    ),
    Unlock(("region",), "knows which resources a region gives"),
)


def box_for(setup: Setup) -> Box:
    """Return the box that a session is played with, the invented example if its options say so."""
    box = box_of(setup)
    if setup.options.get("map") != "example":
        return box
    # a session keeps the box it is played with, but older ones kept the owner's box beside `example`
    regions = box.table("region")
    if regions and all(row.status == "example" for row in regions):
        return box
    return example(setup.game)


def shown_name(region: str) -> str:
    """Return what screens call a region of the box: its name, if it has a published one (FS-U1)."""
    return "Unnamed region" if region == NAME_UNKNOWN else region


def regions_on(box: Box, side: str) -> tuple[str, ...]:
    """Return the names of the regions on a side of the board; empty if the file does not state them."""
    row = box.row("side", side)
    regions: tuple[str, ...] = () if row is None else row.fields.get("regions", ())
    return regions


def check(box: Box) -> tuple[Problem, ...]:
    """Return contradictions of the box with the clauses or with itself."""
    return (
        *_resources(box),
        *_sides(box),
        *_maps(box),
        *_bearings(box),
        *_tokens(box),
        *_chips(box),
        *_cards(box),
    )


def _resources(box: Box) -> Iterator[Problem]:
    for row in box.table("region"):
        resources = row.fields.get("resources")
        if resources is not None and len(set(resources)) != 2:
            why = f"the resources are {', '.join(resources)}"
            yield Problem("region", row.name, why, "two different ones", "FS-U2")


def _sides(box: Box) -> Iterator[Problem]:
    known = {row.name for row in box.table("region")}
    for side, size in zip(SIDES, (8, 10), strict=True):
        regions = set(regions_on(box, side))
        if len(regions) != size:
            yield Problem("side", side, f"it has {len(regions)} regions", f"{size}", "FS-U8")
        for name in sorted(regions - known):
            wanted = f"a [[region]] {name} too"
            yield Problem("side", side, f"there is no region {name!r}", wanted, "FS-U1")


def _maps(box: Box) -> Iterator[Problem]:
    regions = {region.name for region in box.table("region")}
    for side in SIDES:
        for place in box.table(f"place_{side}"):
            if place.name not in regions:
                why, wanted = "there is no such region", "the name of a [[region]]"
                yield Problem(place.table, place.name, why, wanted, "FS-U3")
        on_side = set(regions_on(box, side))
        for platform in box.table(f"platform_{side}"):
            yield from _platform(platform, on_side)


def _platform(platform: ComponentRow, known: set[str]) -> Iterator[Problem]:
    table, row = platform.table, platform.name
    regions = platform.fields.get("regions") or ()
    for name in sorted(set(regions) - known):
        yield Problem(table, row, f"{name!r} is bridged to it", "a region on that side", "FS-U4")
    if len(set(regions)) != len(regions):
        why = "a region is bridged to it twice"
        yield Problem(table, row, why, "each region once", "FS-U4")
    if ("x" in platform.fields) != ("y" in platform.fields):
        yield Problem(table, row, "its place is half known", "x and y, or neither", "FS-U4")


def _bearings(box: Box) -> Iterator[Problem]:
    """Yield places that contradict a published bearing (FS-U3)."""
    for side in SIDES:
        table = f"place_{side}"
        for row in box.table("bearing"):
            region, seen_from = str(row.fields.get("region")), str(row.fields.get("seen_from"))
            here, there = place_of(box.row(table, region)), place_of(box.row(table, seen_from))
            if here is None or there is None:
                continue
            east, south = vector(row.fields["direction"])
            ahead = (here[0] - there[0]) * east + (here[1] - there[1]) * south
            if ahead <= 0:
                why = f"it is not further {row.fields['direction']} than {seen_from}"
                yield Problem(table, region, why, "a place that is", "FS-U3")


def vector(direction: str) -> tuple[int, int]:
    """Return a compass direction as (east, south), each -1, 0 or 1."""
    return ("E" in direction) - ("W" in direction), ("S" in direction) - ("N" in direction)


def place_of(row: ComponentRow | None) -> tuple[int, int] | None:
    """Return the place in a row, (right, down) on the grid, or None if the row has none."""
    if row is None or "x" not in row.fields:
        return None
    return row.fields["x"], row.fields["y"]


def _tokens(box: Box) -> Iterator[Problem]:
    for color in COLORS:
        rows = box.table(f"token_{color}")
        if len(rows) != 6:
            yield Problem(f"token_{color}", "", f"there are {len(rows)} tokens", "six", "FS-33")
        for row in rows:
            if row.fields and row.fields["low"] > row.fields["high"]:
                why = "its low value is above its high value"
                yield Problem(row.table, row.name, why, "low <= high", "FS-43")


def _chips(box: Box) -> Iterator[Problem]:
    for row in box.table("chips"):
        chips = row.fields.get("values")
        if chips is not None and len(chips) != 12:
            yield Problem("chips", row.name, f"there are {len(chips)}", "twelve", "FS-2")


def _cards(box: Box) -> Iterator[Problem]:
    for color in COLORS:
        table = f"card_{color}"
        rows = box.table(table)
        if len(rows) != 10:
            why = f"there are {len(rows)} action cards"
            yield Problem(table, "", why, "ten", "FS-U7")
        for row in rows:
            stars = row.fields.get("stars", ())
            if set(row.fields.get("large", ())) - set(stars):
                why, wanted = "a large star is none of its stars", f"of {', '.join(stars)}"
                yield Problem(table, row.name, why, wanted, "FS-35")
        kinds = [row.fields.get("kind") for row in rows]
        # with a card unknown, that one may place an Airship
        if rows and None not in kinds and "airship" not in kinds:
            why = "no card places an Airship"
            yield Problem(table, "", why, "at least one that does", "FS-34")


def costs(box: Box) -> tuple[str, ...]:
    """Return what the open rows cost the table, a line each."""
    return costs_of(box, *SIDES)


def costs_of(box: Box, *sides: str) -> tuple[str, ...]:
    """Return what the open rows cost a table that plays on these sides of the board."""
    lines: list[str] = []
    for side in sides:
        lines += _map_costs(box, side)
    if _is_open(box, "cost"):
        lines.append(
            "costs unknown: what a building or a Skimmer costs is the table's to pay (FS-U5)"
        )
    if any(_is_open(box, f"card_{color}") for color in COLORS):
        lines.append("the AIs' action cards are unknown: name each card that is turned up (FS-U7)")
    if any(_is_open(box, f"token_{color}") for color in COLORS):
        lines.append(
            "the AIs' tokens are unknown: enter their powers at the end of a round (FS-U7)"
        )
    if any(row.value is None for row in box.table("market_card")):
        lines.append(
            "the Market cards' numbers are unknown: when an AI trades is the table's word (FS-U7)"
        )
    if any(row.status == "example" for row in box.rows):
        lines.append("this is an example map: its regions, places, cards and tokens are invented")
    return tuple(lines)


def _is_open(box: Box, table: str) -> bool:
    """Return whether a row of that table is unknown."""
    return any(not row.fields for row in box.table(table))


def notice(setup: Setup) -> str:
    """Return a sentence saying that the companion will ask the table about open rows; empty if there are none."""
    if setup.options.get("map") == "example" or not box_for(setup).open_rows:
        return ""
    return (
        "The companion does not know all of your map and cards, so it asks you where they matter."
    )


def _map_costs(box: Box, side: str) -> Iterator[str]:
    unplaced, bare = 0, 0
    for name in regions_on(box, side):
        if place_of(box.row(f"place_{side}", name)) is None:
            unplaced += 1
        resources = box.row("region", name)
        if resources is None or not resources.fields:
            bare += 1
    if unplaced:
        yield f"{side} regions: {unplaced} places unknown; where a compass decides, the table says which (FS-U3)"
    if bare:
        yield f"{side} regions: the resources of {bare} unknown; they are called its resources (FS-U2)"
    if not any(platform.fields for platform in box.table(f"platform_{side}")):
        yield f"{side} regions: platforms unknown; enter each one that is built on, with its bridges (FS-U4)"
    slots = [slot.name for slot in box.table(f"slot_{side}") if slot.value is None]
    if slots:
        yield f"{side} regions: the Gold on turn slots {', '.join(slots)} unknown (FS-U5)"
