"""Whole solo games on the example map, played by a script, as lines for people: a change of the
rules changes the lines."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from companion.games.fractured_sky.rules.facts import Powers, Shuffle
from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.model import State
from companion.games.fractured_sky.rules.result import resolution_lines
from companion.games.fractured_sky.rules.standing import phase
from companion.rules.facts import Fact, Setup
from companion.rules.game import Game
from companion.rules.seats import seats_from_names

FOLDER = Path(__file__).parents[2] / "fixtures" / "fractured-sky"
DIFFICULTIES = ("easy", "medium", "hard")
HANDS = ((5, 4, 1), (10, 0, 0), (6, 3, 1), (4, 6, 0), (2, 3, 5), (7, 5, 0), (1, 8, 0))


def text(difficulty: str, seed: int = 5) -> str:
    """The game as lines: each fact's sentence, and each resolution."""
    return "\n".join(_lines(difficulty, random.Random(seed))) + "\n"


def _lines(difficulty: str, rng: random.Random) -> Iterator[str]:
    game = GAME.shuffled_by(lambda size: rng.sample(range(1, size + 1), size))
    options = {"map": "example", "difficulty": difficulty}
    setup = Setup(game.id, game.rules_version, seats_from_names(["Ada"]), options)
    state = game.start(setup)
    while not game.over(state):
        if phase(state) == "resolve":
            yield from (f"  {line}" for line in resolution_lines(state))
        fact = played(game, state, rng)
        yield game.describe(state, fact)
        state = game.apply(state, fact, 2)
    yield from game.summary(state)


def played(game: Game[State], state: State, rng: random.Random) -> Fact:
    """What the script does now: Airships half of the time, where most Starfalls show; anything else as it comes."""
    legal = game.legal(state)
    first = legal[0]
    if isinstance(first, Shuffle):
        answer = game.pressed(state, "fractured-sky.next")
        assert isinstance(answer, Shuffle)
        return answer
    if isinstance(first, Powers):
        return Powers(player=first.player, chips=rng.choice(HANDS))
    ships = [fact for fact in legal if fact.kind == "airship"]
    if ships and rng.random() < 0.5:
        return max(ships, key=lambda fact: state.starfalls.get(fact.model_dump()["region"], 0))
    return rng.choice([fact for fact in legal if fact.kind != "airship"] or ships)
