"""States that a fold keeps on its way: close together near its end, ever wider apart before it."""

from __future__ import annotations

from bisect import bisect_right
from typing import Generic, NamedTuple, TypeVar

S = TypeVar("S")

SPACING = 32  # facts between two checkpoints near the end: an undo applies at most so many again
DENSITY = 128  # before that, two are at most this part of their distance from the end apart


class Checkpoint(NamedTuple, Generic[S]):
    """The state before the fact at index `place` of the fold."""

    place: int
    state: S


class Checkpoints(Generic[S]):
    """The states before some facts of a fold, in its order; the first is the state before all of them. Of so many facts
    it keeps about `DENSITY` times the logarithm."""

    def __init__(self, initial: S) -> None:
        self._kept: list[Checkpoint[S]] = [Checkpoint(0, initial)]
        self._look = DENSITY  # how many there are when it is next looked for some to leave out

    @property
    def initial(self) -> S:
        """The state before all facts."""
        return self._kept[0].state

    def copy(self) -> Checkpoints[S]:
        """Return the same checkpoints, to go on with apart from these."""
        other = Checkpoints(self.initial)
        other._kept, other._look = list(self._kept), self._look
        return other

    def before(self, place: int) -> Checkpoint[S]:
        """Return the last checkpoint at `place` or before it."""
        return self._kept[self._behind(place) - 1]

    def cut(self, place: int) -> None:
        """Forget those behind `place`."""
        del self._kept[self._behind(place) :]

    def pass_by(self, place: int, state: S) -> None:
        """Keep `state`, which stands before the fact at `place`, where one is due; the fold only goes forward."""
        if place % SPACING == 0 and place > self._kept[-1].place:
            self._kept.append(Checkpoint(place, state))
            if len(self._kept) >= self._look:
                self._thin_out(place)
                self._look = len(self._kept) + DENSITY

    def keep(self, place: int, state: S) -> None:
        """Keep `state`, which stands before the fact at `place`, behind all that are kept."""
        if place > self._kept[-1].place:
            self._kept.append(Checkpoint(place, state))

    def _behind(self, place: int) -> int:
        return bisect_right(self._kept, place, key=lambda kept: kept.place)

    def _thin_out(self, end: int) -> None:
        sparse = self._kept[:1]
        for kept, after in zip(self._kept[1:], self._kept[2:], strict=False):
            if (after.place - sparse[-1].place) * DENSITY > end - after.place:
                sparse.append(kept)
        self._kept = [*sparse, self._kept[-1]]
