"""How many LOG lines of a board are kept: a firmware in a loop must not fill the record."""

from __future__ import annotations

from companion.link.counts import Counters
from companion.link.events import BoardSaid

_S = 1_000_000_000
# A firmware says a handful of lines when it starts and one when something is wrong; MicroPython's traceback has ten.
A_SECOND = 20
# Of a whole run of the link: 2,000 lines are 200 KB of record.
ALL = 2_000
ENOUGH = f"That was line {ALL:,}: what it says from now on is counted, not kept."


class LogLimit:
    """The lines of one connection; what a run of the link has kept and not kept stands in `counters`."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._second_ns = 0
        self._in_second = 0
        self._unkept = 0

    def take(self, text: str, read_ns: int) -> list[BoardSaid]:
        """Return what is to be kept of this line, which is nothing when there were too many."""
        if read_ns - self._second_ns >= _S:
            self._second_ns, self._in_second = read_ns, 0
        if self._in_second >= A_SECOND or self._counters.logs >= ALL:
            self._unkept += 1
            self._counters.unkept_logs += 1
            return []
        self._in_second += 1
        self._counters.logs += 1
        kept, self._unkept = [BoardSaid(text, self._unkept)], 0
        return [*kept, BoardSaid(ENOUGH)] if self._counters.logs == ALL else kept
