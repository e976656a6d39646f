"""The forms for an AI's compass, for powers, and for corrections by the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from typing_extensions import override

from companion.dashboard.item import Item
from companion.dashboard.screens.columns import ColumnsForm
from companion.dashboard.screens.correcting.facts import EnterForm
from companion.dashboard.screens.correcting.menu_form import MenuForm
from companion.dashboard.source import TableLike, refused
from companion.dashboard.widgets.form import Answer, Choice, FieldRow, Form, Several
from companion.dashboard.widgets.page import is_roomy
from companion.display.grids import NumberGrid
from companion.games.fractured_sky.rules.ai import DIRECTION_NAMES, found_by_table
from companion.games.fractured_sky.rules.box import DIRECTIONS, ROSE
from companion.games.fractured_sky.rules.picture import keys_of, tied_key
from companion.games.fractured_sky.rules.powers import power_grids
from companion.games.fractured_sky.rules.view import FracturedSkyView, PlayerView
from companion.games.fractured_sky.screen.cursor import cells_beside
from companion.rules.clauses import spoken
from companion.rules.form_fields import FormField
from companion.session.views import TableView

EXAMPLE = "example map"
ROOMY_BESIDE = 20
"""Rows from which a form beside the map has free lines between its parts."""
AROUND_POWERS = 8
"""Rows of the powers' form around the regions: border, what to type, heads, sums, what is missing, refusal and keys."""
WRAPPED = 3
"""Rows that these take more beside the map, where their sentences wrap."""
LEAST_POWERS = 3
FRAME = 4
"""Cells of a form's border and what it leaves free inside."""
BELOW_MAP = 4
"""Rows below the map."""
BY_HAND = (
    "turn", "ai_choose", "ai_cannot", "adjust", "remove", "move", "objective", "powers", "ai_tokens", "ai_sits_out",
    "map_platform", "map_region", "score_set",
)  # fmt: skip


def titled(game: FracturedSkyView, title: str) -> str:
    """Return the title, marked if the map is the example."""
    return f"{title} ({EXAMPLE})" if game.example else title


class MapForm(Form):
    """A form beside the map, or below the overview of a smaller screen; neither is covered."""

    NARROWS_PAGE: ClassVar[bool] = False

    @override
    def place(self) -> None:
        """Put the form beside the map where there is room, else where any form goes."""
        boxes = self.query("#form")
        if not boxes:  # it is closing
            return
        box, is_beside = boxes.first(), is_roomy(self)
        self.set_class(is_beside, "-beside")
        self.styles.align_vertical = "bottom" if is_beside else "top"
        box.styles.padding = (0, 1)
        if not is_beside:
            box.styles.width = "100%"
            super().place()
            return
        most = self.size.height - BELOW_MAP - self.free_rows()[0]
        self.set_class(most < ROOMY_BESIDE, "-tight")
        box.styles.width = cells_beside(self.size.width)
        box.styles.margin = (0, 2, BELOW_MAP, 0)
        box.styles.max_height = most
        self.fit(most)


class MapMenu(MapForm, MenuForm):
    """A list of answers beside the map or below the overview."""


class CompassForm(MapMenu):
    """The compass that a pending move of an AI asks for, star by star until the move is decided; usually one key.

    A number chooses the place itself: it is the number on the map, which stays visible beside the
    form.
    """

    KEYS: ClassVar[str] = "a letter: the next star   a number: the place itself   Esc leave"

    def __init__(self, table: TableLike, ai: str, name: str) -> None:
        title = titled(table.view().game, f"{name}'s compass")
        super().__init__(table, title, f"{name}: which way does the compass point?")
        self._ai = ai
        self._named: list[str] = []

    def question(self) -> str:
        """Return whose compass decides, then the stars named so far or the order to name them in."""
        game: FracturedSkyView = self._table.view().game
        intro = ""
        if game.move is not None:
            intro = f"{spoken(game.move.decision.reasons[-1].text)}\n"
        if self._named:
            return f"{intro}Stars so far: {', '.join(self._named)}"
        order = "the first large star, then the others"
        if game.table.options["several_large_stars"] == "printed_order":
            order = "the large stars first"
        return f"{intro}Name the stars: {order}, each as printed."

    def items(self) -> list[Item]:
        """Return the answers, each with the fact it enters; the keys of the stars lie on the
        keyboard as on a compass."""
        game: FracturedSkyView = self._table.view().game
        none = {"ai": self._ai, "stars": [], "whole": True}
        answers = [Item(("ai_compass", none), "it has no more stars", key="-")]
        for key, star in zip(ROSE, DIRECTIONS, strict=True):
            body = {"ai": self._ai, "stars": [star], "whole": False}
            answers.append(Item(("ai_compass", body), DIRECTION_NAMES[star], key=key))
        if game.move is not None:
            decision = game.move.decision
            for target in decision.ask:
                label = game.table.board.place(decision.card.kind, target)
                key = tied_key(game, decision, target)
                answers.append(Item(("ai_choose", {"target": target}), label, key=key))
        return answers

    def choose(self, value: tuple[str, Mapping[str, Any]]) -> None:
        """Enter the next star, or the place; close the form once the move is decided."""
        kind, body = value
        refusal = refused(self._table, lambda: self._table.enter(kind, body))
        if refusal is not None:
            self.refuse(refusal)
        elif asks_compass(self._table.view().game):
            self._named += body["stars"]
            self.fill()
        else:
            self.dismiss()


