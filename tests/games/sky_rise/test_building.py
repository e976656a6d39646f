"""SR-4 to SR-9: floors, pyramids and their points, forced placement and passing."""

from __future__ import annotations

import pytest

from companion.rules.facts import Refused
from tests.games.sky_rise.playing import QUIET, Record


@pytest.mark.parametrize(
    ("players", "cards", "places"), [(2, 6, 12), (3, 6, 12), (4, 9, 16), (5, 9, 16)]
)
def test_sr5_and_sr6_a_floor_has_6_cards_and_12_corners_or_9_and_16(
    players: int, cards: int, places: int
) -> None:
    grid = Record(players).state.plan.grid
    assert (len(grid.cells), len(grid.places)) == (cards, places)


def test_sr5_one_card_a_turn_clockwise_and_back_to_three_from_the_pile() -> None:
    record = Record(3)
    record.do("card", place="a1", suit="hearts")
    assert (record.view.due, record.view.pile, record.seat("ada").hand) == ("bo", 38, 3)
    record.do("card", place="b1", suit="spades")
    assert (record.view.due, record.view.pile) == ("cleo", 37)


def test_sr5_a_cell_takes_one_card() -> None:
    record = Record(2)
    record.do("card", place="a1", suit="hearts")
    assert (
        "b1, c1, a2, b2, c2" in record.refuses("card", "SR-5", place="a1", suit="spades").expected
    )


def test_a_piece_that_is_not_due_is_refused_with_the_open_question() -> None:
    record = Record()
    record.floor()
    with pytest.raises(Refused) as refused:
        record.do("card", place="a1", suit="hearts")
    asked = record.state.setup.seats[0].name
    assert refused.value.reason == "the floor is laid"
    assert refused.value.do.startswith(f"{asked}, place a large pyramid")


def test_sr5_the_small_floor_has_no_third_row() -> None:
    Record(3).refuses("card", "SR-5", place="a3", suit="hearts")
    Record(4).do("card", place="a3", suit="hearts")


def test_sr5_nobody_lays_a_card_out_of_turn_unless_the_table_says_so() -> None:
    record = Record(3)
    record.refuses("card", "SR-5", place="a1", suit="hearts", seat="bo")
    record.do("card", place="a1", suit="hearts", seat="bo", reason="Bo was faster")
    assert record.view.due == "cleo"


def test_sr4_any_cell_will_do_by_default() -> None:
    record = Record(2)
    record.do("card", place="a1", suit="hearts")
    record.do("card", place="c2", suit="hearts")
    assert len(record.level.cards) == 2


def test_sr4_adjacent_to_laid_wants_a_cell_beside_a_card() -> None:
    record = Record(2, floor_cell="adjacent_to_laid")
    record.do("card", place="a1", suit="hearts")
    record.refuses("card", "SR-4", place="b2", suit="hearts")
    record.do("card", place="b1", suit="hearts")
    record.do("card", place="b2", suit="hearts")
    record.do("card", place="c1", suit="spades", reason="we allowed it")


def test_sr6_pyramids_follow_when_the_floor_is_full_and_left_of_the_last_card_begins() -> None:
    record = Record(4)
    record.refuses("pyramid", "SR-6", place="a1", color="red")
    record.floor()
    assert (record.view.phase, record.view.due) == ("pyramids", "bo")  # the ninth card was Ada's
    record.refuses("card", "SR-5", place="a1", suit="hearts")


def test_sr6_left_of_the_last_card_counts_when_that_was_out_of_turn() -> None:
    record = Record(3)
    for cell in ("a1", "b1", "c1", "a2", "b2"):
        record.do("card", place=cell, suit="hearts")
    record.do("card", place="c2", suit="hearts", seat="ada", reason="out of turn")
    assert record.view.due == "bo"


def test_sr6_round_1_takes_large_round_2_medium_round_3_small_pyramids() -> None:
    record = Record(2)
    sizes = []
    for _ in range(3):
        record.floor()
        sizes.append(record.view.size)
        record.pyramids(QUIET)
    assert sizes == ["large", "medium", "small"]
    assert {placed.size for placed in record.state.levels[1].pyramids} == {"medium"}


def test_sr6_another_size_is_refused_unless_the_table_says_so() -> None:
    record = Record(2)
    record.floor()
    record.refuses("pyramid", "SR-6", place="a1", color="red", size="small")
    record.do("pyramid", place="a1", color="red", size="large")
    record.do("pyramid", place="b1", color="red", size="small", reason="a wrong one, too late")
    assert record.view.colors[0].stock == (2, 3, 2)


