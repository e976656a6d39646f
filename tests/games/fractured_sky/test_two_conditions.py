"""Where two options meet, or an option and a second condition: by hand, what the random pairs are about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.fractured_sky.rules.ai import compass_cards, decide, turn_tokens
from companion.games.fractured_sky.rules.board import Card, board_of
from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.picture import region_site
from companion.games.fractured_sky.rules.public import CHIPS, Built, TurnedCard
from companion.games.fractured_sky.rules.resolution import trade
from companion.games.fractured_sky.rules.standing import table_of
from companion.rules.components import Box, example
from tests.games.fractured_sky.playing import (
    BLACK,
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    Record,
    a_map,
    begun,
    placed,
    three,
)


def powered(record: Record, *chips: int) -> Record:
    """A round of three, the Public Starfall in A: Ada stands in A, B and C with these chips, the others elsewhere."""
    placed(record, {"ada": (A, B, C), "bo": (D, E, F), "cleo": (D, E, G)})
    record.do("powers", player="ada", chips=list(chips))
    for seat in ("bo", "cleo"):
        record.do("powers", player=seat, chips=[0, 0, 1])
    return record


# -- powers and Markets: platform 2 is bridged to A, C and D


def test_a_market_pays_nothing_for_a_zero_chip_with_a_skimmer_though_its_power_is_one() -> None:
    record = three()
    record.do("skimmer", seat="ada", region=A)
    record.do("turn", player="ada", reason="for the test")
    record.do("build", seat="ada", building="market", platform="2")
    share = powered(record, 0, 2, 3).standing(A, "ada")
    assert (share.power, share.tier, share.markets) == (1, "starfalls", 0)
    assert record.standing(C, "ada").markets == 1


def test_a_market_pays_for_a_zero_chip_with_a_fortress() -> None:
    record = three()
    record.do("build", seat="ada", building="fortress", platform="2")
    record.do("turn", player="ada", reason="for the test")
    record.do("build", seat="ada", building="market", platform="2")
    share = powered(record, 0, 2, 3).standing(A, "ada")
    assert (share.power, share.markets) == (1, 1)


@pytest.mark.parametrize(("floor", "power", "markets"), [("zero", 1, 1), ("negative", 0, 0)])
def test_a_market_pays_for_a_chip_below_zero_only_where_a_fortress_makes_up_for_it(
    floor: str, power: int, markets: int
) -> None:
    record = three(excess_floor=floor)
    for building in ("fortress", "market"):
        record.do("turn", player="ada", reason="for the test")
        record.do("build", seat="ada", building=building, platform="2")
    share = powered(record, 1, 8, 3).standing(A, "ada")  # 12 in all: 1 - 2 + 1
    assert (share.power, share.markets) == (power, markets)


def test_an_airship_of_zero_takes_its_skimmers_out_and_a_skimmer_alone_counts() -> None:
    record = three(zero_airship_plus_skimmer="out")
    for region in (A, H):
        record.do("turn", player="ada", reason="for the test")
        record.do("skimmer", seat="ada", region=region)
    powered(record, 0, 2, 3)
    assert (record.standing(A, "ada").power, record.standing(A, "ada").tier) == (0, "out")
    assert (record.standing(H, "ada").power, record.standing(H, "ada").tier) == (1, "starfalls")


@pytest.mark.parametrize("fate", ["stays", "discarded"])
def test_starfalls_over_an_airship_that_is_out_with_its_skimmer_go_as_those_over_any_zero(
    fate: str,
) -> None:
    record = three(zero_airship_plus_skimmer="out", unawarded_with_zero_power=fate)
    record.do("skimmer", seat="ada", region=A)
    powered(record, 0, 2, 3)
    assert record.region(A).left == (1 if fate == "stays" else 0)
    assert record.region(H).left == 1, "where nobody stands they stay"


@pytest.mark.parametrize(
    ("count", "sentence"), [(1, "1 Starfall stays in"), (2, "2 Starfalls stay in")]
)
def test_starfalls_that_nobody_took_are_said_to_stay(count: int, sentence: str) -> None:
    record = three()
    record.do("adjust", counter="region", of=A, value=count, reason="for the test")
    powered(record, 0, 2, 3)
    assert [step.text for step in record.region(A).steps if step.clause == "FS-28"] == [
        f"{sentence} Amber Atoll"
    ]


def test_two_airships_in_one_region_add_up_and_wake_a_fortress_and_a_market_once() -> None:
    record = three(one_airship_per_region="no")
    for building in ("fortress", "market"):
        record.do("turn", player="ada", reason="for the test")
        record.do("build", seat="ada", building=building, platform="2")
    placed(record, {"ada": (A, A, B), "bo": (D, E, F), "cleo": (D, E, G)})
    record.do("powers", player="ada", chips=[2, 3, 1])
    for seat in ("bo", "cleo"):
        record.do("powers", player=seat, chips=[0, 0, 1])
    share = record.standing(A, "ada")
    assert (share.chip, share.fortresses, share.power, share.markets) == (5, 1, 6, 1)


@pytest.mark.parametrize(("floor", "power"), [("zero", 5), ("negative", 4)])
def test_two_chips_in_one_region_are_each_lowered_and_neither_below_zero_where_zero_is_the_floor(
    floor: str, power: int
) -> None:
    record = three(one_airship_per_region="no", excess_floor=floor)
    placed(record, {"ada": (A, A, B), "bo": (D, E, F), "cleo": (D, E, G)})
    record.do("powers", player="ada", chips=[0, 6, 5])  # 11 in all
    for seat in ("bo", "cleo"):
        record.do("powers", player=seat, chips=[0, 0, 1])
    assert record.standing(A, "ada").power == power


# -- Objectives


def test_where_the_objective_is_scored_as_it_is_flipped_it_can_be_corrected_while_cards_are_face_down() -> (
    None
):
    record = three(objective_scored="at_flip", objective_nobody="table")
    for slot, (seat, regions) in enumerate(
        {"ada": (A, B, C), "bo": (D, E, F), "cleo": (D, E, G)}.items(), start=1
    ):
        record.place(seat, *regions, slot=slot)
    assert record.phase == "objective"
    record.refuses("objective", "FS-22")
    record.do("objective", players=["cleo", "bo"])
    assert record.phase == "hidden"
    record.do("objective", reason="nobody, after all")
    assert record.now.objective == ()


def test_with_an_ai_the_objective_waits_for_the_powers_whatever_the_option_says() -> None:
    record = begun("ada bo", objective_scored="at_flip")
    for _ in range(3):
        record.ai_card("airship", "E", "S")
    record.place("ada", A, B, C, slot=2)
    record.place("bo", D, E, F, slot=3)
    assert record.phase == "hidden"


# -- Market cards: the example's trade at 4 with medium, at 3 with hard


@pytest.mark.parametrize(
    ("options", "card_and_starfalls"),
    [
        ({}, (1, 0)),  # easy: no Market card, the yield is lost
        ({"ai_market_card": "yes"}, (0, 1)),  # an easy one trades by medium's number
        ({"ai_market_card": "yes", "market_trade_rest": "kept"}, (3, 1)),
        (
            {"ai_market_card": "yes", "ai_market_number": "hard", "market_trade_rest": "kept"},
            (1, 2),
        ),
        ({"difficulty": "hard", "market_trade_rest": "kept"}, (1, 2)),
        ({"difficulty": "hard"}, (0, 1)),
        ({"difficulty": "hard", "ai_market_number": "medium", "market_trade_rest": "kept"}, (3, 1)),
        ({"difficulty": "hard", "ai_market_card": "no"}, (1, 0)),
    ],
)
def test_a_yield_of_six_on_a_card_with_one_trades_by_the_number_that_the_ais_parts_come_to(
    options: dict[str, str], card_and_starfalls: tuple[int, int]
) -> None:
    assert trade(begun("ada bo", A, None, **options).state, 1, 6) == card_and_starfalls


# -- the AIs


def on_cards(*cards: tuple[bool, str, Card], **options: str) -> tuple[str, ...]:
    """The stars in their order that settle a tie of the black AI, these cards having been turned up: done or not, by
    which AI."""
    state = begun("ada", A, None, **options).state
    table = replace(
        table_of(state), turned=tuple(TurnedCard(f"@{ai}", card, done) for done, ai, card in cards)
    )
    return compass_cards(table, BLACK, Card("airship", ("N",)))[0].stars


def test_of_either_ais_cards_the_last_that_was_carried_out_settles_a_tie_where_both_options_say_so() -> (
    None
):
    cards = (
        (True, "black", Card("scout", ("E",))),
        (True, "orange", Card("scout", ("S",))),
        (False, "orange", Card("scout", ("W",))),
        (False, "black", Card("scout", ("NW",))),
    )
    assert on_cards(*cards) == ("NW",)
    assert on_cards(*cards, compass_after_skip="carried_out") == ("E",)
    assert on_cards(*cards[:3], compass_card_owner="last_ai_card") == ("W",)
    assert on_cards(
        *cards, compass_card_owner="last_ai_card", compass_after_skip="carried_out"
    ) == ("S",)


def test_of_several_large_stars_the_first_alone_comes_before_the_others_as_printed_where_it_is_said_so() -> (
    None
):
    card = (True, "black", Card("scout", ("N", "E", "S"), large=("E", "S")))
    assert on_cards(card) == ("E", "S", "N")
    assert on_cards(card, several_large_stars="first_only") == ("E", "N", "S")


@pytest.mark.parametrize(("advantage", "airship", "market"), [("own", A, "1"), ("all", A, "2")])
def test_everybodys_buildings_draw_an_ais_buildings_and_not_its_airships(
    advantage: str, airship: str, market: str
) -> None:
    """Black has a Fortress on platform 1, bridged to Amber Atoll; Bo has two on platform 2, bridged to Brass Basin."""
    box = a_map({"Amber Atoll": (1, 0), "Brass Basin": (0, 0), "Copper Crag": (2, 9)},
                {"1": (["Amber Atoll"], 9), "2": (["Brass Basin"], 9)})  # fmt: skip
    record = begun("ada bo", C, box, advantage_buildings=advantage)
    built = (
        Built(BLACK, "fortress", "1"),
        Built("bo", "fortress", "2"),
        Built("bo", "fortress", "2"),
    )
    table = replace(table_of(record.state), buildings=built, starfalls={})
    assert decide(table, BLACK, Card("airship", ("S",)), frozenset({C})).target == airship
    assert decide(table, BLACK, Card("market", ("S",))).target == market


@pytest.mark.parametrize(("tokens", "powers"), [("1", (0, 8, 2)), ("2", (0, 8, 7))])
def test_where_no_token_is_in_a_starfall_region_as_many_as_the_difficulty_has_are_turned_high(
    tokens: str, powers: tuple[int, ...]
) -> None:
    record = begun("ada", ai_none_eligible="best_high", ai_high_tokens=tokens)
    table = replace(table_of(record.state), starfalls={H: 1})
    turned = turn_tokens(table, [(A, 1), (B, 6), (C, 5)], record.state.board.tokens["black"], ())
    assert turned is not None
    assert tuple(token.power for token in turned) == powers


@pytest.mark.parametrize(
    ("previous", "target"), [("next_star_then_leftmost", "2"), ("previous_card", "1")]
)
def test_a_large_star_that_points_neither_way_is_followed_by_the_next_star_or_by_the_card_before(
    previous: str, target: str
) -> None:
    state = begun("ada", scout_compass_no_east_west=previous).state
    turned = (
        TurnedCard(BLACK, Card("airship", ("W",)), carried_out=True),
        TurnedCard(BLACK, Card("airship", ("E", "N"), large=("N",)), carried_out=True),
    )
    table = replace(table_of(state), hidden=(None, None), turned=turned)
    assert decide(table, BLACK, Card("scout", ("N",))).target == target


# -- the box


def test_the_chips_that_are_counted_with_are_those_of_the_box() -> None:
    assert begun("ada").state.board.chips == CHIPS


def test_a_box_that_counts_neither_skimmers_nor_starfalls_has_those_of_the_rules() -> None:
    known = [row for row in example("fractured-sky").rows if row.table != "count"]
    board = board_of(Box(tuple(known)), "eight")
    assert (board.ai_skimmers, board.starfall_tokens) == (2, 28)


def test_a_region_without_known_resources_says_so_on_the_map() -> None:
    unknown = Box(tuple(row for row in example("fractured-sky").rows if row.table != "region"))
    site = region_site(begun("ada", A, unknown).view(), C)
    assert site.words[0] == site.lines[0] == "resources unknown"
    known = region_site(begun("ada", A).view(), C)
    assert known.words[0] == known.lines[0] == "Gold, Iron"


def test_a_correction_that_a_waiting_move_comes_or_goes_with_says_nothing_of_it() -> None:
    record = begun("ada bo")
    without = record.state
    record.ai_card("airship", "E", "S", done=False)
    assert GAME.follows is not None
    assert GAME.follows(without, record.state) == ""
    assert GAME.follows(record.state, without) == ""
