"""What SkyFire shows to the whole table."""

from __future__ import annotations

from companion.games.skyfire.rules.text import cards
from companion.games.skyfire.rules.view import SeatView, SkyFireView
from companion.rules.panels import Panels, SeatLine

IDLE = frozenset({"eliminated", "left", "sits out"})
"""What a seat is that plays no more in this round."""


def where(game: SkyFireView) -> str:
    """Return the round in words: `before round 1 of 5`, `round 2 of 5 is over`, `the game is over`."""
    match game.phase:
        case "ready":
            return f"before {game.round_name}"
        case "over":
            return f"{game.round_name} is over"
        case "finished":
            return "the game is over"
    return game.round_name


def seats(game: SkyFireView) -> tuple[SeatLine, ...]:
    """Return each seat with its points, the cards in its hand, and a hand that lies open."""
    return tuple(map(_seat, game.seats))


def _seat(seat: SeatView) -> SeatLine:
    turn = seat.status == "on turn"
    words = [cards(seat.hand)]
    words += [f"+{seat.earned}"] if seat.earned else []
    words += ["begins"] if seat.begins else []
    words += [f"shown: {', '.join(seat.shown)}"] if seat.shown else []
    return SeatLine(
        seat.id, seat.name, seat.color, seat.glyph, seat.initial, str(seat.score), turn=turn,
        idle=seat.status in IDLE, note="" if turn or seat.status == "in" else seat.status, words=tuple(words),
    )  # fmt: skip


PANELS = Panels("points", where, seats)
