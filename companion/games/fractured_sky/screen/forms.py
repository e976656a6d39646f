"""The forms for an AI's compass, for powers, and for corrections by the table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from typing_extensions import override

from companion.dashboard.screens.correcting.facts import EnterForm
from companion.dashboard.screens.correcting.menu_form import MenuForm
from companion.dashboard.source import TableLike, refused
from companion.dashboard.widgets.form import Answer, Choice, FieldRow, Form, Several, TextField
from companion.dashboard.widgets.menu import Item
from companion.games.fractured_sky.rules.ai import DIRECTION_NAMES, found_by_table
from companion.games.fractured_sky.rules.box import DIRECTIONS, ROSE
from companion.games.fractured_sky.rules.picture import keys_of, tied_key
from companion.games.fractured_sky.rules.view import FracturedSkyView, PlayerView
from companion.rules.clauses import spoken
from companion.rules.columns import plural
from companion.rules.form_fields import FormField

EXAMPLE = "example map"
MAP_ENDS = 13
"""Rows to the end of the map on a screen of 24 rows: its title, and `LEAST_ROWS` of `parts`."""
TALL = 32
"""Least rows of a screen whose forms have free rows."""
BY_HAND = (
    "turn", "ai_choose", "ai_cannot", "adjust", "remove", "move", "objective", "powers", "ai_tokens", "ai_sits_out",
    "map_platform", "map_region", "score_set",
)  # fmt: skip


def titled(game: FracturedSkyView, title: str) -> str:
    """Return the title, marked if the map is the example."""
    return f"{title} ({EXAMPLE})" if game.example else title


class BelowMap(Form):
    """A form below the map, which stays visible."""

    @override
    def place(self) -> None:
        super().place()
        rows, boxes = self.size.height, self.query("#form")
        if boxes and rows < TALL:
            box = boxes.first()
            box.styles.margin = (MAP_ENDS, 0, 0, 0)
            box.styles.max_height = rows - MAP_ENDS
            self.fit(rows - MAP_ENDS)


class MapMenu(MenuForm, BelowMap):
    """A list of answers below the map."""


class CompassForm(MapMenu):
    """The compass that a pending move of an AI asks for, star by star until the move is decided; usually one key.

    A number chooses the place itself: it is the number on the map, which stays visible beside the
    form.
    """

    KEYS: ClassVar[str] = "a letter: the next star   a number: the place itself   Esc leave"

    def __init__(self, table: TableLike, ai: str, name: str) -> None:
        super().__init__(
            table, titled(table.view().game, f"{name}: which way does the compass point?")
        )
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


class PowersForm(BelowMap):
    """The powers under a player's Airships, in the order of placing; one player after the other."""

    ASKS: ClassVar[str] = "Type the powers in the order of the Airships."

    def __init__(self, table: TableLike, game: FracturedSkyView) -> None:
        self._game = game  # the title below reads it
        super().__init__(table, titled(game, f"Powers - {self._first_missing()}"))

    def _first_missing(self) -> str:
        """Return the first player whose powers are missing, and the regions of that player's Airships."""
        names, players = self._game.table.board.name, self._waiting
        if not players or players[0].powers is not None:
            return "all are entered"
        places = [names(ship.region) for ship in self._game.table.ships_of(players[0].id)]
        return f"{players[0].name}: {', '.join(places)}"

    @property
    def _waiting(self) -> list[PlayerView]:
        """The players who placed Airships, those whose powers are missing first."""
        placed = [player for player in self._game.players if self._game.table.ships_of(player.id)]
        return sorted(placed, key=lambda player: player.powers is not None)

    def _label(self, player: PlayerView) -> str:
        """Return a player with the keys of the regions of its Airships, so nobody takes these keys for powers."""
        keys = keys_of(self._game)
        regions = [keys[ship.region] for ship in self._game.table.ships_of(player.id)]
        noun = "region" if len(regions) == 1 else "regions"
        return f"{player.glyph} {player.name}, {noun} {' '.join(regions)}"

    def rows(self) -> Iterable[FieldRow]:
        hint = "a digit for each Airship: 541; larger numbers with commas: 10, 0, 0"
        yield FieldRow("chips", TextField(), hint, "powers", self._reading)
        players = Choice([(player.id, self._label(player)) for player in self._waiting])
        yield FieldRow("player", players, "whose", reading=self._reading)

    def _regions(self) -> list[str]:
        """Return the regions of the chosen player's Airships in the order of placing."""
        ships = self._game.table.ships_of(self.word("player"))
        return [self._game.table.board.name(ship.region) for ship in ships]

    def _reading(self) -> str:
        """Return the typed powers with their regions: `5 in Amber Atoll, 4 in Brass Basin, 1 in Copper Crag`."""
        regions = self._regions()
        powers = powers_typed(self.word("chips"), len(regions))
        if powers is None or len(powers) != len(regions):
            return ""
        parts = [f"{power} in {region}" for power, region in zip(powers, regions, strict=True)]
        return f"{self._game.player(self.word('player')).name}: {', '.join(parts)}"

    def send(self) -> str | None:
        if not self.word("chips"):
            return "The powers are missing. Type a digit for each Airship."
        ships = len(self._regions())
        powers = powers_typed(self.word("chips"), ships)
        if powers is None:
            commas = ", or numbers with commas" if ships > 1 else ""
            return f"These are not {plural(ships, 'power')}. Type {plural(ships, 'digit')}{commas}."
        self._table.enter("powers", {"player": self.word("player"), "chips": list(powers)})
        return None


def powers_typed(word: str, ships: int) -> tuple[int, ...] | None:
    """Return the powers typed for so many Airships, or None if they cannot be read.

    A digit for each Airship will do; other numbers need commas between them.
    """
    if "," in word or ships == 1:
        parts = [part.strip() for part in word.split(",")]
    elif len(word) == ships:
        parts = list(word)
    else:
        return None
    if not all(re.fullmatch("[0-9]{1,3}", part) for part in parts):
        return None
    return tuple(map(int, parts))


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


class ByHandForm(EnterForm, BelowMap):
    """Corrections by the table: counts, turns, pieces, an AI's move, the map; each with its reason."""

    ASKS: ClassVar[str] = "Choose what to change, then press Enter."

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
