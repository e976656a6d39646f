"""Facts of SkyFire: what happened, in the players' words. Nothing that the rules can derive is stored in one.

Whose turn it is follows from the order of the facts, so a missed one can be inserted. A card is written by its
table name, in letters (`rb`: a red face on a red and blue back), or as its symbols joined by `+` (`red star+blue
star`).
"""

from __future__ import annotations

from typing import Any

from pydantic import Field
from typing_extensions import override

from companion.games.skyfire.rules.deck import deck_for, no_such_target
from companion.rules.common import Override as Override
from companion.rules.components import box_of
from companion.rules.facts import Fact, SeatId, Setup

MOST_ZONES = 4  # SF-4: five players, four zones
CARDS = ["rb"]
LEFT_OVER = 0  # in `Backs`, the cards beside the play area (SF-7)


class Deal(Fact, kind="deal", called="cards were dealt", asks="deal cards", told_as="round"):
    """Four cards each are dealt and the round begins (SF-7)."""


class First(Fact, kind="first", called="who begins"):
    """That seat begins the round (SF-R3); only before the first turn."""

    seat: SeatId


class Direction(Fact, kind="direction", called="which way turns go"):
    """Turns go this way from now on (SF-R8)."""

    clockwise: bool = Field(title="clockwise")


class Place(Fact, kind="place", called="card was placed", asks="place a card"):
    """The current player put a card face down into that zone (SF-10). Its `back` is visible (SF-6), empty if not
    entered."""

    zone: int = Field(ge=1, le=MOST_ZONES)
    back: str = Field(default="", examples=["rb"])


class Launch(Fact, kind="launch", called="zone was launched", asks="launch a zone"):
    """The current player launched that zone: its cards are turned up (SF-11)."""

    zone: int = Field(ge=1, le=MOST_ZONES)


class Misfire(Fact, kind="misfire", called="misfire was declared", asks="declare a misfire"):
    """The current player declared a misfire: all zones are turned up (SF-12)."""


class Satisfied(
    Fact, kind="satisfied", called="whether the target was met", asks="is the target met?"
):
    """True if the launched zone satisfies the target; after a misfire, if any zone does (SF-14)."""

    satisfied: bool = Field(title="target met")


class Revealed(
    Fact, kind="revealed", called="cards that were turned up", asks="enter cards turned up"
):
    """The faces of all cards of a zone that were turned up together, in any order (SF-11, SF-12).

    A `reason` enters them even if they contradict something else (SF-T5).
    """

    zone: int = Field(ge=1, le=MOST_ZONES)
    cards: tuple[str, ...] = Field(examples=CARDS)
    reason: str = ""


class Target(Fact, kind="target", called="target of the round", asks="enter the target"):
    """The target of the round (SF-8)."""

    card: str = Field(min_length=1, examples=["ryg"])

    @classmethod
    @override
    def entered(cls, body: dict[str, Any], setup: Setup) -> dict[str, Any]:
        # By its name, as the form records it: the same target is the same fact, however it was typed.
        deck = deck_for(box_of(setup), len(setup.seats), setup.rules_version)
        card = deck.read_target(body["card"])
        if card is not None:
            return {**body, "card": card.name}
        if deck.targets_known:
            raise no_such_target(body["card"], deck, deck.targets)
        return body


class Removed(Fact, kind="removed", called="targets that were taken out", asks="targets taken out"):
    """The targets that were taken out openly (SF-5)."""

    cards: tuple[str, ...] = Field(examples=["ryg"])


class Backs(Fact, kind="backs", called="backs of cards"):
    """The backs of a zone's cards in the order they were placed, or of those left over (zone 0); `?` if nobody
    looked (SF-6).

    A `reason` enters them even if they contradict something else (SF-T5).
    """

    zone: int = Field(ge=LEFT_OVER, le=MOST_ZONES)
    backs: tuple[str, ...] = Field(examples=["?,?"])
    reason: str = ""


class HandShown(Fact, kind="hand_shown", called="eliminated player's hand"):
    """An eliminated player laid the hand open (SF-R4); a `reason` enters it even if it contradicts something else
    (SF-T5)."""

    seat: SeatId
    cards: tuple[str, ...] = Field(examples=CARDS)
    reason: str = ""


class HandNoted(Fact, kind="hand_noted", called="private note of a hand", private=True):
    """A private note of the cards a seat holds now."""

    seat: SeatId
    cards: tuple[str, ...] = Field(examples=CARDS)


class PlaceNoted(Fact, kind="place_noted", called="private note of a placed card", private=True):
    """A private note of the card a seat put into that zone: the first of its cards there not noted yet."""

    seat: SeatId
    zone: int = Field(ge=1, le=MOST_ZONES)
    card: str = Field(min_length=1, examples=CARDS)


class Turn(Fact, kind="turn", called="whose turn it is"):
    """The players rule that it is that seat's turn."""

    seat: SeatId
    reason: str = ""


class RoundEnd(Fact, kind="round_end", called="round ended"):
    """The players end the round: each of `seats` scores `points`."""

    seats: tuple[SeatId, ...] = Field(default=(), title="who scores")
    points: int = Field(default=0, title="points each", ge=0, le=100)
    reason: str = ""
