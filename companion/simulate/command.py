"""`companion simulate`: many games, their tally, and how fast they went."""

from __future__ import annotations

import json
import random
import textwrap
from collections.abc import Callable, Iterator
from typing import TextIO

from companion.exits import Exit
from companion.games.fractured_sky.rules.board import board_of
from companion.games.fractured_sky.rules.game import FracturedSky
from companion.rules.components import example
from companion.session.terminal import unfiltered
from companion.simulate.people import SCRIPTS
from companion.simulate.play import MAP, Outcome, play, setup_for
from companion.simulate.tally import table, tally

INVENTED = ("map", "resources", "costs", "Gold on turn slots", "AI cards", "AI tokens", "numbers of the Market cards")
"""What the games take from the example box."""
_WIDTH = 79


def run(
    games: int,
    difficulty: str,
    players: int,
    seed: int,
    *,
    as_json: bool,
    out: TextIO,
    err: TextIO,
    seconds: Callable[[], float],
) -> int:
    """Play so many games and print what they came to; the same seed prints the same, but for the time it took.

    Progress goes to `err` where that is a terminal, the time to `err` beside JSON; `seconds` is a clock that only goes
    forward.
    """
    begun = seconds()
    outcomes = list(_shown(_played(games, difficulty, players, seed), games, err))
    taken = seconds() - begun
    tallied = tally(outcomes)
    speed = f"{games} games in {taken:.1f} s, {games / max(taken, 1e-9):.1f} a second"
    if as_json:
        head = {"game": FracturedSky.id, "rules": FracturedSky.rules_version, "map": MAP, "games": games}
        chosen = {"difficulty": difficulty, "players": players, "seed": seed, "invented": INVENTED}
        print(json.dumps({**head, **chosen, **tallied}, indent=2), file=out)
        print(speed, file=err)
    else:
        supply = board_of(example(FracturedSky.id), "eight").starfall_tokens
        print(f"{FracturedSky.title} on the example map, AIs {difficulty}, seed {seed}", file=out)
        print(table(tallied, supply), file=out)
        source = f"Invented, from the example box: {', '.join(INVENTED)}. All numbers above follow from these;"
        print(textwrap.fill(f"{source} with the real box they are others.", _WIDTH), file=out)
        print(speed, file=out)
    return Exit.DONE


def _played(games: int, difficulty: str, players: int, seed: int) -> Iterator[Outcome]:
    names = tuple(sorted(SCRIPTS))
    for number in range(games):
        turned = names[number % len(names) :] + names[: number % len(names)]
        yield play(setup_for(turned[:players], difficulty), random.Random(f"{seed}/{number}"))


def _shown(outcomes: Iterator[Outcome], games: int, err: TextIO) -> Iterator[Outcome]:
    terminal = err.isatty()
    err = unfiltered(err)
    try:
        for number, outcome in enumerate(outcomes, start=1):
            if terminal:
                err.write(f"\r{number} of {games} games")
                err.flush()
            yield outcome
    finally:
        if terminal:
            err.write("\r\x1b[K")
            err.flush()
