"""A record folded whole, at once: the slow reference for the incremental fold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.journal.entries import Draft, Entry, Layer
from companion.journal.fold import FoldOrder, Steps


def effective(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the facts that count, in fold order."""
    order = FoldOrder()
    facts: dict[int, Entry] = {}
    for entry in entries:
        order.add(entry)
        if entry.layer is Layer.FACT:
            facts[entry.n] = entry
    return tuple(facts[n] for n in order.facts if order.stands(n))


def undo_target(entries: Sequence[Entry]) -> Entry | None:
    """Return the entry that undo would take back, the last fact or correction not undone, or None."""
    target = _steps(entries).undo_target
    return None if target is None else entries[target - 1]


def redo_target(entries: Sequence[Entry]) -> Entry | None:
    """Return the entry that redo would bring back, or None if nothing was undone since the last
    fact or correction."""
    target = _steps(entries).redo_target
    return None if target is None else entries[target - 1]


def undo_drafts(entries: Iterable[Entry]) -> tuple[Draft, ...]:
    """Return the voids to append at once for an undo; none when there is nothing to undo."""
    return _steps(entries).undo_drafts()


def redo_drafts(entries: Iterable[Entry]) -> tuple[Draft, ...]:
    """Return the voids to append at once for a redo; none when there is nothing to redo."""
    return _steps(entries).redo_drafts()


def _steps(entries: Iterable[Entry]) -> Steps:
    steps = Steps()
    for entry in entries:
        steps.add(entry)
    return steps
