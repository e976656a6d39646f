"""FS-1 to FS-18: setting up, and what seats do on their turns."""

from __future__ import annotations

import pytest

from companion.games.fractured_sky.rules import fold as rules
from companion.games.fractured_sky.rules.standing import tokens_in_play
from companion.rules.facts import Refused, Setup
from companion.rules.seats import seats_from_names
from tests.games.fractured_sky.playing import (
    BLACK,
    ORANGE,
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    Record,
    begun,
    placed,
    three,
)


@pytest.mark.parametrize(
    ("seats", "ais", "regions"),
    [("a", 2, 8), ("a b", 1, 8), ("a b c", 0, 8), ("a b c d", 0, 10), ("a b c d e", 0, 10)],
)
def test_fs31_fsu8_the_number_of_seats_sets_ais_and_the_side_of_the_board(
    seats: str, ais: int, regions: int
) -> None:
    record = Record(seats)
    assert len(record.state.ais) == ais
    assert len(record.state.board.regions) == regions


def test_six_seats_are_too_many() -> None:
    with pytest.raises(
        Refused, match=r"FS-31: 6 seats were named\. Fractured Sky needs 1 to 5 players"
    ):
        Record("a b c d e f")


def test_another_version_of_the_rules_is_refused() -> None:
    with pytest.raises(Refused, match="RULES"):
        rules.start(Setup("fractured-sky", 99, seats_from_names(["ada"])))


def test_fs4_slot_one_then_clockwise_then_the_ais() -> None:
    record = Record("ada bo")
    record.do("first", seat="bo")
    assert record.now.order == ("bo", "ada", "@black")


def test_fs4_fs31_an_ai_that_covers_gold_at_setup_puts_it_on_its_market_card() -> None:
    record = begun("ada bo", difficulty="medium")
    assert record.now.order[2] == "@black"
    assert record.state.market_cards == {"@black": 1}


def test_fs32_without_a_market_card_its_gold_is_lost() -> None:
    record = begun("ada bo", difficulty="easy")
    assert record.state.market_cards.get("@black", 0) == 0
    assert record.view().players[2].market_card is None


def test_fs6_the_public_card_puts_a_starfall_and_hidden_cards_lie_face_down() -> None:
    record = three(public=C)
    assert record.state.starfalls == {C: 1}
    assert record.now.hidden == (None,)
    assert record.now.unused == 7


def test_fs6_nobody_moves_before_the_public_card() -> None:
    record = Record("ada bo cleo")
    record.do("first", seat="ada")
    record.refuses("airship", "FS-6", seat="ada", region=A)


def test_fs7_turns_go_in_the_order_of_the_row() -> None:
    record = three()
    assert record.mover == "ada"
    record.do("airship", seat="ada", region=A)
    assert record.mover == "bo"
    assert record.refuses("airship", "FS-7", seat="ada", region=B).do == "Wait for bo."


def test_fs7_who_is_done_is_skipped() -> None:
    record = three()
    record.place("ada", A, B, C, slot=2)
    record.do("airship", seat="bo", region=A)
    record.do("airship", seat="cleo", region=A)
    assert record.mover == "bo"


def test_fs8_the_first_airship_in_a_region_explores_and_draws() -> None:
    record = three()
    sentence = record.do("airship", seat="ada", region=B)
    assert "on the Explore slot, and draws a Hidden card; 6 left" in sentence
    record.do("airship", seat="bo", region=B)
    assert [ship.explore for ship in record.now.ships] == [True, False]
    assert record.now.draws == ("ada",)


def test_fs8_an_empty_unused_pile_gives_no_card() -> None:
    record = three()
    record.do("adjust", counter="unused", value=0, reason="counted")
    assert "the unused pile is empty" in record.do("airship", seat="ada", region=B)
    assert record.now.draws == ()


def test_fs9_three_airships_go_to_three_regions() -> None:
    record = three()
    record.place("ada", A)
    record.do("turn", player="ada", reason="for the test")
    record.refuses("airship", "FS-9", seat="ada", region=A)


def test_fs9_a_table_may_let_them_share_a_region() -> None:
    record = three(one_airship_per_region="no")
    record.place("ada", A, A)
    assert [ship.explore for ship in record.now.ships] == [True, False]


def test_fs10_the_third_airship_takes_a_slot_with_its_gold() -> None:
    record = three()
    record.place("ada", A, B, C)
    assert record.phase == "slot"
    assert "takes turn slot 3, 1 Gold and is done" in record.do("slot", seat="ada", slot=3)
    record.place("bo", A, B, C)
    record.refuses("slot", "FS-10", seat="bo", slot=3)


def test_fs10_there_are_as_many_slots_as_players() -> None:
    record = three()
    record.place("ada", A, B, C)
    record.refuses("slot", "FS-10", seat="ada", slot=4)


def test_fs10_nobody_else_takes_a_slot() -> None:
    record = three()
    record.place("ada", A, B, C)
    record.refuses("slot", "FS-10", seat="bo", slot=1)


def test_fs12_a_platform_without_a_free_place_is_refused() -> None:
    record = three()
    for seat in ("ada", "bo"):
        record.do("build", seat=seat, building="fortress", platform="1")
    assert "no free place" in str(
        record.refuses("build", "FS-12", seat="cleo", building="market", platform="1")
    )


def test_fs12_building_says_what_it_costs() -> None:
    record = three()
    assert record.do("build", seat="ada", building="market", platform="3").endswith(
        "for 1 Gold + 2 Wood (FS-12)"
    )


