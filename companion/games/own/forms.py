"""The form of a game of one's own that sets a counter, which its screen and the pages have."""

from __future__ import annotations

from companion.display.panels import GameForm
from companion.games.own.rules.controls import SET_ACTION, SET_KEY
from companion.games.own.rules.view import SheetView
from companion.rules.actions import Action

SET = Action(
    SET_ACTION, (SET_KEY,), "set number", "Set a counter to a number (OG-2).", "game", footer=True
)


def can_be_set(game: SheetView) -> bool:
    """Return whether a counter can be set: while the game goes on."""
    return bool(game.settable and not game.over)


FORMS = (GameForm(SET, ("set",), can_be_set),)
