"""Looking at a running clock when it says another second, and only then."""

from __future__ import annotations

from collections.abc import Callable

from textual.message_pump import MessagePump

from companion.dashboard.elapsed import Elapsed

LATE_S = 0.02
"""A look comes so much behind the second: never just before it."""


class Seconds:
    """Calls `struck` in the thread of `pump` at each second of a clock, from `wind` on until the clock stands still."""

    def __init__(self, pump: MessagePump, elapsed: Elapsed, struck: Callable[[], None]) -> None:
        self._pump = pump
        self._elapsed = elapsed
        self._struck = struck
        self._wound = False

    def wind(self) -> None:
        """The clock may be running now."""
        left_s = self._elapsed.left_s()
        if left_s is not None and not self._wound:
            self._wound = True
            self._pump.set_timer(left_s + LATE_S, self._strike)

    def _strike(self) -> None:
        self._wound = False
        self._struck()
        self.wind()
