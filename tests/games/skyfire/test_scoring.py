"""Points, rounds, targets and the end: SF-8, SF-15 to SF-18."""

from __future__ import annotations

import pytest

from companion.games.skyfire.panels import stack
from companion.rules.facts import Refused
from tests.games.skyfire.playing import FIVE, FOUR, GAME, Record, begun, example_deck


@pytest.mark.parametrize("cards", [1, 2, 3, 7])
def test_sf15_a_launch_scores_a_point_for_each_card_in_the_zone(cards: int) -> None:
    record = begun(FOUR)
    record.place(*[2] * cards)
    assert stack(record.view, record.view.zones[1]).note.endswith(f"a right launch scores {cards}")
    winner = record.round.turn
    record.launch(2, satisfied=True)
    assert record.scores[winner or ""] == cards
    assert sum(record.scores.values()) == cards


def test_sf16_a_right_misfire_scores_the_cards_of_the_largest_zone() -> None:
    record = begun(FOUR)
    record.play_out(1, 1, 2, 1, 3)
    assert record.counts == [10, 3, 3]
    assert record.view.misfire_points == 10
    record.do("misfire")
    record.do("satisfied", satisfied=False)
    assert record.scores == {"ada": 10, "bo": 0, "cleo": 0, "dan": 0}


def test_sf17_a_wrong_misfire_scores_three_points_for_each_opponent() -> None:
    record = begun(FIVE)
    record.play_out()
    assert record.view.misfire_others == ("bo", "cleo", "dan", "eve")
    record.do("misfire")
    record.do("satisfied", satisfied=True)
    assert record.scores == {"ada": 0, "bo": 3, "cleo": 3, "dan": 3, "eve": 3}


def test_sf17_the_eliminated_score_nothing_by_a_wrong_misfire() -> None:
    record = begun(FIVE)
    record.launch(1, satisfied=False)
    record.play_out()
    record.do("misfire")
    record.do("satisfied", satisfied=True)
    assert record.scores == {"ada": 0, "bo": 0, "cleo": 3, "dan": 3, "eve": 3}


def test_sf18_after_five_rounds_the_most_points_win() -> None:
    record = Record()
    for winner, cards in (("ada", 1), ("bo", 2), ("ada", 3), ("cleo", 1), ("bo", 1)):
        record.win(winner, cards)
    assert record.scores == {"ada": 4, "bo": 3, "cleo": 1}
    assert GAME.over(record.state)
    assert record.winners == ("ada",)
    assert GAME.summary(record.state)[-1] == "winner: ada (SF-18)"


def test_sf18_there_is_no_winner_before_the_fifth_round_is_over() -> None:
    record = Record()
    for _ in range(4):
        record.win("ada", 2)
    assert not GAME.over(record.state)
    record.do("deal")
    assert not GAME.over(record.state)


def test_sf18_there_is_no_sixth_round() -> None:
    record = Record()
    for _ in range(5):
        record.win("ada")
    record.refuses("deal", "SF-18")


def test_sf18_a_tie_is_shared() -> None:
    record = Record()
    for winner in ("ada", "bo", "ada", "bo", "cleo"):
        record.win(winner)
    assert record.winners == ("ada", "bo")
    assert "ada and bo share the victory with 2 points" in record.awaiting


def test_sf18_a_tie_is_broken_by_extra_rounds_for_the_finale() -> None:
    record = Record(tie="extra_round", components=example_deck())
    for winner in ("ada", "bo", "ada", "bo", "cleo"):
        record.win(winner)
    assert not GAME.over(record.state)
    assert "Extra round 6" in record.awaiting
    record.win("cleo")
    assert record.round.target is not None
    assert record.round.target.name == "finale for three"
    assert not GAME.over(record.state), "three are tied now"
    record.win("cleo", 2)
    assert record.winners == ("cleo",)


def test_sf8_the_target_of_a_round_is_named_by_the_table() -> None:
    record = begun(FOUR, example_deck())
    assert record.view.target.text == "unknown"
    record.do("target", card="tide")
    assert record.view.target.text == "Tide (blue+green+white)"


