"""Physical AI cards and tokens (FS-33 to FS-43): the table names as little as the move needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from companion.games.fractured_sky.rules.ai import turning_instructions
from companion.games.fractured_sky.rules.powers import power_grids
from companion.games.fractured_sky.rules.standing import powers_of
from companion.rules.actions import with_keys
from companion.rules.components import Box, example
from tests.games.fractured_sky.playing import (
    BLACK,
    ORANGE,
    A,
    B,
    C,
    D,
    H,
    Record,
    a_map,
    all_placed,
    begun,
)

SQUARE = {
    "Torrential Tropics": (1, 1),
    "Dreadful Desert": (3, 3),
    "X Land": (3, 1),
    "Y Land": (1, 3),
}
TT, DD, XX, YY = "torrential-tropics", "dreadful-desert", "x-land", "y-land"


def on_the_square(places: Mapping[str, tuple[int, int] | None] = SQUARE, **options: str) -> Record:
    """Black's turn on a square of four regions without a Starfall."""
    record = begun("ada", TT, a_map(places), **options)
    record.showing(torrential_tropics=0)
    record.do("skimmer", seat="ada", region=TT)
    return record


def turns_up(record: Record, card: str) -> None:
    """An AI's turn: its card is named, its compass is not."""
    record.ai_card(card, done=False)


# -- a compass is asked for when it decides


def test_a_card_whose_compass_decides_nothing_is_named_by_its_kind_alone() -> None:
    record = on_the_square()
    record.showing(dreadful_desert=1)
    turns_up(record, "airship")
    assert (record.move.target, record.move.compass) == (DD, None)


def test_a_tie_asks_for_the_compass_and_the_large_star_may_settle_it() -> None:
    record = on_the_square()
    record.showing(dreadful_desert=1, x_land=1)
    turns_up(record, "airship")
    assert (record.move.target, record.move.ask, record.move.compass) == (None, (DD, XX), 0)
    asked = with_keys(record.game.awaiting(record.state))
    assert asked == "Where does AI black's Airship go? Press 2 3, or d to name the compass."
    assert "Type 2 3, or name the compass." in with_keys(
        record.game.awaiting(record.state), typed=True
    )
    sentence = record.do("ai_compass", ai=BLACK, stars=["S"])
    assert record.move.target == DD
    assert sentence == (
        "the compass points south; AI black: Airship to Dreadful Desert "
        "(tie broken by this card's compass: furthest south) (FS-36)"
    )


def test_what_is_still_tied_asks_for_the_next_star_and_without_one_the_leftmost_wins() -> None:
    record = on_the_square()
    turns_up(record, "airship")
    record.do("ai_compass", ai=BLACK, stars=["SE"])
    assert record.move.target == DD
    record = on_the_square()
    turns_up(record, "airship")
    record.do("ai_compass", ai=BLACK, stars=["S"])
    assert (record.move.ask, record.move.compass) == ((DD, YY), 0)
    record.do("ai_compass", ai=BLACK, whole=True)
    assert (record.move.target, record.move.reasons[-1].text) == (YY, "still tied: the leftmost")
    assert (record.move.card.stars, record.move.card.more) == (("S",), False)


def test_the_compass_of_the_card_before_is_asked_for_and_kept_with_that_card() -> None:
    record = on_the_square()
    record.showing(dreadful_desert=1)
    record.ai_card("airship")
    record.showing(dreadful_desert=0)
    record.do("turn", player=BLACK, reason="for the test")
    turns_up(record, "airship")
    assert record.move.reasons[-1].text == "tied: its previous card's compass decides"
    record.do("ai_compass", ai=BLACK, stars=["NE"])
    assert (record.move.target, record.now.turned[0].card.stars) == (XX, ("NE",))
    assert record.move.card.stars == ()


