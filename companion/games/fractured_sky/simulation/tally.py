"""What many games came to: win rates and Starfalls, as data and as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.fractured_sky.rules.model import ROUNDS
from companion.games.fractured_sky.simulation.play import SimulatedGame
from companion.rules.columns import row

_WIDTHS = (12, 7, 6, 7, 11, 40)


def tally(outcomes: Sequence[SimulatedGame]) -> dict[str, Any]:
    """Return, for each player by what it is called: games, wins and their rate, the mean of its Starfalls in all and in
    each round; then the means of what nobody took and of the tokens in use at the end, and the facts of all games."""
    names = sorted({name for outcome in outcomes for name in outcome.starfalls})
    return {
        "results": {name: _of(name, [one for one in outcomes if name in one.starfalls]) for name in names},
        "left_on_the_board": _mean([outcome.left for outcome in outcomes]),
        "tokens_in_use": _mean([outcome.left + sum(outcome.starfalls.values()) for outcome in outcomes]),
        "facts": sum(outcome.facts for outcome in outcomes),
    }


def _of(name: str, outcomes: Sequence[SimulatedGame]) -> dict[str, Any]:
    won = sum(outcome.winner == name for outcome in outcomes)
    return {
        "games": len(outcomes),
        "won": won,
        "rate": round(won / len(outcomes), 4),
        "starfalls": _mean([outcome.starfalls[name] for outcome in outcomes]),
        "by_round": [_mean([outcome.gained[name][place] for outcome in outcomes]) for place in range(ROUNDS)],
    }


def _mean(numbers: Sequence[int]) -> float:
    return round(sum(numbers) / len(numbers), 4)


def table(tallied: Mapping[str, Any], supply: int) -> str:
    """Return the tally as lines for people; `supply` is how many Starfall tokens a box has."""
    lines = [row(("player", "games", "won", "rate", "Starfalls", "in each round"), _WIDTHS)]
    for name, own in tallied["results"].items():
        rounds = "  ".join(f"{mean:.2f}" for mean in own["by_round"])
        cells = (name, str(own["games"]), str(own["won"]), f"{own['rate']:.0%}", f"{own['starfalls']:.2f}", rounds)
        lines.append(row(cells, _WIDTHS))
    lines.append(f"Starfalls that nobody took: {tallied['left_on_the_board']:.2f} a game")
    used = tallied["tokens_in_use"]
    more = "; the games count on beyond these (FS-1)" if used > supply else ""
    lines.append(f"Starfall tokens in use at the end: {used:.1f} a game, of {supply} in the box{more}")
    return "\n".join(lines)
