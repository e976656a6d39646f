"""Sky Rise's screen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from textual.content import Content
from textual.screen import Screen

from companion.dashboard.game_screen import GameScreen, ScreenPart
from companion.dashboard.registry import CURTAIN
from companion.dashboard.screens.correcting.facts import EnterForm
from companion.dashboard.source import TableLike
from companion.dashboard.widgets.tables import drawn_line
from companion.display.cells import plain
from companion.display.panels import entered_by
from companion.display.towers import built_lines, view_lines
from companion.games.sky_rise.forms import FORMS, KINDS, PIECES
from companion.games.sky_rise.rules.controls import GRID, KIND_IDS, OPAQUE_ID, SIZE_IDS
from companion.games.sky_rise.rules.picture import tower
from companion.games.sky_rise.rules.view import SkyRiseView
from companion.games.sky_rise.screen.grid import (
    ACTIONS,
    CARDS,
    PYRAMIDS,
    TOWER,
)
from companion.games.sky_rise.screen.part import TowerPart
from companion.games.sky_rise.screen.side import SkyRiseSide
from companion.games.sky_rise.screen.tower import TowerPage
from companion.rules.actions import Action
from companion.rules.facts import Refused
from companion.session.views import TableView


class SkyRiseScreen(GameScreen):
    """The level in play with its cursor above; groups and tower over the log."""

    counts_from: ClassVar[frozenset[str]] = frozenset({"showdown"})
    steps: ClassVar[Mapping[str, frozenset[str]]] = {"pyramid": frozenset({"turn_over"})}
    since: ClassVar[str] = "since the start"
    dense: ClassVar[bool] = True
    built_title: ClassVar[str] = "The tower"
    shown_only: ClassVar[frozenset[str]] = frozenset({TOWER.id})
    in_footer: ClassVar[frozenset[str]] = frozenset({CURTAIN.id})  # the goals are noted there
    enters: ClassVar[Mapping[str, tuple[str, ...]]] = entered_by(FORMS)
    only_on_screen: ClassVar[Mapping[str, str]] = {
        GRID: "the level has no cursor in lines: type the card or pyramid with its cell"
    }
    signs: ClassVar[tuple[tuple[str, str], ...]] = (
        ("♥ ♠ ♦ ♣", "The suit of a card; a pyramid of its color scores beside it."),
        (
            "R <R> /R\\",
            "A pyramid with the letter of its color; # is opaque, ^ its tip from the side.",
        ),
        ("S M L", "Behind a letter: small, medium or large, where any size may stand."),
        ("·", "A corner without a pyramid."),
        ("─ │", "The edges of the cells."),
        ("═ ║", "Between two pyramids: they are in one group."),
        ("[ ]", "The cursor: what you enter goes here."),
        ("+", "Before a number: what this level adds to the color's total."),
        ("?", "Instead of a number: not entered yet."),
    )

    def top(self, actions: tuple[Action, ...]) -> ScreenPart:
        return TowerPart(actions)

    def side(self) -> ScreenPart:
        return SkyRiseSide()

    def built(self, view: TableView, columns: int, rows: int) -> Content | None:
        """Return the finished tower, from the side where it fits, else level by level from above."""
        lines = built_lines(tower(view.game), columns, rows)
        return Content("\n").join(map(drawn_line, lines)) if lines else None

    def actions(self) -> tuple[Action, ...]:
        """Return the keys of the grid and of the form for everything that is no card or pyramid."""
        return ACTIONS

    def means(self, action: Action, game: SkyRiseView) -> bool:
        """Return True if the action applies: cards and pyramids on the grid, a key for each color (SR-5, SR-7),
        sizes only for antennas (SR-13)."""
        if action.id in SIZE_IDS.values():
            return game.phase == "antennas"
        if action.id == CURTAIN.id:
            return not game.revealed
        if action.id == TOWER.id:
            return any(corner.pieces for corner in game.levels[0].corners)
        if action.id == OPAQUE_ID:
            return game.phase in PYRAMIDS
        if action.id in KIND_IDS[len(game.colors) :]:
            return False
        return not action.id.startswith(GRID) or game.phase in (*CARDS, *PYRAMIDS)

    def lines(self, _action_id: str, view: TableView, columns: int) -> Iterable[str]:
        """Return the tower in plain lines, level by level and from the side."""
        return map(plain, view_lines(tower(view.game), columns))

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
        present = ("start_token", "turn")
        return EnterForm(table, KINDS, title="Set pieces and turns", present=present)
