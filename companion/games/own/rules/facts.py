"""What can happen in a game of one's own."""

from __future__ import annotations

from pydantic import Field

from companion.games.own.rules.definition import LARGEST
from companion.rules.common import COMMON_FACTS
from companion.rules.game import Fact, SeatId, by_kind


class Add(Fact, kind="add", called="something is counted"):
    """`by` is added to a counter: that of `seat`, or of the table where there is none (OG-2)."""

    counter: str = Field(min_length=1, examples=["taken"])
    by: int = Field(default=1, ge=-LARGEST, le=LARGEST, title="how many")
    seat: SeatId | None = Field(default=None, title="whose")


class SecretNote(Fact, kind="note", called="secret number", secret=True):
    """What a secret counter of `seat` stands at; nobody else knows before the round ends (OG-3)."""

    seat: SeatId
    counter: str = Field(min_length=1, examples=["bid"])
    value: int = Field(ge=-LARGEST, le=LARGEST, title="number")


class TurnEnds(Fact, kind="turn_ends", called="turn ends", sets_clock=True):
    """Whoever's turn it is has ended it (OG-4)."""


class Bust(Fact, kind="bust", called="bust", sets_clock=True):
    """The table says that this turn does not count (OG-5)."""


class RoundEnds(Fact, kind="round_ends", called="round ends"):
    """The round is over, and what has to hold then holds (OG-6)."""


class ClockStarts(Fact, kind="clock_starts", called="clock starts", sets_clock=True):
    """The clock of the turn, the round or the game starts (OG-7)."""


class TimeUp(Fact, kind="time_up", called="time is up"):
    """The time is over (OG-7)."""


FACTS = by_kind(Add, SecretNote, TurnEnds, Bust, RoundEnds, ClockStarts, TimeUp, *COMMON_FACTS)