def test_sr6_the_small_grid_has_no_fourth_row() -> None:
    record = Record(2)
    record.floor()
    assert "a1 to d3" in record.refuses("pyramid", "SR-6", place="a4", color="red").do


def test_sr7_a_corner_takes_one_pyramid() -> None:
    record = Record(2)
    record.floor()
    record.do("pyramid", place="a1", color="red")
    record.refuses("pyramid", "SR-7", place="a1", color="blue")


def test_sr7_the_turn_goes_on_with_each_pyramid() -> None:
    record = Record(3)
    record.floor()
    turns = []
    for place in ("a1", "b1", "c1", "d1"):
        turns.append(record.view.due)
        record.do("pyramid", place=place, color="red" if place != "d1" else "blue")
    assert turns == ["ada", "bo", "cleo", "ada"]


def test_sr1_there_is_no_fourth_pyramid_of_a_color_and_size_whatever_the_table_says() -> None:
    record = Record(2)
    record.floor()
    record.pyramids("RRR. .... ....")
    record.refuses("pyramid", "SR-1", place="d1", color="red")
    record.refuses("pyramid", "SR-1", place="d1", color="red", reason="but we have one")


def test_sr1_a_color_that_is_not_in_play_is_refused() -> None:
    record = Record(2)
    record.floor()
    assert (
        "red, yellow, green, blue or opaque"
        in record.refuses("pyramid", "SR-1", place="a1", color="pink").expected
    )


def test_sr7_an_own_opaque_pyramid_of_the_levels_size_may_be_placed() -> None:
    record = Record(2, opaque_sizes="by_trio")
    record.floor()
    assert record.seat("ada").opaque_sizes == (2, 1, 1)
    record.do("pyramid", place="a1", color="opaque")
    assert record.seat("ada").opaque_sizes == (1, 1, 1)
    assert record.seat("ada").opaque == 3


def test_sr7_nobody_places_an_opaque_pyramid_of_a_size_that_is_gone() -> None:
    record = Record(3, opaque_sizes="by_trio")
    record.floor()
    record.do("pyramid", place="a1", color="opaque")
    record.pyramids("..RR .... ....")
    record.refuses("pyramid", "SR-7", place="d2", color="opaque")
    record.do("pyramid", place="d2", color="opaque", reason="Ada had two large ones after all")


def test_sr7_who_can_place_must() -> None:
    record = Record(2)
    record.floor()
    assert "can place a large pyramid" in record.refuses("pass", "SR-7").reason
    record.do("pass", reason="Ada went for coffee")
    assert record.view.due == "bo"


def test_sr7_there_is_nothing_to_pass_on_a_floor() -> None:
    Record(2).refuses("pass", "SR-7")


def test_sr7_who_has_nothing_to_place_passes_by_itself() -> None:
    record = Record(4, opaque_sizes="by_trio")
    # large, medium, small of Ada (1, 1, 0), Bo (1, 0, 1), Cleo (0, 1, 1), Dan (1, 1, 1)
    record.floor()
    # 15 translucent large ones; the 16th corner has to be opaque
    record.pyramids("RRRY YYGG GBBB PPP.")
    # Bo, left of the last card, placed first; the sixteenth turn is Ada's, and Ada has a large one.
    assert record.view.due == "ada"
    record.refuses("pass", "SR-7")
    record.do("pyramid", place="d4", color="opaque")
    assert record.view.level == 2


def test_sr7_the_turn_passes_over_whoever_has_no_opaque_pyramid_of_the_size() -> None:
    record = Record(4)
    for seat, sizes in {
        "ada": (0, 2, 0),
        "bo": (0, 0, 2),
        "cleo": (1, 1, 0),
        "dan": (2, 0, 1),
    }.items():
        record.do("opaque", seat=seat, large=sizes[0], medium=sizes[1], small=sizes[2])
    record.floor()
    record.pyramids("RRRY YYGG GBBB PP..")
    text = record.do("pyramid", place="c4", color="purple")
    assert "Ada, Bo have nothing to place (SR-7)".casefold() in text.casefold()
    assert record.view.due == "cleo"
    assert record.level.skipped == ("ada", "bo")


def test_sr7_while_sizes_are_not_entered_the_table_says_who_passes() -> None:
    record = Record(4)
    record.floor()
    record.pyramids("RRRY YYGG GBBB PPP.")
    assert record.view.due == "ada"
    record.do("pass")
    assert record.view.due == "bo"
    record.do("pyramid", place="d4", color="opaque")
    assert record.view.level == 2


def test_sr1_at_least_one_opaque_pyramid_is_forced_on_each_level_of_four_players() -> None:
    record = Record(4)
    for _ in range(3):
        record.floor()
        record.pyramids("RRRY YYGG GBBB PPP.")
        record.refuses("pyramid", "SR-1", place="d4", color="red")
        record.place("d4", "opaque")
    assert record.view.phase == "roof"


