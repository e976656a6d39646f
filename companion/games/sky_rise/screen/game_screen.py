"""Sky Rise's screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.screen import Screen

from companion.dashboard.game_screen import GameScreen, ScreenPart
from companion.dashboard.screens.correcting.facts import EnterForm
from companion.dashboard.source import TableLike
from companion.games.sky_rise.rules.view import SkyRiseView
from companion.games.sky_rise.screen.grid import (
    ACTIONS,
    CARDS,
    KIND_IDS,
    OPAQUE_ID,
    PIECES,
    PREFIX,
    PYRAMIDS,
    SIZE_IDS,
    TOWER,
)
from companion.games.sky_rise.screen.part import TowerPart
from companion.games.sky_rise.screen.side import SkyRiseSide
from companion.games.sky_rise.screen.tower import TowerPage
from companion.rules.actions import Action
from companion.rules.facts import Refused

FINISHED_TOWER = ("goals", "showdown", "finished")
"""Phases in which the table's page no longer shows the level in play, so the footer names the key."""


class SkyRiseScreen(GameScreen):
    """The level in play with its cursor above; groups and tower over the log."""

    counts_from: ClassVar[frozenset[str]] = frozenset({"showdown"})
    steps: ClassVar[Mapping[str, frozenset[str]]] = {"pyramid": frozenset({"turn_over"})}
    since: ClassVar[str] = "since the start"
    stacked: ClassVar[bool] = True
    dense: ClassVar[bool] = True
    shown_only: ClassVar[frozenset[str]] = frozenset({TOWER.id})
    signs: ClassVar[tuple[tuple[str, str], ...]] = (
        ("♥ ♠ ♦ ♣", "The suit of a card; a pyramid of its color scores beside it."),
        (
            "R <R> /R\\",
            "A pyramid with the letter of its color; # is opaque, ^ its tip from the side.",
        ),
        ("S M L", "Behind a letter: small, medium or large, where any size may stand."),
        ("·", "A crossing without a pyramid."),
        ("─ │", "The edges of the fields."),
        ("═ ║", "Between two pyramids: they are in one group."),
        ("[ ]", "The cursor: what you enter goes here."),
        ("+", "Before a number: what this level adds to the total."),
        ("1×6", "So many, so many points each: columns of the Tree's color, opaque pyramids left."),
        ("LMS", "Pyramids left: large, medium, small."),
    )

    def top(self, actions: tuple[Action, ...]) -> ScreenPart:
        return TowerPart(actions)

    def side(self) -> ScreenPart:
        return SkyRiseSide()

    def actions(self) -> tuple[Action, ...]:
        """Return the keys of the grid and of the form for everything that is no card or pyramid."""
        return ACTIONS

    def means(self, action: Action, game: SkyRiseView) -> bool:
        """Return True if the action applies: cards and pyramids on the grid, a key for each color (SR-5, SR-7),
        sizes only for antennas (SR-13)."""
        if action.id in SIZE_IDS.values():
            return game.phase == "antennas"
        if action.id == TOWER.id:
            return game.phase in FINISHED_TOWER
        if action.id == OPAQUE_ID:
            return game.phase in PYRAMIDS
        if action.id in KIND_IDS[len(game.colors) :]:
            return False
        return not action.id.startswith(PREFIX) or game.phase in (*CARDS, *PYRAMIDS)

    def form(self, action_id: str, table: TableLike) -> Screen[None] | None:
        """Return the form, or None for the grid's own keys; raise `Refused` for a key that has no meaning now."""
        game: SkyRiseView = table.view().game
        if action_id == TOWER.id:
            return TowerPage()
        if action_id in SIZE_IDS.values() and game.phase != "antennas":
            raise Refused("SR-13", "only antennas differ in size", do="Choose sizes on the roof.")
        if action_id in KIND_IDS[len(game.colors) :]:
            raise Refused(
                "SR-1",
                f"only {len(game.colors)} colors are in play",
                do="Press the key of one of them.",
            )
        if action_id != PIECES.id:
            return None
        kinds, present = ("opaque", "assign", "start_token", "turn"), ("start_token", "turn")
        return EnterForm(table, kinds, title="Pieces and turns", present=present)
