"""The face of Sky Rise."""

from __future__ import annotations

from typing import ClassVar

from textual.screen import Screen

from companion.dashboard.correcting.facts import EnterForm
from companion.dashboard.game_screen import GameScreen, ScreenPart, SecretPart
from companion.dashboard.source import TableLike
from companion.games.sky_rise.screen.goals import GoalsPart
from companion.games.sky_rise.screen.grid import ACTIONS, PIECE_KINDS, PIECES
from companion.games.sky_rise.screen.part import TowerPart
from companion.games.sky_rise.screen.side import SkyRiseSide
from companion.rules.actions import Action
from companion.rules.registry import open_game


class SkyRiseScreen(GameScreen):
    """The level in play with its cursor above, the groups and the tower over the log."""

    counts_from: ClassVar[frozenset[str]] = frozenset({"showdown"})
    since: ClassVar[str] = "since three"
    stacked: ClassVar[bool] = True
    signs: ClassVar[tuple[tuple[str, str], ...]] = (
        ("♥ ♠ ♦ ♣", "The suit of a card; a pyramid of its color scores beside it."),
        ("R <R> /R\\", "A pyramid with the letter of its color; # is opaque, ^ its tip from the side."),
        ("S M L", "Behind a letter: small, medium or large, where any size may stand."),
        ("·", "A crossing without a pyramid."),
        ("─ │", "The edges of the fields."),
        ("═ ║", "Between two pyramids: they are in one group."),
        ("[ ]", "The cursor: what you enter goes here."),
        ("+", "Behind a total: what this level adds to it."),
        ("1×6", "So many, so many points each: columns of the Tree's color, opaque pyramids left."),
        ("LMS", "Pyramids left: large, medium, small."),
    )

    def top(self, actions: tuple[Action, ...]) -> ScreenPart:
        return TowerPart(actions)

    def side(self) -> ScreenPart:
        return SkyRiseSide()

    def secret(self) -> SecretPart:
        return GoalsPart()

    def actions(self) -> tuple[Action, ...]:
        """Return the keys of the grid, and that of the form for what is no card and no pyramid."""
        return ACTIONS

    def form(self, action_id: str, table: TableLike) -> Screen[None] | None:
        """Return the form; the grid does the rest."""
        if action_id != PIECES.id:
            return None
        return EnterForm(table, open_game(table.view().setup.game), PIECE_KINDS, title="Pieces and turns")
