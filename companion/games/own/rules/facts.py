"""The facts of a game of one's own."""

from __future__ import annotations

from dataclasses import replace

from pydantic import Field

from companion.games.own.rules.definition import LARGEST, Definition
from companion.games.own.rules.model import own_rules
from companion.rules.common import COMMON_FACTS
from companion.rules.facts import Fact, SeatId, Setup, by_kind
from companion.rules.form_fields import FormField


class _OfCounter(Fact):
    """A fact about a counter of the file."""

    @classmethod
    def asked(cls, field: FormField, setup: Setup) -> FormField:
        """Return the form field with the counters of the file as choices; a seat is required if
        every counter is a player's."""
        if not setup.game:  # asked for no session
            return field
        names, owners = [], set()
        for name, counter in own_rules(setup).says.counters.items():
            if counter.secret is cls.secret:
                names.append((name, name))
                owners.add(counter.of)
        if field.name == "counter":
            return replace(field, kind="choice", choices=tuple(names))
        if field.name == "seat" and "table" not in owners:
            return replace(field, required=True, nullable=False)
        return field


class Add(_OfCounter, kind="add", called="something is counted"):
    """`by` is added to a counter of `seat`, or of the table without a seat (OG-2)."""

    counter: str
    by: int = Field(default=1, ge=-LARGEST, le=LARGEST, title="how many")
    seat: SeatId | None = Field(default=None, title="whose")


class Set(_OfCounter, kind="set", called="counter is set"):
    """A counter of `seat`, or of the table without a seat, is set to `value` (OG-2)."""

    counter: str
    value: int = Field(ge=-LARGEST, le=LARGEST, title="number")
    seat: SeatId | None = Field(default=None, title="whose")


class SecretNote(_OfCounter, kind="note", called="secret number", secret=True):
    """A player notes the value of a secret counter; nobody else sees it before the round ends (OG-3)."""

    seat: SeatId
    counter: str
    value: int = Field(ge=-LARGEST, le=LARGEST, title="number")


class TurnEnds(Fact, kind="turn_ends", called="turn ends", sets_clock=True):
    """The player whose turn it is has ended it (OG-4)."""


class Bust(Fact, kind="bust", called="bust", sets_clock=True):
    """The table says that this turn does not count (OG-5)."""


class RoundEnds(Fact, kind="round_ends", called="round ends"):
    """The round is over, and its checks hold (OG-6)."""


class ClockStarts(Fact, kind="clock_starts", called="clock starts", sets_clock=True):
    """The clock of the turn, the round or the game starts (OG-7)."""


class TimeUp(Fact, kind="time_up", called="time is up"):
    """The time is over (OG-7)."""


def facts_of(says: Definition) -> dict[str, type[Fact]]:
    """Return the facts of a file's game: turns end only if it has turns, and notes need a secret counter."""
    secret = {counter.secret for counter in says.counters.values()}
    counting = (Add, SecretNote) if says.format == 1 else (Add, Set, SecretNote)
    offered: list[type[Fact]] = [fact for fact in counting if fact.secret in secret]
    if says.turn is not None:
        offered += [TurnEnds, Bust]
    if says.rounds:
        offered.append(RoundEnds)
    if says.clock is not None:
        offered += [ClockStarts, TimeUp]
    return by_kind(*offered, *COMMON_FACTS)
