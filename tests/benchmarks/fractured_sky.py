"""How fast Fractured Sky decides and deduces; run as `python -m tests.benchmarks.fractured_sky`.

What is wanted: a deduction of round 5 on ten regions takes at most 20 ms, and 99 of 100 AI decisions at most 1 ms.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from companion.games.fractured_sky.rules.ai import decide
from companion.games.fractured_sky.rules.board import Card
from companion.games.fractured_sky.rules.deduction import count_ways
from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.model import State
from companion.games.fractured_sky.rules.public import PublicTable
from companion.games.fractured_sky.rules.standing import table_of
from companion.games.fractured_sky.simulation import moves, play, setup_for
from companion.rules.facts import Setup
from companion.rules.seats import seats_from_names
from tests.benchmarks.figures import Figure, heading, measured, show, timed

RUNS = 200
GAMES = 5


def enumerated(regions: tuple[str, ...], cards: list[frozenset[str]]) -> dict[str, int]:
    """Return how many layouts put a Starfall on each region, by enumerating every layout."""
    counts = dict.fromkeys(regions, 0)
    for layout in itertools.permutations(regions, len(cards)):
        if all(region in card for region, card in zip(layout, cards, strict=True)):
            for region in layout:
                counts[region] += 1
    return counts


def round_five() -> State:
    """Return four seats in the fifth round on the ten regions of the example map, cards drawn, scouted and marked."""
    rng = random.Random(1)
    game = GAME.shuffled_by(lambda size: rng.sample(range(1, size + 1), size))
    names = seats_from_names(["Ada", "Bo", "Cleo", "Dan"])
    state = game.start(
        Setup(game.id, game.rules_version, names, {"map": "example", "starfalls": "virtual"})
    )
    marks = 0
    while state.round < 5 or marks < 6:
        legal = game.legal(state)
        scouting = [fact for fact in legal if fact.kind == "scout"] if state.round == 5 else []
        marks += bool(scouting)
        quick = [
            fact for fact in legal if fact.kind not in ("build", "skimmer", "peek", "scout", "take")
        ]
        state = game.apply(state, rng.choice(scouting or quick), 2)
    return state


def deduction() -> None:
    """Time a seat's whole view with its deduction, as a screen needs it; the reference enumerates every layout."""
    game, state = GAME, round_five()
    regions = state.board.ids
    cards = [frozenset(regions)] * 5
    show(
        measured("30,240 layouts laid out", lambda: enumerated(regions, cards), 5),
        measured("ways of 10 regions on 5 cards", lambda: count_ways(regions, cards), RUNS),
        measured("view of a seat, round 5, with deduction", lambda: game.view(state, "ada"), RUNS),
        measured("view of the table, round 5", lambda: game.view(state, "table"), RUNS),
    )


def decisions() -> Iterator[tuple[PublicTable, str, Card]]:
    """Yield the decisions of AIs in simulated hard games: the table, the AI, and the card."""
    for seed in range(GAMES):
        for move in moves(setup_for(("greedy",), {"difficulty": "hard"}), random.Random(seed)):
            now = move.after.current
            if now is not None and now.pending is not None and move.fact.kind == "ai_turn":
                yield table_of(move.after), now.pending.decision.ai, now.pending.decision.card


def deciding() -> None:
    """Time the AIs' decisions in hard games, and a whole game; the reference sorts the regions by place."""
    asked = list(decisions())
    board = asked[0][0].board
    show(
        measured("the regions sorted by place", lambda: board.left_to_right, RUNS),
        Figure(
            f"an AI's decision ({len(asked)} of hard games)",
            [timed(lambda a=request: decide(*a)) for request in asked],  # type: ignore[misc]
        ),
        measured(
            "a whole solo game, simulated",
            lambda: play(setup_for(("greedy",), {"difficulty": "hard"}), random.Random(1)),
            GAMES,
        ),
    )


if __name__ == "__main__":
    heading()
    deduction()
    deciding()
