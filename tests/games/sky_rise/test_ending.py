"""SR-13 to SR-17: roof and antennas, goals, columns, opaque pyramids left, the winner; and SR-T7."""

from __future__ import annotations

import pytest

from companion.games.sky_rise.rules.scoring import stacks
from companion.games.sky_rise.rules.standings import most_contenders
from companion.rules.outcome import ending_of
from tests.games.footer import footer_now
from tests.games.sky_rise.playing import GAME, QUIET, Record

# Level by level the same color on the same corner: a column of it everywhere.
SAME = "RYGB RYGB RYGB"


def built(players: int = 2, *levels: str, **options: str) -> Record:
    """Return a tower up to the roof."""
    record = Record(players, **options)
    record.build(*(levels or (QUIET, QUIET, QUIET)))
    return record


def finished(players: int = 2, *levels: str, **options: str) -> Record:
    """Return a tower with a roof and no antennas."""
    record = built(players, *levels, **options)
    record.roof()
    record.pass_roof()
    return record


def test_sr13_the_roof_is_laid_like_a_floor_by_the_start_token() -> None:
    record = built()
    assert (record.view.phase, record.view.due, record.view.level) == ("roof", "bo", 4)
    record.roof()
    assert record.view.phase == "antennas"


def test_sr13_with_an_ordinary_deck_four_players_run_out_of_pile_after_six_roof_cards() -> None:
    record = Record(4)
    for _ in range(3):
        record.build("RYGB RYGB RYGB PPP#")
    assert (record.view.pile, [seat.hand for seat in record.view.seats]) == (6, [3, 3, 3, 3])
    record.roof("srd crs dcr")
    assert (record.view.pile, sum(seat.hand for seat in record.view.seats)) == (0, 9)


def test_sr13_with_five_players_the_pile_serves_three_roof_cards() -> None:
    record = Record(5)
    for _ in range(3):
        record.build("RYGB RYGB RYGB PPP#")
    assert record.view.pile == 3
    hands = []
    for cell, suit in zip(
        ("a1", "b1", "c1", "a2"), ("royals", "spades", "diamonds", "clubs"), strict=True
    ):
        seat = record.view.due
        record.do("card", place=cell, suit=suit)
        hands.append(record.seat(seat or "").hand)
    assert hands == [3, 3, 3, 2]


@pytest.mark.parametrize("players", [2, 3])
def test_sr13_with_two_or_three_players_the_pile_never_runs_out(players: int) -> None:
    record = finished(players)
    assert record.view.pile == 48 - 3 * players - 24
    assert {seat.hand for seat in record.view.seats} == {3}


def test_sr13_a_five_suit_deck_never_runs_out() -> None:
    record = Record(5, deck="five_suit")
    for _ in range(3):
        record.build("RYGB RYGB RYGB PPP#")
    record.roof("hsd chs dcf")
    assert record.view.pile == 60 - 15 - 36


def test_sr13_each_has_one_chance_from_left_of_the_last_roof_card() -> None:
    record = built(3, "RYGB GBRY RYG#", "RYGB GBRY RYG#", "RYGB GBRY RYG#")
    record.roof()
    turns = []
    while record.view.phase == "antennas":
        turns.append(record.view.due)
        record.do("pass")
    assert turns == ["ada", "bo", "cleo"]
    assert record.view.phase == "goals"


def test_sr13_an_antenna_names_its_size_and_may_have_any() -> None:
    record = built(2, "RYGB GBRY RYG#", "RYGB GBRY RY#B", QUIET)
    record.roof("hsd chs")
    record.refuses("pyramid", "SR-13", place="a1", color="blue")
    text = record.do("pyramid", place="a1", color="blue", size="large")
    assert text == "bo places a large blue antenna at a1: no points (SR-8)"
    record.do("pyramid", place="b2", color="green", size="medium")
    assert record.view.phase == "goals"


def test_sr13_an_antenna_scores_like_a_pyramid_by_the_roof_cards() -> None:
    record = built(2, "RYGB GBRY #YGB", QUIET, QUIET)
    record.roof("hsd chs")
    before = record.points["bo"]
    record.do("pyramid", place="b2", color="red", size="large")
    assert record.points["bo"] == before + 2


def test_sr13_an_opaque_antenna_scores_different_suits() -> None:
    record = built()
    record.roof("hsd chs")
    record.do("pyramid", place="b2", color="opaque", size="small")
    assert record.placed("b2") == 3


