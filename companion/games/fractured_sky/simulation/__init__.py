"""Whole games of Fractured Sky between its AIs and scripted people, on the example map: how strong the AIs are."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from companion.demo.simulating import Simulation
from companion.exits import CommandError, Exit
from companion.games.fractured_sky.rules.board import board_of
from companion.games.fractured_sky.simulation.people import SCRIPTS
from companion.games.fractured_sky.simulation.play import FIXED, SimulatedGame, play, setup_for
from companion.games.fractured_sky.simulation.tally import table, tally
from companion.rules.components import example

INVENTED = ("map", "resources", "costs", "Gold on turn slots", "AI cards", "AI tokens", "numbers of the Market cards")
"""What the games take from the example box."""
_WIDTH = 79


class FracturedSkySimulation(Simulation[SimulatedGame]):
    """The AIs against a greedy and a random person, in turn or both."""

    PLAYERS: ClassVar[range | None] = range(1, len(SCRIPTS) + 1)
    OPTIONS: ClassVar[Mapping[str, str]] = {"difficulty": "easy"}

    def __init__(self, game_id: str, players: int | None, options: Mapping[str, str]) -> None:
        super().__init__(game_id, players, options)
        for ruling, choice in FIXED.items():
            if options.get(ruling, choice) != choice:
                sentence = f"--option {ruling}={options[ruling]}: simulated games are played with {ruling}={choice}."
                raise CommandError(sentence, Exit.USAGE)

    def play(self, number: int, chance: random.Random) -> SimulatedGame:
        """Play a game."""
        names = tuple(sorted(SCRIPTS))
        turned = names[number % len(names) :] + names[: number % len(names)]
        return play(setup_for(turned[: self.players], self.options), chance)

    def tally(self, outcomes: Sequence[SimulatedGame]) -> dict[str, Any]:
        """Return what they came to, and what they were played with."""
        chosen = {"map": FIXED["map"], "difficulty": self.options["difficulty"], "invented": INVENTED}
        return {**chosen, **tally(outcomes)}

    def lines(self, tallied: Mapping[str, Any], seed: int) -> Iterator[str]:
        """Yield it for people."""
        yield f"{self.game.title} on the example map, AIs {self.options['difficulty']}, seed {seed}"
        yield table(tallied, board_of(example(self.game.id), "eight").starfall_tokens)
        source = f"Invented, from the example box: {', '.join(INVENTED)}. All numbers above follow from these;"
        yield textwrap.fill(f"{source} with the real box they are others.", _WIDTH)
