"""What some clauses of SkyFire mean at the moment, for answers to questions about the rules."""

from __future__ import annotations

from companion.games.skyfire.rules.view import SkyFireView
from companion.rules.columns import listed, plural


def now(game: SkyFireView) -> dict[str, str]:
    """Return what some clauses mean at the moment, as everybody sees it."""
    said = {
        "SF-5": f"There are {plural(len(game.zones), 'launch zone')}.",
        "SF-8": f"The target is {game.target.text}.",
        "SF-18": f"{listed(f'{seat.name} {seat.score}' for seat in game.seats)} points.",
    }
    if game.phase != "open":
        return said
    cards = [f"zone {zone.number} has {plural(len(zone.cards), 'card')}" for zone in game.zones]
    said["SF-10"] = said["SF-15"] = f"{listed(cards)}.".capitalize()
    said["SF-16"] = f"A right misfire brings {plural(game.misfire_points, 'point')}."
    for seat in game.seats:
        if seat.id == game.turn:
            said["SF-9"] = said["SF-R8"] = f"It is the turn of {seat.name}."
    failed = [f"zone {zone.number}" for zone in game.zones if zone.failed]
    if failed:
        said["SF-R7"] = said["SF-R1"] = f"Failed in this round: {listed(failed)}."
    empty = [seat.name for seat in game.seats if not seat.hand and seat.status in ("in", "on turn")]
    if empty:
        said["SF-12"] = said["SF-13"] = f"Without cards: {listed(empty)}."
    out = [seat.name for seat in game.seats if seat.status == "eliminated"]
    if out:
        said["SF-11"] = said["SF-R4"] = f"Out of this round: {listed(out)}."
    return said
