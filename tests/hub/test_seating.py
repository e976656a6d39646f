"""A round seats everybody once, within the sizes, with few who meet again, and says so no better than it is."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings, strategies as st

from companion.hub import Declined
from companion.hub.rounds import Seated
from companion.hub.seating import (
    LEAST,
    MOST,
    STEPS,
    History,
    PodRound,
    explained,
    least_repeats,
    mended,
    next_round,
    repeat_free_round,
    sizes_for,
)

FEW = 2_000  # steps, for small rounds


def players(count: int) -> list[str]:
    return [f"p{number:03d}" for number in range(count)]


def seated(pod_round: PodRound) -> list[str]:
    return sorted([*(player for pod in pod_round.pods for player in pod), *pod_round.byes])


def evening(count: int, rounds: int, seed: int = 1, steps: int = FEW) -> list[PodRound]:
    pod_round: list[PodRound] = []
    for number in range(rounds):
        pod_round.append(
            next_round(
                players(count), History(pod_round), random.Random(seed + number), steps=steps
            )
        )
    return pod_round


def test_from_three_players_on_everybody_sits() -> None:
    for count in range(3, 200):
        sizes = sizes_for(count)
        assert sum(sizes) == count
        assert all(LEAST <= size <= MOST for size in sizes), count
        assert max(sizes) - min(sizes) <= 1, count


@pytest.mark.parametrize(
    ("count", "sizes"), [(8, (4, 4)), (12, (4, 4, 4)), (7, (4, 3)), (5, (5,)), (11, (4, 4, 3))]
)
def test_pods_are_as_near_to_four_as_can_be(count: int, sizes: tuple[int, ...]) -> None:
    assert sizes_for(count) == sizes


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_than_three_play_no_round(count: int) -> None:
    with pytest.raises(Declined, match="needs 3 players or more"):
        next_round(players(count), History(), random.Random(1))


@given(st.integers(3, 40), st.integers(1, 6), st.integers(0, 99))
@settings(max_examples=30)
def test_everybody_sits_once_in_every_round(count: int, rounds: int, seed: int) -> None:
    for pod_round in evening(count, rounds, seed, 200):
        assert sorted(player for pod in pod_round.pods for player in pod) == players(count)
        assert all(LEAST <= len(pod) <= MOST for pod in pod_round.pods)


@given(st.integers(6, 16), st.integers(2, 5), st.integers(0, 99))
@settings(max_examples=25)
def test_the_bound_is_never_above_what_a_seating_comes_to(
    count: int, rounds: int, seed: int
) -> None:
    pod_round = evening(count, rounds, seed, 300)
    for number in range(1, rounds):
        history = History(pod_round[:number])
        sizes = [len(pod) for pod in pod_round[number].pods]
        assert least_repeats(players(count), sizes, history) <= history.repeats(
            pod_round[number].pods
        )


def test_the_bound_is_what_it_comes_to_where_all_have_met_all() -> None:
    everybody = players(4)
    history = History([PodRound((tuple(everybody),))])
    assert least_repeats(everybody, [4], history) == 6 == history.repeats([everybody])


def test_the_search_is_never_worse_than_the_deal_it_begins_with() -> None:
    pod_round = evening(24, 3)
    for seed in range(10):
        dealt, found = (
            next_round(players(24), History(pod_round), random.Random(seed), steps=steps)
            for steps in (0, FEW)
        )
        assert History(pod_round).repeats(found.pods) <= History(pod_round).repeats(dealt.pods)


@pytest.mark.parametrize(("count", "size"), [(9, 3), (16, 4), (25, 5)])
@pytest.mark.parametrize("seed", range(5))
def test_as_many_pods_as_seats_in_one_let_everybody_meet_everybody_once_and_then_again(
    count: int, size: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After `size + 1` rounds all have met all, so none of these rounds may waste a meeting; nor may those after
    them."""
    monkeypatch.setattr("companion.hub.seating.LEAST", size)
    monkeypatch.setattr("companion.hub.seating.MOST", size)
    pod_round: list[PodRound] = []
    for times in (1, 2):
        for number in range(size + 1):
            chance = random.Random(100 * seed + number)
            pod_round.append(next_round(players(count), History(pod_round), chance))
        history = History(pod_round)
        assert {history.times(*pair) for pair in combinations(players(count), 2)} == {times}


