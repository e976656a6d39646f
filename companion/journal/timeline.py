"""A generic fold that keeps checkpoints, so that the past can be put right without folding all of it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Generic, TypeVar

from companion.journal.collector import collector_frozen
from companion.journal.entries import Draft, Entry
from companion.journal.fold import Effect, FoldOrder, Steps

S = TypeVar("S")

SPACING = 32  # facts between two checkpoints: an undo applies at most so many again


class Timeline(Generic[S]):
    """The state after a growing record. `apply` returns the state after one fact, or raises `refusal`: then the fact
    stays in the record, is marked in `problems` and is skipped. States must be immutable."""

    def __init__(self, initial: S, apply: Callable[[S, Entry], S], refusal: type[Exception]) -> None:
        self._apply = apply
        self._refusal = refusal
        self._order = FoldOrder()
        self._steps = Steps()
        self._state = initial
        self._checkpoints = [initial]  # at index k, the state before fact k * SPACING
        self._problems: dict[int, Exception] = {}

    @property
    def state(self) -> S:
        """The state now."""
        return self._state

    @property
    def problems(self) -> Mapping[int, Exception]:
        """The facts that no longer make sense where they stand: entry number -> why `apply` refuses."""
        return MappingProxyType(self._problems)

    @property
    def undo_target(self) -> Entry | None:
        """The entry that undo would take back, None when there is none."""
        return self._steps.undo_target

    @property
    def redo_target(self) -> Entry | None:
        """The entry that redo would bring back, None when there is none."""
        return self._steps.redo_target

    def undo_drafts(self) -> tuple[Draft, ...]:
        """Return what to append for an undo; none when there is nothing to undo."""
        return self._steps.undo_drafts()

    def redo_drafts(self) -> tuple[Draft, ...]:
        """Return what to append for a redo; none when there is nothing to redo."""
        return self._steps.redo_drafts()

    def add(self, entry: Entry) -> None:
        """Take in the next entry of the record."""
        self.extend((entry,))

    def extend(self, entries: Iterable[Entry]) -> None:
        """Take in the next entries of the record, putting the past right once for all of them."""
        facts = self._order.facts
        first: int | None = None  # the fold is out of date from here
        with collector_frozen():
            for entry in entries:
                self._steps.add(entry)
                changed = self._order.add(entry)
                if changed is None:
                    continue
                if first is not None:
                    first = min(first, changed)
                elif changed == len(facts) - 1 and facts[changed] is entry:
                    self._fold_last(changed, entry)
                else:
                    first = changed
            if first is not None:
                self._fold_from(first)

    def stands(self, n: int) -> bool:
        """Return whether entry `n` is not taken back."""
        return self._order.stands(n)

    def state_before(self, n: int) -> S:
        """Return the state just before entry `n` in fold order; for a fact taken back, the one it would meet."""
        state, index = self._state_at(self._order.index_of(n))
        for _, before in self._walk(state, index):
            return before
        return self._state

    def around(self, n: int) -> Iterator[tuple[Entry, S]]:
        """Yield fact `n` and some before and behind it, in fold order, also those taken back, each with the state
        before it: as cheap as `state_before` of one of them."""
        index = self._order.index_of(n)
        base = min(index // SPACING, len(self._checkpoints) - 1)
        start = base * SPACING
        return islice(self._walk(self._checkpoints[base], start), max(SPACING, index - start + 1))

    def state_behind(self, n: int) -> S:
        """Return the state that a fact put right behind entry `n` would meet."""
        state, _ = self._state_at(self._order.index_behind(n))
        return state

    def effect_of(self, targets: Iterable[int]) -> Effect:
        """Return what would count no more, and what would count again, were these facts and voids taken back too."""
        return self._order.effect_of(targets)

    def place_of(self, n: int) -> int:
        """Return how many facts stand before entry `n` in fold order, those taken back among them."""
        return self._order.index_of(n)

    def refused_with(self, entries: Iterable[Entry]) -> frozenset[int]:
        """Return the facts that would make no sense any more, and do now, were these the next entries."""
        other = Timeline(self._checkpoints[0], self._apply, self._refusal)
        other._order = self._order.copy()
        other._state, other._checkpoints = self._state, list(self._checkpoints)
        other._problems = dict(self._problems)
        other.extend(entries)
        return frozenset(other._problems.keys() - self._problems.keys())

    def history(self, last: int | None = None) -> Iterator[tuple[Entry, S]]:
        """Yield the `last` facts in fold order (None: all), also those taken back, each with the state before it."""
        total = len(self._order.facts)
        start = 0 if last is None else max(0, total - last)
        return self._walk(*self._state_at(start))

    def _after(self, state: S, fact: Entry) -> S:
        if not self._order.stands(fact.n):
            return state
        try:
            return self._apply(state, fact)
        except self._refusal as problem:
            self._problems[fact.n] = problem.with_traceback(None)  # a traceback would keep old states alive
            return state

    def _fold_last(self, index: int, fact: Entry) -> None:
        if index and index % SPACING == 0:
            self._checkpoints.append(self._state)
        self._state = self._after(self._state, fact)

    def _fold_from(self, index: int) -> None:
        base = min(index // SPACING, len(self._checkpoints) - 1)
        del self._checkpoints[base + 1 :]
        state = self._checkpoints[base]
        start = base * SPACING
        for position, fact in enumerate(self._order.facts[start:], start=start):
            self._problems.pop(fact.n, None)
            if position % SPACING == 0 and position > start:
                self._checkpoints.append(state)
            state = self._after(state, fact)
        self._state = state

    def _state_at(self, index: int) -> tuple[S, int]:
        base = min(index // SPACING, len(self._checkpoints) - 1)
        state = self._checkpoints[base]
        for fact in self._order.facts[base * SPACING : index]:
            state = self._after(state, fact)
        return state, index

    def _walk(self, state: S, index: int) -> Iterator[tuple[Entry, S]]:
        for fact in self._order.facts[index:]:
            yield fact, state
            state = self._after(state, fact)
