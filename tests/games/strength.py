"""Measures how often the AIs of Fractured Sky's solo game win, and writes it beside the rules.

python -m tests.games.strength 2026-11 [GAMES]
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from pathlib import Path

import companion.games.fractured_sky as fractured_sky
from companion.demo.simulating import simulation_of
from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.simulation import SCRIPTS
from companion.rules.strength import STRENGTH

FILE = Path(fractured_sky.__file__).parent / STRENGTH
OPTION, CHOICES = "difficulty", ("easy", "medium", "hard")
OPPONENTS = {
    "greedy": "a computer player that goes where Starfalls are likely",
    "random": "one that moves at random",
}
ON = "on an invented map"
SEED, GAMES, IN_A_LINE = 1, 1_000, 100


def letters(choice: str, numbers: Iterable[int]) -> str:
    """Play these games and return a letter for each: the script's, a capital if it won."""
    simulation = simulation_of(GAME.id, 1, {OPTION: choice})
    played = ""
    for number in numbers:
        game = simulation.play(number, random.Random(f"{SEED}/{number}"))
        script = next(name for name in SCRIPTS if name in game.starfalls)
        letter = script[0]
        played += letter.upper() if game.winner == script else letter
    return played


def written(month: str, games: int = GAMES) -> str:
    """Return the whole file."""
    lines = [
        "# How often the AIs of the solo game win. Each letter is a game against that script, a capital if it won.",
        "# `python -m tests.games.strength MONTH` writes this file.",
        f"rules_version = {GAME.rules_version}",
        f"seed = {SEED}",
        f'month = "{month}"',
        f'option = "{OPTION}"',
        f'on = "{ON}"',
        "",
        "[opponents]",
        *(f'{script[0]} = "{plan}"' for script, plan in OPPONENTS.items()),
        "",
        "[games]",
    ]
    for choice in CHOICES:
        played = letters(choice, range(games))
        rows = [played[at : at + IN_A_LINE] for at in range(0, len(played), IN_A_LINE)]
        lines += [f'{choice} = """', *rows, '"""']
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    FILE.write_text(written(sys.argv[1], *map(int, sys.argv[2:])), encoding="utf-8")