def test_stars_that_were_named_for_one_tie_serve_the_next() -> None:
    record = on_the_square()
    turns_up(record, "airship")
    record.do("ai_compass", ai=BLACK, stars=["SE"])
    record.do("ai_done")
    record.do("turn", player=BLACK, reason="for the test")
    turns_up(record, "airship")  # X and Y Land are as far south-east as each other
    assert (record.move.ask, record.move.compass) == ((XX, YY), 0)
    record.do("ai_compass", ai=BLACK, stars=["E"])
    assert (record.move.target, record.now.turned[0].card.stars) == (XX, ("SE", "E"))


def test_the_table_may_answer_a_tie_by_its_region_instead() -> None:
    record = on_the_square()
    turns_up(record, "airship")
    record.do("ai_choose", target=XX)
    record.do("ai_done")
    assert record.now.ships[-1].region == XX


@pytest.mark.parametrize(("star", "card"), [("W", "1"), ("SE", "3")])
def test_a_scout_asks_which_way_the_compass_points(star: str, card: str) -> None:
    record = with_three_cards()
    turns_up(record, "scout")
    assert (record.move.ask, record.move.compass) == (("1", "3"), 0)
    record.do("ai_compass", ai=BLACK, stars=["N"])
    assert record.move.compass == 0
    record.do("ai_compass", ai=BLACK, stars=[star])
    assert record.move.target == card


def test_a_scout_by_the_previous_card_asks_for_the_first_one_that_would_tell() -> None:
    record = with_three_cards("previous_card")
    record.ai_card("skimmer")
    record.do("turn", player=BLACK, reason="for the test")
    turns_up(record, "scout")
    record.do("ai_compass", ai=BLACK, stars=["N"])
    assert record.move.compass == 1  # its own: the large star before points neither way
    record.do("ai_compass", ai=BLACK, stars=["E"])
    assert (record.move.target, record.move.card.stars) == ("3", ("E",))


def with_three_cards(side: str = "next_star_then_leftmost") -> Record:
    """Round 3, black to move: three Hidden cards on the tray."""
    record = on_the_square(scout_compass_no_east_west=side)
    for number in (1, 2):
        record.place("ada", TT, XX, YY, slot=2)
        for ai in (BLACK, ORANGE):
            for _ in range(3):
                record.ai_card("airship", "E", "S", ai=ai)
        for card in range(1, number + 1):
            record.do("reveal", card=card, region=(DD, XX)[card - 1])
        for player in ("ada", BLACK, ORANGE):
            record.do("powers", player=player, chips=[1, 0, 0])
        record.do("round_end")
        record.do("public", region=TT)
    return record


def test_a_compass_that_nobody_asks_for_or_a_star_named_twice_is_refused() -> None:
    record = on_the_square()
    record.refuses("ai_compass", "FS-7", ai=BLACK, stars=["S"])
    turns_up(record, "airship")
    record.refuses("ai_compass", "FS-35", ai=BLACK)
    record.refuses("ai_compass", "FS-35", ai=BLACK, whole=True)
    record.refuses("ai_compass", "FS-35", ai=ORANGE, stars=["S"])
    record.do("ai_compass", ai=BLACK, stars=["S"])
    record.refuses("ai_compass", "FS-35", ai=BLACK, stars=["S"])
    record.do("ai_compass", ai=BLACK, stars=["E"])
    record.refuses("ai_compass", "FS-35", ai=BLACK, stars=["W"])


@pytest.mark.parametrize(
    ("geometry", "places"), [("table", SQUARE), ("projection", dict.fromkeys(SQUARE))]
)
def test_where_the_table_looks_for_itself_no_compass_is_asked_for(
    geometry: str, places: Mapping[str, tuple[int, int] | None]
) -> None:
    record = on_the_square(places, compass_geometry=geometry)
    turns_up(record, "airship")
    assert (record.move.ask, record.move.compass) == ((TT, DD, XX, YY), None)
    assert "AI black: Airship to Torrential Tropics, Dreadful Desert, " in record.sentences[-1]
    assert with_keys(record.game.awaiting(record.state)).endswith(" Airship go? Press 1 2 3 4.")
    assert record.move.reasons[-1].text.endswith(
        "the table finds which is furthest where this card's compass points"
    )
    record.press("answer.2", "next")
    record.do("turn", player=BLACK, reason="for the test")
    turns_up(record, "airship")
    assert record.move.reasons[-1].text.endswith(
        " furthest where its previous card's compass points"
    )


