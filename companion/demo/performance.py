"""A demo as it is played: hands do a step, wait to see it, and rest; any of it can be ended from outside."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.demo.steps import DemoStep, ScriptedPlayers
from companion.session.table import Table

# A clock that is slower than the computer's is looked at again and again.
LOOK_S = 0.002


class Stopped(Exception):  # noqa: N818  somebody left the demo: nothing failed
    """The audience has left."""


class Waiting:
    """Waits by `clock_s`, in seconds, which may be slower than the computer's. `end`, from any thread, ends every wait
    with `Stopped`. Meanwhile `lets_pass` has time pass for the table; it returns in how many seconds to call it again,
    None for when something has changed."""

    def __init__(
        self, clock_s: Callable[[], float] = time.monotonic, lets_pass: Callable[[], float | None] = lambda: None
    ) -> None:
        self.clock_s = clock_s
        self._lets_pass = lets_pass
        self._ended = False
        self._changed = threading.Condition()

    def rest(self, seconds: float) -> None:
        """Let so much time pass."""
        self.sees(lambda: False, seconds)

    def sees(self, shown: Callable[[], bool], seconds: float) -> bool:
        """Wait until that holds, looking at it at each `wake`; return False when it does not within `seconds`."""
        until_s = self.clock_s() + seconds
        with self._changed:
            while not self._ended:
                if shown():
                    return True
                left_s, look_s = until_s - self.clock_s(), self._lets_pass()
                if left_s <= 0:
                    return False
                self._changed.wait(max(left_s if look_s is None else min(left_s, look_s), LOOK_S))
        raise Stopped

    def wake(self) -> None:
        """Look again: the view changed."""
        with self._changed:
            self._changed.notify_all()

    def end(self) -> None:
        """Let nobody wait any more."""
        self._ended = True
        self.wake()


PATIENCE_S = 15.0


class Stuck(Exception):  # noqa: N818  read as a sentence by the user
    """The screen does not show what the players did."""


@dataclass(slots=True)
class Performance:
    """Runs the steps: does one, waits until the screen shows it, rests. `speed` shortens the rests only, for hands
    and eyes are no faster."""

    table: Table
    players: ScriptedPlayers[Any]
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
