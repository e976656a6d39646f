"""The pauses of a game's clock, and intervals without them.

An end or a beginning can be unknown (None), and moments of different clocks cannot be compared. Functions that answer
yes or no therefore say what is certain.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.actions import FIRST_PRESS, PRESS, named
from companion.rules.facts import Moment
from companion.rules.incremental import Incremental

GO_ON = named("table.pause", "z")
"""The marker of the key that starts the clock again; see `actions.named`."""
PAUSED = f"Paused: {PRESS} {GO_ON} to go on."
"""The prompt of a game while its clock is stopped."""
_UNDO, _REDO = named("table.undo", "u"), named("table.redo", "y")
STOPPED = f"Undo stopped the clock. {FIRST_PRESS} {_UNDO} to undo more, {_REDO} to redo."
"""The prompt after an undo of something that happened by itself, but not of what it continued."""
GO_ON_FIRST = f"{FIRST_PRESS} {GO_ON} to go on first."
"""The advice in a refusal while the game is paused."""

Pauses = tuple[tuple[Moment | None, Moment | None], ...]
"""Beginning and end of each pause in order, None for an unknown moment. The last one has no end yet while the clock is
stopped."""


@dataclass(frozen=True, slots=True)
class Span:
    """An interval of `us` microseconds, plus or minus `pm`, between two moments of one clock."""

    us: int
    pm: int


def between(
    earlier: Moment | None, later: Moment | None, pauses: Pauses = (), paused: bool = False
) -> Span | None:
    """Return the interval between two moments without the pauses in it.

    Return None if a moment is missing, the clocks differ, or the length of a pause is unknown.
    """
    if earlier is None or later is None or earlier.clock != later.clock:
        return None
    still = paused_between(pauses, paused, earlier, later)
    return (
        None
        if still is None
        else Span(later.us - earlier.us - still[0], earlier.pm + later.pm + still[1])
    )


def end_pause(pauses: Pauses, at: Moment | None) -> Pauses:
    """Return the pauses with the last one ended at `at`."""
    begun, _ = pauses[-1]
    return (*pauses[:-1], (begun, at))


def is_paused_at(pauses: Pauses, paused: bool, at: Moment | None) -> bool:
    """Return whether `at` (None: now) is in a pause, as far as its stamp tells, however late it arrives."""
    over = pauses[:-1] if paused else pauses
    late = () if at is None else over[_over_before(over, at) :]
    if any(_reaches(begun, at) and is_before(at, end) for begun, end in late):
        return True
    return paused and not is_before(at, pauses[-1][0])


def _over_before(pauses: Pauses, at: Moment) -> int:
    """How many of the first pauses had all ended at `at` for certain. Most of a long evening's have; the others are
    looked through one by one, from the last."""
    number, ended = len(pauses), _last_end(None, pauses)
    while ended is not None and not (ended.known and ended.clock == at.clock and ended.us <= at.us):
        number, ended = number - 1, ended.before
    return number


@dataclass(frozen=True, slots=True)
class _LastEnd:
    """When the last of some pauses ended, if all ends are `known` by one clock; and the same for the pauses `before`
    the newest."""

    clock: str
    us: int
    known: bool
    before: _LastEnd | None


def _with(
    _about: None, before: _LastEnd | None, pause: tuple[Moment | None, Moment | None]
) -> _LastEnd:
    end = pause[1]
    if end is None:
        return _LastEnd("", 0, False, before)
    if before is None:
        return _LastEnd(end.clock, end.us, True, None)
    return _LastEnd(
        end.clock, max(end.us, before.us), before.known and before.clock == end.clock, before
    )


_last_end: Incremental[None, tuple[Moment | None, Moment | None], _LastEnd | None] = Incremental(
    None, _with
)


def paused_between(
    pauses: Pauses, paused: bool, earlier: Moment, later: Moment
) -> tuple[int, int] | None:
    """Return how many microseconds between two moments of one clock were pauses, and the error of that in microseconds.

    Return None if that cannot be known.
    """
    total_us = pm_us = 0
    first = _over_before(pauses, earlier)
    for place, (begun, end) in enumerate(pauses[first:], first):
        runs = paused and place == len(pauses) - 1
        if (
            _reaches(later, begun)
            or _reaches(end, earlier)
            or (runs and not _reaches(begun, later))
        ):
            continue
        end = later if runs else end
        if begun is None or end is None or not begun.clock == end.clock == later.clock:
            return None
        total_us += min(end.us, later.us) - max(begun.us, earlier.us)
        pm_us += begun.pm + end.pm
    return total_us, pm_us


def is_before(one: Moment | None, other: Moment | None) -> bool:
    """Return whether `one` is known to be before `other`."""
    return one is not None and other is not None and one.clock == other.clock and one.us < other.us


def _reaches(one: Moment | None, other: Moment | None) -> bool:
    """Whether `one` is known not to be after `other`."""
    return one is not None and other is not None and one.clock == other.clock and one.us <= other.us
