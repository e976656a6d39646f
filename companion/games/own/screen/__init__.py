"""The dashboard of a game of one's own: the clock if it has one, and a form that sets a counter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from textual.screen import Screen

from companion.dashboard.game_screen import GameScreen, PlayerActions, ScreenPart, SeatScores
from companion.dashboard.source import TableLike
from companion.display.panels import entered_by, means_form
from companion.games.own.forms import FORMS, SET
from companion.games.own.rules.controls import PREFIX
from companion.games.own.rules.text import NOW
from companion.games.own.rules.view import SheetView
from companion.games.own.screen.parts import OwnSummary
from companion.rules.actions import Action
from companion.rules.facts import Refused, after_the_end

MOST_TITLE = 16
"""Letters of the longest title of an input beside its player's key."""


class OwnScreen(GameScreen):
    """The players and their counters; the header counts from the start of the clock or of the turn."""

    counts_from: ClassVar[frozenset[str]] = frozenset({"clock_starts", "turn_ends", "time_up"})
    since: ClassVar[str] = "gone"
    has_counters: ClassVar[bool] = True

    def alike(self, line: str) -> str:
        """Return what was counted, without what it came to: the newest of equal lines says that."""
        return line.rpartition(NOW)[0] or line

    def top(self, actions: tuple[Action, ...]) -> ScreenPart:
        return SeatScores(_by_place(actions))

    def side(self) -> ScreenPart:
        return OwnSummary()

    def shows_key(self, action: Action) -> bool:
        """Return True for the keys of one player, which are shown beside the player."""
        return bool(_place_of(action))


def _place_of(action: Action) -> int:
    """Return the place of the player whose key it is, 0 for a key of all."""
    place = action.id.rpartition(".")[2]
    return int(place) if action.id.startswith(PREFIX) and place.isdecimal() else 0


def _by_place(actions: Iterable[Action]) -> PlayerActions:
    """Return each player's own actions with their labels without the player's initial."""
    own: dict[int, tuple[tuple[Action, str], ...]] = {}
    for action in actions:
        if place := _place_of(action):
            does = action.label.partition(" ")[2]
            if action.group.startswith(f"{does} ") and len(action.group) <= MOST_TITLE:
                does = action.group  # the title, of which the footer has only the first words
            own[place] = (*own.get(place, ()), (action, does))
    return own


class SheetScreen(OwnScreen):
    """The same for format 2, whose open counters can be set."""

    enters: ClassVar[Mapping[str, tuple[str, ...]]] = entered_by(FORMS)

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
        return means_form(FORMS, action, game)
