"""A game that goes on from what everybody could see: the record of its first part is lost, and a hub showed who plays,
the scores, the rounds that are over and whose turn it is. What that comes to are facts, for the table to confirm."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from companion.rules.facts import Fact, SeatId

REASON: Final = "as the hub showed it last"
ONLY_SCORES: Final = (
    "This game does not say how it goes on in the middle, so only the scores go on."
)


@dataclass(frozen=True, slots=True)
class LastShown:
    """How a game stood: the scores that were known, who has left, who is out of the round, whose turn it is, how many
    rounds are over, and whether one is being played."""

    scores: tuple[tuple[SeatId, int], ...]
    left: tuple[SeatId, ...] = ()
    out: tuple[SeatId, ...] = ()
    turn: tuple[SeatId, ...] = ()
    rounds: int = 0
    playing: bool = False


FactSource = Callable[[Any, LastShown], Iterable[Fact]]


def _nothing(_state: object, _shown: LastShown) -> Iterable[Fact]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Continuation:
    """How a game goes on. `rounds` returns the facts of the rounds that are over, `now` those of the one that is
    played, each by the state before; the scores and who left come between. `lost` says in one sentence what nobody can
    know any more, and what to do about it. One that is not `whole` goes on as scores alone. `unseated` are names of
    players who have no seat."""

    lost: str
    rounds: FactSource = _nothing
    now: FactSource = _nothing
    whole: bool = True
    unseated: tuple[str, ...] = ()


SCORES_ALONE: Final = Continuation(lost=ONLY_SCORES, whole=False)
