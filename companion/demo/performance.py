"""The steps of a demo's players, done one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from companion.demo.steps import DemoStep, ScriptedPlayers
from companion.demo.waiting import Waiting
from companion.session.table import Table

PATIENCE_S = 15.0


class Stuck(Exception):  # noqa: N818  read as a sentence by the user
    """The screen does not show what the players did."""


@dataclass(slots=True)
class Performance:
    """Runs the steps: does one, waits until the screen shows it, rests. `speed` shortens the rests only, for hands
    and eyes are no faster."""

    table: Table
    players: ScriptedPlayers
    speed: float
    waiting: Waiting

    def run(self) -> None:
        """Play to the end; raise `Stuck` when the screen does not show what was done, `Stopped` when asked to."""
        if not self.waiting.sees(self._counts, PATIENCE_S):
            raise self._stuck("the board is live")
        for step in self.players.steps():
            self._perform(step)
            self.waiting.rest(step.rest_s / self.speed)

    def _perform(self, step: DemoStep) -> None:
        self.waiting.rest(step.reads_s)
        step.do()
        self.waiting.rest(step.takes_s)
        if not self.waiting.sees(lambda: self._shows(step), PATIENCE_S):
            raise self._stuck(step.wanted)

    def _counts(self) -> bool:
        link = self.table.view().link
        return link.state == "live" and link.armed

    def _shows(self, step: DemoStep) -> bool:
        return step.until(self.players.look())

    def _stuck(self, wanted: str, patience_s: float = PATIENCE_S) -> Stuck:
        return Stuck(f"The demo is stuck: waited {patience_s:.0f} s to see that {wanted}.")
