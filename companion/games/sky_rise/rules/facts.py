"""Facts of Sky Rise: what happened, in the players' words. Points, turns and totals are derived, never stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import override

from companion.rules.facts import Fact, SeatId, Setup
from companion.rules.form_fields import FormField

FEW = 3
"""Players up to whom a floor is 2 x 3 and four colors are in play (SR-1, SR-5)."""

Suit = Literal["hearts", "spades", "diamonds", "clubs", "royals", "fifth"]
Color = Literal["red", "yellow", "green", "blue", "purple", "orange", "cyan", "clear", "pink"]
Piece = Literal[
    "red", "yellow", "green", "blue", "purple", "orange", "cyan", "clear", "pink", "opaque"
]
Size = Literal["large", "medium", "small"]
Rank = Literal["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
Cell = Annotated[str, Field(pattern="^[a-c][1-3]$")]
Corner = Annotated[str, Field(pattern="^[a-d][1-4]$")]


class _OfDeck(Fact):
    """A fact with a suit, which has to be in the deck."""

    @override
    @classmethod
    def asked(cls, field: FormField, setup: Setup) -> FormField:
        """Return the form field; of the suits those that the deck has with so many players (SR-2)."""
        if field.name != "suit" or not setup.seats:
            return field
        if setup.options.get("deck") == "five_suit":
            missing = {"royals"}
        else:
            missing = {"fifth"} if len(setup.seats) > FEW else {"fifth", "royals"}
        return replace(field, choices=tuple(one for one in field.choices if one[0] not in missing))


class StartToken(Fact, kind="start_token", called="who has the Start token"):
    """The seat with the Start token in the first round (SR-4)."""

    seat: SeatId


class Assign(_OfDeck, kind="assign", called="which suit has which color"):
    """That suit belongs to that color (SR-2); their two former partners are paired with each other."""

    suit: Suit
    color: Color


class Opaque(Fact, kind="opaque", called="opaque pyramids of a player"):
    """The opaque pyramids a seat was given (SR-1); a `reason` allows another number than its share."""

    seat: SeatId
    large: int = Field(title="large given", ge=0, le=3)
    medium: int = Field(title="medium given", ge=0, le=3)
    small: int = Field(title="small given", ge=0, le=3)
    reason: str = ""


class Card(_OfDeck, kind="card", called="card was laid", asks="lay a card"):
    """A card of the floor or the roof (SR-5, SR-13), laid by the current player or, with a `reason`, by another."""

    place: Cell = Field(title="cell", examples=["b2"])
    suit: Suit
    rank: Rank | None = None
    seat: SeatId | None = None
    reason: str = ""


class Pyramid(Fact, kind="pyramid", called="pyramid was placed", asks="place a pyramid"):
    """A pyramid on a corner (SR-7), or an antenna (SR-13), which needs a size."""

    place: Corner = Field(title="corner", examples=["b3"])
    color: Piece
    size: Size | None = None
    seat: SeatId | None = None
    reason: str = ""


class Pass(Fact, kind="pass", called="no pyramid was placed", asks="place no pyramid"):
    """The current player places no pyramid (SR-7, SR-13)."""

    seat: SeatId | None = None
    reason: str = ""


class TurnOver(Fact, kind="turn_over", called="turn ended", asks="end the turn"):
    """A seat's turn ended at `at`; what it laid or placed is entered afterwards (SR-T6)."""

    seat: SeatId


class Turn(Fact, kind="turn", called="whose turn it is"):
    """The players rule whose turn it is, with a reason."""

    seat: SeatId
    reason: str = Field(min_length=1)


class GoalNoted(Fact, kind="goal_noted", called="private note of goals", secret=True):
    """A seat's Nest and Tree cards, secret until all goals are turned up (SR-3)."""

    seat: SeatId
    nest: Color = Field(title="Nest card")
    tree: Color = Field(title="Tree card")


class GoalsDealt(Fact, kind="goals_dealt", called="goals were dealt", secret=True):
    """The Nest and Tree cards as the companion shuffled them; seats take the next of both in order, later ones
    too (SR-T9)."""

    nests: tuple[Color, ...] = Field(min_length=1, title="Nest cards")
    trees: tuple[Color, ...] = Field(min_length=1, title="Tree cards")


class Reveal(Fact, kind="reveal", called="goals were turned up", asks="turn up goals"):
    """All goals are turned up together (SR-14); a `reason` overrides SR-3."""

    reason: str = ""


class Showdown(
    Fact,
    kind="showdown",
    called="Tower Showdown began",
    asks="begin the Tower Showdown",
    sets_clock=True,
):
    """On three, at `at`, the Tower Showdown begins (SR-17)."""


class ShowdownStop(
    Fact,
    kind="showdown_stop",
    called="player finished the Tower Showdown",
    asks="finish the Tower Showdown",
):
    """A contender of the Tower Showdown laid the seventh card, at `at` (SR-17)."""

    seat: SeatId


class ShowdownRuling(Fact, kind="showdown_ruling", called="who won the Tower Showdown"):
    """The players rule who won the Tower Showdown; None shares the victory (SR-17)."""

    seat: SeatId | None = Field(default=None, title="winner")
    reason: str = ""
