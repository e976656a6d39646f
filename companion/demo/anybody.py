"""The demo of a game that brings no people of its own: each move is any that its rules allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.demo.steps import DemoStep, ScriptedPlayers
from companion.rules.game import Fact, body_of
from companion.rules.seats import unnamed

MOST = 500  # after so many moves the people stop: nobody says that a game of moves at random ever ends
A_TABLE = 3  # people, where the game leaves a choice


@dataclass(slots=True)
class Anybody(ScriptedPlayers[Any]):
    """People who know the rules and have no plan. They need no board: what they do is entered."""

    def steps(self) -> Iterator[DemoStep]:
        """Yield moves until the game is over, nothing is allowed any more, or there were very many."""
        played: Counter[str] = Counter()
        for _ in range(MOST):
            legal = self.table.legal()
            if self.table.view().ended or not legal:
                return
            yield self._move(any_move(legal, played, self.random))

    def _move(self, fact: Fact) -> DemoStep:
        before = self.table.view().log[-1].n
        return self.enter(
            fact.kind, body_of(fact), lambda _: self.table.view().log[-1].n > before, f"{fact.kind} is in the record"
        )


def any_move(legal: tuple[Fact, ...], played: Counter[str], chance: Random) -> Fact:
    """Return any of these moves, a kind that was rare so far sooner than one that can be made again and again, and
    count it among those `played`."""
    kinds = sorted({fact.kind for fact in legal})
    (kind,) = chance.choices(kinds, [1 / (1 + played[kind]) ** 2 for kind in kinds])
    played[kind] += 1
    return chance.choice([fact for fact in legal if fact.kind == kind])


def people_for(counts: range) -> int:
    """Return how many sit down where nobody says how many, in a game for so many."""
    return max(counts[0], min(A_TABLE, counts[-1]))


def anybody(game_id: str, counts: range) -> type[ScriptedPlayers[Any]]:
    """Return people for a game that can be played by so many."""
    seats = tuple(unnamed(people_for(counts)))
    return type("Anybody", (Anybody,), {"__slots__": (), "game": game_id, "seats": seats})
