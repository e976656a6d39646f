"""Seating of the next round: everybody in pods of 3 to 5, with few who meet again.

For up to 64 players, a search looks for a round without repeats after which more such rounds are possible; once all
have met all, for a round in which nobody meets anybody a third time, and so on. If it finds none, and for more players,
a local search deals pods at random and swaps two players whenever that leaves fewer repeats, until many swaps in a row
have gained nothing. That is no proof of the best; each round comes with a lower bound of repeats for any seating.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations
from typing import Final

from companion.hub import Declined
from companion.rules.columns import plural

LEAST, MOST, PREFERRED = 3, 5, 4
STEPS: Final = 300_000  # swaps tried at most; 1,000 players take about a second
_PATIENCE: Final = 200
"""Swaps for each player tried in a row without gain; more find little."""
_LOOKED_AHEAD: Final = 64  # players; with more, swaps alone find a round without repeats
_NAMED: Final = 3  # pairs named in a sentence
LOOKED_AT: Final = 24  # candidate rounds from which the search looks ahead
AHEAD: Final = 3  # rounds, at most, looked ahead from each
TRIED: Final = 5_000  # players tried in seats, for one round


@dataclass(frozen=True, slots=True)
class PodRound:
    """A round: the players of each pod, and those with a bye."""

    pods: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()


class History:
    """Counts of players' meetings in earlier rounds."""

    def __init__(self, rounds: Iterable[PodRound] = ()) -> None:
        self.met = defaultdict[str, Counter[str]](Counter)
        for earlier in rounds:
            for pod in earlier.pods:
                for player, other in permutations(pod, 2):
                    self.met[player][other] += 1

    def times(self, player: str, other: str) -> int:
        """Return how often two players have met."""
        return self.met[player][other]

    def repeats(self, pods: Iterable[Sequence[str]]) -> int:
        """Return the number of pairs in these pods that have met before."""
        count = 0
        for pod in pods:
            count += sum(self.times(player, other) > 0 for player, other in combinations(pod, 2))
        return count


