"""The signs of Fractured Sky where there is no room for words. Each is read without color.

A region: its key and name; below, its resources (G I W), `*2` Starfalls (`p`: the Public one is among them), `^` and a
sign for each Airship (the first is on the Explore slot), `~` and a sign for each Skimmer. A platform: `[4]`, the keys
of the regions it is bridged to, and below its buildings: F or M behind the owner's sign, a dot for each free place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.games.fractured_sky.rules.board import Board, Platform
from companion.games.fractured_sky.rules.keys import ANSWERS, answer_key, platform_numbers
from companion.games.fractured_sky.rules.public import PlayerId, PublicTable
from companion.games.fractured_sky.rules.view import FracturedSkyView, PlayerView
from companion.rules.actions import KeyMap, with_keys

NO_RESOURCES = "??"
LEGEND = (
    "G Gold I Iron W Wood ?? open",
    "^ Airship ~Skimmer *Starfall",
    "p Public [2] platform . free",
    "F Fortress  M Market",
)
"""What the signs stand for, in lines of 28 cells."""


def answer_name(place: int, keys: KeyMap) -> str:
    """Return the name of the key that answers number `place`, from 1; nothing beyond the tenth."""
    return with_keys(answer_key(place), keys) if place <= len(ANSWERS) else ""


def keys_of(game: FracturedSkyView) -> dict[str, str]:
    """Return the name of the key that answers with each region: a digit as delivered; nothing beyond the tenth."""
    return {region: answer_name(place, game.keys) for place, region in enumerate(game.table.board.ids, start=1)}


def signs_of(players: Iterable[PlayerView]) -> dict[PlayerId, str]:
    """Return the sign of each player."""
    return {player.id: player.glyph for player in players}


def resources(board: Board, region: str) -> str:
    """Return the first letters of a region's resources."""
    return "".join(each[0] for each in board.by_id[region].resources) or NO_RESOURCES


def region_line(game: FracturedSkyView, region: str) -> str:
    """Return what stands in a region, in one line."""
    table, signs = game.table, signs_of(game.players)
    powers = powers_in(game, region)
    ships = "".join(
        f"{signs.get(ship.player, '?')}{powers.get(ship.player, '')}" for ship in table.ships if ship.region == region
    )
    flights = "".join(signs.get(flight.player, "?") for flight in table.flights if flight.region == region)
    parts = [resources(table.board, region), starfalls(table, region), f"^{ships}" if ships else ""]
    return " ".join(part for part in (*parts, f"~{flights}" if flights else "") if part)


def starfalls(table: PublicTable, region: str) -> str:
    """Return `*2`, with a `p` where the Public one is among them; nothing where none shows."""
    count = table.starfalls.get(region, 0)
    return f"*{count}{'p' if table.public == region else ''}" if count else ""


def powers_in(game: FracturedSkyView, region: str) -> Mapping[PlayerId, str]:
    """Return the power that each player has in a region, once all are shown."""
    if game.resolution is None:
        return {}
    results = [result for result in game.resolution.regions if result.region == region]
    return {one.player: str(one.power) for result in results for one in result.standings}


def platform_lines(game: FracturedSkyView, platform: Platform) -> tuple[str, str]:
    """Return a platform with its bridges, and what stands on it."""
    table, signs = game.table, signs_of(game.players)
    keys = bridge_keys(game, platform.regions)
    bridges = ("" if all(len(key) == 1 for key in keys) else ",").join(keys)
    built = [f"{signs.get(one.player, '?')}{one.building[0].upper()}" for one in table.built_on(platform.id)]
    free = "?" if platform.places is None else "." * max(0, platform.places - len(built))
    number = str(platform_numbers(table.board)[platform.id])
    name = platform.id if number == platform.id else f"{number} {platform.id}"
    return f"[{name}]{bridges}", "".join(built) + free


def bridge_keys(game: FracturedSkyView, regions: Sequence[str]) -> list[str]:
    """Return the keys of the regions a platform is bridged to."""
    return [key or "?" for region, key in keys_of(game).items() if region in regions]
