"""The reading of the round's clock at a time of day, for viewers who have no other clock than that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.journal.entries import Control, Entry, Layer, is_control
from companion.rules.facts import Moment
from companion.rules.pauses import Pauses, between
from companion.session.clocks import clock_name, unix_time_of

JITTER_S = 0.25
"""Seconds that a recording at once may take longer than another one."""
APART_US = 1_000_000
"""Microseconds between two readings that are not of one happening."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a clock read, in microseconds, when something was recorded, in seconds since 1970."""

    us: int
    unix_s: float

    @property
    def offset_s(self) -> float:
        """The larger, the later the recording was after what it records."""
        return self.unix_s - self.us / 1e6


class RoundClock:
    """Reads the round's clock at the time of a recording.

    For each clock of the record it keeps the reading that was recorded most promptly. Much is recorded late: a shot
    after somebody said yes to it, a draw after the cable was back. A late recording has a larger offset between the two
    clocks; it counts only once a second one confirms it, for then the wall clock was set.

    Nobody can know how long a resumed session lay idle, so every reading is unknown until the clock is heard again.
    """

    def __init__(self) -> None:
        self._known: dict[str, _Reading] = {}
        self._doubted: dict[str, _Reading] = {}

    def read(self, entries: Sequence[Entry]) -> None:
        """Note the clocks' times in newly recorded evidence and facts."""
        for entry in entries:
            if is_control(entry, Control.RESUMED):
                self._known.clear()
                self._doubted.clear()
            elif (found := _read_in(entry)) is not None:
                clock, us = found
                self._take(clock, _Reading(us, unix_time_of(entry)))

    def _take(self, clock: str, reading: _Reading) -> None:
        known, doubted = self._known.get(clock), self._doubted.get(clock)
        is_prompt = known is None or reading.offset_s <= known.offset_s + JITTER_S
        is_confirmed = (
            doubted is not None
            and reading.us - doubted.us >= APART_US
            and abs(reading.offset_s - doubted.offset_s) <= JITTER_S
        )
        if is_prompt or is_confirmed:
            self._known[clock] = reading
            self._doubted.pop(clock, None)
        else:
            self._doubted[clock] = reading

    def ran_s(self, clock: tuple[Moment, Pauses] | None, paused: bool, last: Entry) -> float | None:
        """Return the seconds, without pauses, that the round's clock had run when `last` was recorded; None if no clock
        runs or the time is unknown."""
        if clock is None or clock[0].clock not in self._known:
            return None
        began, pauses = clock
        known = self._known[began.clock]
        now_us = round((unix_time_of(last) - known.offset_s) * 1e6)
        span = between(began, Moment(us=now_us, pm=0, clock=began.clock), pauses, paused)
        if span is None:
            return None
        return round(max(0, span.us) / 1e6, 3)


def _read_in(entry: Entry) -> tuple[str, int] | None:
    """Return a clock and what it read, in microseconds, shortly before the entry was recorded."""
    if entry.layer is Layer.EVIDENCE:
        boot = entry.body.get("boot")
        if entry.t_us is None or type(boot) is not int:
            return None
        return clock_name(boot), entry.t_us
    # an inserted fact (`after`) is recorded long after its time
    if entry.layer is not Layer.FACT or entry.after is not None:
        return None
    at = entry.body.get("at")
    if not isinstance(at, dict) or not isinstance(at.get("us"), int):
        return None
    return str(at.get("clock")), at["us"]
