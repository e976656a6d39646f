"""What Panic Fire shows to the whole table."""

from __future__ import annotations

from companion.games.panic_fire.rules.view import PanicFireView, SeatView
from companion.rules.columns import plural
from companion.rules.panels import Panels, SeatLine


def where(game: PanicFireView) -> str:
    """Return the round in words: `round 2 of 6`, `sudden death is over`, `the game is over`."""
    name = "sudden death" if game.sudden_death else f"round {game.round} of {game.rounds}"
    match game.phase:
        case "ready":
            return f"before {name}"
        case "over":
            return f"{name} is over"
        case "table":
            return f"{name}, the table decides"
        case "finished":
            return "the game is over"
    return name


def seats(game: PanicFireView) -> tuple[SeatLine, ...]:
    """Return each seat with its Bullet cards, and whether it is in the round."""
    return tuple(_seat(game, seat) for seat in game.seats)


def _seat(game: PanicFireView, seat: SeatView) -> SeatLine:
    standing = "Shield" if seat.shield else ""
    words = ["deals"] if game.dealer == seat.id else []
    words += [plural(seat.draws, "draw"), f"put out {seat.kills}"]
    return SeatLine(
        seat.id, seat.name, seat.color, seat.glyph, seat.initial, str(seat.bullets),
        idle=seat.status in ("out", "left", "next"), note=standing if seat.status == "in" else seat.status,
        words=tuple(words),
    )  # fmt: skip


PANELS = Panels("Bullet cards", where, seats)
