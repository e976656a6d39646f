"""How often a game's automatic opponents win, from games that were played by scripts once per release."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from companion.rules.columns import capitalized
from companion.rules.registry import GAMES

STRENGTH: Final = "strength.toml"
"""The file of a game, beside its rules, with each game that was played; `python -m tests.games.strength` writes it."""


@dataclass(frozen=True, slots=True)
class Strength:
    """Games that scripts played alone against the automatic opponents.

    `games` has them by the choice for the house rule `option`. Each game is a letter: the script that played, a capital
    if the script won. `opponents` describes each script by its letter, `on` the map or deck. Game `n`, from 0, was
    played with `random.Random(f"{seed}/{n}")` and these rules; `month` is that of the release.
    """

    rules_version: int
    seed: int
    month: str
    option: str
    on: str
    opponents: Mapping[str, str]
    games: Mapping[str, str]

    def sentence(self, choice: str) -> str:
        """Return how strong the opponents are with this choice, and what that rests on; empty if nobody measured it."""
        played = self.games.get(choice, "")
        if not played:
            return ""
        rates: list[str] = []
        for letter, plan in self.opponents.items():
            lost, won = played.count(letter), played.count(letter.upper())
            of = "" if rates else " of 100 solo games"
            rates.append(f"{_in_a_hundred(lost, lost + won)}{of} against {plan}")
        counted = f"{len(played):,} games {self.on}, {self.month}"
        measured = f"{capitalized(choice)} AIs win {', and '.join(rates)} ({counted})."
        return f"{measured} Against people it was not measured."


def _in_a_hundred(count: int, of: int) -> str:
    """Return a share in percent, without the sign; 0 and 100 only if it was none or all."""
    rounded = round(100 * count / of)
    if rounded == 100 and count != of:
        return "over 99"
    if rounded == 0 and count:
        return "under 1"
    return str(rounded)


@cache
def strength_of(game_id: str) -> Strength | None:
    """Return what was measured of a game, None if nothing was."""
    text = GAMES[game_id].text(STRENGTH)
    if not text:
        return None
    read: dict[str, Any] = tomllib.loads(text)
    games = {choice: "".join(lines.split()) for choice, lines in read.pop("games").items()}
    return Strength(games=games, **read)