def test_sf8_the_fifth_round_is_played_for_the_finale() -> None:
    record = Record(FOUR, example_deck())
    for _ in range(4):
        record.win("ada")
        assert not record.view.target.finale
    record.do("deal")
    assert record.view.target.finale
    assert record.view.target.name == "finale for four or five"


def test_sf8_a_finale_of_unknown_symbols_is_named_like_any_target() -> None:
    record = Record()
    for _ in range(4):
        record.win("ada")
    record.do("deal")
    assert record.view.target.text == "unknown"
    record.do("target", card="moon+star")
    assert record.view.target.symbols == ("moon", "star")


def test_sf5_a_used_target_has_left_the_stack() -> None:
    record = begun(FOUR, example_deck())
    record.do("target", card="Tide")
    record.place(1)
    record.launch(1, satisfied=True)
    record.do("deal")
    assert "Tide" not in record.view.target.stack
    record.refuses("target", "SF-5", card="Tide")
    record.refuses("target", "SF-5", card="white+blue+green")


def test_sf2_with_three_players_no_white_target_lies_on_the_stack() -> None:
    record = begun("ada bo cleo", example_deck())
    assert record.view.target.stack == ("Sunset", "Harbor", "Meadow", "Garden")
    assert (
        record.refuses("target", "SF-2", card="Tide").reason
        == "'Tide' is out of play with 3 players"
    )


def test_sf8_a_target_that_judged_a_launch_stays() -> None:
    record = begun(FOUR, example_deck())
    record.do("target", card="Tide")
    record.do("target", card="Garden")
    record.place(1)
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["Comet"])
    record.refuses("target", "SF-8", card="Tide")


def test_sf14_what_each_zone_comes_to_is_shown_where_its_faces_are_known() -> None:
    record = begun(FOUR, example_deck())
    record.do("target", card="Tide")
    record.place(1, 2)
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["Comet"])
    assert [zone.satisfies for zone in record.view.zones] == [False, None, False]


def test_a_correction_before_the_end_changes_the_score_after_it() -> None:
    record = begun()
    wrong = record.do("place", zone=1)
    record.place(1)
    record.launch(1, satisfied=True)
    assert record.scores == {"ada": 0, "bo": 0, "cleo": 2}
    record.void(wrong)
    assert record.scores == {"ada": 0, "bo": 1, "cleo": 0}, (
        "whose turn it was follows from what stands"
    )


def test_sf_t4_a_score_set_by_hand_counts_from_there() -> None:
    record = Record()
    record.win("ada", 3)
    record.do("score_set", seat="ada", score=1, reason="two cards too many")
    record.win("ada", 2)
    assert record.scores["ada"] == 3
    assert "-2 by hand" in GAME.summary(record.state)[0]


def test_sf_t5_the_table_may_end_a_round_as_it_likes() -> None:
    record = begun()
    record.do("round_end", seats=["ada", "bo"], points=2, reason="we say so")
    assert record.scores == {"ada": 2, "bo": 2, "cleo": 0}
    assert "we say so: 2 points each for ada and bo" in record.view.result


def test_sf_t5_a_round_ended_for_nobody_scores_nothing() -> None:
    record = begun()
    record.press("nobody")
    assert sum(record.scores.values()) == 0
    assert record.result.how == "table"


def test_sf_t5_a_winner_is_named_once() -> None:
    begun().refuses("round_end", "SF-T5", seats=["ada", "ada"], points=1)


def test_the_report_is_plain_and_names_the_winner_of_each_round() -> None:
    record = Record()
    record.win("bo", 2)
    report = GAME.report(record.state)
    assert report["rounds"][0] | {"first": "", "target": None} == {
        "number": 1, "how": "launch", "clause": "SF-15", "winner": "bo", "winners": ["bo"],
        "points": {"ada": 0, "bo": 2, "cleo": 0}, "first": "", "target": None, "zones": [2, 0],
        "eliminated": [], "moves": 3,
    }  # fmt: skip


def test_a_fact_of_another_game_is_refused() -> None:
    with pytest.raises(Refused, match="FORMAT"):
        GAME.parse("draw", {"seat": "ada"})
