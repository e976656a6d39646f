"""The fold order of a record, and what undo and redo mean in it. Pure: entries in, entries and drafts out.

Facts are folded in the order of the record, except that a fact with `after` goes right behind the entry it names.
A fact counts while no standing void names it; a void stands while no standing void names that one. A void that names a
lost entry takes nothing back, and is no step.

Of a fact only numbers are kept here, a few bytes each: a record may be longer than memory.
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
    """The facts that a step would take out of the fold, and those that it would bring back."""

    falling: tuple[int, ...]
    rising: tuple[int, ...]


class FoldOrder:
    """The facts of a record in fold order, kept up to date entry by entry."""

    def __init__(self) -> None:
        self.facts = array(_NUMBER)
        """The numbers of all facts in fold order, those taken back among them."""
        # beside each fact, the entry of the record's own order behind which it stands
        self._roots = array(_NUMBER)
        self._root_of: dict[
            int, int
        ] = {}  # the same for facts that were put behind an entry; others are their own
        self._voids: dict[int, int] = {}  # void -> what it names
        self._naming: dict[int, list[int]] = {}  # the same the other way round
        self._against: dict[int, int] = {}  # entry -> how many standing voids name it

    def add(self, entry: Entry) -> int | None:
        """Take in the next entry; return the index in `facts` from which the fold differs now, or None."""
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
        """Return what would count no more, and what would count again, were these facts and voids taken back too."""
        targets = tuple(targets)
        touched = [index for target in targets if (index := self._void(target)) is not None]
        facts = {self.facts[index]: self.stands(self.facts[index]) for index in touched}
        for target in reversed(targets):
            self._void(target, lift=True)
        changed = [n for n in sorted(facts) if facts[n] != self.stands(n)]
        return Effect(
            tuple(n for n in changed if not facts[n]), tuple(n for n in changed if facts[n])
        )

    def voids_of(self, n: int) -> tuple[int, ...]:
        """Return the voids that name entry `n`, whether they stand or not, oldest first."""
        return tuple(self._naming.get(n, ()))

    def index_of(self, n: int) -> int:
        """Return the index in `facts` of fact `n`, or for another entry that of the first fact behind it."""
        root = self._root_of.get(n)
        if root is None:
            return bisect_left(self._roots, n)
        return self.facts.index(n, bisect_left(self._roots, root))

    def index_after(self, n: int) -> int:
        """Return the index in `facts` that a fact put right behind entry `n` would have."""
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
    """What can be taken back, and what brought back, as numbers of entries, kept up to date entry by entry.

    A step is a fact or a correction (a void that is neither undo nor redo), together with those joined to it, and with
    what came by itself because of it. What a seat does for itself, on its own phone or by a fact of a `private` kind,
    is none: neither does the table take it back, nor does it end a redo.
    """

    def __init__(self, private: Collection[str] = ()) -> None:
        self._private = private
        self._done = array(_NUMBER)
        self._undone: list[_Undone] = []
        self._joined: set[int] = set()
        self._by_clock: set[int] = set()
        self._by_itself: set[int] = set()  # of those joined, what the clock went on with
        # lost and private entries, the voids of these, and those of such voids
        self._moot: set[int] = set()

    def add(self, entry: Entry) -> None:
        """Take in the next entry."""
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
        """The entry that undo would take back, None when there is none."""
        return next((step for step in reversed(self._done) if step not in self._by_itself), None)

    @property
    def redo_target(self) -> int | None:
        """The entry that redo would bring back, None when there is none."""
        group = self._redo_group()
        return next(
            (undone.step for undone in reversed(group) if undone.step not in self._by_itself), None
        )

    @property
    def clock_undone(self) -> bool:
        """Whether redo, once or more often, would bring back something that came by itself."""
        return any(undone.step in self._by_clock for undone in self._undone)

    def undo_drafts(self) -> tuple[Draft, ...]:
        """Return the voids that take the last step back, to be appended at once; none when there is none."""
        return tuple(void_draft(step, UNDO) for step in self._undo_group())

    def redo_drafts(self) -> tuple[Draft, ...]:
        """Return the voids that bring the last undone step back, to be appended at once; none when there is none."""
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
    """Return the draft that takes entry `n`, a fact or a void, back for `reason`."""
    body = {"entry": n, "reason": reason} | ({"who": who} if who else {})
    return Draft(Layer.CONTROL, Control.VOID, body, causes=(n,))


def amend_drafts(
    entry: Entry, body: Mapping[str, Any], reason: str, who: str = ""
) -> tuple[Draft, Draft]:
    """Return what to append to put `body` in the place of the fact `entry`: its void and its successor, one step."""
    successor = Draft(
        Layer.FACT, entry.kind, body, entry.actor, entry.causes, entry.n, entry.t_us, joined=True
    )
    return void_draft(entry.n, reason, who), successor


def one_step(*drafts: Draft) -> tuple[Draft, ...]:
    """Return `drafts` as one step of undo and redo, to be appended at once."""
    return (*drafts[:1], *(replace(draft, joined=True) for draft in drafts[1:]))
