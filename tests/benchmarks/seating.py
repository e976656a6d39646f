"""Seating: how many meet again, beside a deal at random and beside what cannot be beaten, and how long it takes.

python -m tests.benchmarks.seating
"""

from __future__ import annotations

import random
from functools import partial

from companion.hub.seating import History, PodRound, least_repeats, next_round
from tests.benchmarks.chip import row
from tests.benchmarks.figures import timed

EVENINGS = ((16, 5), (64, 8), (1000, 10))


def evening(count: int, rounds: int) -> None:
    """Print the rounds of an evening with some players."""
    players = [f"p{number:04d}" for number in range(count)]
    made: list[PodRound] = []
    for number in range(1, rounds + 1):
        history = History(made)
        dealt = next_round(players, history, random.Random(number), steps=0)
        again: list[PodRound] = []
        took_ms = timed(partial(_seat, again, players, history, number))
        found = again[0]
        made.append(found)
        bound = least_repeats(players, [len(pod) for pod in found.pods], history)
        here = f"{history.repeats(found.pods)} again, {took_ms:.0f} ms"
        row(
            f"{count} players, round {number}",
            here,
            f"{history.repeats(dealt.pods)} at random, {bound} at least",
        )


def _seat(into: list[PodRound], players: list[str], history: History, seed: int) -> None:
    into.append(next_round(players, history, random.Random(seed)))


if __name__ == "__main__":
    for each in EVENINGS:
        evening(*each)
