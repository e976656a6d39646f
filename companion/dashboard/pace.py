"""When to paint: at once while the screen keeps up, at most 30 times a second when it is behind."""

from __future__ import annotations

from threading import Lock

from companion.dashboard.source import Clock

FRAME_S = 1 / 30
"""Seconds between two paints while changes come faster than the screen can show them."""


class PaintPace:
    """Turns any number of changes from any thread into a bounded number of paints on one.

    A change that comes while nothing waits asks for one message; every other change rides along with it. Changes that
    arrive during a paint mean that the screen is behind, and the next paint then waits for its frame.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._pending = False
        self._painting = False
        self._behind = False
        self._painted_at = clock() - FRAME_S

    def changed(self) -> bool:
        """Note a change, from any thread; return whether the caller should post a message now."""
        with self._lock:
            self._behind |= self._painting
            first = not self._pending
            self._pending = True
            return first

    def wait(self) -> float:
        """Return the seconds the waiting paint should be held back: 0 unless the screen is behind."""
        with self._lock:
            if not self._behind:
                return 0.0
            return max(0.0, self._painted_at + FRAME_S - self._clock())

    def begin(self) -> None:
        """Say that a paint begins; changes from here on ask for another one."""
        with self._lock:
            self._pending = False
            self._painting = True
            self._behind = False

    def end(self) -> None:
        """Say that the paint is on the screen."""
        with self._lock:
            self._painting = False
            self._painted_at = self._clock()
