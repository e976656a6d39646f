"""The fold order of a record, and the meaning of undo and redo in it. Pure: entries in, entries and
drafts out.

Facts are folded in the order of the record, except that a fact with `after` follows directly after
the entry it names. A fact counts while no standing void names it; a void stands while no standing
void names it in turn. A void of a lost entry takes nothing back and is not a step.

Only entry numbers are kept here, a few bytes for each fact, because a record may be longer than
memory.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from companion.journal.entries import (
    CLOCK,
    PHONE,
    REDO,
    UNDO,
    Control,
    Draft,
    Entry,
    Layer,
    is_lost,
)

_NUMBER: Final = "I"  # entry numbers, four bytes each


class Effect(NamedTuple):
    """The facts that a step would remove from the fold, and those that it would restore."""

    falling: tuple[int, ...]
    rising: tuple[int, ...]


class FoldOrder:
    """The facts of a record in fold order, kept up to date entry by entry."""

    def __init__(self) -> None:
        self.facts = array(_NUMBER)
        """The numbers of all facts in fold order, including those taken back."""
        # Parallel to `facts`: each fact's root. That is the fact itself, or for an inserted one the
        # entry of the record it was inserted after, directly or through other inserted facts. Roots
        # never decrease, so a place is found by bisection.
        self._roots = array(_NUMBER)
        self._root_of: dict[int, int] = {}  # inserted fact -> its root
        self._voids: dict[int, int] = {}  # void -> the entry it names
        self._naming: dict[int, list[int]] = {}  # entry -> the voids that name it
        self._against: dict[int, int] = {}  # entry -> how many standing voids name it

    def add(self, entry: Entry) -> int | None:
        """Add the next entry; return the index in `facts` from which the fold changed, or None."""
        if entry.layer is Layer.FACT:
            return self._place(entry)
        if entry.layer is Layer.CONTROL and entry.kind == Control.VOID:
            self._voids[entry.n] = target = int(entry.body["entry"])
            self._naming.setdefault(target, []).append(entry.n)
            return self._void(target)
        return None

    def stands(self, n: int) -> bool:
        """Return whether no standing void names entry `n`."""
        return not self._against.get(n)

    def effect_of(self, targets: Iterable[int]) -> Effect:
        """Return which facts would no longer count, and which would count again, if these facts and
        voids were taken back too."""
        targets = tuple(targets)
        # Apply the voids, note what counts then, and lift them again in reverse order.
        touched: list[int] = []
        for target in targets:
            index = self._void(target)
            if index is not None:
                touched.append(self.facts[index])
        counts_then = {n: self.stands(n) for n in touched}
        for target in reversed(targets):
            self._void(target, lift=True)
        counted_before = {n: self.stands(n) for n in touched}
        changed = [n for n in sorted(counts_then) if counts_then[n] != counted_before[n]]
        falling = tuple(n for n in changed if counted_before[n])
        rising = tuple(n for n in changed if counts_then[n])
        return Effect(falling, rising)

    def voids_of(self, n: int) -> tuple[int, ...]:
        """Return the voids that name entry `n`, standing or not, oldest first."""
        return tuple(self._naming.get(n, ()))

    def index_of(self, n: int) -> int:
        """Return the index in `facts` of fact `n`; for another entry, that of the first fact after
        it."""
        root = self._root_of.get(n)
        if root is None:
            return bisect_left(self._roots, n)
        return self.facts.index(n, bisect_left(self._roots, root))

    def index_after(self, n: int) -> int:
        """Return the index in `facts` that a fact inserted directly after entry `n` would have."""
        index = self.index_of(n)
        return index + self._is_at(index, n)

    def _is_at(self, index: int, n: int) -> bool:
        return index < len(self.facts) and self.facts[index] == n

    def _place(self, fact: Entry) -> int:
        if fact.after is None:
            index, root = len(self.facts), fact.n
        else:
            index, root = self.index_after(fact.after), self._root_of.get(fact.after, fact.after)
            self._root_of[fact.n] = root
        self.facts.insert(index, fact.n)
        self._roots.insert(index, root)
        return index

    def _void(self, target: int, *, lift: bool = False) -> int | None:
        """Count one more standing void against `target`, or with `lift` one fewer. Return the index
        of the fact that now counts or no longer counts, or None."""
        step = -1 if lift else 1
        while True:
            stood = self.stands(target)
            self._against[target] = self._against.get(target, 0) + step
            if self.stands(target) == stood:
                return None
            if target not in self._voids:
                index = self.index_of(target)
                return index if self._is_at(index, target) else None
            step = -1 if stood else 1
            target = self._voids[target]


class _Undone(NamedTuple):
    step: int
    void: int


class Steps:
    """The steps that can be undone and redone, as numbers of entries, kept up to date entry by
    entry.

    A step is a fact or a correction (a void that is neither undo nor redo), with those joined to it
    and with what the clock added because of it. What a seat does for itself, on its own phone or by
    a fact of a `private` kind, is not a step: the table's undo skips it, and it does not end a
    redo.
    """

    def __init__(self, private: Collection[str] = ()) -> None:
        self._private = private
        self._done = array(_NUMBER)
        self._undone: list[_Undone] = []
        self._joined: set[int] = set()
        self._by_clock: set[int] = set()
        self._by_itself: set[int] = set()  # of those joined, the ones the clock added
        # Lost and private entries, the voids of these, the voids of such voids, and so on.
        self._moot: set[int] = set()

    def add(self, entry: Entry) -> None:
        """Add the next entry."""
        if is_lost(entry) or (entry.layer is Layer.FACT and entry.kind in self._private):
            self._moot.add(entry.n)
        elif entry.actor.startswith(f"{PHONE} "):
            return
        elif entry.layer is Layer.FACT:
            self._do(entry)
        elif entry.layer is Layer.CONTROL and entry.kind == Control.VOID:
            self._void(entry)

    @property
    def undo_target(self) -> int | None:
        """The entry that undo would take back, or None."""
        for step in reversed(self._done):
            if step not in self._by_itself:
                return step
        return None

    @property
    def redo_target(self) -> int | None:
        """The entry that redo would bring back, or None."""
        for undone in reversed(self._redo_group()):
            if undone.step not in self._by_itself:
                return undone.step
        return None

    @property
    def clock_undone(self) -> bool:
        """Whether one or more redos would bring back something the clock added."""
        return any(undone.step in self._by_clock for undone in self._undone)

    def undo_drafts(self) -> tuple[Draft, ...]:
        """Return the voids that undo the last step, to be appended together; none if there is no
        step."""
        return tuple(void_draft(step, UNDO) for step in self._undo_group())

    def redo_drafts(self) -> tuple[Draft, ...]:
        """Return the voids that redo the step undone last, to be appended together; none if there
        is none."""
        return tuple(void_draft(undone.void, REDO) for undone in self._redo_group())

    def _do(self, step: Entry) -> None:
        going_on = step.actor == CLOCK and any(cause in self._done for cause in step.causes)
        self._done.append(step.n)
        if (step.joined and step.n - 1 not in self._moot) or going_on:
            self._joined.add(step.n)
        if going_on:
            self._by_itself.add(step.n)
        if step.actor == CLOCK:
            self._by_clock.add(step.n)
        self._undone.clear()

    def _void(self, void: Entry) -> None:
        target, reason = void.body["entry"], void.body.get("reason")
        if target in self._moot:
            self._moot.add(void.n)
        elif reason == UNDO and self._done and self._done[-1] == target:
            self._undone.append(_Undone(self._done.pop(), void.n))
        elif reason == REDO and self._undone and self._undone[-1].void == target:
            self._done.append(self._undone.pop().step)
        else:
            self._do(void)

    def _undo_group(self) -> list[int]:
        group: list[int] = []
        for step in reversed(self._done):
            group.append(step)
            if step not in self._joined:
                break
        return group

    def _redo_group(self) -> list[_Undone]:
        group: list[_Undone] = []
        for undone in reversed(self._undone):
            if group and undone.step not in self._joined:
                break
            group.append(undone)
        return group


def void_draft(n: int, reason: str, who: str = "") -> Draft:
    """Return the draft that takes back entry `n`, a fact or a void."""
    body = {"entry": n, "reason": reason} | ({"who": who} if who else {})
    return Draft(Layer.CONTROL, Control.VOID, body, causes=(n,))


def amend_drafts(
    entry: Entry, body: Mapping[str, Any], reason: str, who: str = ""
) -> tuple[Draft, Draft]:
    """Return the void of the fact `entry` and its successor with `body`, to be appended as one
    step."""
    successor = Draft(
        Layer.FACT, entry.kind, body, entry.actor, entry.causes, entry.n, entry.t_us, joined=True
    )
    return void_draft(entry.n, reason, who), successor


def one_step(*drafts: Draft) -> tuple[Draft, ...]:
    """Return `drafts` joined into one step of undo and redo, to be appended together."""
    return (*drafts[:1], *(replace(draft, joined=True) for draft in drafts[1:]))
