"""Panic Fire on the page: the last shot, and the piles. The game has no secrets."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.panic_fire.rules.view import PanicFireView
from companion.reports.markup import Markup
from companion.serve.game_page import GamePage, paragraph, titled
from companion.session.views import TableView


class PanicFirePage(GamePage):
    """Shots and piles."""

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
