"""What some clauses of Sky Rise mean at the moment, for answers to questions about the rules."""

from __future__ import annotations

from companion.games.sky_rise.rules.view import SkyRiseView
from companion.rules.columns import listed, plural


def now(game: SkyRiseView) -> dict[str, str]:
    """Return what some clauses mean at the moment, as everybody sees it."""
    playing = [seat for seat in game.seats if not seat.left]
    left = listed(f"{seat.name} {seat.opaque}" for seat in playing)
    said = {
        "SR-10": f"{listed(f'{color.name} {color.total}' for color in game.colors)} points so far.",
        "SR-16": f"Opaque pyramids not placed: {left}.",
    }
    said["SR-10"] = said["SR-10"][:1].upper() + said["SR-10"][1:]
    if game.phase == "pyramids":
        said["SR-6"] = f"Level {game.level} takes {game.size} pyramids."
    for seat in playing:
        if seat.start_token:
            said["SR-4"] = f"{seat.name} has the Start token."
        if seat.id == game.turn:
            said["SR-7"] = said["SR-5"] = f"It is the turn of {seat.name}."
    if game.pile is not None:
        said["SR-13"] = f"{plural(game.pile, 'card')} left in the pile."
    return said
