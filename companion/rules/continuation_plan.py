"""The facts that continue a game whose record is lost, for the table to confirm."""

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
    """A fact that restores a part of the game, and its sentence."""

    fact: Fact
    sentence: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The facts that restore a game, in order, the state after them, and a sentence for each fact that the rules
    refused."""

    facts: tuple[PlannedFact, ...]
    state: Any
    refused: tuple[str, ...]


def continuation_of(game: Game[Any]) -> Continuation:
    """Return how a game is continued; by its scores alone if it declares nothing."""
    return game.continuation or SCORES_ALONE


def planned(game: Game[Any], setup: Setup, shown: LastShown) -> Plan:
    """Return the facts that restore a game last seen like this; raise `Refused` for a setup that it does not allow."""
    continuation = continuation_of(game)
    state = game.start(setup)
    facts: list[PlannedFact] = []
    refused: list[str] = []
    # Scores come after the finished rounds and before the current one: they correct what the rounds came to, and what
    # the current round scores adds to them.
    for source in (continuation.rounds, _left, _scores(game), continuation.now):
        for fact in source(state, shown):
            try:
                after = game.advance(state, fact, len(facts) + 2)  # entry 1 is the header
            except Refused as refusal:
                sentence = game.describe(state, fact).partition(":")[0]
                refused.append(f"{sentence}: {refusal.spoken()}")
                continue
            facts.append(PlannedFact(fact, game.sentence(state, after, fact, "table")))
            state = after
    return Plan(tuple(facts), state, tuple(refused))


def _left(_state: object, shown: LastShown) -> Iterator[Fact]:
    for seat in shown.left:
        yield SeatLeaves(seat=seat, reason=REASON)


def _scores(game: Game[Any]) -> FactSource:
    def set_by_hand(state: Any, shown: LastShown) -> Iterator[Fact]:
        standings = game.standings(state)
        for seat, score in shown.scores:
            if standings.get(seat) != score:
                yield ScoreSet(seat=seat, score=score, reason=REASON)

    return set_by_hand
