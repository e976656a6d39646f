"""Every ruling both ways: SF-5, SF-R1 to SF-R8. SF-14 and SF-18 are with rounds and scores."""

from __future__ import annotations

import pytest

from companion.games.skyfire.rules.facts import Override
from companion.rules.facts import Refused
from tests.games.skyfire.playing import FIVE, FOUR, GAME, Record, begun, example_deck


def test_sf5_targets_taken_out_unseen_are_named_by_nobody() -> None:
    Record(FOUR, example_deck()).refuses("removed", "SF-5", cards=["Tide"])


def test_sf5_targets_taken_out_openly_are_off_the_stack() -> None:
    record = begun(FOUR, example_deck(), removed_targets="chosen_open")
    record.do("removed", cards=["Tide", "Birch", "Marble", "Sunset", "Harbor", "Lantern"])
    assert record.view.target.stack == ("Meadow", "Garden", "Snowfall", "Berries")
    record.refuses("target", "SF-5", card="Tide")
    record.refuses(
        "removed",
        "SF-5",
        cards=["Tide", "white+blue+green", "Marble", "Sunset", "Harbor", "Lantern"],
    )


@pytest.mark.parametrize("count", [0, 1, 5, 7, 10])
def test_sf3_six_targets_are_taken_out_no_more_and_no_less(count: int) -> None:
    record = begun(FOUR, example_deck(), removed_targets="chosen_open")
    names = [card.name for card in record.state.deck.targets]
    assert record.refuses("removed", "SF-3", cards=names[:count]).do == "Name 6."


def test_sf2_with_three_players_no_target_is_chosen_to_be_taken_out() -> None:
    record = begun("ada bo cleo", example_deck(), removed_targets="chosen_open")
    record.refuses("removed", "SF-2", cards=["Sunset"])


def test_sf5_a_target_that_is_played_for_was_not_taken_out() -> None:
    record = begun(FOUR, example_deck(), removed_targets="chosen_open")
    record.do("target", card="Tide")
    six = ["Tide", "Birch", "Marble", "Sunset", "Harbor", "Lantern"]
    record.refuses("removed", "SF-5", cards=six)
    record.do("round_end")
    record.refuses("removed", "SF-5", cards=six)
    record.do("removed", cards=["Snowfall", *six[1:]])


def test_sf5_targets_of_unknown_faces_are_taken_out_by_their_symbols() -> None:
    record = begun(FOUR, removed_targets="chosen_open")
    record.do("removed", cards=["star", "star", "ring", "moon", "target card 3", "target card 4"])
    assert len(record.state.removed) == 6
    record.refuses("removed", "SF-5", cards=["target card 3"] * 6)


def test_sf_r1_cards_of_a_failed_launch_are_turned_back_in_place() -> None:
    record = begun(FOUR)
    record.place(1, 1)
    record.launch(1, satisfied=False)
    zone = record.view.zones[0]
    assert (zone.face_up, len(zone.cards)) == (0, 2)
    assert (zone.turned, zone.failed) == (2, ("cleo",)), "and everybody has seen them"
    assert zone.lies == "face down"


def test_sf_r1_cards_of_a_failed_launch_may_stay_up() -> None:
    record = begun(FOUR, failed_launch_cards="stay_up")
    record.place(1, 1)
    record.launch(1, satisfied=False)
    record.place(1)
    zone = record.view.zones[0]
    assert (zone.face_up, len(zone.cards)) == (2, 3)
    assert zone.lies == "2 face up"


def test_sf_r2_a_lone_survivor_plays_on() -> None:
    record = begun()
    record.launch(1, satisfied=False)
    record.launch(1, satisfied=False)
    assert record.round.turn == "cleo"
    record.place(1, 1)
    assert record.round.turn == "cleo"
    record.launch(1, satisfied=True)
    assert record.scores == {"ada": 0, "bo": 0, "cleo": 2}


def test_sf_r2_a_lone_survivor_may_declare_a_misfire() -> None:
    record = begun()
    record.launch(1, satisfied=False)
    record.launch(1, satisfied=False)
    record.place(1, 1, 1, 2)
    record.do("misfire")
    record.do("satisfied", satisfied=False)
    assert record.scores["cleo"] == 3


