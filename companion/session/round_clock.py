"""What the clock of the round read when something was recorded: the game's clocks by the wall clock. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from companion.journal.entries import Control, Entry, Layer, is_control
from companion.rules.game import Moment
from companion.rules.pauses import Pauses, between
from companion.session.clocks import unix_time_of


class RoundClock:
    """Knows of each clock of a record a moment and when that was by the wall clock, from the facts as they came.

    Who goes on with a session cannot know how long nobody played: of no clock is anything known until it speaks again.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, float]] = {}  # clock -> its microseconds, seconds since 1970

    def read(self, entries: Sequence[Entry]) -> None:
        """Take in the next entries of the record."""
        for entry in entries:
            if is_control(entry, Control.RESUMED):
                self._known.clear()
            at = entry.body.get("at") if entry.layer is Layer.FACT and entry.after is None else None
            if isinstance(at, dict) and isinstance(at.get("us"), int):
                self._known[str(at.get("clock"))] = (at["us"], unix_time_of(entry))

    def ran_s(self, clock: tuple[Moment, Pauses] | None, paused: bool, last: Entry) -> float | None:
        """Return the seconds that a clock of the round had run when `last` was recorded, without its pauses; None where
        none runs or nobody can know."""
        if clock is None or clock[0].clock not in self._known:
            return None
        began, pauses = clock
        us, then = self._known[began.clock]
        now = Moment(us=us + round((unix_time_of(last) - then) * 1e6), pm=0, clock=began.clock)
        span = between(began, now, pauses, paused)
        return None if span is None else round(max(0, span.us) / 1e6, 3)
