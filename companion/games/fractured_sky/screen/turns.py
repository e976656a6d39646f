"""The forms of a turn: lists of platforms, regions or cards for the seat that moves, or the compass of an AI's card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.binding import BindingType
from typing_extensions import override

from companion.dashboard.item import Item
from companion.dashboard.source import TableLike
from companion.games.fractured_sky.forms import asks_compass
from companion.games.fractured_sky.rules.board import Board, Platform
from companion.games.fractured_sky.rules.box import KINDS
from companion.games.fractured_sky.rules.controls import BY_HAND_KEY, key_of, platform_numbers
from companion.games.fractured_sky.rules.picture import (
    answer_name,
    keys_of,
    platform_site,
    region_site,
)
from companion.games.fractured_sky.rules.view import FracturedSkyView, PlayerView
from companion.games.fractured_sky.screen.forms import (
    ByHandForm,
    CompassForm,
    MapMenu,
    fits,
    titled,
)
from companion.rules.actions import FIRST_PRESS, PRESS, with_board, with_keys
from companion.rules.facts import Refused
from companion.session.views import LessonView


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
        game: FracturedSkyView,
        title: str,
        kind: str,
        body: Mapping[str, Any],
        asks: Sequence[AskField],
    ) -> None:
        super().__init__(table, titled(game, title))
        self._game = game
        self._kind = kind
        self._body = {**body, **_answered(asks)}
        self._asks = tuple(ask for ask in asks if len(ask.options) > 1)
        self._answers: list[Any] = []

    def question(self) -> str:
        return self._asks[len(self._answers)].question

    def items(self) -> tuple[Item, ...]:
        return self._asks[len(self._answers)].options

    @override
    def does(self, value: Any, lesson: LessonView) -> bool:
        asks = self._asks[: len(self._answers)]
        body = {
            **self._body,
            **{ask.field: answer for ask, answer in zip(asks, self._answers, strict=True)},
            self._asks[len(self._answers)].field: value,
        }
        return self._kind == lesson.kind and fits(body, lesson)

    def action_back(self) -> None:
        if self._answers:
            self._answers.pop()
            self.fill()

    def choose(self, value: Any) -> None:
        if value == ANOTHER_PLATFORM:
            self._enter_platform()
            return
        self._answers.append(value)
        if len(self._answers) == len(self._asks):
            self.action_accept()
            if not self.is_current:
                return
            self._answers.pop()  # it was refused, and asks again
        self.fill()

    def _enter_platform(self) -> None:
        """Open the form that takes a new platform with its bridges, instead of this one."""
        app, game = self.app, self._game
        self.dismiss()
        app.push_screen(ByHandForm(self._table, game, "map_platform"))

    def send(self) -> None:
        answered = {ask.field: value for ask, value in zip(self._asks, self._answers, strict=True)}
        self._table.enter(self._kind, self._body | answered)


class PlatformMissing(Refused):
    """A building needs a platform that is not known yet: what the form of corrections takes next (FS-U4)."""


ANOTHER_PLATFORM = ""
"""The answer for a platform that is not known yet; no platform has an empty id."""
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
    if game.move is not None:
        decision = game.move.decision
        why = f"{game.player(decision.ai).name}'s {decision.card.kind.capitalize()} comes first"
        raise Refused("FS-34", why, do=table.view().awaiting)
    if mover is None:
        raise Refused("FS-7", "nobody has a turn now", do=table.view().awaiting)
    if mover.ai:
        return _ai_card(word, table, mover)
    title, kind, body, asks = _OF_A_SEAT[word](game, mover, word)
    body = {"seat": mover.id} | body
    if all(len(ask.options) == 1 for ask in asks):
        table.enter(kind, body | _answered(asks))
        return None
    return Chooser(table, game, title, kind, body, asks)


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
    title = f"{game.player(seat).name} takes for Hidden card {card}"
    asks = [AskField("resource", "what is taken?", TAKEN)]
    return Chooser(table, game, title, "take", {"seat": seat, "card": card}, asks)


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
    free = [platform for platform in board.platforms if _has_place(game, platform)]
    if not free:
        raise _no_platform(board)
    options, numbers = [], platform_numbers(board)
    for platform in free:
        site = platform_site(game, platform)
        pieces = ", ".join(site.words[1:])
        bridges = f"to {', '.join(map(board.name, platform.regions))}"
        key = answer_name(numbers[platform.id], game.keys)
        if key != platform.id:
            pieces = f"{site.head}: {pieces}"
        options.append(Item(platform.id, pieces, bridges, key=key))
    if board.platforms_open:
        key = with_keys(BY_HAND_KEY, game.keys)
        options.append(Item(ANOTHER_PLATFORM, "another platform", "enter its bridges", key=key))
    title = f"{mover.name}: {word.capitalize()}{board.price(word)} on which platform?"
    return title, "build", {"building": word}, [AskField("platform", "", tuple(options))]


def _has_place(game: FracturedSkyView, platform: Platform) -> bool:
    """Return whether a platform has a free place, as far as is known (FS-12)."""
    return platform.places is None or len(game.table.built_on(platform.id)) < platform.places


def _no_platform(board: Board) -> Refused:
    """Return the refusal of a building for which no known platform has a place (FS-12, FS-U4)."""
    do = f"Enter it with its bridges: {PRESS} {BY_HAND_KEY}."
    if not board.platforms:
        return PlatformMissing("FS-U4", "no platform is known yet", do=do)
    if not board.platforms_open:
        return Refused("FS-12", "no platform has a free place", "another action")
    do = f"Enter another with its bridges: {PRESS} {BY_HAND_KEY}."
    return PlatformMissing("FS-U4", "no known platform has a free place", do=do)


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
        asks.append(AskField("resource", "look at the card: what is taken?", (*TAKEN, NOTHING)))
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