def test_sf_r2_a_lone_survivor_who_launches_wrongly_ends_the_round_without_winner() -> None:
    record = begun()
    for _ in range(3):
        record.launch(1, satisfied=False)
    assert (record.result.how, record.result.clause, record.result.winners) == (
        "nobody",
        "SF-R2",
        (),
    )


def test_sf_r2_the_round_may_end_when_one_player_is_left() -> None:
    record = begun(lone_survivor="ends_round_without_points")
    record.launch(1, satisfied=False)
    assert record.round.result is None
    record.launch(1, satisfied=False)
    assert (record.result.how, record.result.clause) == ("nobody", "SF-R2")


def test_sf_r3_the_first_player_rotates_to_the_left() -> None:
    record = Record()
    first = []
    for _ in range(4):
        record.do("deal")
        first.append(record.round.first)
        record.do("round_end")
    assert first == ["ada", "bo", "cleo", "ada"]


def test_sf_r3_the_table_chooses_who_begins_and_rotation_goes_on_from_there() -> None:
    record = begun()
    record.do("first", seat="cleo")
    assert record.round.turn == "cleo"
    record.do("round_end")
    record.do("deal")
    assert record.round.first == "ada"


def test_sf_r3_nobody_is_made_first_once_a_card_lies() -> None:
    record = begun()
    record.place(1)
    record.refuses("first", "SF-R3", seat="cleo")


def test_sf_r3_the_winner_may_begin() -> None:
    record = Record(first_player="winner")
    record.win("cleo")
    record.do("deal")
    assert record.round.first == "cleo"


def test_sf_r3_a_round_without_a_single_winner_rotates() -> None:
    record = begun(first_player="winner")
    record.play_out()
    record.do("misfire")
    record.do("satisfied", satisfied=True)
    assert record.result.winners == ("bo", "cleo")
    record.do("deal")
    assert record.round.first == "bo"


def test_sf_r4_hands_of_the_eliminated_stay_hidden() -> None:
    record = begun(FOUR, example_deck())
    record.launch(1, satisfied=False)
    record.refuses("hand_shown", "SF-R4", seat="ada", cards=["Comet"] * 4)


def test_sf_r4_hands_of_the_eliminated_may_be_shown() -> None:
    record = begun(FOUR, example_deck(), eliminated_hand="shown")
    hand = ["Comet", "Ember", "Fern", "white"]
    record.refuses("hand_shown", "SF-R4", seat="ada", cards=hand)
    record.launch(1, satisfied=False)
    record.refuses("hand_shown", "SF-R4", seat="ada", cards=hand[:3])
    record.do("hand_shown", seat="ada", cards=hand)
    assert record.view.seats[0].shown == ("Comet (red)", "Ember (red+red)", "Fern (green)", "white")


@pytest.mark.parametrize(("option", "ada"), [("others", 0), ("all_not_eliminated", 3)])
def test_sf_r5_the_declarer_of_a_wrong_misfire_is_no_winner_unless_ruled_so(
    option: str, ada: int
) -> None:
    record = begun(wrong_misfire_winners=option)
    record.play_out()
    record.do("misfire")
    record.do("satisfied", satisfied=True)
    assert record.scores == {"ada": ada, "bo": 3, "cleo": 3}


def test_sf_r5_with_everybody_else_eliminated_nobody_scores() -> None:
    record = begun()
    record.launch(1, satisfied=False)
    record.launch(1, satisfied=False)
    record.play_out()
    assert record.view.misfire_others == ()
    record.do("misfire")
    record.do("satisfied", satisfied=True)
    assert sum(record.scores.values()) == 0
    assert "nobody else is left to score" in record.view.result


def test_sf_r6_an_empty_zone_may_be_launched_and_satisfies_nothing() -> None:
    record = begun()
    record.do("launch", zone=2)
    assert record.round.out == ("ada",)
    assert record.round.question is None


def test_sf_r6_launching_an_empty_zone_may_be_refused() -> None:
    record = begun(empty_launch="refused")
    record.refuses("launch", "SF-R6", zone=2)
    assert "launch" not in record.awaiting, "no zone holds a card"
    record.place(2)
    assert "press w" in record.awaiting


