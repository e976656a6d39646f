"""The time since the round began, for display only: rulings use the board's own moments."""

from __future__ import annotations

from companion.dashboard.source import Clock
from companion.dashboard.words import US_PER_S
from companion.games.base import Moment


class Elapsed:
    """Counts from the instant the dashboard first saw a round's beginning, on a clock in seconds.

    A round that had begun before the dashboard opened counts on from its last known moment and is `at_least`.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._start: Moment | None = None
        self._origin_s = 0.0
        self._fresh = True
        self.at_least = False

    def watch(self, start: Moment | None, latest: Moment | None) -> None:
        """Take note of the round's beginning and of the last moment known in it."""
        if start is not None and start != self._start:
            behind_us = _between(start, latest) if self._fresh else 0
            self.at_least = self._fresh and latest is not None and behind_us > 0
            self._origin_s = self._clock() - behind_us / US_PER_S
        self._start = start
        self._fresh = False

    def seconds(self) -> float | None:
        """Return the seconds since the beginning; None while no round runs."""
        return None if self._start is None else max(0.0, self._clock() - self._origin_s)


def _between(start: Moment, latest: Moment | None) -> int:
    if latest is None or latest.clock != start.clock:
        return 0
    return max(0, latest.us - start.us)