def test_sr13_no_groups_are_scored_on_the_roof() -> None:
    record = built(2, "RYG# GB#Y RYGB", QUIET, QUIET)
    before = [color.total for color in record.view.colors]
    record.roof()
    record.do("pyramid", place="a1", color="red", size="large")
    record.do("pyramid", place="b1", color="opaque", size="small")
    assert record.view.levels[3].groups == ()
    assert [color.total for color in record.view.colors] == before


def test_sr13_one_antenna_on_an_intersection() -> None:
    record = built(2, "RYG# GB#Y RYGB", QUIET, QUIET)
    record.roof()
    record.do("pyramid", place="a1", color="red", size="large")
    record.refuses("pyramid", "SR-13", place="a1", color="opaque", size="small")


def test_sr13_free_antennas_may_stand_on_antennas() -> None:
    record = built(2, "RYG# GB#Y RYGB", QUIET, QUIET, antenna_place="free")
    record.roof()
    record.do("pyramid", place="a1", color="red", size="large")
    record.do("pyramid", place="a1", color="opaque", size="small")
    corner = record.view.levels[3].corners[0]
    assert [piece.color for piece in corner.pieces] == ["red", "opaque"]


def test_sr13_who_has_nothing_left_has_no_chance_to_pass() -> None:
    record = Record(2)
    record.do("opaque", seat="ada", large=1, medium=1, small=2)
    record.do("opaque", seat="bo", large=2, medium=2, small=1)
    record.build(QUIET, QUIET, QUIET)  # all 36 translucent pyramids
    record.roof()
    assert record.view.due == "bo"
    record.do("pyramid", place="a1", color="opaque", size="large")
    assert record.view.due == "ada"


def test_sr14_goals_are_turned_up_together_when_the_tower_is_built() -> None:
    record = built()
    record.goals("red blue", "blue red")
    record.refuses("reveal", "SR-14")
    record.roof()
    record.pass_roof()
    text = record.do("reveal")
    assert "ada Nest red, Tree blue; bo Nest blue, Tree red (SR-14)" in text
    assert GAME.reveals(record.state, record.facts[-1]) is not None


def test_sr14_everybody_has_to_have_noted_goals() -> None:
    record = finished()
    assert "ada, bo" in record.refuses("reveal", "SR-14").reason
    record.do("goal_noted", seat="bo", nest="red", tree="red")
    assert "the goals of ada" in record.refuses("reveal", "SR-14").reason


def test_sr14_each_adds_the_open_total_of_the_own_nest() -> None:
    record = finished(2, "RRYY GGBB RYGB", "RRYY GGBB RYGB", "RRYY GGBB RYGB")
    before = dict(record.points)
    record.goals("red yellow", "blue green")
    record.do("reveal")
    assert record.seat("ada").score.nest == 12
    assert record.seat("bo").score.nest == 18
    assert record.points["ada"] >= before["ada"] + 12


def test_sr3_the_same_nest_or_tree_twice_shows_at_the_reveal_and_only_there() -> None:
    record = finished()
    record.do("goal_noted", seat="ada", nest="red", tree="blue")
    record.do("goal_noted", seat="bo", nest="red", tree="red")
    assert footer_now(GAME, record.state) == {"sky-rise.reveal"}
    assert record.refuses("reveal", "SR-3").reason == "ada and bo noted the Nest of red"
    record.do("goal_noted", seat="bo", nest="green", tree="blue")
    assert record.refuses("reveal", "SR-3").reason == "ada and bo noted the Tree of blue"
    record.do("reveal", reason="we dealt it wrongly")
    assert GAME.over(record.state)


def test_sr3_ones_own_nest_and_tree_may_be_of_one_color() -> None:
    record = finished()
    record.goals("red red", "blue blue")
    record.do("reveal")
    assert record.seat("ada").nest == record.seat("ada").tree == "red"


def test_sr3_there_are_goals_for_the_colors_in_play_alone() -> None:
    Record(2).refuses("goal_noted", "SR-3", seat="ada", nest="purple", tree="red")
    Record(4).do("goal_noted", seat="ada", nest="purple", tree="red")


def test_sr14_goals_stay_as_they_are_once_they_are_up() -> None:
    record = finished(2, tie="showdown")
    record.goals("red red", "blue blue")
    record.do("reveal")
    clause = "SR-17" if GAME.over(record.state) else "SR-14"
    record.refuses("goal_noted", clause, seat="ada", nest="green", tree="red")
    record.refuses("reveal", clause)


