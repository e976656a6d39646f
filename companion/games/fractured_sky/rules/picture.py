"""The map as a picture, drawn by every screen, page and report: in words, or where these do not fit, as an overview.

The overview has the name of each place; below it the Starfalls and a mark for each Airship, or the
resources while nothing is there; of a platform a mark for each building, and the free places. What
else is in a region is said beside the map (`region_words`). Every mark can be read without color.
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
LEGEND = ("a mark is a player's Airship, or building on a platform",)
"""The meaning of the marks in the overview."""
OVERVIEW_CELLS = 14
"""Most cells below a region's name in the overview that a Skimmer may fill."""


def answer_name(place: int, keys: KeyMap) -> str:
    """Return the name of the key that answers number `place`, from 1; empty beyond the tenth."""
    if place > len(ANSWERS):
        return ""
    return with_keys(answer_key(place), keys)


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
    for result in game.resolution.regions:
        if result.region == region:
            return {share.player: str(share.power) for share in result.standings}
    return {}


PLATFORM = "platform "  # before a platform's id, which may be that of a region as well
CURSOR = ">"
"""Replaces the space between key and name of the region under the cursor, so nothing shifts."""


def chart(game: FracturedSkyView, cursor: str = "") -> Chart:
    """Return the map; `cursor` is the region under the cursor."""
    board = game.table.board
    sites = [region_site(game, region.id, cursor) for region in board.regions]
    bridges = []
    for platform in board.platforms:
        sites.append(platform_site(game, platform))
        bridges += [(PLATFORM + platform.id, region) for region in platform.regions]
    marked = _marked_sites(game)
    marked_sites = tuple(replace(site, marked=site.id in marked) for site in sites)
    people = tuple(f"{player.glyph} {player.name}" for player in game.players)
    title = "The map (an example)" if game.example else "The map"
    return Chart(title, marked_sites, tuple(bridges), LEGEND, people)


def _marked_sites(game: FracturedSkyView) -> set[str]:
    """Return the sites where a pending move of an AI goes, or may go."""
    if game.move is None or game.move.decision.card.kind == "scout":
        return set()  # a Hidden card lies on the tray
    decision = game.move.decision
    places = decision.ask if decision.target is None else (decision.target,)
    prefix = PLATFORM if decision.card.kind in ("fortress", "market") else ""
    return {prefix + place for place in places}


def region_site(game: FracturedSkyView, region: str, cursor: str = "") -> Site:
    """Return a region with its resources, Starfalls, Airships (with powers once they are shown) and Skimmers."""
    table = game.table
    known = table.board.by_id[region]
    words = [", ".join(known.resources) or "resources unknown"]
    there = []
    count = table.starfalls_in(region)
    if count and table.public == region:
        words.append("1 Public Starfall" if count == 1 else f"{count} Starfalls, 1 Public")
    elif count:
        words.append(plural(count, "Starfall"))
    if count:
        there.append(plural(count, "Starfall"))
    airships, marks = _airships(game, region)
    if airships:
        noun = "Airship" if len(airships) == 1 else "Airships"
        words.append(f"{noun} {', '.join(airships)}")
        there.append("".join(marks))
    skimmers = [game.sign(flight.player) for flight in table.flights if flight.region == region]
    if skimmers:
        noun = "Skimmer" if len(skimmers) == 1 else "Skimmers"
        words.append(f"{noun} {' '.join(skimmers)}")
    airships_alone = " ".join(there)
    if skimmers and len(airships_alone) + len(words[-1]) < OVERVIEW_CELLS:
        there.append(words[-1])
    under = region == cursor
    separator = CURSOR if under else " "
    head = f"{_key_of(game, region)}{separator}{known.name}".strip()
    overview = " ".join(there) or ", ".join(known.resources) or "unknown"
    return Site(region, head, tuple(words), (head, overview), known.point, major=True, under=under)


def region_words(game: FracturedSkyView, region: str) -> str:
    """Return all that is in a region, and on the platforms it is bridged to, as one sentence."""
    site = region_site(game, region)
    platforms = []
    for platform in game.table.board.bridges.get(region, ()):
        about = platform_site(game, platform)
        pieces = ", ".join(about.words[1:])
        platforms.append(f"{about.head} ({pieces})")
    return f"{site.head}: {', '.join((*site.words, *platforms))}"


def _airships(game: FracturedSkyView, region: str) -> tuple[list[str], list[str]]:
    """Return the Airships in a region as words, then as marks: whose, with the power once it is shown."""
    powers = powers_in(game, region)
    words, marks = [], []
    for ship in game.table.ships:
        if ship.region == region:
            mark = f"{game.sign(ship.player)}{powers.get(ship.player, '')}"
            words.append(f"{mark} explores" if ship.explore else mark)
            marks.append(mark)
    return words, marks


def platform_site(game: FracturedSkyView, platform: Platform) -> Site:
    """Return a platform with its bridges and buildings."""
    board, built = game.table.board, game.table.built_on(platform.id)
    number = str(platform_numbers(board)[platform.id])
    name = number if number == platform.id else f"{number} {platform.id}"
    keys = [_key_of(game, region) or "?" for region in board.ids if region in platform.regions]
    words, marks = [f"to {' '.join(keys)}"], ""
    for piece in built:
        owner = game.sign(piece.player)
        words.append(f"{piece.building.capitalize()} {owner}")
        marks += owner
    overview = marks
    if platform.places is None:
        words.append("places unknown")
    else:
        free = max(0, platform.places - len(built))
        words.append(f"{free} free")
        overview = f"{marks} {free} free".strip()
    return Site(
        PLATFORM + platform.id,
        f"platform {name}",
        tuple(words),
        (f"platform {name}", overview),
        platform_point(board, platform),
        major=False,
    )
