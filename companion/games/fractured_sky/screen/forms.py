"""The forms for an AI's compass, for powers, and for corrections by the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from companion.games.fractured_sky.forms import BY_HAND_KINDS, EXAMPLE, asks_compass
from companion.games.fractured_sky.rules.ai import DIRECTION_NAMES, earlier_turns, found_by_table
from companion.games.fractured_sky.rules.box import DIRECTIONS, ROSE
from companion.games.fractured_sky.rules.picture import keys_of, tied_key
from companion.games.fractured_sky.rules.powers import power_grids
from companion.games.fractured_sky.rules.reminders import ais_without_tokens
from companion.games.fractured_sky.rules.view import FracturedSkyView, PlayerView
from companion.games.fractured_sky.screen.cursor import cells_beside
from companion.rules.form_fields import FormField
from companion.session.views import LessonView, TableView

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


def titled(game: FracturedSkyView, title: str) -> str:
    """Return the title, marked if the map is the example."""
    return f"{title} ({EXAMPLE})" if game.example else title


def fits(body: Mapping[str, Any], lesson: LessonView) -> bool:
    """Return whether a part of the body of a fact is as a lesson wants it; what is empty goes without saying."""
    return all(lesson.body.get(name) == said for name, said in body.items() if said)


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

    # a small screen shows few answers at once, so the keys of the stars are always here
    KEYS: ClassVar[str] = (
        f"{ROSE[0]} north, {' '.join(ROSE[1:])} clockwise   a number: the place itself   Esc leave"
    )

    def __init__(self, table: TableLike, ai: str, name: str) -> None:
        title = titled(table.view().game, f"{name}'s compass")
        super().__init__(table, title, f"{name}: which way does the compass point?")
        self._ai = ai
        self._filled: tuple[str, list[Item]] | None = None
        """The question and the answers that it shows."""

    def question(self) -> str:
        """Return which card to look at, then its stars named so far or the order to name them in."""
        game: FracturedSkyView = self._table.view().game
        card, stars = _card_to_look_at(game), _stars_named(game)
        if stars:
            return f"{card}\nStars so far: {', '.join(stars)}"
        order = "the first large star, then the others"
        if game.table.options["several_large_stars"] == "printed_order":
            order = "the large stars first"
        return f"{card}\nName its stars: {order}, each as printed."

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

    @override
    def does(self, value: tuple[str, Mapping[str, Any]], lesson: LessonView) -> bool:
        kind, body = value
        return kind == lesson.kind and fits(body, lesson)

    def choose(self, value: tuple[str, Mapping[str, Any]]) -> None:
        """Enter the next star, or the place; close the form once the move is decided."""
        kind, body = value
        self._suppress()
        refusal = refused(self._table, lambda: self._table.enter(kind, body))
        if refusal is not None:
            self._suppress()
            self.refuse(refusal)
        else:
            self._follow()

    @override
    def show(self, view: TableView) -> None:
        """Follow the table: an undo, or another device, may have changed what is asked."""
        super().show(view)
        if self.is_current:
            self._follow()

    def _follow(self) -> None:
        """Ask what the table asks now; close once this AI's move asks for no compass."""
        game: FracturedSkyView = self._table.view().game
        if game.move is None or game.move.decision.ai != self._ai or not asks_compass(game):
            self.dismiss()
        elif self._filled != (self.question(), self.items()):
            self.fill()

    @override
    def fill(self) -> None:
        self._filled = self.question(), self.items()
        super().fill()


def _stars_named(game: FracturedSkyView) -> Sequence[str]:
    """Return the known stars of the card whose compass a pending move asks for, in the order they were named."""
    decision = None if game.move is None else game.move.decision
    if decision is None or decision.compass is None:
        return ()
    earlier = earlier_turns(game.table, decision.ai)
    if decision.compass >= len(earlier):  # the compass of the card itself counts last
        return decision.card.stars
    return game.table.turned[earlier[decision.compass]].card.stars


def _card_to_look_at(game: FracturedSkyView) -> str:
    """Return on which card of an AI the compass is that a pending move asks for (FS-35)."""
    decision = None if game.move is None else game.move.decision
    if decision is None or decision.compass is None:
        return ""
    earlier, back = earlier_turns(game.table, decision.ai), decision.compass + 1
    if back > len(earlier):  # the compass of the card itself counts last
        kind, name = decision.card.kind.capitalize(), game.player(decision.ai).name
        return f"Look at the {kind} card that {name} has just turned up."
    turn = game.table.turned[earlier[decision.compass]]
    kind, name = turn.card.kind.capitalize(), game.player(turn.ai).name
    if back == 1:
        return f"Look at {name}'s card before this one ({kind})."
    return f"Look at {name}'s card {back} cards before this one ({kind})."


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
    """Return the kind that the form begins with: what the screen asks for, or a missing platform."""
    board = game.table.board
    if game.move is not None:
        decision = game.move.decision
        if decision.target is None and found_by_table(board, decision.card.kind):
            return "map_platform"
        return "ai_choose"
    if game.phase in ("turn", "slot") and ais_without_tokens(game):
        return "ai_sits_out"
    return "turn" if board.platforms else "map_platform"


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

    def __init__(self, table: TableLike, game: FracturedSkyView, asked: str = "") -> None:
        """Begin with the kind that was just `asked` for, else with the likeliest; their order is always the same."""
        likely = asked or _likely(game)
        kinds = [kind for kind in BY_HAND_KINDS if kind == likely or _means(kind, game)]
        super().__init__(table, kinds, title=titled(game, "Change by hand"))
        self._kind, self._sky = likely, game
        self._is_asked = likely in ("map_platform", "ai_sits_out")
        if self._is_asked:
            self._to_do = Form.ASKS

    def on_mount(self) -> None:
        """Begin at the first field to fill in where the game asks for it: a digit is meant for that, not for `what`."""
        if not self._is_asked:
            return
        for row in list(self.query(FieldRow))[1:]:
            if not (isinstance(row.answer, Choice) and row.answer.chosen):
                row.answer.focus()
                return

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
                waiting = ais_without_tokens(self._sky)
                if self._kind == "ai_sits_out" and waiting:
                    return Choice(ais, waiting[0].id)
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
