"""SF-T1 to SF-T3: people who leave or join, and the pause."""

from __future__ import annotations

import pytest

from companion.rules.facts import Refused
from tests.games.skyfire.playing import FIVE, FOUR, GAME, THREE, Record, at, begun


def test_sf_t1_who_leaves_is_eliminated_and_the_cards_stay() -> None:
    record = begun(FOUR)
    record.place(1)
    sentence = record.says("seat_leaves", seat="ada", reason="bedtime")
    assert sentence == "ada leaves the game: bedtime; ada is eliminated from the round"
    assert record.counts == [1, 0, 0]
    assert [seat.status for seat in record.view.seats] == ["left", "on turn", "in", "in"]
    assert record.round.hand("ada") == 3


def test_sf_t1_the_turn_of_who_leaves_passes_on() -> None:
    record = begun(FOUR)
    record.do("seat_leaves", seat="ada")
    assert record.round.turn == "bo"
    record.place(1, 1, 1)
    assert record.round.turn == "bo"


def test_sf_t1_the_zones_of_the_running_round_stay_and_the_next_has_fewer() -> None:
    record = begun(FIVE)
    record.do("seat_leaves", seat="eve")
    assert len(record.round.zones) == 4
    record.do("round_end")
    record.do("deal")
    assert len(record.round.zones) == 3
    assert record.round.players == ("ada", "bo", "cleo", "dan")


def test_sf_t1_nobody_leaves_before_a_launch_is_answered() -> None:
    record = begun()
    record.place(1)
    record.do("launch", zone=1)
    record.refuses("seat_leaves", "SF-T1", seat="ada")
    record.do("satisfied", satisfied=False)
    record.do("seat_leaves", seat="ada")


def test_sf_t1_fewer_than_three_cannot_go_on() -> None:
    record = Record()
    record.win("ada")
    record.do("seat_leaves", seat="cleo")
    assert record.awaiting == "Somebody has to join: press F6. 2 players are too few."
    record.refuses("deal", "SF-5")
    record.do("seat_joins", name="Dan")
    record.do("deal")
    assert record.round.players == ("ada", "bo", "dan")


def test_sf_t2_one_after_the_other_comes_back_though_fewer_than_three_play() -> None:
    record = Record()
    for seat in ("ada", "bo", "cleo"):
        record.do("seat_leaves", seat=seat)
    for count, name in enumerate(("bo", "Dan", "cleo"), start=1):
        record.refuses("deal", "SF-5")
        record.do("seat_joins", name=name)
        assert len(record.state.playing) == count
    record.do("deal")
    assert set(record.round.players) == {"bo", "cleo", "dan"}


def test_sf_t2_nobody_joins_five_who_play() -> None:
    record = Record(FIVE)
    record.refuses("seat_joins", "SF-5", name="Finn")
    record.do("seat_leaves", seat="eve")
    record.do("seat_joins", name="Finn")
    record.refuses("seat_joins", "SF-5", name="eve")


def test_sf_t1_who_left_keeps_the_score_and_does_not_win() -> None:
    record = Record(FOUR)
    record.win("dan", 4)
    record.do("seat_leaves", seat="dan")
    for _ in range(4):
        record.win("ada")
    assert record.scores == {"ada": 4, "bo": 0, "cleo": 0, "dan": 4}
    assert record.winners == ("ada",)


def test_sf_t1_the_first_player_rotates_past_who_left() -> None:
    record = begun(FOUR)
    record.do("round_end")
    record.do("seat_leaves", seat="bo")
    record.do("deal")
    assert record.round.first == "cleo"


def test_sf_t1_everybody_may_leave() -> None:
    record = begun()
    for seat in THREE.split():
        record.do("seat_leaves", seat=seat)
    assert record.result.how == "nobody"
    assert "too few" in record.awaiting
    record.refuses("deal", "SF-5")


def test_sf_t2_nobody_joins_a_running_round() -> None:
    begun().refuses("seat_joins", "SF-T2", name="Dan")


def test_sf_t2_who_joins_between_rounds_adds_a_zone() -> None:
    record = Record()
    record.win("ada", 2)
    record.do("seat_joins", name="Dan", left_of="ada")
    record.do("deal")
    assert record.round.players == ("ada", "dan", "bo", "cleo")
    assert len(record.round.zones) == 3
    assert record.round.first == "dan"
    assert record.scores == {"ada": 2, "dan": 0, "bo": 0, "cleo": 0}


def test_sf_t2_no_more_than_five_play() -> None:
    record = Record(FIVE)
    record.refuses("seat_joins", "SF-5", name="Finn")
    record.do("seat_leaves", seat="eve")
    record.do("seat_joins", name="Finn")
    record.do("deal")
    assert len(record.round.zones) == 4


def test_sf_t2_who_left_comes_back_to_the_own_seat() -> None:
    record = Record(FOUR)
    record.do("seat_leaves", seat="dan")
    record.do("seat_joins", name="Dan")
    record.do("deal")
    assert record.round.players == ("ada", "bo", "cleo", "dan")


def test_another_person_at_a_seat_keeps_its_score() -> None:
    record = Record()
    record.win("ada", 2)
    record.do("seat_changes", seat="ada", name="Zoe")
    assert record.view.seats[0].name == "Zoe"
    assert record.scores["ada"] == 2


def test_sf_t3_while_the_game_pauses_no_hand_counts() -> None:
    record = begun()
    record.do("pause")
    record.refuses("place", "PAUSE", zone=1)
    record.refuses("launch", "PAUSE", zone=1)
    record.refuses("misfire", "PAUSE")
    assert record.awaiting == "Paused: press z to go on."
    assert record.view.paused
    record.do("unpause")
    record.place(1)


def test_sf_t3_an_answer_may_be_given_in_a_pause() -> None:
    record = begun()
    record.place(1)
    record.do("launch", zone=1)
    record.do("pause")
    assert record.awaiting.startswith("Paused. Does zone 1 meet the target?")
    record.do("satisfied", satisfied=True)
    assert record.result.winners == ("bo",)
    record.refuses("deal", "PAUSE")


def test_a_pause_of_a_pause_is_refused() -> None:
    record = begun()
    record.refuses("unpause", "PAUSE")
    record.do("pause")
    record.refuses("pause", "PAUSE")
    assert GAME.common(record.state).paused


def test_sf_t3_what_a_hand_did_before_the_pause_counts_however_late_it_is_told() -> None:
    record = begun()
    record.do("pause", when=at(5_000))
    record.do("place", when=at(4_000), zone=1)
    record.do("unpause", when=at(9_000))
    late = GAME.parse("place", {"zone": 1}).model_copy(update={"at": at(6_000)})
    with pytest.raises(Refused, match="PAUSE"):
        record.enter(late)
    assert record.counts == [1, 0]


def test_sf_t1_sf_t2_after_the_game_no_winner_leaves_and_nobody_joins() -> None:
    record = Record()
    for _ in range(5):
        record.win("ada")
    record.refuses("seat_leaves", "SF-T1", seat="ada")
    record.refuses("seat_joins", "SF-T2", name="Dan")
    record.do("seat_leaves", seat="bo")
    assert record.winners == ("ada",)


def test_sf_t2_who_joined_after_the_round_holds_no_cards() -> None:
    record = begun()
    record.do("round_end")
    record.do("seat_joins", name="Dan")
    assert [seat.hand for seat in record.view.seats] == [4, 4, 4, 0]
