"""The facts of SkyFire: what happened, as the table would say it. Nothing that follows by the rules is in them.

Whose turn it is follows from the order of the facts, so a missed one can be put in between. A card is written as what
the component file calls it, or as its symbols with `+` between them (`red star+blue star`).
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from companion.rules.common import COMMON_FACTS
from companion.rules.game import Fact, SeatId, ToldAs, by_kind

MOST_ZONES = 4  # SF-4: five players, four zones
CARDS = ["red star+blue star"]
LEFT_OVER = 0  # in `Backs`, the cards beside the play area (SF-7)
Status = Literal["in", "out"]


class Deal(Fact):
    """Four cards each are dealt, the round begins (SF-7)."""

    called: ClassVar[str] = "cards were dealt"
    told_as: ClassVar[ToldAs] = "round"
    kind: Literal["deal"] = "deal"


class First(Fact):
    """That seat begins the round (SF-R3); before anybody has moved."""

    called: ClassVar[str] = "who begins"
    kind: Literal["first"] = "first"
    seat: SeatId


class Direction(Fact):
    """Turns go this way round from now on (SF-R8)."""

    called: ClassVar[str] = "which way turns go"
    kind: Literal["direction"] = "direction"
    clockwise: bool = Field(title="clockwise")


class Place(Fact):
    """The seat on turn put a card face down into that zone (SF-10)."""

    called: ClassVar[str] = "card was placed"
    kind: Literal["place"] = "place"
    zone: int = Field(ge=1, le=MOST_ZONES)


class Launch(Fact):
    """The seat on turn launched that zone: its cards are turned up (SF-11)."""

    called: ClassVar[str] = "zone was launched"
    kind: Literal["launch"] = "launch"
    zone: int = Field(ge=1, le=MOST_ZONES)


class Misfire(Fact):
    """The seat on turn declared a misfire: all zones are turned up (SF-12)."""

    called: ClassVar[str] = "misfire was declared"
    kind: Literal["misfire"] = "misfire"


class Satisfied(Fact):
    """Whether the launched zone satisfies the target; after a misfire, whether any zone does (SF-14)."""

    called: ClassVar[str] = "whether the target was met"
    kind: Literal["satisfied"] = "satisfied"
    satisfied: bool = Field(title="target met")


class Revealed(Fact):
    """The faces of all cards of a zone that were turned up together, in any order (SF-11, SF-12); with a `reason`,
    whatever else speaks against them (SF-T5)."""

    called: ClassVar[str] = "cards that were turned up"
    kind: Literal["revealed"] = "revealed"
    zone: int = Field(ge=1, le=MOST_ZONES)
    cards: tuple[str, ...] = Field(examples=CARDS)
    reason: str = ""


class Target(Fact):
    """The target of the round (SF-8)."""

    called: ClassVar[str] = "target of the round"
    kind: Literal["target"] = "target"
    card: str = Field(min_length=1, examples=CARDS)


class Removed(Fact):
    """The targets that were taken out openly (SF-5)."""

    called: ClassVar[str] = "targets that were taken out"
    kind: Literal["removed"] = "removed"
    cards: tuple[str, ...] = Field(examples=CARDS)


class Backs(Fact):
    """The backs of a zone's cards in the order in which they were placed, or of those left over (zone 0); `?` where
    nobody looked (SF-6). With a `reason`, whatever else speaks against them (SF-T5)."""

    called: ClassVar[str] = "backs of cards"
    kind: Literal["backs"] = "backs"
    zone: int = Field(ge=LEFT_OVER, le=MOST_ZONES)
    backs: tuple[str, ...] = Field(examples=["?,?"])
    reason: str = ""


class HandShown(Fact):
    """An eliminated seat laid its hand open (SF-R4); with a `reason`, whatever else speaks against it (SF-T5)."""

    called: ClassVar[str] = "eliminated player's hand"
    kind: Literal["hand_shown"] = "hand_shown"
    seat: SeatId
    cards: tuple[str, ...] = Field(examples=CARDS)
    reason: str = ""


class HandNoted(Fact):
    """What a seat holds now, noted for that seat alone."""

    secret: ClassVar[bool] = True
    called: ClassVar[str] = "private note of a hand"
    kind: Literal["hand_noted"] = "hand_noted"
    seat: SeatId
    cards: tuple[str, ...] = Field(examples=CARDS)


class PlaceNoted(Fact):
    """Which card a seat put into that zone, noted for that seat alone: of its cards there, the first not noted yet."""

    secret: ClassVar[bool] = True
    called: ClassVar[str] = "private note of a placed card"
    kind: Literal["place_noted"] = "place_noted"
    seat: SeatId
    zone: int = Field(ge=1, le=MOST_ZONES)
    card: str = Field(min_length=1, examples=CARDS)


class Turn(Fact):
    """The table says that it is that seat's turn."""

    called: ClassVar[str] = "whose turn it is"
    kind: Literal["turn"] = "turn"
    seat: SeatId
    reason: str = ""


class Override(Fact):
    """The table puts a seat in or out of the round, whatever the rules say."""

    called: ClassVar[str] = "somebody is in or out"
    kind: Literal["override"] = "override"
    seat: SeatId
    status: Status = Field(title="in or out")
    reason: str = ""


class RoundEnd(Fact):
    """The table ends the round: each of `seats` scores `points`."""

    called: ClassVar[str] = "round ended"
    kind: Literal["round_end"] = "round_end"
    seats: tuple[SeatId, ...] = Field(default=(), title="who scores")
    points: int = Field(default=0, title="points each", ge=0, le=100)
    reason: str = ""


FACTS = by_kind(
    Deal, First, Direction, Place, Launch, Misfire, Satisfied, Revealed, Target, Removed, Backs, HandShown,
    HandNoted, PlaceNoted, Turn, Override, RoundEnd, *COMMON_FACTS,
)  # fmt: skip
