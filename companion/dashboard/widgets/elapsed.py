"""The time since the round began, for display only, and when it says another second: rulings use the board's own
moments."""

from __future__ import annotations

from collections.abc import Callable

from textual.message_pump import MessagePump

from companion.dashboard.source import Clock
from companion.dashboard.textual.private_textual import never_skip
from companion.rules.facts import Moment
from companion.rules.pauses import Pauses, paused_between
from companion.rules.spans import US_PER_S


class Elapsed:
    """Counts from the instant the dashboard first saw a round's beginning, on a clock in seconds; it stands still in a
    pause and goes on without it.

    A round that had begun before the dashboard opened counts on from its last known moment, and is `at_least` until
    something happens in it.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._start: Moment | None = None
        # the round that was counted last: it may be opened again
        self._counted: Moment | None = None
        self._latest: Moment | None = None
        self._pauses: Pauses = ()
        self._paused = False
        self._held_s = 0.0
        self._origin_s = 0.0
        self._fresh = True
        self.at_least = False

    def watch(
        self,
        start: Moment | None,
        latest: Moment | None,
        pauses: Pauses = (),
        *,
        paused: bool = False,
    ) -> None:
        """Take note of the round's beginning, of the last moment known in it, and of its pauses."""
        if start is not None and start != self._counted:
            behind_us = _between(start, latest) if self._fresh else 0
            self.at_least = self._fresh
            self._origin_s = self._clock() - behind_us / US_PER_S
            self._start = self._counted = start
            self._pauses, self._paused = (), False
        elif start is not None and latest != self._latest:
            # What happened is never in the future: the earliest origin is nearest to the truth.
            self._origin_s = min(self._origin_s, self._clock() - _between(start, latest) / US_PER_S)
            self.at_least = False
        if paused and not self._paused:
            self._held_s = self.seconds() or 0.0
        self._start, self._latest, self._pauses, self._paused = start, latest, pauses, paused
        self._fresh = False

    def seconds(self) -> float | None:
        """Return the seconds since the beginning without pauses; None while no round runs, or when nobody can know how
        long a pause was."""
        if self._start is None:
            return None
        passed_us = max(0, round((self._clock() - self._origin_s) * US_PER_S))
        now = Moment(us=self._start.us + passed_us, clock=self._start.clock)
        still = paused_between(self._pauses, self._paused, self._start, now)
        if still is None:
            return None
        seconds = (passed_us - still[0]) / US_PER_S
        return min(seconds, self._held_s) if self._paused else seconds

    def left_s(self) -> float | None:
        """Return in how many seconds another whole one is full; None while the clock stands still."""
        seconds = None if self._paused else self.seconds()
        return None if seconds is None else 1 - seconds % 1


def _between(start: Moment, latest: Moment | None) -> int:
    if latest is None or latest.clock != start.clock:
        return 0
    return max(0, latest.us - start.us)


LATE_S = 0.02  # a look comes so much behind the second: never just before it


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
            never_skip(self._pump.set_timer(left_s + LATE_S, self._strike))

    def _strike(self) -> None:
        self._wound = False
        self._struck()
        self.wind()
