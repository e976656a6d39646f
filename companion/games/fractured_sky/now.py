"""What some clauses of Fractured Sky mean at the moment, for answers to questions about the rules."""

from __future__ import annotations

from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.columns import listed, plural


def now(game: FracturedSkyView) -> dict[str, str]:
    """Return what some clauses mean at the moment, as everybody sees it."""
    said = {
        "FS-6": f"The unused pile has {plural(game.unused, 'card')}.",
        "FS-30": f"{listed(f'{player.name} {player.starfalls}' for player in game.players)} Starfalls.",
    }
    mover = game.mover
    if mover is not None:
        said["FS-7"] = f"It is the turn of {mover.name}."
    taken = [slot for slot in game.slots if slot.player is not None]
    if taken:
        names = (f"{slot.number} {game.player(slot.player).name}" for slot in taken if slot.player)
        said["FS-10"] = said["FS-26"] = f"Slots taken for the next row: {listed(names)}."
    showing = game.table.starfalls.items()
    lying = [f"{game.table.board.name(region)} {count}" for region, count in showing if count]
    if lying:
        said["FS-25"] = said["FS-28"] = f"Starfalls that show: {listed(lying)}."
    return said