def test_fsu4_an_unknown_platform_is_asked_for() -> None:
    record = three()
    assert "no platform 'x' is known" in str(
        record.refuses("build", "FS-U4", seat="ada", building="market", platform="x")
    )


def test_fsu4_the_table_enters_a_platform_and_builds_on_it() -> None:
    record = three()
    record.do("map_platform", platform="x", regions=[A, H], places=1)
    record.do("build", seat="ada", building="market", platform="x")
    assert record.state.board.bridges[H][-1].id == "x"


def test_fs2_a_seat_has_five_of_each_piece() -> None:
    record = begun("ada bo cleo")
    for place in range(5):
        record.do("turn", player="ada", reason="for the test")
        record.do("skimmer", seat="ada", region=(A, B, C, D, E)[place])
    record.do("turn", player="ada", reason="for the test")
    record.refuses("skimmer", "FS-2", seat="ada", region=A)


def test_fs12_skimmers_stack_unless_the_table_says_one_for_each_region() -> None:
    stacked, single = three(), three(skimmer_stack="one_per_region")
    for record in (stacked, single):
        record.do("skimmer", seat="ada", region=A)
        record.do("turn", player="ada", reason="for the test")
    stacked.do("skimmer", seat="ada", region=A)
    single.refuses("skimmer", "FS-12", seat="ada", region=A)
    single.do("skimmer", seat="ada", region=B)


def test_fs16_a_seat_scouts_a_card_once_and_marks_what_it_took() -> None:
    record = three()
    record.do("scout", seat="ada", card=1, resource="wood")
    assert record.now.marks[0].resource == "wood"
    record.do("scout", seat="bo", card=1, resource="wood")
    record.do("turn", player="ada", reason="for the test")
    record.refuses("scout", "FS-16", seat="ada", card=1)


def test_fs6_there_are_as_many_hidden_cards_as_rounds_so_far() -> None:
    record = three()
    record.refuses("scout", "FS-6", seat="ada", card=2)


def test_fs16_what_was_taken_and_is_not_there_is_said_when_the_card_is_revealed() -> None:
    record = three()
    record.do("scout", seat="ada", card=1, resource="wood")
    placed(record, {"ada": (A, B, C), "bo": (A, B, C), "cleo": (A, B, C)}, hidden=())
    sentence = record.do("reveal", card=1, region=F)
    assert "Wood was taken from it, which the region does not have" in sentence


def test_fs12_a_skimmer_stands_on_no_explore_slot() -> None:
    record = three()
    record.do("skimmer", seat="ada", region=B)
    record.do("airship", seat="bo", region=B)
    assert record.now.ships[0].explore
    assert record.now.draws == ("bo",)


def test_fs29_a_marker_on_an_objective_stays_for_the_next_rounds() -> None:
    record = three()
    record.do("peek", seat="ada", card=5)
    placed(record, dict.fromkeys(("ada", "bo", "cleo"), (A, B, C)))
    for seat in ("ada", "bo", "cleo"):
        record.do("powers", player=seat, chips=[1, 0, 0])
    record.do("objective")
    record.do("round_end")
    record.do("public", region=A)
    record.refuses("peek", "FS-17", seat="ada", card=5)


@pytest.mark.parametrize(
    ("options", "ais"),
    [
        ({}, [BLACK, ORANGE]),
        ({"ai_color": "orange"}, [ORANGE, BLACK]),
        ({"ai_color": "orange", "ai_order": "black_first"}, [BLACK, ORANGE]),
    ],
)
def test_fs31_the_ai_to_the_left_plays_first_or_black_does(
    options: dict[str, str], ais: list[str]
) -> None:
    record = begun("ada", A, None, **options)
    assert list(record.now.order) == ["ada", *ais]


@pytest.mark.parametrize("color", ["black", "orange"])
@pytest.mark.parametrize("order", ["as_seated", "black_first"])
def test_fs31_with_two_players_the_ai_has_either_color(color: str, order: str) -> None:
    record = begun("ada bo", ai_color=color, ai_order=order)
    assert list(record.state.ais) == [f"@{color}"]
    record.ai_card("airship", "E", ai=f"@{color}")


def test_fs17_a_peek_at_a_card_that_lies_face_up_is_refused() -> None:
    record = three()
    record.do("peek", seat="ada", card=5)
    record.do("turn", player="ada", reason="for the test")
    record.refuses("peek", "FS-17", seat="ada", card=5)
    assert record.state.watched == (("ada", 5),)


def test_fs5_the_solo_game_has_no_objectives_and_no_peek() -> None:
    record = begun()
    record.refuses("peek", "FS-5", seat="ada", card=1)


def test_fs1_beyond_28_tokens_the_companion_counts_on_and_says_so() -> None:
    record = three()
    record.showing(**{"copper_crag": 40})
    assert tokens_in_play(record.state) == 41
    assert any("count on without tokens (FS-1)" in note for note in record.view().notes)


def test_an_unknown_region_is_named_with_those_there_are() -> None:
    record = three()
    assert "amber-atoll" in str(record.refuses("airship", "FS-U8", seat="ada", region="atlantis"))


def test_fst3_the_table_calls_a_turn_and_the_order_goes_on_from_there() -> None:
    record = three()
    record.do("turn", player="cleo", reason="bo is making tea")
    record.do("skimmer", seat="cleo", region=G)
    assert record.mover == "ada"