def test_sr15_a_column_of_three_of_the_tree_color_is_six_points() -> None:
    record = finished(2, SAME, SAME, SAME)
    record.goals("blue red", "red yellow")
    record.do("reveal")
    assert record.seat("ada").columns == ("a1", "a2", "a3")
    assert record.seat("ada").score.columns == 18


def test_sr15_opaque_ones_may_stand_in() -> None:
    record = finished(2, SAME, "#YGB RYGB RYGB", "RYGB #YGB RYGB")
    record.goals("blue red", "red yellow")
    record.do("reveal")
    assert record.seat("ada").columns == ("a1", "a2", "a3")


def test_sr15_two_levels_are_no_column() -> None:
    record = finished(2, SAME, SAME, "YRGB YRGB YRGB")
    record.goals("blue red", "red yellow")
    record.do("reveal")
    assert record.seat("ada").score.columns == 0


@pytest.mark.parametrize(("ruling", "count"), [("no", 0), ("yes", 1)])
def test_sr15_three_opaque_ones_are_a_column_only_by_ruling(ruling: str, count: int) -> None:
    record = finished(
        2, "#YGB GBRY RYGB", "#YGB BRYG YGBR", "#GBR YRGY BGBR", column_wild_only=ruling
    )
    record.goals("blue red", "red blue")
    record.do("reveal")
    assert "a1" in stacks(record.state)
    assert [place == "a1" for place in record.seat("ada").columns] == [True] * count


@pytest.mark.parametrize(("ruling", "count"), [("yes", 1), ("no", 0)])
def test_sr15_an_antenna_is_the_columns_next_pyramid_by_default(ruling: str, count: int) -> None:
    record = built(
        2, "YRGB GBRY RYGB", "RYGB GBR# YGBR", "RGBY YR#B BGYG", antenna_in_column=ruling
    )
    record.roof()
    record.do("pyramid", place="a1", color="red", size="small")
    record.pass_roof()
    record.goals("blue red", "red blue")
    record.do("reveal")
    assert [place for place in record.seat("ada").columns if place == "a1"] == ["a1"] * count


def test_sr15_a_column_scores_once_however_tall() -> None:
    record = built(2, "RYGB RYGB GYRB", "RYGB RYGB GY#B", "RYGB RYGB GY#B")
    record.roof()
    record.do("pyramid", place="a1", color="red", size="small")
    record.pass_roof()
    record.goals("blue red", "red yellow")
    record.do("reveal")
    assert stacks(record.state)["a1"] == ("red",) * 4
    assert record.seat("ada").score.columns == 18  # a1, a2 and c3 with its opaque ones


def test_sr16_each_opaque_pyramid_that_was_not_placed_is_two_points() -> None:
    record = finished()
    record.goals("red red", "blue blue")
    record.do("reveal")
    assert [seat.score.unplaced for seat in record.view.seats] == [8, 10]


def test_sr16_placed_ones_are_worth_nothing_there() -> None:
    record = finished(2, "RYGB GBRY RYG#", QUIET, QUIET)  # the twelfth pyramid is Bo's
    record.goals("red red", "blue blue")
    record.do("reveal")
    assert [seat.score.unplaced for seat in record.view.seats] == [8, 8]


def test_sr17_the_points_of_all_sources_add_up_and_most_win() -> None:
    record = finished(2, "RRYY GGBB RYGB", "RRYY GGBB RYGB", "RRYY GGBB RYGB")
    record.goals("red yellow", "blue green")
    text = record.do("reveal")
    for seat in record.view.seats:
        own = seat.score
        assert seat.score.total == own.placed + (own.nest or 0) + (own.columns or 0) + (
            own.unplaced or 0
        )
    best = max(record.points, key=lambda seat: record.points[seat])
    assert record.view.winners == (best,)
    assert f"{best} wins with {record.points[best]} points (SR-17)" in text
    assert record.view.phase == "finished"


def test_sr_t4_points_set_by_hand_after_the_goals_are_what_decided_it_and_not_the_goals() -> None:
    record = finished()
    record.goals("red red", "blue blue")
    record.do("reveal")
    points = record.points
    best, other = sorted(points, key=lambda seat: -points[seat])
    record.do("score_set", seat=other, score=points[best] + 1, reason="for the test")
    ending = ending_of(GAME, record.state, "points")
    assert ending is not None
    assert [name for name, _ in ending.after] == ["1", "2", "3", "roof", "goals", "by hand"]
    assert dict(ending.after)["goals"] == points
    assert ending.decided == (
        "The table set a score by hand, and that made the difference: "
        f"{best} was in front before; {other} finished 1 point ahead of {best}."
    )


