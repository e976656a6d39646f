"""Panic Fire on the page: rounds, who is in, draws, the last shot. The game has no secrets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.panic_fire.rules.view import PanicFireView, SeatView
from companion.reports.markup import Markup
from companion.rules.game import SeatId
from companion.serve.faces import Face, paragraph, titled
from companion.session.views import TableView

_STATUS = {"in": "in", "out": "OUT", "winner": "WINS", "champion": "CHAMPION", "left": "LEFT", "next": "next round"}


class PanicFireFace(Face):
    """Rounds, Bullets, Shields and shots."""

    unit = "Bullets"

    def where(self, view: TableView) -> str:
        """Return the round."""
        game: PanicFireView = view.game
        return "sudden death" if game.sudden_death else f"round {game.round} of {game.rounds}"

    def seat(self, view: TableView, seat: SeatId) -> Sequence[str]:
        """Return in or out, Shield, draws."""
        own = _seat(view.game, seat)
        words = [_STATUS[own.status]]
        words += ["Shield"] if own.shield else []
        words += ["deals"] if view.game.dealer == seat else []
        return (*words, f"{own.draws} draw{'' if own.draws == 1 else 's'}", f"put out {own.kills}")

    def idle(self, view: TableView, seat: SeatId) -> bool:
        """Return whether the seat is out of the round."""
        return _seat(view.game, seat).status in ("out", "left", "next")

    def game(self, view: TableView) -> Iterable[Markup]:
        """Return the last shot, what waits for names, and the piles."""
        game: PanicFireView = view.game
        shot = game.last_shot
        if shot is not None:
            verdict = shot.verdict if shot.target or shot.shooter or not shot.open else "fired; nobody is named yet"
            yield titled("Last shot", paragraph(verdict, "words"), paragraph(_waiting(game), "alarm"))
        yield titled("Cards in the pile", paragraph(game.cards_text, "figure"))


def _waiting(game: PanicFireView) -> str:
    waiting = len(game.open_shots)
    if game.last_shot is not None and game.last_shot.tie:
        return "A tie with the shot before: the table says which was first."
    return f"{waiting} shots wait for names, the oldest first." if waiting > 1 else ""


def _seat(game: PanicFireView, seat: SeatId) -> SeatView:
    return next(each for each in game.seats if each.id == seat)
