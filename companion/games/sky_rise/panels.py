"""What Sky Rise shows to the whole table."""

from __future__ import annotations

from companion.games.sky_rise.rules.model import LEVELS
from companion.games.sky_rise.rules.view import SeatView, SkyRiseView
from companion.rules.columns import plural
from companion.rules.panels import Panels, SeatLine


def where(game: SkyRiseView) -> str:
    """Return where the game stands: `level 2 of 3, floor`, `the roof`, `Tower Showdown`."""
    match game.phase:
        case "floor":
            return f"level {game.level} of {LEVELS}, floor"
        case "pyramids":
            return f"level {game.level} of {LEVELS}, {game.size} pyramids"
        case "roof":
            return "the roof"
        case "antennas":
            return "the roof, antennas"
        case "goals":
            return "the tower is built"
        case "showdown":
            return "a tie" if game.showdown is None else "Tower Showdown"
    return "the game is over"


def seats(game: SkyRiseView) -> tuple[SeatLine, ...]:
    """Return each seat with its points, and its goals once everybody may know them."""
    return tuple(_seat(game, seat) for seat in game.seats)


def _seat(game: SkyRiseView, seat: SeatView) -> SeatLine:
    words = ["start token"] if seat.start_token else []
    words += [plural(seat.hand, "card"), f"{seat.opaque} opaque left"]
    return SeatLine(
        seat.id, seat.name, seat.color, seat.glyph, seat.initial, str(seat.score.total),
        turn=seat.id == game.due and not seat.left, idle=seat.left,
        note="left" if seat.left else "winner" if seat.id in game.winners else "", words=(*words, *_goals(seat)),
    )  # fmt: skip


def _goals(seat: SeatView) -> tuple[str, ...]:
    if seat.nest is None or seat.tree is None:
        return ("goals noted",) if seat.goals_noted else ()
    return (f"Nest {seat.nest}", f"Tree {seat.tree}")


PANELS = Panels("points", where, seats)
