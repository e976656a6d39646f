"""Odds of the published deck: by hand, against every deal laid out, and how much counting they take (SF-T7)."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings, strategies as st

from companion.games.skyfire.rules.known import work_out
from companion.games.skyfire.rules.layouts import Layouts, Unseen
from companion.games.skyfire.rules.odds import chances
from tests.games.skyfire.deals import SHARES, Deal
from tests.games.skyfire.playing import GAME, THREE, Record, begun, published_deck
from tests.games.skyfire.test_odds import own_odds, public_odds
from tests.thorough import examples

FEASIBLE = 3_000
"""Layouts that can be listed one by one."""


def round_of(target: str, seats: str = THREE, **options: str) -> Record:
    record = begun(seats, published_deck(), **options)
    record.do("target", card=target)
    return record


def test_six_unseen_cards_of_the_twelve_without_white_show_three_colors_seven_times_in_ten() -> (
    None
):
    """Of C(12,6) = 924 sixes, C(9,6) lack one color, C(6,6) lack two: 924 - 3 * 84 + 3 * 1 = 675."""
    record = round_of("ryg")
    record.place(1, 1, 1, 1, 1, 1)
    assert public_odds(record)[0].probability == Fraction(675, 924)
    assert round(float(Fraction(675, 924)), 3) == 0.731


def test_a_back_in_sight_is_a_choice_of_two() -> None:
    record = round_of("ryg")
    record.do("place", zone=1, back="ry")
    record.do("place", zone=1, back="yg")
    record.do("place", zone=1, back="rg")
    assert public_odds(record)[0].probability == Fraction(2, 8), "r y g or y g r"
    assert record.view.backs_missing == 0


def test_both_cards_of_a_back_are_certain_together() -> None:
    record = round_of("ryg")
    record.do("place", zone=1, back="ry")
    record.do("place", zone=1, back="ry")
    record.do("place", zone=1, back="bg")
    assert public_odds(record)[0].probability == Fraction(1, 2)


@settings(max_examples=examples(60, 1500), deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from([3, 4, 5]),
    st.sampled_from(SHARES),
    st.booleans(),
    st.booleans(),
)
def test_odds_of_the_published_deck_are_the_share_of_all_layouts(
    seed: int, players: int, share: float, notes: bool, failing: bool
) -> None:
    most = 4 if share < 1 else 12
    deal = Deal(random.Random(seed), players, share, notes=notes, most=most, failing=failing)
    for public in (True, False) if notes else (True,):
        if deal.layouts(public=public) <= FEASIBLE:
            all_odds = work_out(deal.asked(public=public))
            assert [odds.probability for odds in all_odds] == deal.brute(public=public)


def steps(unseen: Unseen) -> int:
    """Return the steps of counting for one view of the odds; each takes about a third of a microsecond."""
    layouts, taken = Layouts(unseen), 0
    failed = frozenset(unseen.failed)
    each = [
        failed - {parts for parts in failed if set(parts) <= set(zone)} | {zone}
        for zone in unseen.zones
    ]
    for unsatisfied in (failed, *each, frozenset(unseen.zones)):
        layouts.count(unsatisfied)
        taken += layouts.steps
    return taken


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("share", SHARES)
def test_no_deal_of_the_published_deck_takes_many_steps(players: int, share: float) -> None:
    rng = random.Random(f"{players} {share}")
    for _ in range(examples(12, 200)):
        deal = Deal(rng, players, share, notes=True, failing=rng.random() < 0.3)
        for public in (True, False):
            asked = deal.asked(public=public)
            assert asked.unseen is not None
            assert steps(asked.unseen) < 60_000


# -- what failed, and what somebody noted


def test_a_zone_that_failed_is_known_not_to_satisfy_and_what_came_later_counts() -> None:
    """Three cards that are not red, yellow and green together, then a fourth."""
    record = round_of("ryg")
    for _ in range(3):
        record.do("place", zone=1)
    record.do("turn", seat="ada")
    record.do("launch", zone=1)
    record.do("satisfied", satisfied=False)
    assert public_odds(record)[0].probability == 0
    record.do("place", zone=1)
    wanted, colors = {"r", "y", "g"}, [color for color in "rygb" for _ in range(3)]
    fours = [four for four in permutations(colors, 4) if not wanted <= {*four[:3]}]
    assert public_odds(record)[0].probability == Fraction(
        sum(wanted <= {*four} for four in fours), len(fours)
    )


def test_faces_entered_after_a_failed_launch_take_the_place_of_what_is_known_of_it() -> None:
    record = round_of("ryg")
    record.place(1, 1, 1)
    record.do("launch", zone=1)
    record.do("satisfied", satisfied=False)
    record.do("revealed", zone=1, cards=["rb", "yb", "by"])
    record.place(1)
    assert public_odds(record)[0].probability == Fraction(3, 9)


def test_a_correction_changes_the_odds() -> None:
    record = round_of("ryg")
    back = record.do("place", zone=1, back="ry")
    record.place(1, 1)
    before = public_odds(record)[0].probability
    record.void(back)
    assert public_odds(record)[0].probability == 0
    assert before not in (None, 0)


def launched(**options: str) -> Record:
    """Return the state with Ada's red-blue face up in zone 1, and her blue-yellow placed on it since."""
    record = round_of("rgb", **options)
    record.do("hand_noted", seat="ada", cards=["rb", "by", "gy", "yr"])
    record.place(1, 2, 2)
    record.do("turn", seat="cleo")
    record.do("launch", zone=1)
    record.do("satisfied", satisfied=False)
    record.do("revealed", zone=1, cards=["rb"])
    record.do("turn", seat="ada")
    record.place(1)
    return record