def test_sf_r7_a_zone_that_failed_may_grow_and_be_launched_again() -> None:
    record = begun(FOUR)
    record.place(1)
    record.launch(1, satisfied=False)
    record.place(1)
    record.launch(1, satisfied=True)
    assert (record.result.seat, record.result.points) == ("dan", 2)


def test_sf_r7_a_zone_that_failed_counts_in_a_misfire() -> None:
    record = begun(FOUR)
    record.place(1)
    record.launch(1, satisfied=False)
    record.play_out(1)
    assert record.view.misfire_points == 12


def test_sf_r7_a_zone_that_failed_may_be_closed() -> None:
    record = begun(FOUR, failed_zone="closed")
    record.place(1)
    record.launch(1, satisfied=False)
    record.refuses("place", "SF-R7", zone=1)
    record.refuses("launch", "SF-R7", zone=1)
    record.play_out(2)
    assert record.view.misfire_points == 11, "the closed zone counts no more"
    assert record.view.zones[0].closed


def test_sf_r7_a_closed_zone_has_no_say_in_a_misfire() -> None:
    record = begun(FOUR, example_deck(), failed_zone="closed")
    record.do("target", card="Tide")
    record.place(1)
    record.launch(1, satisfied=False)
    for seat in ("dan", "ada"):
        record.do("override", seat=seat, status="out")
    record.place(2, 2, 2, 2)
    record.do("misfire")
    record.do("revealed", zone=2, cards=["Comet", "Ember", "Ruby", "Poppy"])
    assert (record.result.how, record.result.points) == ("misfire", 4), (
        "the faces of zone 1 are not asked for"
    )


def test_sf_r7_with_every_zone_closed_the_round_is_over() -> None:
    record = begun(failed_zone="closed")
    record.launch(1, satisfied=False)
    record.launch(2, satisfied=False)
    assert (record.result.how, record.result.clause) == ("nobody", "SF-R7")


def test_sf_r8_turns_go_clockwise() -> None:
    begun().refuses("direction", "SF-R8", clockwise=False)


def test_sf_r8_the_table_may_turn_them_round() -> None:
    record = begun(FOUR, direction="table")
    record.do("direction", clockwise=False)
    turns = []
    for _ in range(5):
        turns.append(record.round.turn)
        record.place(1)
    assert turns == ["ada", "dan", "cleo", "bo", "ada"]
    record.press("direction")
    assert record.view.clockwise


def test_sf_t5_the_table_says_whose_turn_it_is() -> None:
    record = begun(FIVE)
    record.do("turn", seat="dan", reason="we lost count")
    assert record.round.turn == "dan"
    record.do("override", seat="eve", status="out")
    record.refuses("turn", "SF-R4", seat="eve")


def test_sf_t5_the_table_puts_a_seat_out_and_in() -> None:
    record = begun()
    record.do("override", seat="ada", status="out")
    assert (record.round.out, record.round.turn) == (("ada",), "bo")
    record.do("override", seat="ada", status="in")
    assert record.round.out == ()
    record.refuses("override", "SF-T5", seat="ada", status="in")


def test_sf_t5_no_single_key_eliminates_a_player_it_is_among_what_went_wrong() -> None:
    record = begun(FIVE)
    for action in GAME.actions(record.setup):
        try:
            fact = GAME.act(record.state, action.id)
        except Refused:
            continue
        assert not isinstance(fact, Override), action
    (fix,) = (fix for fix in GAME.fixes if "override" in fix.kinds)
    assert not fix.amends
    assert "in or out" in fix.label


def test_every_option_is_seen_in_a_sentence_of_its_clause() -> None:
    assert {rule.clause for rule in GAME.house_rules} == {
        "SF-5", "SF-14", "SF-18", "SF-R1", "SF-R2", "SF-R3", "SF-R4", "SF-R5", "SF-R6", "SF-R7", "SF-R8",
    }  # fmt: skip


def test_sf_r7_with_all_zones_closed_a_misfire_would_score_nothing() -> None:
    record = begun(FOUR, failed_zone="closed")
    for zone in (1, 2, 3):
        record.launch(zone, satisfied=False)
    assert record.round.result is not None
    assert record.view.misfire_points == 0