# -- what a pyramid scores (SR-8, SR-9): the floor is
#      hearts   spades   diamonds
#      clubs    hearts   spades


@pytest.mark.parametrize(
    ("place", "color", "points"),
    [
        ("a1", "red", 1),  # a corner of the grid touches one card
        ("b1", "red", 1),  # an edge touches two: hearts, spades
        ("b1", "yellow", 1),
        ("b1", "green", 0),
        ("b2", "red", 2),  # the middle touches four: hearts, spades, clubs, hearts
        ("b2", "yellow", 1),
        ("b2", "blue", 1),
        ("c2", "yellow", 2),  # spades, diamonds, hearts, spades
        ("d3", "yellow", 1),
        ("d3", "red", 0),
    ],
)
def test_sr8_one_point_for_each_touching_card_of_the_pyramids_suit(
    place: str, color: str, points: int
) -> None:
    record = Record(2)
    record.floor("hsd chs")
    record.do("pyramid", place=place, color=color)
    assert record.placed(place) == points
    assert record.points == {"ada": points, "bo": 0}


def test_sr8_a_corner_between_four_cards_of_one_suit_scores_four() -> None:
    record = Record(2)
    record.floor("hhs hhs")
    record.do("pyramid", place="b2", color="red")
    assert record.placed("b2") == 4


@pytest.mark.parametrize(("place", "points"), [("a1", 1), ("b1", 2), ("b2", 3), ("c2", 3)])
def test_sr9_an_opaque_pyramid_scores_each_different_suit_once(place: str, points: int) -> None:
    record = Record(2)
    record.floor("hsd chs")
    record.do("pyramid", place=place, color="opaque")
    assert record.placed(place) == points


def test_sr9_four_different_suits_are_four_points_and_four_alike_are_one() -> None:
    record = Record(2)
    record.floor("hsh dch")
    record.do("pyramid", place="b2", color="opaque")
    assert record.placed("b2") == 4
    record = Record(2)
    record.floor("hhs hhs")
    record.do("pyramid", place="b2", color="opaque")
    assert record.placed("b2") == 1


def test_sr8_the_points_go_to_the_placer_and_name_the_cards() -> None:
    record = Record(2)
    record.floor("hsd chs")
    text = record.do("pyramid", place="b2", color="red")
    assert text == "ada places a large red pyramid at b2: 2 points for hearts a1, b2 (SR-8)"
    text = record.do("pyramid", place="c2", color="opaque")
    assert (
        text
        == "bo places a large opaque pyramid at c2: 3 points for spades b1, diamonds c1, hearts b2 (SR-9)"
    )
    assert record.points == {"ada": 2, "bo": 3}


def test_sr8_a_place_that_scores_need_not_be_chosen() -> None:
    record = Record(2)
    record.floor("hsd chs")
    assert record.do("pyramid", place="d3", color="red").endswith("no points (SR-8)")


def test_sr8_a_suit_assigned_to_another_color_scores_for_that_color() -> None:
    record = Record(2)
    record.do("assign", suit="hearts", color="blue")
    record.floor("hsd chs")
    record.do("pyramid", place="b2", color="blue")
    assert record.placed("b2") == 2


def test_sr8_the_view_says_what_each_color_would_score_at_a_free_corner() -> None:
    record = Record(2)
    record.floor("hsd chs")
    b2 = next(corner for corner in record.view.levels[0].corners if corner.place == "b2")
    assert dict(b2.offers) == {"red": 2, "yellow": 1, "green": 0, "blue": 1, "opaque": 3}
    record.do("pyramid", place="b2", color="red")
    b2 = next(corner for corner in record.view.levels[0].corners if corner.place == "b2")
    assert b2.offers == ()
    assert b2.pieces[0].cards == ("a1", "b2")


def test_sr10_the_last_pyramid_of_a_level_completes_it_and_says_what_the_colors_score() -> None:
    record = Record(2)
    record.floor()
    record.pyramids("RRYY GGBB RYG.")
    text = record.do("pyramid", place="d3", color="blue")
    assert "level 1 is complete: red 4, yellow 4, green 4, blue 6 (SR-10)" in text
    assert record.view.phase == "floor"
    assert record.view.level == 2


def test_sr7_whose_sizes_are_not_entered_has_none_of_a_size_that_others_hold() -> None:
    record = Record(3)
    record.do("opaque", seat="ada", large=2, medium=1, small=0)
    record.do("opaque", seat="bo", large=1, medium=1, small=1)
    assert record.seat("cleo").opaque_sizes == (0, None, None)
