"""The time since a round began, for display only; rulings use the board's own times."""

from __future__ import annotations

from collections.abc import Callable

from textual.message_pump import MessagePump

from companion.dashboard.source import Clock
from companion.dashboard.textual.private_textual import never_skip
from companion.rules.facts import Moment
from companion.rules.pauses import Pauses, paused_between
from companion.rules.spans import US_PER_S


class Elapsed:
    """Counts from the moment the dashboard first saw a round's beginning, on a clock in seconds.

    It stops in a pause and leaves it out. A round that was counted before, and is open again after
    an undo, goes on counting. One that the dashboard never saw begin counts on from its last known
    moment, and is `at_least` until something happens in it.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._start: Moment | None = None
        # Each round that was counted, by its beginning: when that was on the clock, in seconds.
        self._origins: dict[Moment, float] = {}
        self._counted: Moment | None = None  # the one counted last
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
        """Note the round's beginning, the last known moment in it, and its pauses."""
        if start is not None and start != self._counted:
            self._count(start, latest)
        elif start is not None and latest != self._latest:
            # What happened is never in the future: the earliest origin is nearest to the truth.
            self._origin_s = min(self._origin_s, self._clock() - _between(start, latest) / US_PER_S)
            self.at_least = False
        if start is not None:
            self._counted, self._origins[start] = start, self._origin_s
        if paused and not self._paused:  # hold the time shown when the pause was seen
            self._held_s = self.seconds() or 0.0
        self._start, self._latest, self._pauses, self._paused = start, latest, pauses, paused
        self._fresh = False

    def _count(self, start: Moment, latest: Moment | None) -> None:
        """Count another round than before, from where its clock was if it was counted already."""
        is_new = start not in self._origins
        # A round that runs when the dashboard opens began earlier, unknown how much; so did one
        # that an undo has opened again.
        self.at_least = is_new and (self._fresh or self._is_before_counted(start))
        if is_new:
            behind_us = _between(start, latest) if self.at_least else 0
            self._origins[start] = self._clock() - behind_us / US_PER_S
        self._origin_s = self._origins[start]
        self._start = start
        self._pauses, self._paused = (), False

    def _is_before_counted(self, start: Moment) -> bool:
        last = self._counted
        return last is not None and last.clock == start.clock and start.us < last.us

    def seconds(self) -> float | None:
        """Return the seconds since the beginning without pauses.

        None while no round is running, or if the length of a pause is unknown.
        """
        if self._start is None:
            return None
        passed_us = max(0, round((self._clock() - self._origin_s) * US_PER_S))
        now = Moment(us=self._start.us + passed_us, clock=self._start.clock)
        still = paused_between(self._pauses, self._paused, self._start, now)
        if still is None:
            return None
        seconds = (passed_us - still.us) / US_PER_S
        if self._paused:
            return min(seconds, self._held_s)
        return seconds

    def left_s(self) -> float | None:
        """Return the seconds until another whole one is full, None while the clock is stopped."""
        if self._paused:
            return None
        seconds = self.seconds()
        if seconds is None:
            return None
        return 1 - seconds % 1


def _between(start: Moment, latest: Moment | None) -> int:
    if latest is None or latest.clock != start.clock:
        return 0
    return max(0, latest.us - start.us)


TICK_DELAY_S = 0.02  # a tick comes this much after the second, so never just before it


class SecondTimer:
    """Calls `tick` in the thread of `pump` at each second of a clock, until the clock stops."""

    def __init__(self, pump: MessagePump, elapsed: Elapsed, tick: Callable[[], None]) -> None:
        self._pump = pump
        self._elapsed = elapsed
        self._on_tick = tick
        self._started = False

    def start(self) -> None:
        """Start, if the clock is running and the timer is not."""
        left_s = self._elapsed.left_s()
        if left_s is not None and not self._started:
            self._started = True
            never_skip(self._pump.set_timer(left_s + TICK_DELAY_S, self._tick))

    def _tick(self) -> None:
        self._started = False
        self._on_tick()
        self.start()
