"""What some clauses of Panic Fire mean at the moment, for answers to questions about the rules."""

from __future__ import annotations

from companion.games.panic_fire.rules.view import PanicFireView
from companion.rules.columns import listed


def now(game: PanicFireView) -> dict[str, str]:
    """Return what some clauses mean at the moment, as everybody sees it."""
    if game.phase == "ready":
        return {}
    playing = [seat for seat in game.seats if seat.status in ("in", "out")]
    out = [seat.name for seat in playing if seat.status == "out"]
    shields = [seat.name for seat in playing if seat.status == "in" and seat.shield]
    said = {
        "PF-12": _shields(shields),
        "PF-13": f"{listed(out)} {_verb(out)} out of this round." if out else "Nobody is out.",
        "PF-17": f"{listed(f'{seat.name} {seat.bullets}' for seat in game.seats)} Bullet cards.",
        "PF-R1": f"Cards left in the piles: {game.cards_text}.",
    }
    said["PF-6"] = said["PF-R6"] = said["PF-12"]
    if game.open_shots:
        said["PF-10"] = said["PF-11"] = f"One shot is open: {game.open_shots[0].verdict}."
    return said


def _shields(names: list[str]) -> str:
    if not names:
        return "Nobody has a Shield in play."
    if len(names) == 1:
        return (
            f"{names[0]} has a Shield in play, which is spent first: one from the hand stays there."
        )
    return f"{listed(names)} have a Shield in play, which is spent first: one from the hand stays there."


def _verb(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"