def test_a_private_note_is_about_the_card_that_is_hidden_not_the_one_face_up() -> None:
    record = launched()
    record.do("place_noted", seat="ada", zone=1, card="by")
    own = GAME.view(record.state, "ada").own
    assert own is not None
    assert own.placed == (((1,), ("blue of yellow-blue",)),)
    assert len(own.hand or ()) == 2
    record.do("turn", seat="ada")
    record.do("place", zone=1)
    record.do("place_noted", seat="ada", zone=1, card="gy")
    assert own_odds(record)[0].probability == 1, "red, blue and green"


def test_a_hand_shows_the_cards_that_are_held() -> None:
    record = launched()
    own = GAME.view(record.state, "ada").own
    assert own is not None
    assert own.hand == ("blue of yellow-blue", "green of yellow-green", "yellow of red-yellow")
    record.do("hand_noted", seat="ada", cards=["gy", "yr"])
    own = GAME.view(record.state, "ada").own
    assert own is not None
    assert (own.hand, own.placed) == (
        ("green of yellow-green", "yellow of red-yellow"),
        (((1,), ("blue of yellow-blue",)),),
    )
    assert own_odds(record)[0].probability == 0


def test_every_card_that_is_hidden_is_noted_once() -> None:
    record = launched()
    record.do("place_noted", seat="ada", zone=1, card="by")
    record.refuses("place_noted", "SF-10", seat="ada", zone=1, card="gy")


def test_of_a_zone_that_was_turned_up_and_not_entered_the_hidden_card_is_noted_first() -> None:
    record = round_of("rgb")
    record.do("hand_noted", seat="ada", cards=["rb", "by", "gy", "yr"])
    record.place(1, 2, 2)
    record.do("turn", seat="cleo")
    record.launch(1, satisfied=False)
    record.do("turn", seat="ada")
    record.place(1)
    record.do("place_noted", seat="ada", zone=1, card="gy")
    note = record.round.note("ada")
    assert note is not None
    assert [group.slots for group in note.groups] == [((1, 1),)]


def test_equal_questions_are_counted_once() -> None:
    record = round_of("ryg")
    record.place(1, 1, 1)
    asked = record.view.odds
    assert asked is not None
    assert asked.unseen is not None
    work_out(asked)
    before = chances.cache_info().hits
    chances(asked.unseen)
    assert chances.cache_info().hits == before + 1
