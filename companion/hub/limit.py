"""How often somebody may do something, so that nobody guesses for long and nobody's flood is another's."""

from __future__ import annotations

from collections import deque
from typing import Final

TRIES: Final = 5
TRIES_S: Final = 300.0
"""Seconds in which so many things may go wrong, by name, by address, by table."""
MOST_KNOWN: Final = 10_000


class Limit:
    """So many times within so many seconds, for each by itself; beyond that it is refused for a while. It remembers in
    memory: where the hub is begun again, all begin anew."""

    def __init__(self, most: int = TRIES, within_s: float = TRIES_S) -> None:
        self._most, self._within_s = most, within_s
        self._times: dict[str, deque[float]] = {}

    def is_reached(self, now: float, *whose: str) -> bool:
        """Return whether one of these did it as often as may be."""
        return any(len(self._recent(each, now)) >= self._most for each in whose)

    def count(self, now: float, *whose: str) -> None:
        """Note that each of these did it."""
        for each in whose:
            self._recent(each, now).append(now)
        if len(self._times) > MOST_KNOWN:  # from many addresses at once: the oldest are forgotten
            for each in list(self._times)[: MOST_KNOWN // 2]:
                del self._times[each]

    def _recent(self, whose: str, now: float) -> deque[float]:
        times = self._times.setdefault(whose, deque())
        while times and times[0] <= now - self._within_s:
            times.popleft()
        return times
