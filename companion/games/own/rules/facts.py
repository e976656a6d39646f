"""What can happen in a game of one's own."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from companion.games.own.rules.definition import LARGEST
from companion.rules.common import COMMON_FACTS
from companion.rules.game import Fact, SeatId, by_kind


class Add(Fact, called="something is counted"):
    """`by` is added to a counter: that of `seat`, or of the table where there is none (OG-2)."""

    kind: Literal["add"] = "add"
    counter: str = Field(min_length=1, examples=["taken"])
    by: int = Field(default=1, ge=-LARGEST, le=LARGEST, title="how many")
    seat: SeatId | None = Field(default=None, title="whose")


class SecretNote(Fact, called="secret number", secret=True):
    """What a secret counter of `seat` stands at; nobody else knows before the round ends (OG-3)."""

    kind: Literal["note"] = "note"
    seat: SeatId
    counter: str = Field(min_length=1, examples=["bid"])
    value: int = Field(ge=-LARGEST, le=LARGEST, title="number")


class TurnEnds(Fact, called="turn ends"):
    """Whoever's turn it is has ended it (OG-4)."""

    kind: Literal["turn_ends"] = "turn_ends"


class Bust(Fact, called="bust"):
    """The table says that this turn does not count (OG-5)."""

    kind: Literal["bust"] = "bust"


class RoundEnds(Fact, called="round ends"):
    """The round is over, and what has to hold then holds (OG-6)."""

    kind: Literal["round_ends"] = "round_ends"


class ClockStarts(Fact, called="clock starts"):
    """The clock of the turn, the round or the game starts (OG-7)."""

    kind: Literal["clock_starts"] = "clock_starts"


class TimeUp(Fact, called="time is up"):
    """The time is over (OG-7)."""

    kind: Literal["time_up"] = "time_up"


FACTS = by_kind(Add, SecretNote, TurnEnds, Bust, RoundEnds, ClockStarts, TimeUp, *COMMON_FACTS)
