"""Continuing a game whose record is lost from what a hub showed last: players, scores, finished rounds, whose turn.

A game declares a `Continuation`, which turns these into facts for the table to confirm.
"""

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
    """A game as the hub showed it last: the known scores, who has left, who is out of the round, whose turn it is, how
    many rounds are over, and whether one is being played."""

    scores: tuple[tuple[SeatId, int], ...]
    left: tuple[SeatId, ...] = ()
    out: tuple[SeatId, ...] = ()
    turn: tuple[SeatId, ...] = ()
    rounds: int = 0
    playing: bool = False


FactSource = Callable[[Any, LastShown], Iterable[Fact]]
"""Returns facts that restore a part of a game, from the state before them."""


def _nothing(_state: object, _shown: LastShown) -> Iterable[Fact]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Continuation:
    """How a game is continued.

    `rounds` returns the facts of the finished rounds, `now` those of the current one; who left and the scores come
    between the two. `lost` says in one sentence what is lost for good, and what to do about it. If not `whole`, only
    the scores are continued. `unseated` are the names of players without a seat.
    """

    lost: str
    rounds: FactSource = _nothing
    now: FactSource = _nothing
    whole: bool = True
    unseated: tuple[str, ...] = ()


SCORES_ALONE: Final = Continuation(lost=ONLY_SCORES, whole=False)