def sizes_for(count: int) -> tuple[int, ...]:
    """Return the sizes of the pods for `count` players, the larger first: as near to `PREFERRED` as possible, and equal
    or one apart; none for fewer than `LEAST`."""
    if count < LEAST:
        return ()
    fitting = [pods for pods in range(1, count // LEAST + 1) if count <= pods * MOST]
    nearest = [(abs(count / pods - PREFERRED), pods) for pods in fitting]
    _, pods = min(nearest)
    small, larger = divmod(count, pods)
    return (small + 1,) * larger + (small,) * (pods - larger)


def next_round(
    players: Sequence[str], history: History, chance: random.Random, *, steps: int = STEPS
) -> PodRound:
    """Return the next round of `players`; the same `chance` and `steps` give the same round. Raise `Declined`."""
    if len(set(players)) != len(players):
        raise Declined("Somebody stands in the list twice.")
    sizes = sizes_for(len(players))
    if not sizes:
        raise Declined(f"A round needs {LEAST} players or more.")
    seated = sorted(players)
    chance.shuffle(seated)
    pods = _without_repeats(seated, sizes, history, chance, steps)
    if pods is None:
        dealt = iter(seated)
        pods = [list(islice(dealt, size)) for size in sizes]
        _improve(pods, history, chance, steps)
    return PodRound(tuple(tuple(sorted(pod)) for pod in pods))


def _without_repeats(
    seated: Sequence[str], sizes: Sequence[int], history: History, chance: random.Random, steps: int
) -> list[list[str]] | None:
    if len(seated) > _LOOKED_AHEAD or not steps:
        return None
    least = min(history.times(player, other) for player, other in combinations(seated, 2))
    unmet = []
    for player in seated:
        bits = 0
        for at, other in enumerate(seated):
            if other != player and history.times(player, other) == least:
                bits |= 1 << at
        unmet.append(bits)
    found = repeat_free_round(unmet, sizes, chance, min(steps, TRIED))
    if found is None:
        return None
    return [[seated[at] for at in pod] for pod in found]


def _improve(pods: list[list[str]], history: History, chance: random.Random, steps: int) -> None:
    """Swap players of two pods while that is no worse; one of the two always meets somebody again."""
    positions = {
        player: (at, seat) for at, pod in enumerate(pods) for seat, player in enumerate(pod)
    }
    # each player -> index of the pod, index in the pod
    everybody = sorted(positions)
    costs = {player: _cost(player, pods[positions[player][0]], history) for player in everybody}
    again = [player for player in everybody if costs[player]]
    if len(pods) < 2:
        return
    patience = left = _PATIENCE * len(everybody)
    for _ in range(steps):
        if not again or not left:
            return
        left -= 1
        repeater = again[chance.randrange(len(again))]
        other = everybody[chance.randrange(len(everybody))]
        (pod, seat), (pod_there, seat_there) = positions[repeater], positions[other]
        if not costs[repeater]:
            # their meetings were swapped away since they were listed
            again = [player for player in again if costs[player]]
            continue
        if pod == pod_there:
            continue
        # swaps that change nothing are made too: they lead out of dead ends
        here, there = pods[pod], pods[pod_there]
        before = costs[repeater] + costs[other]
        here[seat], there[seat_there] = other, repeater
        after = _cost(repeater, there, history) + _cost(other, here, history)
        if after > before:
            here[seat], there[seat_there] = repeater, other
            continue
        if after < before:
            left = patience
        positions[repeater], positions[other] = (pod_there, seat_there), (pod, seat)
        for player in (*here, *there):
            cost = _cost(player, pods[positions[player][0]], history)
            if cost and not costs[player]:
                again.append(player)
            costs[player] = cost


def _cost(player: str, pod: Sequence[str], history: History) -> int:
    met = history.met[player]
    if not met:  # for speed: in the first rounds nobody has met anybody
        return 0
    return sum(met[other] for other in pod if other != player)


def least_repeats(players: Sequence[str], sizes: Sequence[int], history: History) -> int:
    """Return a lower bound of repeats for seating `players` in pods of these sizes.

    A player with u others left to meet, in a pod with d others, meets at least d - u of them again. Assigning players
    with the fewest left to the smallest pods minimizes the sum over all (the excess is convex in d - u, so sorted
    against sorted is best); each repeat is counted twice."""
    left = sorted(
        sum(not history.times(player, other) for other in players if other != player)
        for player in players
    )
    others = sorted(size - 1 for size in sizes for _ in range(size))
    byes = len(left) - len(others)
    # Byes go where they help most: to those with the fewest left.
    excess = sum(max(0, wanted - has) for wanted, has in zip(others, left[byes:], strict=True))
    return -(-excess // 2)  # half, rounded up


def mended(
    old_round: PodRound, history: History, gone: Iterable[str] = (), late: Sequence[str] = ()
) -> PodRound:
    """Return the round without those who are `gone` and with those who are `late`, moving as few others as possible.
    Raise `Declined` if nobody is left to sit."""
    leaving = set(gone)
    pods = [[player for player in pod if player not in leaving] for pod in old_round.pods]
    waiting = [*late, *(player for player in old_round.byes if player not in leaving)]
    everybody = {player for pod in pods for player in pod} | set(waiting)
    if len(everybody) != len(waiting) + sum(map(len, pods)):
        raise Declined("Somebody stands in the list twice.")
    for pod in sorted((pod for pod in pods if len(pod) < LEAST), key=len, reverse=True):
        # fullest first: a pod that lacks one player is completed before waiting players are used up
        _fill(pod, pods, waiting, history)
    waiting += [player for pod in pods if len(pod) < LEAST for player in pod]
    pods = [pod for pod in pods if len(pod) >= LEAST]
    left = [player for player in waiting if not _place(player, pods, history)]
    if len(left) >= LEAST:
        size = sizes_for(len(left))[0]
        pods.append(left[:size])
        left = [player for player in left[size:] if not _place(player, pods, history)]
    if not pods:
        raise Declined(f"A round needs {LEAST} players or more.")
    return PodRound(tuple(tuple(sorted(pod)) for pod in pods), tuple(sorted(left)))


def _fill(pod: list[str], pods: Sequence[list[str]], waiting: list[str], history: History) -> None:
    """Fill a pod that is too small: with waiting players first, then from pods that can spare one."""
    while 0 < len(pod) < LEAST:
        if waiting:
            chosen = min(waiting, key=lambda player: (_cost(player, pod, history), player))
            waiting.remove(chosen)
        else:
            spare = []
            for other in pods:
                if other is not pod and len(other) > LEAST:
                    spare += [(_cost(player, pod, history), player, other) for player in other]
            if not spare:
                return
            _, chosen, other = min(spare, key=lambda candidate: candidate[:2])
            other.remove(chosen)
        pod.append(chosen)


def _place(player: str, pods: Sequence[list[str]], history: History) -> bool:
    """Add a player to the pod with room where they meet the fewest again; return False if none has room."""
    room = [pod for pod in pods if len(pod) < MOST]
    if not room:
        return False
    min(room, key=lambda pod: (_cost(player, pod, history), len(pod))).append(player)
    return True


def explained(pod_round: PodRound, history: History) -> tuple[str, ...]:
    """Return a sentence for each pod, and one for the byes: who meets again, or that nobody does."""
    sentences = []
    for pod in pod_round.pods:
        again = [pair for pair in combinations(pod, 2) if history.times(*pair)]
        if not again:
            sentences.append("Nobody here has met before.")
            continue
        pairs = []
        for player, other in again[:_NAMED]:
            times = history.times(player, other)
            before = "once" if times == 1 else f"{times} times"
            pairs.append(f"{player} and {other} ({before} before)")
        more = ""
        if len(again) > _NAMED:
            more = f", and {plural(len(again) - _NAMED, 'more pair')}"
        sentences.append(f"Meeting again: {', '.join(pairs)}{more}.")
    if pod_round.byes:
        sentences.append(f"A bye: {', '.join(pod_round.byes)}. Everybody sits in the next round.")
    return tuple(sentences)


def repeat_free_round(
    unmet: Sequence[int], sizes: Sequence[int], chance: random.Random, tried: int = TRIED
) -> list[list[int]] | None:
    """Return the pods of a round in which players meet only those they have left to meet, chosen so that as many more
    such rounds as possible can follow; None if none was found, although one may exist. `unmet` is whom each player has
    left to meet, as a set of bits (never themselves); `sizes` are those of the pods, and seat everybody.

    Three rounds of sixteen players in fours can leave room for a fourth and a fifth without repeats, or for none, and
    no swap finds the way back. So for a small field several rounds are found, rounds after each are searched for, and
    the one with the most is played."""
    chosen: list[list[int]] | None = None
    furthest = -1
    for _ in range(LOOKED_AT):
        pods = _Search(unmet, sizes, chance, tried).run()
        if pods is None:
            break
        went = 0
        left = _after(unmet, pods)
        while went < AHEAD:
            following = _Search(left, sizes, chance, tried).run()
            if following is None:
                break
            left = _after(left, following)
            went += 1
        if went > furthest:
            chosen, furthest = pods, went
        if went == AHEAD or any(others.bit_count() < sizes[-1] - 1 for others in left):
            break  # no other round has more after it
    return chosen


def _after(unmet: Sequence[int], pods: Sequence[Sequence[int]]) -> list[int]:
    left = list(unmet)
    for pod in pods:
        for player in pod:
            left[player] &= ~sum(1 << other for other in pod)
    return left


class _Search:
    """A backtracking search: the player with the fewest left to meet is seated next."""

    def __init__(
        self, unmet: Sequence[int], sizes: Sequence[int], chance: random.Random, tried: int
    ) -> None:
        self._unmet, self._sizes, self._left = unmet, sizes, tried
        self._order = list(range(len(unmet)))
        chance.shuffle(self._order)

    def run(self) -> list[list[int]] | None:
        return self._pods((1 << len(self._unmet)) - 1, 0)

    def _pods(self, free: int, at: int) -> list[list[int]] | None:
        """Seat all `free` players in the pods from index `at` on."""
        if at == len(self._sizes):
            return []
        unseated = (player for player in self._order if free >> player & 1)
        first = min(unseated, key=lambda player: (self._unmet[player] & free).bit_count())
        return self._grown([first], self._unmet[first] & free, free, at)

    def _grown(self, pod: list[int], candidates: int, free: int, at: int) -> list[list[int]] | None:
        """Complete a pod with players who have met nobody in it, then seat the rest."""
        self._left -= 1
        missing = self._sizes[at] - len(pod)
        if not missing:
            rest = self._pods(free & ~sum(1 << player for player in pod), at + 1)
            if rest is None:
                return None
            return [pod, *rest]
        for player in [player for player in self._order if candidates >> player & 1]:
            if self._left < 0 or candidates.bit_count() < missing:
                break
            pods = self._grown([*pod, player], candidates & self._unmet[player], free, at)
            if pods is not None:
                return pods
            candidates &= ~(1 << player)  # all pods with this player have been tried
        return None
