"""The times of the marshal screen: seconds since the round began, or since the board started."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from companion.rules.game import Moment
from companion.rules.spans import US_PER_S
from companion.session.marshal_view import MarshalView

CELLS = 8
_SECONDS = re.compile(r"\+?(?P<whole>\d{1,9})(?:\.(?P<part>\d{1,6}))?", re.ASCII)


class MomentWriter:
    """Writes moments as `+12.345` since the last standing fact of a kind in `counts_from`, otherwise as `113.482` since
    the board started, or since the first moment of the keyboard's own clock (`host-...`)."""

    def __init__(self, view: MarshalView, counts_from: Iterable[str]) -> None:
        self._starts: dict[str, list[int]] = {}
        self._first: dict[str, int] = {}
        kinds = frozenset(counts_from)
        for line in view.rulings:
            if line.at is None:
                continue
            if line.at.clock.startswith("host-"):
                self._first[line.at.clock] = min(line.at.us, self._first.get(line.at.clock, line.at.us))
            if line.stands and line.problem is None and line.kind in kinds:
                self._starts.setdefault(line.at.clock, []).append(line.at.us)
        for starts in self._starts.values():
            starts.sort()

    def text(self, at: Moment | None) -> str:
        """Return the time in seconds with three decimals; nothing where nobody knows it."""
        if at is None:
            return ""
        start = self._start(at)
        if start is not None:
            return f"+{seconds(at.us - start)}"
        return seconds(at.us - self._first.get(at.clock, 0))

    def moment(self, text: str, beside: Moment) -> Moment:
        """Return the moment that is written so near `beside`, as exact as it is written; raise `ValueError`."""
        if text == self.text(beside):
            return beside
        said = _SECONDS.fullmatch(text)
        start = self._start(beside) if text.startswith("+") else self._first.get(beside.clock, 0)
        if said is None or start is None:
            raise ValueError(f"{text!r} is no time here")
        unit_us = US_PER_S // 10 ** len(said["part"] or "")
        us = start + int(said["whole"]) * US_PER_S + int(said["part"] or 0) * unit_us
        return Moment(us=us, pm=max(unit_us // 2, beside.pm), clock=beside.clock)

    def _start(self, at: Moment) -> int | None:
        """The start from which that moment is counted."""
        starts = self._starts.get(at.clock, [])
        place = bisect_right(starts, at.us) - 1
        return starts[place] if place >= 0 else None


def seconds(us: int) -> str:
    """Return microseconds as seconds with three decimals, cut, not rounded: two stamps never swap."""
    whole, rest = divmod(us, US_PER_S)
    return f"{whole}.{rest // 1000:03}"