def asks_compass(game: FracturedSkyView) -> bool:
    """Return whether a pending move of an AI asks for stars of a compass (FS-35)."""
    return game.move is not None and game.move.decision.compass is not None


class PowersForm(MapForm, ColumnsForm):
    """The powers under all Airships, beside the map or below the overview."""

    TITLE: ClassVar[str] = "Enter powers"

    def __init__(self, table: TableLike) -> None:
        self._rows_left = LEAST_POWERS
        super().__init__(table)

    def grids(self, view: TableView) -> tuple[NumberGrid, ...]:
        """Return the grid of powers, once they are entered."""
        return power_grids(view.game)

    @property
    def room(self) -> int:
        """The cells for the rows."""
        if is_roomy(self):
            return cells_beside(self.size.width) - FRAME
        return super().room

    @property
    def rows_left(self) -> int:
        """The rows of the form for the regions."""
        return self._rows_left

    @override
    def fit(self, rows: int) -> None:
        """Show as many regions as the form has rows for."""
        around = AROUND_POWERS
        if is_roomy(self):
            around += WRAPPED
        left = max(LEAST_POWERS, rows - around)
        if left != self._rows_left:
            self._rows_left = left
            self._draw()


def _likely(game: FracturedSkyView) -> str:
    """Return the kind that the form begins with: a missing platform, or what a pending move waits for."""
    board = game.table.board
    if game.move is None:
        return "turn" if board.platforms else "map_platform"
    decision = game.move.decision
    if decision.target is None and found_by_table(board, decision.card.kind):
        return "map_platform"
    return "ai_choose"


def _means(kind: str, game: FracturedSkyView) -> bool:
    """Return whether a kind has a meaning in this game: of an AI, its pending move, or an Objective (FS-5)."""
    ais = sum(player.ai for player in game.players)
    if kind in ("ai_choose", "ai_cannot"):
        return game.move is not None
    if kind == "objective":
        return ais < 2
    return ais > 0 or not kind.startswith("ai_")


class ByHandForm(MapForm, EnterForm):
    """Corrections by the table: counts, turns, pieces, an AI's move, the map; each with its reason."""

    ASKS: ClassVar[str] = "Choose what to change, then press Enter."
    KIND_LABEL: ClassVar[str] = "what"

    def __init__(self, table: TableLike, game: FracturedSkyView) -> None:
        likely, title = _likely(game), titled(game, "Change by hand")
        others = (kind for kind in BY_HAND if kind != likely and _means(kind, game))
        super().__init__(table, (likely, *others), title=title)
        self._sky = game

    def fields(self, kind: str, body: Mapping[str, Any]) -> list[FieldRow]:
        """Return the fields with their hints."""
        rows = super().fields(kind, body)
        for row in rows:
            # `_answer` made a choice of a text field, and its hint still asks for text
            if isinstance(row.answer, Choice) and row.hint.startswith("a text"):
                row.hint = "one of these: left and right, or a first letter"
            elif row.field in ("tokens", "lots"):
                row.hint = "the low and the high power of each: 1/5, 2/6, 3/8"
        return rows

    def _answer(self, field: FormField, body: Mapping[str, Any]) -> Answer:
        players = self._players()
        regions = [(region.id, region.name) for region in self._sky.table.board.regions]
        match field.name:
            case "player":
                return Choice(players, asked=True)
            case "ai":
                ais = [(player.id, player.name) for player in self._sky.players if player.ai]
                return Choice(ais, asked=True)
            case "players":
                return Several(players)
            case "region":
                return Choice(regions, asked=True)
            case "regions":
                return Several(list(keys_of(self._sky).items()))
            case "of":
                return Choice([("", "-"), *players, *regions])
            case "place" | "to":
                places = [*self._platforms(), *regions, *self._cards()]
                return Choice(places, asked=True)
            case "target":
                return Choice(self._targets(), asked=True)
        return super()._answer(field, body)

    def _players(self) -> list[tuple[str, str]]:
        players = [player for player in self._sky.players if self._may(player)]
        return [(player.id, f"{player.glyph} {player.name}") for player in players]

    def _platforms(self) -> list[tuple[str, str]]:
        return [(known.id, f"platform {known.id}") for known in self._sky.table.board.platforms]

    def _cards(self) -> list[tuple[str, str]]:
        numbers = range(1, len(self._sky.table.hidden) + 1)
        return [(str(number), f"Hidden card {number}") for number in numbers]

    def _targets(self) -> list[tuple[str, str]]:
        """Return the places where the card of a pending move may go."""
        kind = self._sky.move.decision.card.kind if self._sky.move is not None else "airship"
        if kind == "scout":
            return self._cards()
        if kind in ("airship", "skimmer"):
            return [(region.id, region.name) for region in self._sky.table.board.regions]
        return self._platforms()

    def _may(self, player: PlayerView) -> bool:
        """Return whether a correction can concern that player.

        Pieces of a player who left may still be on the board, but nobody who is done or has left
        gets a turn.
        """
        if self._kind in ("remove", "move"):
            return True
        if player.left:
            return False
        return self._kind != "turn" or not player.done
