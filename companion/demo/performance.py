"""The steps of a demo's players, done one after the other."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from companion.demo.steps import Step, Troupe
from companion.table import Table

PATIENCE_S = 15.0


class Stopped(Exception):  # noqa: N818  somebody left the demo: nothing failed
    """The audience has left."""


class Stuck(Exception):  # noqa: N818  read as a sentence by the user
    """The screen does not show what the players did."""


@dataclass(slots=True)
class Performance:
    """Runs the steps: does one, waits until the screen shows it, rests. `speed` shortens the rests only, for hands
    and eyes are no faster."""

    table: Table
    players: Troupe
    speed: float
    stop: threading.Event
    changed: threading.Condition

    def run(self) -> None:
        """Play to the end; raise `Stuck` when the screen does not show what was done, `Stopped` when asked to."""
        self._wait_for(lambda: self.table.view().link.state == "live", "the board is live")
        for step in self.players.steps():
            self._perform(step)
            self._rest(step.rest_s / self.speed)

    def _perform(self, step: Step) -> None:
        self._rest(step.reads_s)
        step.do()
        self._rest(step.takes_s)
        self._wait_for(partial(self._shows, step), step.wanted)

    def _shows(self, step: Step) -> bool:
        return step.until(self.players.look())

    def _rest(self, seconds: float) -> None:
        if self.stop.wait(seconds):
            raise Stopped

    def end(self) -> None:
        """Make `run` stop at once; from any thread."""
        self.stop.set()
        self.wake()

    def wake(self) -> None:
        """Look again: the view changed."""
        with self.changed:
            self.changed.notify_all()

    def _wait_for(self, seen: Callable[[], bool], wanted: str) -> None:
        with self.changed:
            if not self.changed.wait_for(lambda: self.stop.is_set() or seen(), PATIENCE_S):
                raise Stuck(f"The demo is stuck: waited {PATIENCE_S:.0f} s to see that {wanted}.")
        if self.stop.is_set():
            raise Stopped
