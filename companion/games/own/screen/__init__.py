"""The dashboard of a game of one's own: the clock if it has one, and a form that sets a counter."""

from __future__ import annotations

from typing import ClassVar

from textual.screen import Screen

from companion.dashboard.game_screen import GameScreen
from companion.dashboard.source import TableLike
from companion.games.own.rules.controls import SET_ACTION, SET_KEY
from companion.games.own.rules.view import SheetView
from companion.rules.actions import Action
from companion.rules.facts import Refused, after_the_end

SET = Action(
    SET_ACTION, (SET_KEY,), "set number", "Set a counter to a number (OG-2).", "game", footer=True
)


class OwnScreen(GameScreen):
    """The players and their counters; the header counts from the start of the clock or of the turn."""

    counts_from: ClassVar[frozenset[str]] = frozenset({"clock_starts", "turn_ends", "time_up"})
    since: ClassVar[str] = "gone"
    has_counters: ClassVar[bool] = True


class SheetScreen(OwnScreen):
    """The same for format 2, whose open counters can be set."""

    def actions(self) -> tuple[Action, ...]:
        return (SET,)

    def form(self, _action_id: str, table: TableLike) -> Screen[None]:
        # imported late: the forms of corrections would delay the first paint
        from companion.games.own.screen.form import SetForm

        game: SheetView = table.view().game
        if game.over:
            raise after_the_end("OG-9")
        if not game.settable:
            raise Refused("OG-2", "this game has no open counter", do="Press another key.")
        return SetForm(table)

    def means(self, action: Action, game: SheetView) -> bool:
        """Return whether the key works now: a counter can be set while the game goes on."""
        return action.id != SET.id or bool(game.settable and not game.over)