# -- a building where platforms are unknown (FS-38, FS-U4)


def bare(near_starfalls: str = "best_region") -> Record:
    """A solo game on the example map without its platforms."""
    box = Box(
        tuple(row for row in example("fractured-sky").rows if not row.table.startswith("platform_"))
    )
    record = begun("ada", B, box, near_starfalls=near_starfalls)
    record.do("skimmer", seat="ada", region=A)
    return record


def test_fs38_a_building_card_says_how_the_table_finds_the_platform() -> None:
    record = bare()
    record.do("map_platform", platform="4", regions=[A, B], places=2)
    record.ai_card("fortress", "SE", done=False)
    assert [reason.text for reason in record.move.reasons] == [
        "A: a free place next to the most Starfalls (1 in Brass Basin)",
        "B: the most bridges",
        "C: AI Advantage, no building yet",
        "D: this card's compass, furthest south-east",
        "not all platforms are known",
    ]
    prompt = with_keys(record.game.awaiting(record.state))
    assert prompt.startswith(
        "On which platform does AI black build its Fortress? Press 4, or o to enter another (k: none is free)."
    )
    record.press("answer.4", "next")
    record.do("turn", player=BLACK, reason="for the test")
    record.ai_card("market", done=False)
    assert record.move.reasons[2].text == (
        "C: AI Advantage, the most buildings bridged to its regions (there are some on 4)"
    )
    assert record.move.reasons[3].text == "D: its previous card's compass, furthest south-east"
    record.press("cannot")
    assert record.now.pending is None


@pytest.mark.parametrize(
    ("near", "sentence"),
    [
        ("best_region", "A: no Starfall shows, all are equal"),
        ("sum", "A: no Starfall shows, all are equal"),
    ],
)
def test_fs38_without_a_starfall_all_places_are_equal(near: str, sentence: str) -> None:
    record = bare(near_starfalls=near)
    record.showing(brass_basin=0)
    record.ai_card("fortress", done=False)
    assert record.move.reasons[0].text == sentence
    assert record.move.reasons[3].text == "D: furthest where this card's compass points"


def test_fs38_by_the_sum_no_single_region_is_named() -> None:
    record = bare(near_starfalls="sum")
    record.ai_card("fortress", done=False)
    assert (
        record.move.reasons[0].text
        == "A: a free place with the most Starfalls in all regions around it"
    )


# -- tokens (FS-33, FS-43)


def ended() -> Record:
    """All have placed, and the Hidden card is face up in H; Starfalls in A and H."""
    record = begun("ada")
    record.place("ada", A, B, C, slot=1)
    all_placed(BLACK, record)
    all_placed(ORANGE, record)
    record.do("reveal", card=1, region=H)
    return record


def test_fs33_the_tokens_that_sit_out_are_told_by_their_values_and_shown() -> None:
    record = begun("ada")
    assert record.do("ai_sits_out", ai=BLACK, tokens=["0/4", "2/6", "3/8"]) == (
        "AI black's unused tokens: 0/4, 2/6, 3/8 (FS-33)"
    )
    black = next(player for player in record.view().players if player.id == BLACK)
    assert black.sitting_out == ("0/4", "2/6", "3/8")
    record.do("ai_sits_out", ai=BLACK, tokens=["0/4", "2/6", "2/7"])
    record.refuses("ai_sits_out", "FS-33", ai=BLACK, tokens=["0/4", "0/4", "2/6"])


def test_fs43_a_token_that_sits_out_lies_under_no_airship() -> None:
    record = ended()
    record.do("ai_sits_out", ai=BLACK, tokens=["0/4", "2/6", "3/8"])
    record.refuses("ai_tokens", "FS-33", ai=BLACK, tokens=["3/8", "1/5", "1/6"])
    record.do("ai_tokens", ai=BLACK, tokens=["2/7", "1/5", "1/6"])
    assert sorted(record.now.decks[BLACK].tokens) == [1, 2, 3, 4, 5, 6]
    assert powers_of(record.state, BLACK) == (7, 1, 1)


