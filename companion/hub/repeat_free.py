"""A round in which nobody meets anybody again, chosen so that as many more as can be may follow it.

Three rounds of sixteen players in fours can leave room for a fourth and a fifth without repeats, or for none, and no
swap finds the way back. So a small field looks ahead: several such rounds are found, each is gone on from, and the one
that went furthest is played. A set of players is the bits of a number.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

LOOKED_AT: Final = 24  # rounds that are gone on from
AHEAD: Final = 3  # rounds, at most, that each is gone on for
TRIED: Final = 5_000  # players tried in a seat, for one round


def repeat_free_round(
    unmet: Sequence[int], sizes: Sequence[int], chance: random.Random, tried: int = TRIED
) -> list[list[int]] | None:
    """Return the pods of a round without repeats, or None where none was found, which does not say that there is none.
    `unmet` is whom each player has left to meet (by bits, never themselves); `sizes` are the pods', and seat them all.
    """
    chosen: list[list[int]] | None = None
    furthest = -1
    for _ in range(LOOKED_AT):
        pods = _Search(unmet, sizes, chance, tried).found()
        if pods is None:
            break
        went = 0
        left = _after(unmet, pods)
        while went < AHEAD and (more := _Search(left, sizes, chance, tried).found()) is not None:
            left = _after(left, more)
            went += 1
        if went > furthest:
            chosen, furthest = pods, went
        if went == AHEAD or any(others.bit_count() < sizes[-1] - 1 for others in left):
            break  # no round can be gone on from for longer
    return chosen


def _after(unmet: Sequence[int], pods: Sequence[Sequence[int]]) -> list[int]:
    left = list(unmet)
    for pod in pods:
        for player in pod:
            left[player] &= ~sum(1 << other for other in pod)
    return left


class _Search:
    """One search, by trying and taking back: whoever has the fewest left to meet is seated next."""

    def __init__(self, unmet: Sequence[int], sizes: Sequence[int], chance: random.Random, tried: int) -> None:
        self._unmet = unmet
        self._sizes = sizes
        self._left = tried
        self._order = list(range(len(unmet)))
        chance.shuffle(self._order)

    def found(self) -> list[list[int]] | None:
        return self._pods((1 << len(self._unmet)) - 1, 0)

    def _pods(self, free: int, at: int) -> list[list[int]] | None:
        """Seat everybody who is `free` into the pods from number `at` on."""
        if at == len(self._sizes):
            return []
        waiting = (player for player in self._order if free >> player & 1)
        first = min(waiting, key=lambda player: (self._unmet[player] & free).bit_count())
        return self._grown([first], self._unmet[first] & free, free, at)

    def _grown(self, pod: list[int], fitting: int, free: int, at: int) -> list[list[int]] | None:
        """Fill the pod with those who have met none of it, and go on to the next."""
        self._left -= 1
        missing = self._sizes[at] - len(pod)
        if not missing:
            rest = self._pods(free & ~sum(1 << player for player in pod), at + 1)
            return None if rest is None else [pod, *rest]
        for player in [each for each in self._order if fitting >> each & 1]:
            if self._left < 0 or fitting.bit_count() < missing:
                break
            pods = self._grown([*pod, player], fitting & self._unmet[player], free, at)
            if pods is not None:
                return pods
            fitting &= ~(1 << player)  # all pods with this player have been tried
        return None
