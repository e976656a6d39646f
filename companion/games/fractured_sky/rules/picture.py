"""The map as a picture: what every screen, page and report draws of it. In words it needs no legend."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from companion.games.fractured_sky.rules.board import Platform, platform_point
from companion.games.fractured_sky.rules.keys import platform_numbers
from companion.games.fractured_sky.rules.signs import (
    LEGEND,
    bridge_keys,
    keys_of,
    platform_lines,
    powers_in,
    region_line,
    signs_of,
)
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.columns import plural
from companion.rules.pictures import Chart, Site

PLATFORM = "platform "  # before a platform's id, which may be that of a region as well
CURSOR = ">"
"""Between the key and the name of the region under the cursor, so that nothing moves aside for it."""


def chart(game: FracturedSkyView, cursor: str = "") -> Chart:
    """Return the map; `cursor` is the region under it."""
    board, building = game.table.board, False
    highlighted: Collection[str] = ()
    if game.move is not None and game.move.decision.card.kind != "scout":
        building = game.move.decision.card.kind in ("fortress", "market")
        highlighted = game.move.highlight
    regions = (_region(game, region.id, cursor) for region in board.regions)
    platforms = (_platform(game, platform) for platform in board.platforms)
    sites = (
        *(replace(one, marked=not building and one.id in highlighted) for one in regions),
        *(replace(one, marked=building and one.id.removeprefix(PLATFORM) in highlighted) for one in platforms),
    )
    bridges = tuple((PLATFORM + one.id, region) for one in board.platforms for region in one.regions)
    people = tuple(f"{player.glyph} {player.name}" for player in game.players)
    title = "The map (an example)" if game.example else "The map"
    return Chart(title, sites, bridges, LEGEND, people)


def _region(game: FracturedSkyView, region: str, cursor: str) -> Site:
    known, key = game.table.board.by_id[region], keys_of(game)[region]
    head = f"{key}{CURSOR if region == cursor else ' '}{known.name}".strip()
    words = (", ".join(known.resources) or "resources unknown", *_lying(game, region))
    short = (head, region_line(game, region))
    return Site(region, head, words, short, known.point, major=True, under=region == cursor)


def _lying(game: FracturedSkyView, region: str) -> Iterator[str]:
    """What lies in a region, in words: Starfalls, Airships with their powers once they are shown, Skimmers."""
    table, signs, powers = game.table, signs_of(game.players), powers_in(game, region)
    count, public = table.starfalls.get(region, 0), table.public == region
    if count:
        one_public = "Public Starfall" if count == 1 else "Starfalls, 1 Public"
        yield f"{count} {one_public}" if public else plural(count, "Starfall")
    ships = [ship for ship in table.ships if ship.region == region]
    if ships:
        marks = (
            f"{signs.get(ship.player, '?')}{powers.get(ship.player, '')}{' explores' if ship.explore else ''}"
            for ship in ships
        )
        yield f"{'Airship' if len(ships) == 1 else 'Airships'} {', '.join(marks)}"
    flights = [signs.get(flight.player, "?") for flight in table.flights if flight.region == region]
    if flights:
        yield f"{'Skimmer' if len(flights) == 1 else 'Skimmers'} {' '.join(flights)}"


def _platform(game: FracturedSkyView, platform: Platform) -> Site:
    board, signs = game.table.board, signs_of(game.players)
    number = str(platform_numbers(board)[platform.id])
    name = f"platform {number}" if number == platform.id else f"platform {number} {platform.id}"
    built = game.table.built_on(platform.id)
    said = [f"{one.building.capitalize()} {signs.get(one.player, '?')}" for one in built]
    free = "places unknown" if platform.places is None else f"{max(0, platform.places - len(built))} free"
    words = (f"to {' '.join(bridge_keys(game, platform.regions))}", *said, free)
    point = platform_point(board, platform)
    return Site(PLATFORM + platform.id, name, words, platform_lines(game, platform), point, major=False)
