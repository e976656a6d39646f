"""Demo players for the drills: two people with one gun."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from companion.demo.steps import DemoStep, ScriptedPlayers, zone
from companion.games.drills.rules.view import DrillsView

REACTS_S = (0.18, 0.45)
"""Typical reaction times to a visible signal, in seconds."""


@dataclass(slots=True)
class DrillsPlayers(ScriptedPlayers[DrillsView]):
    """Two people who take turns; now and then somebody fires too early."""

    game: ClassVar[str] = "drills"
    seats: ClassVar[tuple[str, ...]] = ("Ann", "Ben")

    def steps(self) -> Iterator[DemoStep]:
        """Yield steps until both have shot all strings."""
        while (view := self.look()).phase != "over":
            place = next(n for n, player in enumerate(view.players) if player.up)
            yield self.hold(
                zone(place), lambda view: view.phase in ("wait", "fire"), "the string is under way"
            )
            if self.random.random() < 0.15:
                yield self._fires("a shot before the signal is a false start")
                continue
            yield DemoStep(
                lambda: None, lambda view: view.phase == "fire", "the signal is given", 0
            )
            yield self._fires("the shot is timed", self.random.uniform(*REACTS_S))

    def _fires(self, wanted: str, reacts_s: float = 0.0) -> DemoStep:
        lag_ms = self.random.uniform(-3, 9)
        return DemoStep(
            lambda: self.board.shot(lag_ms=lag_ms),
            lambda view: view.phase in ("ready", "over"),
            wanted,
            0.5,
            reads_s=reacts_s,
        )
