"""SR-T1 to SR-T5: leaving, joining, pauses, scores by hand, rulings."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.sky_rise.panels import points
from companion.games.sky_rise.rules.setting import share
from tests.games.sky_rise.playing import GAME, QUIET, Record, at
from tests.games.sky_rise.test_ending import built, finished

S = 1_000_000


def test_sr_t1_who_leaves_has_no_more_turns() -> None:
    record = Record(3)
    record.do("card", place="a1", suit="hearts")
    record.do("seat_leaves", seat="bo")
    assert record.view.due == "cleo"
    record.do("card", place="b1", suit="hearts")
    record.do("card", place="c1", suit="spades")
    assert record.view.due == "cleo"


def test_sr_t1_the_hand_of_who_leaves_goes_out_of_play_and_the_grid_stays() -> None:
    record = Record(4)
    record.do("card", place="a1", suit="hearts")
    record.do("seat_leaves", seat="dan")
    assert (record.seat("dan").hand, record.view.pile) == (0, 32)
    assert len(record.state.plan.grid.cells) == 9


def test_sr_t1_who_leaves_keeps_points_on_show_but_neither_goals_nor_victory() -> None:
    record = built(3, QUIET, QUIET, QUIET)
    record.do("score_set", seat="bo", score=90, reason="for the test")
    record.do("seat_leaves", seat="bo")
    record.roof()
    record.pass_roof()
    record.goals("red red", "blue blue")
    record.do("reveal")
    assert record.points["bo"] == 90
    assert record.seat("bo").score.unplaced is None
    assert "bo" not in record.view.winners


def test_sr_t1_who_left_has_no_points_of_goals_in_the_table_either() -> None:
    record = finished(3)
    record.goals("red red", "blue blue", "green green")
    record.do("seat_leaves", seat="bo")
    record.do("reveal")
    assert points(record.view).rows[1][2:5] == ("-", "-", "-")


def test_sr_t1_one_player_is_no_game() -> None:
    record = Record(2)
    record.refuses("seat_leaves", "SR-T1", seat="bo")


def test_sr_t1_before_the_first_card_everything_goes_by_who_is_left() -> None:
    record = Record(4)
    record.do("seat_leaves", seat="ada")
    assert (len(record.state.plan.colors), record.view.pile, record.view.due) == (4, 39, "bo")
    assert [share(record.state, seat) for seat in record.state.playing] == [3, 3, 3]


def test_sr_t1_a_level_that_nobody_can_fill_any_more_is_over() -> None:
    record = Record(4)
    for seat, sizes in {
        "ada": (0, 2, 0),
        "bo": (0, 0, 2),
        "cleo": (0, 1, 1),
        "dan": (3, 0, 0),
    }.items():
        record.do("opaque", seat=seat, large=sizes[0], medium=sizes[1], small=sizes[2])
    record.floor()
    record.pyramids("RRRY YYGG GBBB PPP.")
    assert record.view.due == "dan"
    record.do("seat_leaves", seat="dan")
    assert (record.view.level, record.view.phase) == (2, "floor")
    assert record.view.levels[0].complete


def test_sr_t1_the_start_token_passes_over_who_left() -> None:
    record = Record(3)
    record.floor()
    record.do("seat_leaves", seat="bo")
    record.pyramids(QUIET)
    assert record.view.due == "cleo"


def test_sr_t2_who_joins_takes_three_cards_and_turns_but_no_opaque_pyramids() -> None:
    record = Record(2)
    record.do("card", place="a1", suit="hearts")
    record.do("seat_joins", name="Zoe", left_of="ada")
    assert (record.seat("zoe").hand, record.view.pile) == (3, 38)
    assert (record.seat("zoe").opaque, record.seat("zoe").opaque_sizes) == (0, (0, 0, 0))
    record.do("card", place="b1", suit="hearts")
    assert record.view.due == "ada"
    record.do("card", place="c1", suit="hearts")
    assert record.view.due == "zoe"


def test_sr_t2_who_joins_has_the_next_button_and_keys() -> None:
    record = Record(2)
    record.do("card", place="a1", suit="hearts")
    record.do("seat_joins", name="Zoe", left_of="ada")
    assert [(seat.id, seat.zone) for seat in record.view.seats] == [
        ("ada", 1),
        ("zoe", 3),
        ("bo", 2),
    ]
    labels = {action.id: action.label for action in GAME.actions(record.state.setup)}
    assert labels["sky-rise.zone.2"] == "B is done"
    assert labels["sky-rise.zone.3"] == "Z is done"


def test_sr_t6_a_turn_that_is_over_before_its_card_is_entered_says_who_is_done() -> None:
    record = Record(2)
    done = record.say(record.fact("turn_over", seat="ada"))
    assert done == "ada is done: the card is not entered yet (SR-T6)"


def test_sr_t2_no_more_can_play_than_there_are_goals() -> None:
    record = Record(3)
    record.do("card", place="a1", suit="hearts")
    record.do("seat_joins", name="Zoe")
    record.refuses("seat_joins", "SR-3", name="Yan")


def test_sr_t2_five_seats_are_the_most() -> None:
    record = Record(5)
    record.refuses("seat_joins", "SEATS", name="Zoe")


def test_sr_t2_before_the_first_card_it_is_as_if_all_had_begun_together() -> None:
    record = Record(3)
    record.do("seat_joins", name="Zoe")
    assert (
        len(record.state.plan.colors),
        len(record.state.plan.grid.places),
        record.view.pile,
    ) == (5, 16, 33)


def test_sr_t2_stated_colors_keep_the_number_of_players() -> None:
    Record(3, colors="4").refuses("seat_joins", "SR-1", name="Zoe")


def test_sr_t2_who_comes_back_takes_the_old_seat_with_its_opaque_pyramids() -> None:
    record = Record(3)
    record.do("card", place="a1", suit="hearts")
    record.do("seat_leaves", seat="bo")
    record.do("seat_joins", name="Bo")
    assert (record.seat("bo").hand, record.seat("bo").opaque, record.seat("bo").left) == (
        3,
        3,
        False,
    )


def test_sr_t2_nobody_joins_once_the_goals_are_up() -> None:
    record = finished(2, tie="showdown")
    record.goals("red red", "blue blue")
    record.do("reveal")
    for seat in ("ada", "bo"):
        record.do("score_set", seat=seat, score=9, reason="for the test")
    record.refuses("seat_joins", "SR-T2", name="Zoe")


def test_sr_t2_another_name_at_a_seat_changes_nothing_else() -> None:
    record = Record(2)
    record.do("seat_changes", seat="bo", name="Bonnie")
    assert record.do("card", place="a1", suit="hearts").startswith("ada lays")
    assert record.do("card", place="b1", suit="hearts").startswith("Bonnie lays")


@pytest.mark.parametrize(
    ("kind", "body"),
    [("card", {"place": "a1", "suit": "hearts"}), ("turn_over", {"seat": "ada"})],
)
def test_sr_t3_what_hands_do_in_a_pause_is_refused(kind: str, body: dict[str, Any]) -> None:
    record = Record(2)
    record.do("pause", when=at(5 * S))
    record.refuses(kind, "PAUSE", **body)
    assert "press z to go on" in record.awaiting
    record.do("goal_noted", seat="ada", nest="red", tree="red")
    record.do("unpause", when=at(6 * S))
    record.do(kind, **body)


def test_sr_t3_a_button_stamped_before_the_pause_counts() -> None:
    record = Record(2)
    record.do("pause", when=at(5 * S))
    record.do("turn_over", seat="ada", when=at(5 * S - 1))
    assert record.view.to_enter == ("ada",)


def test_sr_t4_points_set_by_hand_stand_and_later_ones_add_to_them() -> None:
    record = Record(2)
    record.floor("hsd chs")
    record.do("pyramid", place="b2", color="red")
    record.do("score_set", seat="ada", score=7, reason="counted anew")
    assert record.points["ada"] == 7
    record.do("pyramid", place="a1", color="blue")
    record.do("pyramid", place="b1", color="red")
    assert record.points["ada"] == 8
    assert record.seat("ada").score.by_hand == 5


def test_sr_t5_the_table_says_whose_turn_it_is() -> None:
    record = Record(3)
    record.do("turn", seat="cleo", reason="we went the other way")
    record.do("card", place="a1", suit="hearts")
    assert record.view.due == "ada"
    record.refuses("turn", "SEATS", seat="zoe", reason="who?")


def test_sr_t5_after_somebody_out_of_turn_it_goes_on_left_of_that_seat() -> None:
    record = Record(3)
    record.floor()
    record.do("pyramid", place="a1", color="red", seat="cleo", reason="too fast")
    assert record.view.due == "ada"
    assert record.points["cleo"] == 1


def test_sr_t5_a_reason_stands_in_the_sentence() -> None:
    record = Record(2)
    record.floor()
    assert record.do("pass", reason="asleep") == "ada places no pyramid (SR-7), asleep"


def test_sr_t5_on_the_roof_the_table_can_give_a_chance_back() -> None:
    record = built(2)
    record.roof()
    record.do("pass")
    record.do("turn", seat="bo", reason="Bo changed her mind")
    record.do("pyramid", place="a1", color="opaque", size="large")
    assert record.view.due == "ada"
