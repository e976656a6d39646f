"""The times of corrections and reasons: seconds since the round began, or since the board started."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from companion.rules.facts import Moment
from companion.rules.pauses import Pauses, Span, between, end_pause
from companion.rules.spans import (
    US_PER_S,
    device_time,
    is_coarse,
    measured,
    plus_minus,
    seconds,
    since,
)
from companion.session.marshal_view import MarshalView, RulingLine

CELLS = 8
HOST = "host-"  # how the clock of a moment is named that no board stamped
UNSTAMPED = "at a time nobody stamped"
_SECONDS = re.compile(r"\+?(?P<whole>\d{1,9})(?:\.(?P<part>\d{1,6}))?", re.ASCII)


@dataclass(slots=True)
class _Round:
    """What is counted from `start`, the pauses left out."""

    start: Moment
    pauses: Pauses = ()
    paused: bool = False

    def at(self, us: int) -> int:
        """The clock's time when so much of it has passed."""
        at = self.start.us + us
        for begun, end in self.pauses:
            if (
                begun is not None
                and end is not None
                and begun.clock == end.clock
                and begun.us <= at
            ):
                at += end.us - begun.us
        return at


class MomentWriter:
    """Writes moments as `+12.345` since the last standing fact of a kind in `counts_from`, pauses left out, as the game
    itself counts; otherwise as `113.482` since the board started, or since the first moment of the keyboard's own clock
    (`host-...`). A moment by key has tenths."""

    def __init__(self, view: MarshalView, counts_from: Iterable[str]) -> None:
        self._rounds: dict[str, list[_Round]] = {}
        self._first: dict[str, int] = {}
        self._take(
            [line for line in view.rulings if line.stands and line.problem is None],
            frozenset(counts_from),
        )
        for at in (line.at for line in view.rulings):
            if at is not None and at.clock.startswith(HOST):
                self._first[at.clock] = min(at.us, self._first.get(at.clock, at.us))
        for rounds in self._rounds.values():
            rounds.sort(key=lambda counted: counted.start.us)

    def _take(self, lines: Iterable[RulingLine], kinds: frozenset[str]) -> None:
        """Take each round's beginning and its pauses, in the order in which they count."""
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

    def text(self, at: Moment | None) -> str:
        """Return the time in seconds; nothing where nobody knows it."""
        if at is None:
            return ""
        span = self._span(at)
        if span is not None:
            return since(span.us, span.pm)
        return seconds(at.us - self._first.get(at.clock, 0), at.pm).removesuffix(" s")

    def when(self, at: Moment | None, *, by_itself: bool = False) -> str:
        """Return when something happened, how sure that is, and by whose clock; the board's own time stands behind.
        What came `by_itself` was no key."""
        if at is None:
            return UNSTAMPED
        span, by_key = self._span(at), at.clock.startswith(HOST)
        shown = f"{measured(span.us, span.pm)} after the start" if span is not None else ""
        if by_key:
            told = shown or measured(at.us - self._first.get(at.clock, 0), at.pm)
            return told if by_itself else f"{told}, by key"
        time = (
            measured(at.us, at.pm)
            if is_coarse(at.pm)
            else f"{device_time(at.us)} {plus_minus(at.pm)}"
        )
        stamp = f"{time} by {at.clock}"
        return f"{shown}, {stamp}" if shown else stamp

    def moment(self, text: str, beside: Moment) -> Moment:
        """Return the moment that is written so near `beside`, as exact as it is written; raise `ValueError`."""
        if text == self.text(beside):
            return beside
        said = _SECONDS.fullmatch(text)
        counted = self._round(beside) if text.startswith("+") else None
        if said is None or (counted is None and text.startswith("+")):
            raise ValueError(f"{text!r} is no time here")
        unit_us = US_PER_S // 10 ** len(said["part"] or "")
        us = int(said["whole"]) * US_PER_S + int(said["part"] or 0) * unit_us
        us = self._first.get(beside.clock, 0) + us if counted is None else counted.at(us)
        # who types knows better than the finger did
        beside_pm = 0 if is_coarse(beside.pm) else beside.pm
        return Moment(us=us, pm=max(unit_us // 2, beside_pm), clock=beside.clock)

    def _span(self, at: Moment) -> Span | None:
        """How much of the round had passed; None where there is none, or nobody knows how long a pause was."""
        counted = self._round(at)
        return (
            None if counted is None else between(counted.start, at, counted.pauses, counted.paused)
        )

    def _round(self, at: Moment) -> _Round | None:
        """The round that had begun when that happened."""
        rounds = self._rounds.get(at.clock, [])
        place = bisect_right(rounds, at.us, key=lambda counted: counted.start.us) - 1
        return rounds[place] if place >= 0 else None
