"""SkyFire's screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from textual.content import Content
from textual.screen import Screen

from companion.dashboard.game_screen import GameScreen, ScreenPart
from companion.dashboard.source import TableLike
from companion.dashboard.widgets.tables import table_rows
from companion.display.panels import entered_by, means_form
from companion.games.skyfire.forms import CARDS, FORMS, IN_ROUND, PLACE, has_cards
from companion.games.skyfire.panels import rounds_played
from companion.games.skyfire.rules.keys import (
    DEAL_FIRST,
    PREFIX,
)
from companion.games.skyfire.rules.view import SkyFireView
from companion.games.skyfire.screen.form import CardsForm, PlaceForm
from companion.games.skyfire.screen.parts import SkyFireSide, TopPart
from companion.games.skyfire.screen.rows import SHOWN
from companion.games.skyfire.screen.words import EXAMPLE
from companion.rules.actions import Action
from companion.rules.facts import Refused, after_the_end
from companion.session.views import TableView

LEAST_COLUMNS = 72
"""Columns for the rounds of a finished game: in fewer, a round takes several rows."""


class SkyFireScreen(GameScreen):
    """Seats and zones above, the box beside the log; a form for visible cards, a curtain for private notes."""

    steps: ClassVar[Mapping[str, frozenset[str]]] = {
        "satisfied": frozenset({"launch", "misfire"}),
        "revealed": frozenset({"launch"}),
    }
    built_title: ClassVar[str] = "Rounds played"
    signs: ClassVar[tuple[tuple[str, str], ...]] = (
        ("┌ ─ ┐ ├ ┤ │ └ ┘", "The edges of a card in a launch zone; the newest lies on top."),
        ("r1 r2", "Round 1, round 2."),
    )

    enters: ClassVar[Mapping[str, tuple[str, ...]]] = entered_by(FORMS)

    def where(self, view: TableView) -> str:
        """Return the round and its phase, and whether the deck is an example."""
        return "   ".join(filter(None, (super().where(view), EXAMPLE if view.game.example else "")))

    def top(self, actions: tuple[Action, ...]) -> ScreenPart:
        return TopPart(actions)

    def side(self) -> ScreenPart:
        return SkyFireSide()

    def built(self, view: TableView, columns: int, _rows: int) -> Content | None:
        """Return the target and the result of each round, a row each."""
        rounds = rounds_played(view.game)
        if not rounds.rows or columns < LEAST_COLUMNS:
            return None
        return Content("\n").join(table_rows((replace(rounds, title=""),), columns))

    def actions(self) -> tuple[Action, ...]:
        return (CARDS, PLACE)

    def form(self, action_id: str, table: TableLike) -> Screen[None]:
        """Return the form; raise `Refused` if there is nothing to enter."""
        game: SkyFireView = table.view().game
        if action_id == PLACE.id and game.phase in IN_ROUND:
            return PlaceForm(table)
        if action_id == CARDS.id and has_cards(game):
            return CardsForm(table)
        raise nothing_to_enter(game)

    def shows_key(self, action: Action) -> bool:
        """Return True for the keys of seats, zones and the misfire, which are shown beside them."""
        return (
            action.id.startswith(PREFIX)
            and action.id.removeprefix(PREFIX).partition(".")[0] in SHOWN
        )

    def means(self, action: Action, game: SkyFireView) -> bool:
        """Return True if the action applies: entering cards once a round is dealt (SF-7), placing one on a turn."""
        return means_form(FORMS, action, game)


def nothing_to_enter(game: SkyFireView) -> Refused:
    """Return the refusal of a form with nothing to enter."""
    if game.phase == "finished":
        return after_the_end("SF-18")
    return Refused("SF-7", "no round is open", "four cards for each player first", DEAL_FIRST)
