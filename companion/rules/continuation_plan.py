"""The facts with which a game goes on from what everybody could see, for the table to confirm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.rules.common import ScoreSet, SeatLeaves
from companion.rules.continuing import REASON, SCORES_ALONE, Continuation, FactSource, LastShown
from companion.rules.facts import Fact, Refused, Setup
from companion.rules.game import Game


@dataclass(frozen=True, slots=True)
class PlannedFact:
    """A fact with which the game goes on, and its sentence."""

    fact: Fact
    sentence: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The facts with which a game goes on, in their order, the state that they lead to, and a sentence for each that
    the rules refuse."""

    facts: tuple[PlannedFact, ...]
    state: Any
    refused: tuple[str, ...]


def continuation_of(game: Game[Any]) -> Continuation:
    """Return how that game goes on: as scores alone where it does not say."""
    return game.continuation or SCORES_ALONE


def planned(game: Game[Any], setup: Setup, shown: LastShown) -> Plan:
    """Return what a game that stood like that goes on with; raise `Refused` for a setup that it does not allow."""
    how = continuation_of(game)
    state, facts, refused = game.start(setup), list[PlannedFact](), list[str]()
    for told in (how.rounds, _left, _scores(game), how.now):
        for fact in told(state, shown):
            try:
                after = game.advance(state, fact, len(facts) + 2)  # behind the header
            except Refused as why:
                refused.append(f"{game.describe(state, fact).partition(':')[0]}: {why.spoken()}")
                continue
            facts.append(PlannedFact(fact, game.sentence(state, after, fact, "table")))
            state = after
    return Plan(tuple(facts), state, tuple(refused))


def _left(_state: object, shown: LastShown) -> Iterator[Fact]:
    for seat in shown.left:
        yield SeatLeaves(seat=seat, reason=REASON)


def _scores(game: Game[Any]) -> FactSource:
    def set_by_hand(state: Any, shown: LastShown) -> Iterator[Fact]:
        stands = game.standings(state)
        for seat, score in shown.scores:
            if stands.get(seat) != score:
                yield ScoreSet(seat=seat, score=score, reason=REASON)

    return set_by_hand
