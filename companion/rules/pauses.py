"""The pauses of a game's clock, and intervals without them.

An end or a beginning can be unknown (None), and moments of different clocks cannot be compared. Functions that answer
yes or no therefore say what is certain.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.actions import FIRST_PRESS, PRESS, named
from companion.rules.facts import Moment
from companion.rules.incremental import Incremental
from companion.rules.spans import NOT_MEASURED, measured

GO_ON = named("table.pause", "z")
"""The marker of the key that starts the clock again; see `actions.named`."""
PAUSED = f"Paused: {PRESS} {GO_ON} to go on."
"""The prompt of a game while its clock is stopped."""
_UNDO, _REDO = named("table.undo", "u"), named("table.redo", "y")
STOPPED = f"Undo stopped the clock. {FIRST_PRESS} {_UNDO} to undo more, {_REDO} to redo."
"""The prompt after an undo of something that happened by itself, but not of what it continued."""
GO_ON_FIRST = f"{FIRST_PRESS} {GO_ON} to continue first."
"""The advice in a refusal while the game is paused."""

Pauses = tuple[tuple[Moment | None, Moment | None], ...]
"""Beginning and end of each pause in order, None for an unknown moment. The last one has no end yet while the clock is
stopped."""


@dataclass(frozen=True, slots=True)
class Span:
    """An interval of `us` microseconds, plus or minus `pm`, between two moments of one clock.

    `tapped`: one of the moments it rests on is a tap on a page, so it is not measured and decides nothing.
    """

    us: int
    pm: int
    tapped: bool = False

    def text(self, places: int = 3, after: str = "") -> str:
        """Return the interval with its error, and what it comes after, if named: `3.491 s ±4 µs`, or `3.4 s ±0.9 s
        after fire!, not measured`."""
        words = measured(self.us, self.pm, places)
        if after:
            words += f" after {after}"
        if self.tapped:
            words += f", {NOT_MEASURED}"
        return words


def between(
    earlier: Moment | None, later: Moment | None, pauses: Pauses = (), paused: bool = False
) -> Span | None:
    """Return the interval between two moments without the pauses in it.

    Return None if a moment is missing, the clocks differ, or the length of a pause is unknown.
    """
    if earlier is None or later is None or earlier.clock != later.clock:
        return None
    stopped = paused_between(pauses, paused, earlier, later)
    if stopped is None:
        return None
    return Span(
        later.us - earlier.us - stopped.us,
        earlier.pm + later.pm + stopped.pm,
        earlier.tapped or later.tapped or stopped.tapped,
    )


def end_pause(pauses: Pauses, at: Moment | None) -> Pauses:
    """Return the pauses with the last one ended at `at`."""
    begun, _ = pauses[-1]
    return (*pauses[:-1], (begun, at))


def is_paused_at(pauses: Pauses, paused: bool, at: Moment | None) -> bool:
    """Return whether `at` (None: now) is in a pause, as far as its stamp tells, however late it arrives."""
    over = pauses[:-1] if paused else pauses
    if at is not None:
        for begun, end in over[_ended_before(over, at) :]:
            if _is_not_after(begun, at) and is_before(at, end):
                return True
    # While the clock is stopped, everything counts as in the pause unless it was certainly before.
    return paused and not is_before(at, pauses[-1][0])


def _ended_before(pauses: Pauses, at: Moment) -> int:
    """Return how many of the first pauses had all certainly ended at `at`.

    Most of a long evening's have; only the others are looked at one by one, from the last backwards.
    """
    count, last_end = len(pauses), _last_end(None, pauses)
    while last_end is not None and not last_end.is_before(at):
        count, last_end = count - 1, last_end.before
    return count


@dataclass(frozen=True, slots=True)
class _LastEnd:
    """When the last of some pauses ended, if all ends are `known` by one clock; and the same for the pauses `before`
    the newest."""

    clock: str
    us: int
    known: bool
    before: _LastEnd | None

    def is_before(self, at: Moment) -> bool:
        """Return whether all these pauses had certainly ended at `at`."""
        return self.known and self.clock == at.clock and self.us <= at.us


def _with(
    _about: None, before: _LastEnd | None, pause: tuple[Moment | None, Moment | None]
) -> _LastEnd:
    _, end = pause
    if end is None:
        return _LastEnd("", 0, False, before)
    if before is None:
        return _LastEnd(end.clock, end.us, True, None)
    known = before.known and before.clock == end.clock
    return _LastEnd(end.clock, max(end.us, before.us), known, before)


_last_end: Incremental[None, tuple[Moment | None, Moment | None], _LastEnd | None] = Incremental(
    None, _with
)


def paused_between(pauses: Pauses, paused: bool, earlier: Moment, later: Moment) -> Span | None:
    """Return how long the pauses between two moments of one clock were in all, or None if that cannot be known."""
    total_us = pm_us = 0
    tapped = False
    first = _ended_before(pauses, earlier)
    for place, (begun, end) in enumerate(pauses[first:], first):
        is_open = paused and place == len(pauses) - 1
        if _is_not_after(later, begun) or _is_not_after(end, earlier):
            continue
        if is_open:
            if not _is_not_after(begun, later):
                continue
            end = later
        if begun is None or end is None or not begun.clock == end.clock == later.clock:
            return None
        total_us += min(end.us, later.us) - max(begun.us, earlier.us)
        pm_us += begun.pm + end.pm
        tapped = tapped or begun.tapped or end.tapped
    return Span(total_us, pm_us, tapped)


def is_before(first: Moment | None, second: Moment | None) -> bool:
    """Return whether `first` is known to be before `second`."""
    return (
        first is not None
        and second is not None
        and first.clock == second.clock
        and first.us < second.us
    )


def _is_not_after(first: Moment | None, second: Moment | None) -> bool:
    """Return whether `first` is known to be before `second` or equal to it."""
    return (
        first is not None
        and second is not None
        and first.clock == second.clock
        and first.us <= second.us
    )