def test_one_point_is_one_point() -> None:
    record = finished()
    record.goals("red red", "blue blue")
    record.do("reveal")
    record.do("score_set", seat="ada", score=0, reason="for the test")
    record.do("score_set", seat="bo", score=1, reason="for the test")
    assert record.awaiting == "bo wins with 1 point. The game is over."


def tied(players: int = 2, **options: str) -> Record:
    """Return a game in which all players have 50 points at the end."""
    rows = QUIET if players < 4 else "RYGB RYGB RYGB PPP#"
    record = finished(players, rows, rows, rows, **options)
    record.goals(
        *("red red", "blue blue", "green green", "yellow yellow", "purple purple")[:players]
    )
    record.do("reveal")
    for seat in record.state.playing:
        record.do("score_set", seat=seat, score=50, reason="for the test")
    return record


def test_sr17_those_who_are_tied_choose_then_how_it_is_settled() -> None:
    record = tied()
    assert (record.view.winners, record.view.phase) == ((), "showdown")
    assert record.awaiting.startswith(
        "Tower Showdown: on three press Enter (S: share it). "
        "ada and bo are tied: the first to lay the seventh card wins."
    )
    assert {"sky-rise.go", "sky-rise.shared"} == footer_now(GAME, record.state)
    assert "the tie is shared or settled in a Tower Showdown (SR-17)" in record.view.notes


def test_sr17_those_who_are_tied_may_share_the_victory() -> None:
    record = tied()
    assert record.do("showdown_ruling") == "ada and bo share the victory (SR-17)"
    assert record.view.winners == ("ada", "bo")
    assert record.awaiting == "ada and bo share the victory with 50 points. The game is over."


def test_sr17_once_the_showdown_runs_sharing_needs_the_tables_word() -> None:
    record = tied()
    record.do("showdown")
    record.refuses("showdown_ruling", "SR-17")
    record.press("shared")
    assert record.view.winners == ("ada", "bo")


def test_sr17_a_tie_that_was_settled_before_the_game_is_not_asked_about() -> None:
    tied(tie="showdown").refuses("showdown_ruling", "SR-17")
    tied(tie="shared").refuses("showdown", "SR-17")


def test_sr17_a_tie_is_shared_where_the_house_rule_says_so() -> None:
    record = tied(tie="shared")
    assert record.view.winners == ("ada", "bo")
    assert "share the victory with 50 points" in record.awaiting


def test_sr17_while_a_tie_is_to_be_settled_whatever_else_is_refused_says_so() -> None:
    record = tied()
    for kind, body in (
        ("card", {"place": "a1", "suit": "hearts"}),
        ("pyramid", {"place": "a1", "color": "red", "size": "large"}),
        ("pass", {}),
        ("turn_over", {"seat": "ada"}),
        ("turn", {"seat": "ada", "reason": "for the test"}),
    ):
        clause = {"card": "SR-5", "pyramid": "SR-6", "turn_over": "SR-T6"}.get(kind, "SR-7")
        assert record.refuses(kind, clause, **body).expected == "the tie to be settled"


@pytest.mark.parametrize(
    ("players", "pyramids", "most"), [(2, "18", 2), (4, "18", 3), (2, "6", 6), (5, "6", 6)]
)
def test_sr17_the_stock_serves_so_many_contenders(players: int, pyramids: str, most: int) -> None:
    # 45 pyramids serve 2 of 18 or 7 of 6, 54 serve 3 or 9; the deck of 48 or 45 serves six of seven cards.
    assert most_contenders(Record(players, showdown_pyramids=pyramids).state) == most


def test_sr17_too_many_contenders_share_the_victory() -> None:
    for tie in ("asked", "showdown"):
        record = tied(3, tie=tie)
        assert record.view.winners == ("ada", "bo", "cleo")
    assert "serves 2 at most" in record.awaiting


def test_sr17_six_pyramids_each_serve_three_contenders() -> None:
    record = tied(3, tie="showdown", showdown_pyramids="6")
    assert record.view.winners == ()
    assert "ada, bo and cleo are tied" in record.awaiting


def test_sr17_after_the_game_nothing_more_is_laid_or_noted() -> None:
    record = tied(tie="shared")
    for kind, body in (
        ("pass", {}),
        ("turn_over", {"seat": "ada"}),
        ("showdown", {}),
        ("seat_joins", {"name": "Zoe"}),
    ):
        record.refuses(kind, "SR-17", **body)
