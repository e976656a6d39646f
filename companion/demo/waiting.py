"""How the players of a demo wait: for a while, or until the screen shows something."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

# A clock that is slower than the computer's is looked at again and again.
LOOK_S = 0.002


class Stopped(Exception):  # noqa: N818  somebody left the demo: nothing failed
    """The audience has left."""


class Waiting:
    """Waits by `clock_s`, in seconds, which may be slower than the computer's. `end`, from any thread, ends every wait
    with `Stopped`."""

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self.clock_s = clock_s
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
                left_s = until_s - self.clock_s()
                if left_s <= 0:
                    return False
                self._changed.wait(max(left_s, LOOK_S))
        raise Stopped

    def wake(self) -> None:
        """Look again: the view changed."""
        with self._changed:
            self._changed.notify_all()

    def end(self) -> None:
        """Let nobody wait any more."""
        self._ended = True
        self.wake()