@given(st.integers(3, 40), st.integers(0, 8), st.integers(0, 99))
@settings(max_examples=40)
def test_a_round_found_without_repeats_seats_everybody_once_and_has_none(
    count: int, rounds: int, seed: int
) -> None:
    unmet = [(1 << count) - 1 & ~(1 << player) for player in range(count)]
    sizes = sizes_for(count)
    chance = random.Random(seed)
    for _ in range(rounds):
        pods = repeat_free_round(unmet, sizes, chance, 500)
        if pods is None:
            return
        assert [len(pod) for pod in pods] == list(sizes)
        assert sorted(player for pod in pods for player in pod) == list(range(count))
        for one, other in permutations_within(pods):
            assert unmet[one] >> other & 1
            unmet[one] &= ~(1 << other)


def permutations_within(pods: list[list[int]]) -> list[tuple[int, int]]:
    return [pair for pod in pods for pair in permutations(pod, 2)]


def test_the_same_chance_gives_the_same_round() -> None:
    pod_round = evening(20, 2)
    first, again = (
        next_round(players(20), History(pod_round), random.Random(5), steps=FEW) for _ in range(2)
    )
    other = next_round(list(reversed(players(20))), History(pod_round), random.Random(5), steps=FEW)
    assert first == again == other


class CountedChance(random.Random):
    asked = 0

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        self.asked += 1
        return super().randrange(start, stop, step)


@pytest.mark.parametrize("count", [8, 12, 17])
def test_a_round_that_cannot_be_without_repeats_is_not_searched_to_the_last_step(
    count: int,
) -> None:
    pod_round = evening(count, 4)
    chance = CountedChance(1)
    next_round(players(count), History(pod_round), chance)
    assert 0 < chance.asked < STEPS / 10


def test_somebody_who_is_named_twice_is_refused() -> None:
    with pytest.raises(Declined, match="twice"):
        next_round(["a", "b", "c", "a"], History(), random.Random(1))


@given(st.integers(6, 30), st.integers(0, 2**30 - 1), st.integers(0, 6), st.integers(0, 99))
@settings(max_examples=60)
def test_a_round_that_is_mended_seats_who_is_there_and_moves_few(
    count: int, gone: int, late: int, seed: int
) -> None:
    pod_round = next_round(players(count), History(), random.Random(seed), steps=0)
    leaving = [
        player
        for at, player in enumerate(players(count))
        if gone >> at & 1 and (gone >> (at + 3)) % 3 == 0
    ]
    coming = [f"late {number}" for number in range(late)]
    there = sorted({*players(count), *coming} - set(leaving))
    if len(there) < LEAST:
        with pytest.raises(Declined):
            mended(pod_round, History(), leaving, coming)
        return
    after = mended(pod_round, History(), leaving, coming)
    assert seated(after) == there
    assert all(LEAST <= len(pod) <= MOST for pod in after.pods)
    if not leaving and not coming:
        assert after == pod_round


def test_one_who_leaves_a_pod_of_four_moves_nobody() -> None:
    pod_round = PodRound((("a", "b", "c", "d"), ("e", "f", "g", "h")))
    assert mended(pod_round, History(), gone=["d"]) == PodRound(
        (("a", "b", "c"), ("e", "f", "g", "h"))
    )


def test_one_who_leaves_a_pod_of_three_moves_one_who_has_not_met_them() -> None:
    pod_round = PodRound((("a", "b", "c"), ("e", "f", "g", "h")))
    history = History([PodRound((("a", "e", "f", "g"),))])
    assert mended(pod_round, history, gone=["c"]) == PodRound((("a", "b", "h"), ("e", "f", "g")))


def test_each_pod_says_who_meets_again_and_no_more() -> None:
    history = History([PodRound((("Ann", "Bo", "Cy"),)), PodRound((("Ann", "Bo", "Di"),))])
    pod_round = PodRound((("Ann", "Bo", "Ed"), ("Cy", "Flo", "Gil")), ("Di",))
    assert explained(pod_round, history) == (
        "Meeting again: Ann and Bo (2 times before).",
        "Nobody here has met before.",
        "A bye: Di. Everybody sits in the next round.",
    )


@given(st.integers(6, 20), st.integers(1, 4), st.integers(0, 99))
@settings(max_examples=20)
def test_what_is_explained_is_what_is_there(count: int, rounds: int, seed: int) -> None:
    *before, pod_round = evening(count, rounds + 1, seed, 100)
    history = History(before)
    for pod, text in zip(pod_round.pods, explained(pod_round, history), strict=False):
        again = [pair for pair in combinations(pod, 2) if history.times(*pair)]
        assert (text == "Nobody here has met before.") is (not again)
        assert all(f"{one} and {other} (" in text for one, other in again[:3])


def test_each_player_finds_the_table() -> None:
    seated = Seated(1, PodRound((("a", "B", "c"), ("d", "e", "f")), ("g",)), (), 0, 0)
    assert seated.tables == [("a", 1), ("B", 1), ("c", 1), ("d", 2), ("e", 2), ("f", 2)]
