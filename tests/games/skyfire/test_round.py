"""Turns, launches and misfires (SF-8 to SF-14), worked by hand."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.skyfire.rules.deck import Face
from companion.games.skyfire.rules.flow import satisfies
from companion.games.skyfire.rules.options import HOUSE_RULES
from companion.rules.actions import with_keys
from companion.rules.facts import Refused
from companion.rules.house_rules import read_options
from tests.games.skyfire.playing import FIVE, FOUR, THREE, Record, at, begun, example_deck


def test_sf9_a_turn_is_one_card_and_passes_on_clockwise() -> None:
    record = begun()
    turns = []
    for _ in range(4):
        turns.append(record.round.turn)
        record.place(1)
    assert turns == ["ada", "bo", "cleo", "ada"]


def test_sf10_a_placed_card_leaves_the_hand_and_lies_in_the_zone_with_its_owner() -> None:
    record = begun()
    record.place(2)
    assert record.counts == [0, 1]
    assert [seat.hand for seat in record.view.seats] == [3, 4, 4]
    assert record.view.zones[1].cards[0].seat == "ada"


def test_sf10_any_zone_takes_any_number_of_cards() -> None:
    record = begun(FIVE)
    record.play_out(3)
    assert record.counts == [0, 0, 20, 0]


def test_sf13_an_empty_hand_cannot_place() -> None:
    record = begun()
    record.play_out()
    assert "declare a misfire" in record.refuses("place", "SF-13", zone=1).do


def test_sf13_an_empty_hand_may_launch() -> None:
    record = begun()
    record.play_out()
    record.launch(1, satisfied=True)
    assert record.result.winners == ("ada",)


@pytest.mark.parametrize(("seats", "first_wrong"), [(THREE, 3), (FOUR, 4)])
def test_sf5_a_zone_beyond_those_of_the_round_is_refused(seats: str, first_wrong: int) -> None:
    record = begun(seats)
    record.refuses("place", "SF-5", zone=first_wrong)
    record.refuses("launch", "SF-5", zone=first_wrong)


def test_sf11_a_launch_that_satisfies_wins_the_round() -> None:
    record = begun()
    record.place(1, 1)
    record.launch(1, satisfied=True)
    assert (record.result.how, record.result.winners, record.result.zone) == (
        "launch",
        ("cleo",),
        1,
    )
    assert record.round.turn is None


def test_sf11_a_launch_that_does_not_eliminates_and_the_turn_passes_on() -> None:
    record = begun()
    record.place(1)
    record.launch(1, satisfied=False)
    assert record.round.out == ("bo",)
    assert record.round.turn == "cleo"


def test_sf11_one_may_launch_with_cards_in_hand() -> None:
    record = begun()
    record.launch(1, satisfied=False)
    assert [seat.hand for seat in record.view.seats] == [4, 4, 4]
    assert record.round.out == ("ada",)


def test_sf11_nothing_else_happens_before_the_answer() -> None:
    record = begun()
    record.place(1)
    record.do("launch", zone=1)
    for kind, body in (
        ("place", {"zone": 1}),
        ("launch", {"zone": 1}),
        ("misfire", {}),
        ("turn", {"seat": "ada"}),
    ):
        record.refuses(kind, "SF-11", **body)


def test_what_has_to_wait_for_the_answer_names_the_keys_of_yes_and_no() -> None:
    record = begun()
    record.place(1)
    record.do("launch", zone=1)
    for kind, clause, body in (
        ("place", "SF-11", {"zone": 1}),
        ("deal", "SF-9", {}),
        ("seat_leaves", "SF-T1", {"seat": "bo"}),
    ):
        text = with_keys(record.refuses(kind, clause, **body).spoken())
        assert text == "Does zone 1 meet the target? Press s for yes, n for no."


def test_sf12_a_misfire_takes_an_empty_hand() -> None:
    refusal = begun().refuses("misfire", "SF-12")
    assert refusal.reason == "ada holds 4 cards"


def test_sf12_a_misfire_turns_up_all_zones() -> None:
    record = begun()
    record.play_out()
    record.do("misfire")
    assert [zone.turned for zone in record.round.zones] == [6, 6]


def test_sf12_a_right_misfire_wins_the_round_for_the_declarer() -> None:
    record = begun()
    record.play_out()
    record.do("misfire")
    record.do("satisfied", satisfied=False)
    assert (record.result.how, record.result.winners) == ("misfire", ("ada",))


def test_sf12_a_wrong_misfire_is_won_by_all_others_who_are_in() -> None:
    record = begun(FOUR)
    record.launch(1, satisfied=False)
    record.play_out()
    record.do("misfire")
    record.do("satisfied", satisfied=True)
    assert record.result.seat == "bo"
    assert record.result.winners == ("cleo", "dan")


def test_sf_r4_the_eliminated_take_no_turns_and_keep_their_cards() -> None:
    record = begun(FOUR)
    record.launch(1, satisfied=False)
    turns = []
    for _ in range(4):
        turns.append(record.round.turn)
        record.place(1)
    assert turns == ["bo", "cleo", "dan", "bo"]
    assert record.round.hand("ada") == 4


def test_sf14_an_answer_without_a_question_is_refused() -> None:
    begun().refuses("satisfied", "SF-14", satisfied=True)


@pytest.mark.parametrize(
    ("target", "faces", "multiset", "as_set"),
    [
        (["red"], [["red"]], True, True),
        (["red"], [["blue"]], False, False),
        (["red", "red"], [["red"]], False, True),
        (["red", "red"], [["red"], ["red"]], True, True),
        (["red", "red"], [["red", "red"]], True, True),
        (["red", "blue"], [["red"], ["green", "blue"]], True, True),
        (["red", "red", "blue"], [["red", "blue"], ["blue"]], False, True),
        (["red", "blue"], [], False, False),
    ],
)
def test_sf14_every_symbol_of_the_target_appears_as_often_as_it_shows(
    target: list[str], faces: list[list[str]], multiset: bool, as_set: bool
) -> None:
    shown = [Face(None, tuple(sorted(face))) for face in faces]
    goal = tuple(sorted(target))
    assert satisfies(goal, shown, read_options({}, HOUSE_RULES)) is multiset
    assert satisfies(goal, shown, read_options({"satisfies": "set"}, HOUSE_RULES)) is as_set


def on_target(*zones: int, **options: Any) -> Record:
    """Return four players of the example deck with the target Garden (blue, green, red) and cards in these zones."""
    record = begun(FOUR, example_deck(), **options)
    record.do("target", card="Garden")
    record.place(*zones)
    return record


def test_sf14_a_launch_is_answered_by_the_faces_entered() -> None:
    record = on_target(1, 1, 1)
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["Comet", "Fern", "Wave"])
    assert (record.result.winners, record.result.points) == (("dan",), 3)


def test_sf14_faces_that_lack_a_symbol_eliminate_the_launcher() -> None:
    record = on_target(1, 1)
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["Comet", "Fern"])
    assert record.round.out == ("cleo",)


def test_sf14_symbols_count_as_well_as_names() -> None:
    record = on_target(1, 1)
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["red + green", "Blue"])
    assert record.result.winners == ("cleo",)


def test_sf12_a_misfire_is_answered_once_a_zone_satisfies_the_target() -> None:
    record = on_target()
    record.play_out(1, 2, 3)
    record.do("misfire")
    record.do("revealed", zone=1, cards=["Comet", "Fern", "Wave", "Frost", "Pearl", "Swan"])
    assert record.result.how == "wrong_misfire"


def test_sf12_a_misfire_is_answered_once_all_zones_are_entered_and_none_satisfies_it() -> None:
    record = on_target(1)
    for seat in ("bo", "cleo", "dan"):
        record.do("override", seat=seat, status="out")
    record.place(1, 2, 2)
    record.do("misfire")
    record.do("revealed", zone=1, cards=["Comet", "Fern"])
    assert record.round.question is not None
    record.do("revealed", zone=2, cards=["Ember", "Willow"])
    assert (record.result.how, record.result.points) == ("misfire", 2)


def test_sf14_a_target_entered_after_the_faces_answers_too() -> None:
    record = begun(FOUR, example_deck())
    record.place(1)
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["Comet"])
    assert record.round.question is not None
    record.do("target", card="red")
    assert record.result.winners == ("bo",)


def test_sf14_a_zone_launched_again_unchanged_needs_no_new_answer() -> None:
    record = on_target(1)
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["Comet"])
    record.do("launch", zone=1)
    assert record.round.out == ("bo", "cleo")


def test_sf11_a_zone_that_the_table_saw_fail_fails_again_unchanged_and_is_asked_about_once_it_grew() -> (
    None
):
    record = begun(FOUR)
    record.place(1)
    record.launch(1, satisfied=False)
    record.do("launch", zone=1)
    assert (record.round.out, record.round.question) == (("bo", "cleo"), None)
    record.place(1)
    record.do("launch", zone=1)
    assert record.round.question is not None


def test_sf12_a_misfire_over_zones_that_all_failed_as_they_are_is_right() -> None:
    record = begun()
    record.play_out(1, 2)
    record.launch(1, satisfied=False)
    record.launch(2, satisfied=False)
    record.do("misfire")
    assert record.result.how == "misfire"


def test_sf11_as_many_faces_are_entered_as_were_turned_up() -> None:
    record = on_target(1, 1)
    record.refuses("revealed", "SF-11", zone=1, cards=["Comet", "Fern"])
    record.do("launch", zone=1)
    record.refuses("revealed", "SF-11", zone=1, cards=["Comet"])


def test_sf6_a_card_the_component_file_does_not_know_is_refused() -> None:
    record = on_target(1)
    record.do("launch", zone=1)
    record.refuses("revealed", "SF-6", zone=1, cards=["Dragon"])


def test_sf6_with_unknown_faces_the_symbols_of_the_target_can_be_entered_and_answer() -> None:
    record = begun()
    record.do("target", card="star+ring")
    record.place(1, 1)
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["star", "ring+star"])
    assert record.result.winners == ("cleo",)


@pytest.mark.parametrize("kind", ["place", "launch", "misfire"])
def test_sf7_what_was_stamped_before_the_deal_is_no_part_of_the_round(kind: str) -> None:
    record = Record()
    record.do("deal", when=at(10_000_000))
    if kind == "misfire":
        record.play_out()
    body = {} if kind == "misfire" else {"zone": 1}
    with pytest.raises(Refused, match=r"SF-7: that was 8\.000 s before the deal"):
        record.do(kind, when=at(2_000_000), **body)
    record.do(kind, when=at(10_000_000), **body)
