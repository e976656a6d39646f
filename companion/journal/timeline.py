"""A generic fold that keeps checkpoints, so that the past can be put right without folding all of it again. They are
close together near its end, ever wider apart before it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from companion.journal.collector import collector_frozen
from companion.journal.entries import Entry
from companion.journal.fold import FoldOrder, Steps

S = TypeVar("S")

SPACING = 32  # facts between two checkpoints near the end: an undo applies at most so many again
DENSITY = 128  # before that, two are at most this part of their distance from the end apart
NEAR = 64  # facts at the end before each of which the state is kept: an undo among them applies none again


class Checkpoint(NamedTuple, Generic[S]):
    """The state before the fact at index `place` of the fold."""

    place: int
    state: S


class Checkpoints(Generic[S]):
    """The states before some facts of a fold, in its order; the first is the state before all of them. Of so many facts
    it keeps about `DENSITY` times the logarithm."""

    def __init__(self, initial: S) -> None:
        self._kept: list[Checkpoint[S]] = [Checkpoint(0, initial)]
        self._near: list[Checkpoint[S]] = []  # those before the facts passed last, without a gap
        self._look = DENSITY  # how many there are when it is next looked for some to leave out

    def copy(self) -> Checkpoints[S]:
        """Return the same checkpoints, to go on with apart from these."""
        other = Checkpoints(self._kept[0].state)
        other._kept, other._near, other._look = list(self._kept), list(self._near), self._look
        return other

    def before(self, place: int) -> Checkpoint[S]:
        """Return the last checkpoint at `place` or before it."""
        if self._near and self._near[0].place <= place:
            return self._near[min(place - self._near[0].place, len(self._near) - 1)]
        return self._kept[self._behind(place) - 1]

    def cut(self, place: int) -> None:
        """Forget those behind `place`."""
        del self._kept[self._behind(place) :]
        if self._near:
            del self._near[max(0, place + 1 - self._near[0].place) :]

    def pass_by(self, place: int, state: S) -> None:
        """Keep `state`, which stands before the fact at `place`; of those further back than `NEAR`, only some stay. The
        fold only goes forward."""
        self._pass_near(place, state)
        if place % SPACING == 0:
            self.keep(place, state)
            if len(self._kept) >= self._look:
                self._thin_out(place)
                self._look = len(self._kept) + DENSITY

    def keep(self, place: int, state: S) -> None:
        """Keep `state`, which stands before the fact at `place`, behind all that are kept."""
        if place > self._kept[-1].place:
            self._kept.append(Checkpoint(place, state))

    def _pass_near(self, place: int, state: S) -> None:
        if self._near and place <= self._near[-1].place:
            return
        if self._near and place > self._near[-1].place + 1:
            self._near.clear()
        self._near.append(Checkpoint(place, state))
        if len(self._near) >= 2 * NEAR:
            del self._near[:NEAR]

    def _behind(self, place: int) -> int:
        return bisect_right(self._kept, place, key=lambda kept: kept.place)

    def _thin_out(self, end: int) -> None:
        sparse = self._kept[:1]
        for kept, after in zip(self._kept[1:], self._kept[2:], strict=False):
            if (after.place - sparse[-1].place) * DENSITY > end - after.place:
                sparse.append(kept)
        self._kept = [*sparse, self._kept[-1]]


class Timeline(Generic[S]):
    """The state after a growing record. `apply` returns the state after one fact, or raises `refusal`: then the fact
    stays in the record, is marked in `problems` and is skipped. States must be immutable. `private`: see `Steps`.

    `at` gives an entry of the record by its number, and may raise `JournalError`; without it, a timeline keeps the
    entries itself.
    """

    def __init__(
        self,
        initial: S,
        apply: Callable[[S, Entry], S],
        refusal: type[Exception],
        at: Callable[[int], Entry] | None = None,
        private: Collection[str] = (),
    ) -> None:
        self._apply = apply
        self._refusal = refusal
        self._own: dict[int, Entry] = {}
        self._keeps = at is None
        self._at = self._own.__getitem__ if at is None else at
        self.order = FoldOrder()
        """The facts in fold order, and which of them count."""
        self.steps = Steps(private)
        """What can be taken back, and what brought back."""
        self.state = initial
        """The state now."""
        self._stale: int | None = None  # the index from which on `state` is out of date
        self._initial = initial
        self._checkpoints = Checkpoints(initial)
        # where the last look ended: the next often goes on there
        self._looked = Checkpoint(0, initial)
        self._problems: dict[int, Exception] = {}

    @property
    def problems(self) -> Mapping[int, Exception]:
        """The facts that no longer make sense where they stand: entry number -> why `apply` refuses."""
        return MappingProxyType(self._problems)

    def add(self, entry: Entry) -> None:
        """Take in the next entry of the record."""
        self.extend((entry,))

    def extend(self, entries: Iterable[Entry]) -> None:
        """Take in the next entries of the record, putting the past right once for all of them.

        Where that past cannot be read now, raise `JournalError`: `state` stays as it was, and the next call tries it.
        """
        facts = self.order.facts
        with collector_frozen():
            for entry in entries:
                if self._keeps:
                    self._own[entry.n] = entry
                self.steps.add(entry)
                changed = self.order.add(entry)
                if changed is None:
                    continue
                if self._stale is not None:
                    self._stale = min(self._stale, changed)
                elif changed == len(facts) - 1 and facts[changed] == entry.n:
                    self._checkpoints.pass_by(changed, self.state)
                    self.state = self._applied(self.state, entry)
                else:
                    self._stale = changed
            if self._stale is not None:
                self._fold_from(self._stale)
                self._stale = None

    def pass_over(self, entries: Iterable[Entry]) -> None:
        """Take in the first entries of a record, which `at` gives, unfolded; `go_on_from` says what they come to."""
        for entry in entries:
            self.steps.add(entry)
            self.order.add(entry)

    def go_on_from(self, state: S) -> None:
        """Go on from `state`, which all entries so far come to, none of them a problem."""
        self._checkpoints.keep(len(self.order.facts), state)
        self.state = state

    def state_before(self, n: int) -> S:
        """Return the state just before entry `n` in fold order; for a fact taken back, the one it would meet. Raise
        `JournalError`."""
        return self._state_at(self.order.index_of(n))

    def state_behind(self, n: int) -> S:
        """Return the state that a fact put right behind entry `n` would meet; raise `JournalError`."""
        return self._state_at(self.order.index_behind(n))

    def refused_with(self, entries: Iterable[Entry]) -> frozenset[int]:
        """Return the facts that would make no sense any more, and do now, were these the next entries; raise
        `JournalError`."""
        return frozenset(self.problems_with(entries))

    def problems_with(self, entries: Iterable[Entry]) -> dict[int, Exception]:
        """Return the facts that would make no sense any more, and do now, each with the reason; see `refused_with`."""
        problems = self._with(entries).problems
        return {n: why for n, why in problems.items() if n not in self._problems}

    def state_with(self, entries: Iterable[Entry]) -> S:
        """Return the state, were these the next entries; raise `JournalError`."""
        return self._with(entries).state

    def _with(self, entries: Iterable[Entry]) -> Timeline[S]:
        """A timeline that goes on with `entries`, apart from this one."""
        coming = {entry.n: entry for entry in entries}
        other = Timeline(
            self._initial, self._apply, self._refusal, lambda n: coming.get(n) or self._at(n)
        )
        other.order = deepcopy(self.order)
        other.state, other._stale = self.state, self._stale
        other._checkpoints = self._checkpoints.copy()
        other._problems = dict(self._problems)
        other.extend(coming.values())
        return other

    def history(self) -> Iterator[tuple[Entry, S]]:
        """Yield the facts in fold order, also those taken back, each with the state before it."""
        state = self._initial
        for n in self.order.facts:
            yield self._at(n), state
            state = self._after(state, n)

    def _after(self, state: S, n: int) -> S:
        return self._applied(state, self._at(n)) if self.order.stands(n) else state

    def _applied(self, state: S, fact: Entry) -> S:
        try:
            return self._apply(state, fact)
        except self._refusal as problem:
            # a traceback would keep old states alive
            self._problems[fact.n] = problem.with_traceback(None)
            return state

    def _fold_from(self, index: int) -> None:
        start, state = self._checkpoints.before(index)
        self._checkpoints.cut(start)
        if self._looked.place > index:
            self._looked = Checkpoint(start, state)
        start, state = max(self._looked, Checkpoint(start, state), key=lambda known: known.place)
        for place, n in enumerate(self.order.facts[start:], start):
            if place == index:
                # what is brought back step by step goes on from here
                self._looked = Checkpoint(place, state)
            self._problems.pop(n, None)
            self._checkpoints.pass_by(place, state)
            state = self._after(state, n)
        self.state = state

    def _state_at(self, index: int) -> S:
        if index == len(self.order.facts):
            return self.state
        start, state = self._checkpoints.before(index)
        if start < self._looked.place <= index:
            start, state = self._looked
        for n in self.order.facts[start:index]:
            state = self._after(state, n)
        self._looked = Checkpoint(index, state)
        return state
