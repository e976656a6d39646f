"""The forms of a turn: lists of platforms, regions or cards for the seat that moves, or the compass of an AI's card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.binding import BindingType

from companion.dashboard.item import Item
from companion.dashboard.source import TableLike
from companion.games.fractured_sky.rules.box import KINDS
from companion.games.fractured_sky.rules.controls import BY_HAND_KEY, key_of, platform_numbers
from companion.games.fractured_sky.rules.picture import (
    answer_name,
    keys_of,
    platform_site,
    region_site,
)
from companion.games.fractured_sky.rules.view import FracturedSkyView, PlayerView
from companion.games.fractured_sky.screen.forms import CompassForm, MapMenu, asks_compass, titled
from companion.rules.actions import FIRST_PRESS, PRESS, with_board
from companion.rules.facts import Refused


@dataclass(frozen=True, slots=True)
class AskField:
    """A question, the field of the fact that the answer fills, and the possible answers with their keys."""

    field: str
    question: str
    options: tuple[Item, ...]


class Chooser(MapMenu):
    """A form that asks one question after another and enters the fact after the last; a single
    answer is not asked for."""

    KEYS: ClassVar[str] = "key or Enter choose   Bksp one back   Esc leave"
    BINDINGS: ClassVar[list[BindingType]] = [("backspace", "back")]

    def __init__(
        self,
        table: TableLike,
        title: str,
        kind: str,
        body: Mapping[str, Any],
        asks: Sequence[AskField],
    ) -> None:
        super().__init__(table, title)
        self._kind = kind
        self._body = {**body, **_answered(asks)}
        self._asks = tuple(ask for ask in asks if len(ask.options) > 1)
        self._answers: list[Any] = []

    def question(self) -> str:
        return self._asks[len(self._answers)].question

    def items(self) -> tuple[Item, ...]:
        return self._asks[len(self._answers)].options

    def action_back(self) -> None:
        if self._answers:
            self._answers.pop()
            self.fill()

    def choose(self, value: Any) -> None:
        self._answers.append(value)
        if len(self._answers) == len(self._asks):
            self.action_accept()
            if not self.is_current:
                return
            self._answers.pop()  # it was refused, and asks again
        self.fill()

    def send(self) -> None:
        answered = {ask.field: value for ask, value in zip(self._asks, self._answers, strict=True)}
        self._table.enter(self._kind, self._body | answered)


TAKEN = tuple(
    Item(word.casefold(), word, key=word[0].casefold()) for word in ("Gold", "Iron", "Wood")
)
NOTHING = Item(None, "nothing", key="n")


def turn_form(word: str, table: TableLike, game: FracturedSkyView) -> CompassForm | Chooser | None:
    """Return the form for a piece or card of whoever moves, for `take` or for `compass`.

    Return None if nothing is left to ask; the fact is entered then. Raise `Refused` if nobody can
    do that now. An AI's card is entered by its kind alone: its compass is asked for when it decides
    something.
    """
    if word == "take":
        return _take(game, table)
    if word == "compass":
        return compass_form(table)
    mover = game.mover
    if mover is None:
        raise Refused("FS-7", "nobody has a turn now", do=table.view().awaiting)
    if mover.ai:
        return _ai_card(word, table, mover)
    title, kind, body, asks = _OF_A_SEAT[word](game, mover, word)
    body = {"seat": mover.id} | body
    if all(len(ask.options) == 1 for ask in asks):
        table.enter(kind, body | _answered(asks))
        return None
    return Chooser(table, titled(game, title), kind, body, asks)


def _answered(asks: Sequence[AskField]) -> dict[str, Any]:
    """Return the fields whose questions have one answer only."""
    return {ask.field: ask.options[0].value for ask in asks if len(ask.options) == 1}


def _ai_card(word: str, table: TableLike, ai: PlayerView) -> CompassForm | None:
    """Enter the card that an AI turned up on the table; return the form for its compass if that is asked for."""
    if ai.virtual:
        why = f"{ai.name}'s cards are turned up by the companion"
        do = f"{FIRST_PRESS} {key_of('next')}{with_board(' or pull the trigger')}."
        raise Refused("FS-34", why, do=do)
    if word not in KINDS:
        raise Refused("FS-5", f"{ai.name} does not peek", do="Name the card that it turned up.")
    table.enter("ai_turn", {"ai": ai.id, "card": word, "stars": []})
    return compass_form(table) if asks_compass(table.view().game) else None


def compass_form(table: TableLike) -> CompassForm:
    """Return the form for the compass that a pending move asks for; raise `Refused` if none is asked for."""
    game: FracturedSkyView = table.view().game
    if game.move is None or not asks_compass(game):
        raise Refused("FS-35", "no compass is asked for", do=table.view().awaiting)
    ai = game.move.decision.ai
    return CompassForm(table, ai, game.player(ai).name)


def _take(game: FracturedSkyView, table: TableLike) -> Chooser:
    """Return the form for what a seat takes by the card it has just scouted (FS-16)."""
    if game.looking is None:
        why = "nobody has just looked at a card without taking"
        raise Refused("FS-16", why, do=table.view().awaiting)
    seat, card = game.looking
    title = titled(game, f"{game.player(seat).name} takes for Hidden card {card}")
    asks = [AskField("resource", "what is taken?", TAKEN)]
    return Chooser(table, title, "take", {"seat": seat, "card": card}, asks)


_Asked = tuple[str, str, dict[str, str], list[AskField]]


def _region(game: FracturedSkyView, mover: PlayerView, word: str) -> _Asked:
    board, keys = game.table.board, keys_of(game)
    options = []
    for region in board.regions:
        about = ", ".join(region_site(game, region.id).words)
        options.append(Item(region.id, region.name, about, key=keys[region.id]))
    price = "" if word == "airship" else board.price(word)
    title = f"{mover.name}: {word.capitalize()}{price} in which region?"
    return title, word, {}, [AskField("region", "", tuple(options))]


def _platform(game: FracturedSkyView, mover: PlayerView, word: str) -> _Asked:
    board = game.table.board
    if not board.platforms:
        do = f"Enter it with its bridges: {PRESS} {BY_HAND_KEY}."
        raise Refused("FS-U4", "no platform is known yet", do=do)
    options, numbers = [], platform_numbers(board)
    for platform in board.platforms:
        site = platform_site(game, platform)
        pieces = ", ".join(site.words[1:])
        bridges = f"to {', '.join(map(board.name, platform.regions))}"
        key = answer_name(numbers[platform.id], game.keys)
        if key != platform.id:
            pieces = f"{site.head}: {pieces}"
        options.append(Item(platform.id, pieces, bridges, key=key))
    title = f"{mover.name}: {word.capitalize()}{board.price(word)} on which platform?"
    return title, "build", {"building": word}, [AskField("platform", "", tuple(options))]


def _scout(game: FracturedSkyView, mover: PlayerView, _word: str) -> _Asked:
    scouted = {mark.card for mark in game.table.marks if mark.player == mover.id}
    face_up_too = game.table.options["early_reveal_scoutable"] == "yes"
    cards = []
    for card, region in enumerate(game.table.hidden, start=1):
        if card not in scouted and (region is None or face_up_too):
            cards.append(Item(card, f"Hidden card {card}{_taken(game, card)}", key=str(card)))
    if not cards:
        raise Refused("FS-16", f"{mover.name} has no Hidden card left to scout", "another action")
    asks = [AskField("card", "which card?", tuple(cards))]
    if not game.dealt:  # a dealt card is seen only afterwards
        asks.append(AskField("resource", "what was taken?", (*TAKEN, NOTHING)))
    only = f": {cards[0].label}" if len(cards) == 1 else ""
    return f"{mover.name} pays 2 Gold and scouts{only}", "scout", {}, asks


def _taken(game: FracturedSkyView, card: int) -> str:
    taken = []
    for mark in game.table.marks:
        if mark.card == card:
            taken.append(mark.resource.capitalize() if mark.resource else "?")
    return f", {' and '.join(taken)} taken" if taken else ""


def _peek(game: FracturedSkyView, mover: PlayerView, _word: str) -> _Asked:
    seen = {card for seat, card in game.peeks if seat == mover.id}
    cards = [card for card in range(game.round, game.rounds + 1) if card not in seen]
    solo = sum(player.ai for player in game.players) > 1
    if not cards or solo:
        raise Refused("FS-17", f"{mover.name} has no Objective to peek at", "another action")
    options = tuple(Item(card, f"the Objective of round {card}", key=str(card)) for card in cards)
    title = f"{mover.name} pays 2 resources and peeks"
    return title, "peek", {}, [AskField("card", "which card?", options)]


_OF_A_SEAT: dict[str, Callable[[FracturedSkyView, PlayerView, str], _Asked]] = {
    "airship": _region,
    "skimmer": _region,
    "fortress": _platform,
    "market": _platform,
    "scout": _scout,
    "peek": _peek,
}
