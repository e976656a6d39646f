"""The face of SkyFire."""

from __future__ import annotations

from textual.content import Content
from textual.screen import Screen

from companion.dashboard.big.board import Big, BigSeat
from companion.dashboard.face import Face, Part, SecretPart
from companion.dashboard.source import TableLike
from companion.games.skyfire.rules.view import SeatView, SkyFireView
from companion.games.skyfire.screen.form import CardsForm
from companion.games.skyfire.screen.keys import CARDS, PHASES, in_a_column
from companion.games.skyfire.screen.own import OwnPart
from companion.games.skyfire.screen.side import SidePart
from companion.games.skyfire.screen.statistics import statistics
from companion.games.skyfire.screen.top import TopPart
from companion.games.skyfire.screen.words import EXAMPLE, IDLE
from companion.rules.actions import Action
from companion.session.views import TableView


class SkyFireFace(Face):
    """Seats and zones above, the box beside the log; a form for cards in sight, a curtain for a seat's own notes."""

    def title(self, _view: TableView) -> str:
        """Return the name of the game."""
        return "SkyFire"

    def where(self, view: TableView) -> str:
        """Return the round and how it stands; a made-up deck is called one."""
        return "   ".join(filter(None, (where(view.game), EXAMPLE if view.game.example else "")))

    def top(self, actions: tuple[Action, ...]) -> Part:
        """Return the seats and zones with the keys of their columns."""
        return TopPart(actions)

    def side(self) -> Part:
        """Return what is open about the box."""
        return SidePart()

    def big(self, view: TableView) -> Big:
        """Return the points of each seat, and whose turn it is."""
        return Big("points", tuple(_big_seat(seat) for seat in view.game.seats))

    def statistics(self, view: TableView) -> Content:
        """Return every move of the round, and the rounds so far."""
        return statistics(view.game)

    def secret(self) -> SecretPart:
        """Return a seat's own notes and odds."""
        return OwnPart()

    def actions(self) -> tuple[Action, ...]:
        """Return the key of the form for cards in sight."""
        return (CARDS,)

    def form(self, _action_id: str, table: TableLike) -> Screen[None]:
        """Return the form for cards in sight, as they can be entered now."""
        return CardsForm(table)

    def shows_key(self, action: Action) -> bool:
        """The keys of seats, zones and the misfire stand beside them."""
        return in_a_column(action)

    def means(self, action: Action, game: SkyFireView) -> bool:
        """A round is dealt between rounds (SF-7); whether the target is satisfied is answered when asked (SF-14)."""
        phases = PHASES.get(action.id)
        return phases is None or game.phase in phases


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


def _big_seat(seat: SeatView) -> BigSeat:
    turn = seat.status == "on turn"
    return BigSeat(
        seat.name, seat.color, seat.glyph, seat.initial, str(seat.score),
        turn=turn, idle=seat.status in IDLE, note="" if turn or seat.status == "in" else seat.status,
    )  # fmt: skip
