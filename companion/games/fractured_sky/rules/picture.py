"""The map as a picture, drawn by every screen, page and report: in words, or where these do not fit, in signs.

Signs of a region: its key and name; below, its resources (G I W), `*2` Starfalls (`p`: the Public
one is among them), `^` and a mark for each Airship (the first is on the Explore slot), `~` and a
mark for each Skimmer. Signs of a platform: `[4]`, the keys of the regions it is bridged to; below,
each building as its owner's mark and F or M, and a dot for each free place. Every sign can be read
without color.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.display.pictures import Chart, Site
from companion.games.fractured_sky.rules.ai import Decision
from companion.games.fractured_sky.rules.board import Platform, platform_point
from companion.games.fractured_sky.rules.controls import (
    ANSWERS,
    answer_key,
    number_of,
    platform_numbers,
)
from companion.games.fractured_sky.rules.public import PlayerId
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.actions import KeyMap, with_keys
from companion.rules.columns import plural

NO_RESOURCES = "??"
LEGEND = (
    "G Gold I Iron W Wood ?? open",
    "^ Airship ~Skimmer *Starfall",
    "p Public [2] platform . free",
    "F Fortress  M Market",
)
"""The meaning of the signs, in lines of 28 cells."""


def answer_name(place: int, keys: KeyMap) -> str:
    """Return the name of the key that answers number `place`, from 1; empty beyond the tenth."""
    return with_keys(answer_key(place), keys) if place <= len(ANSWERS) else ""


def tied_key(game: FracturedSkyView, decision: Decision, target: str) -> str:
    """Return the name of the key that chooses `target` among the tied places of a decision."""
    return answer_name(number_of(game.table.board, decision.card.kind, target), game.keys)


def tied_place(game: FracturedSkyView, decision: Decision, target: str) -> str:
    """Return a tied place after its key: `3 Copper Crag`."""
    named = game.table.board.place(decision.card.kind, target)
    return f"{tied_key(game, decision, target)} {named}".strip()


def keys_of(game: FracturedSkyView) -> dict[str, str]:
    """Return the name of the key that answers with each region, a digit by default; empty beyond the tenth."""
    return {region: _key_of(game, region) for region in game.table.board.ids}


def _key_of(game: FracturedSkyView, region: str) -> str:
    return answer_name(1 + game.table.board.ids.index(region), game.keys)


def powers_in(game: FracturedSkyView, region: str) -> Mapping[PlayerId, str]:
    """Return each player's power in a region, or nothing until all powers are known."""
    if game.resolution is None:
        return {}
    results = [result for result in game.resolution.regions if result.region == region]
    return {share.player: str(share.power) for result in results for share in result.standings}


PLATFORM = "platform "  # before a platform's id, which may be that of a region as well
CURSOR = ">"
"""Replaces the space between key and name of the region under the cursor, so nothing shifts."""


def chart(game: FracturedSkyView, cursor: str = "") -> Chart:
    """Return the map; `cursor` is the region under the cursor."""
    board = game.table.board
    marked: set[str] = set()
    if game.move is not None and (kind := game.move.decision.card.kind) != "scout":
        prefix, decision = PLATFORM if kind in ("fortress", "market") else "", game.move.decision
        marked = {
            prefix + place
            for place in (decision.ask if decision.target is None else (decision.target,))
        }
    regions = (region_site(game, region.id, cursor) for region in board.regions)
    platforms = (platform_site(game, platform) for platform in board.platforms)
    sites = tuple(replace(site, marked=site.id in marked) for site in (*regions, *platforms))
    bridges = tuple(
        (PLATFORM + platform.id, region)
        for platform in board.platforms
        for region in platform.regions
    )
    people = tuple(f"{player.glyph} {player.name}" for player in game.players)
    title = "The map (an example)" if game.example else "The map"
    return Chart(title, sites, bridges, LEGEND, people)


def region_site(game: FracturedSkyView, region: str, cursor: str = "") -> Site:
    """Return a region with its resources, Starfalls, Airships (with powers once they are shown) and Skimmers."""
    table, powers = game.table, powers_in(game, region)
    known, key = table.board.by_id[region], _key_of(game, region)
    words = [", ".join(known.resources) or "resources unknown"]
    signs = "".join(resource[0] for resource in known.resources) or NO_RESOURCES
    if count := table.starfalls.get(region, 0):
        public = table.public == region
        one_public = "Public Starfall" if count == 1 else "Starfalls, 1 Public"
        words.append(f"{count} {one_public}" if public else plural(count, "Starfall"))
        signs += f" *{count}{'p' if public else ''}"
    if ships := [ship for ship in table.ships if ship.region == region]:
        marks = [f"{game.sign(ship.player)}{powers.get(ship.player, '')}" for ship in ships]
        airships = (
            f"{mark}{' explores' if ship.explore else ''}"
            for mark, ship in zip(marks, ships, strict=True)
        )
        words.append(f"{'Airship' if len(ships) == 1 else 'Airships'} {', '.join(airships)}")
        signs += f" ^{''.join(marks)}"
    if flights := [game.sign(flight.player) for flight in table.flights if flight.region == region]:
        words.append(f"{'Skimmer' if len(flights) == 1 else 'Skimmers'} {' '.join(flights)}")
        signs += f" ~{''.join(flights)}"
    head = f"{key}{CURSOR if region == cursor else ' '}{known.name}".strip()
    return Site(
        region, head, tuple(words), (head, signs), known.point, major=True, under=region == cursor
    )


def platform_site(game: FracturedSkyView, platform: Platform) -> Site:
    """Return a platform with its bridges and buildings."""
    board, built, places = game.table.board, game.table.built_on(platform.id), platform.places
    number = str(platform_numbers(board)[platform.id])
    name = number if number == platform.id else f"{number} {platform.id}"
    keys = [_key_of(game, region) or "?" for region in board.ids if region in platform.regions]
    bridges = ("" if all(len(key) == 1 for key in keys) else ",").join(keys)
    signs = "".join(f"{game.sign(piece.player)}{piece.building[0].upper()}" for piece in built)
    free = None if places is None else max(0, places - len(built))
    words = (
        f"to {' '.join(keys)}",
        *(f"{piece.building.capitalize()} {game.sign(piece.player)}" for piece in built),
        "places unknown" if free is None else f"{free} free",
    )
    short = (f"[{name}]{bridges}", signs + ("?" if free is None else "." * free))
    return Site(
        PLATFORM + platform.id,
        f"platform {name}",
        words,
        short,
        platform_point(board, platform),
        major=False,
    )