def test_fs43_powers_that_the_table_enters_stand_for_the_tokens_and_for_what_is_told_of_them() -> (
    None
):
    record = ended()
    record.do("ai_tokens", ai=BLACK, tokens=["3/8", "0/4", "1/5"])
    texts = [step.text for step in record.resolution.steps if step.clause == "FS-43"]
    assert texts == ["AI black's token in Amber Atoll shows 8: highest in a Starfall region"]
    record.do("powers", player=BLACK, chips=[1, 2, 3])
    assert powers_of(record.state, BLACK) == (1, 2, 3)
    assert not [step for step in record.resolution.steps if step.clause == "FS-43"]


def test_once_the_game_is_over_nothing_more_is_told_of_its_last_round() -> None:
    record = begun("ada")
    record.do("scout", seat="ada", card=1)
    record.state = replace(record.state, finished=True)
    record.refuses("saw", "FS-18", seat="ada", where="hidden", number=1, region=B)
    record.refuses("ai_sits_out", "FS-30", ai=BLACK, tokens=["0/4", "2/6", "3/8"])
    record.refuses("ai_tokens", "FS-30", ai=BLACK, tokens=["0/4"])


def test_fs33_virtual_tokens_are_not_told_by_the_table() -> None:
    record = begun("ada", ai_cards="virtual")
    record.refuses("ai_sits_out", "FS-33", ai=BLACK, tokens=["0/4", "2/6", "3/8"])


def test_fsu7_without_values_the_tokens_that_sit_out_are_taken_as_told() -> None:
    box = example("fractured-sky")
    record = begun("ada", A, Box(tuple(row for row in box.rows if row.table != "token_black")))
    record.do("ai_sits_out", ai=BLACK, tokens=["9/9", "9/9", "1/2"])
    black = next(player for player in record.view().players if player.id == BLACK)
    assert black.sitting_out == ("9/9", "9/9", "1/2")


TWO, LOW = {"brass_basin": 2, "amber_atoll": 1}, {"ai_high_token_by": "low_value"}
THREE = {**TWO, "copper_crag": 1}
ALL = "Amber Atoll, Brass Basin, Copper Crag"


@pytest.mark.parametrize(
    ("starfalls", "options", "sentence"),
    [
        ({}, {}, "all low: none is in a Starfall region"),
        ({}, {"ai_none_eligible": "best_high"}, f"high: the highest high value in {ALL}; all others low"),
        ({"brass_basin": 2}, {}, "high in Brass Basin, else low"),
        (TWO, {}, "high: the highest high value in Amber Atoll, Brass Basin; all others low"),
        (TWO, LOW, "high: the highest low value in Amber Atoll, Brass Basin; all others low"),
        (TWO, {"difficulty": "hard"}, "high in Amber Atoll, Brass Basin, else low"),
        (THREE, {"difficulty": "hard"}, f"high: the 2 highest high values in {ALL}; all others low"),
    ],
)  # fmt: skip
def test_fs43_the_table_is_told_which_tokens_to_turn(
    starfalls: dict[str, int], options: dict[str, str], sentence: str
) -> None:
    record = begun("ada", D, None, **options)
    record.showing(dusty_downs=0)
    record.do("skimmer", seat="ada", region=D)
    for region in (A, B, C):
        record.ai_card("airship", "E", done=False)
        record.do("ai_choose", target=region, reason="for the test")
        record.do("ai_done")
    record.showing(**starfalls)
    assert turning_instructions(record.table, BLACK) == sentence


def test_fs43_what_is_awaited_says_which_tokens_to_turn() -> None:
    record = ended()
    record.do("powers", player="ada", chips=[1, 0, 0])
    prompt = with_keys(record.game.awaiting(record.state))
    assert prompt.startswith("Enter the powers under AI black's Airships (p). High: ")
    (grid,) = power_grids(record.view())
    assert BLACK in {seat for row in grid.rows for seat in row.missing}
