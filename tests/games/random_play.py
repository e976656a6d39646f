"""Random play of any game by its own rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from companion.rules.facts import Fact, Setup
from companion.rules.game import Game
from tests.thorough import examples

MOST_STEPS = 20_000
LOOK_AT_ALL = examples(15, 1)
"""Every this many states, everything that might be done is tried."""


def steps(
    game: Game[Any], setup: Setup, rng: random.Random
) -> Iterator[tuple[Any, Fact, int, Any]]:
    """Yield random play to the end: state before, fact, entry, state after; rare kinds become likelier."""
    state = game.start(setup)
    used: Counter[str] = Counter()
    for entry in range(2, MOST_STEPS):
        if game.over(state):
            return
        if entry % LOOK_AT_ALL == 0:
            rows = [(fact.kind, fact.model_dump_json()) for fact in game.legal(state)]
            assert rows == sorted(set(rows)), "sorted, each once"
        fact = _chosen(game, state, used, rng)
        used[fact.kind] += 1
        after = game.apply(state, fact, entry)
        yield state, fact, entry, after
        state = after
    pytest.fail(f"{game.id} did not end in {MOST_STEPS} facts")


def _chosen(game: Game[Any], state: Any, used: Counter[str], rng: random.Random) -> Fact:
    """A kind of which something is legal, the likelier the rarer it was, and any legal fact of it: as if chosen from
    all that is legal, but no more is tried than it takes to find one."""
    tried: dict[str, set[Fact]] = {}
    for fact in game.candidates(state):
        tried.setdefault(fact.kind, set()).add(fact)
    kinds = sorted(tried)
    while kinds:
        kind = rng.choices(kinds, [1 / (1 + used[kind]) ** 2 for kind in kinds])[0]
        facts = sorted(tried[kind], key=lambda fact: fact.model_dump_json())
        rng.shuffle(facts)
        for fact in facts:
            if game.allows(state, fact):
                return fact
        kinds.remove(kind)
    pytest.fail(f"{game.id} is not over, and nothing is legal")
