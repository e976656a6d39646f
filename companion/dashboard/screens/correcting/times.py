"""Times for corrections and reasons: seconds since the round began, or since the board started."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from companion.rules.facts import Moment
from companion.rules.pauses import Pauses, Span, between, end_pause
from companion.rules.spans import (
    US_PER_S,
    is_coarse,
    measured,
    seconds,
    since,
)
from companion.session.marshal_view import MarshalView, RulingLine

CELLS = 8  # the width of a time
HOST = "host-"  # prefix of the clocks of key presses
UNSTAMPED = "time unknown"
_SECONDS = re.compile(r"\+?(?P<whole>\d{1,9})(?:\.(?P<part>\d{1,6}))?", re.ASCII)


@dataclass(slots=True)
class _Round:
    """A round that is timed from `start` without its pauses."""

    start: Moment
    pauses: Pauses = ()
    paused: bool = False

    def at(self, us: int) -> int:
        """Return the clock's time when `us` of the round have passed."""
        at = self.start.us + us
        for begun, end in self.pauses:
            if begun is None or end is None or begun.clock != end.clock:
                continue  # its length is unknown
            if begun.us <= at:
                at += end.us - begun.us
        return at


class MomentWriter:
    """Writes moments as `+12.345` since the last fact in force of a kind in `counts_from`.

    Pauses are left out, as the game counts. Without such a fact, moments are `113.482` since the
    board started, or since the first moment of the keyboard's own clock (`host-...`). Key presses
    have tenths of a second.
    """

    def __init__(self, view: MarshalView, counts_from: Iterable[str]) -> None:
        self._rounds: dict[str, list[_Round]] = {}
        self._first: dict[str, int] = {}
        self._take(
            [line for line in view.rulings if line.stands and line.problem is None],
            frozenset(counts_from),
        )
        for line in view.rulings:
            at = line.at
            if at is not None and at.clock.startswith(HOST):
                self._first[at.clock] = min(at.us, self._first.get(at.clock, at.us))
        for rounds in self._rounds.values():
            rounds.sort(key=lambda counted: counted.start.us)

    def _take(self, lines: Iterable[RulingLine], kinds: frozenset[str]) -> None:
        """Add each round's beginning and its pauses, in fold order."""
        counted: _Round | None = None
        for line in lines:
            if line.kind in kinds:
                counted = None if line.at is None else _Round(line.at)
                if counted is not None:
                    self._rounds.setdefault(counted.start.clock, []).append(counted)
            elif counted is not None and line.kind == "pause":
                counted.pauses, counted.paused = (*counted.pauses, (line.at, None)), True
            elif counted is not None and line.kind == "unpause" and counted.paused:
                counted.pauses, counted.paused = end_pause(counted.pauses, line.at), False

    @property
    def has_rounds(self) -> bool:
        """Whether anything is timed from the start of a round."""
        return bool(self._rounds)

    def text(self, at: Moment | None) -> str:
        """Return the time in seconds, "" if it is unknown."""
        if at is None:
            return ""
        span = self._span(at)
        if span is not None:
            return since(span.us, span.pm)
        return seconds(at.us - self._first.get(at.clock, 0), at.pm).removesuffix(" s")

    def when(self, at: Moment | None, *, by_itself: bool = False) -> str:
        """Return when something happened, how exact that is, and by whose clock.

        The board's own time comes last. What came `by_itself` was not entered by key.
        """
        if at is None:
            return UNSTAMPED
        since_start = ""
        span = self._span(at)
        if span is not None:
            since_start = span.text(after="the start")
        entered = "by tap" if at.tapped else "by key"
        if at.clock.startswith(HOST):
            time = since_start or measured(at.us - self._first.get(at.clock, 0), at.pm)
            return time if by_itself else f"{time}, {entered}"
        board_time = f"{at.us / US_PER_S:.3f} s"
        if is_coarse(at.pm):
            board_time = measured(at.us, at.pm)
        stamp = f"at {board_time} on the board's clock"
        if at.tapped:  # the board timed no tap: its clock was only asked when it arrived
            stamp += f", {entered}"
        return f"{since_start}, {stamp}" if since_start else stamp

    def moment(self, text: str, beside: Moment) -> Moment:
        """Return the moment written as `text`, on the clock of `beside`; raise `ValueError`.

        Its precision is that of the text.
        """
        if text == self.text(beside):
            return beside
        match = _SECONDS.fullmatch(text)
        from_start = text.startswith("+")
        counted = self._round(beside) if from_start else None
        if match is None or (from_start and counted is None):
            raise ValueError(f"{text!r} is not a time here")
        unit_us = US_PER_S // 10 ** len(match["part"] or "")
        us = int(match["whole"]) * US_PER_S + int(match["part"] or 0) * unit_us
        us = self._first.get(beside.clock, 0) + us if counted is None else counted.at(us)
        # A typed time may be more exact than the key press that it replaces.
        beside_pm = 0 if is_coarse(beside.pm) else beside.pm
        return Moment(us=us, pm=max(unit_us // 2, beside_pm), clock=beside.clock)

    def _span(self, at: Moment) -> Span | None:
        """Return how much of the round had passed; None without a round, or if a pause's length is
        unknown."""
        counted = self._round(at)
        if counted is None:
            return None
        return between(counted.start, at, counted.pauses, counted.paused)

    def _round(self, at: Moment) -> _Round | None:
        """Return the round that was running at that moment."""
        rounds = self._rounds.get(at.clock, [])
        place = bisect_right(rounds, at.us, key=lambda counted: counted.start.us) - 1
        return rounds[place] if place >= 0 else None
