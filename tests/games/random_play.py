"""Random play of any game by its own rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from companion.rules.game import Fact, Game, Setup

MOST_STEPS = 20_000


def steps(game: Game[Any], setup: Setup, rng: random.Random) -> Iterator[tuple[Any, Fact, int, Any]]:
    """Random play to the end: state before, fact, entry, state after; what was rare so far is likelier."""
    state = game.start(setup)
    used: Counter[str] = Counter()
    for entry in range(2, MOST_STEPS):
        if game.over(state):
            return
        legal = game.legal(state)
        rows = [(one.kind, one.model_dump_json()) for one in legal]
        assert rows == sorted(set(rows)), "sorted, each once"
        kinds = sorted({fact.kind for fact in legal})
        kind = rng.choices(kinds, [1 / (1 + used[kind]) ** 2 for kind in kinds])[0]
        used[kind] += 1
        fact = rng.choice([fact for fact in legal if fact.kind == kind])
        after = game.apply(state, fact, entry)
        yield state, fact, entry, after
        state = after
    pytest.fail(f"{game.id} did not end in {MOST_STEPS} facts")
