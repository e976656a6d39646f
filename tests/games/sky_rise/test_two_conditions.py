"""Two options together, or an option and a second condition, worked by hand; the random pairs cover the same
ground."""

from __future__ import annotations

import pytest

from companion.games.sky_rise.rules.standings import result
from companion.rules.facts import Refused
from tests.games.sky_rise.playing import GAME, QUIET, Record, at, scores

WILD_THREE = "###. .... ...."
"""Three opaque pyramids in a row."""


def roof_of_three() -> Record:
    """Return three complete levels and a roof; Ada has the first chance."""
    record = Record(3)
    record.build("RYGB GBRY RYG#", "RYGB GBRY RYG#", "RYGB GBRY RYG#")
    record.roof()
    assert record.view.due == "ada"
    return record


# -- the roof's pass list


def test_on_the_roof_nobody_who_had_a_chance_is_said_to_have_nothing_to_place() -> None:
    record = roof_of_three()
    record.do("pyramid", place="a1", color="blue", size="large")
    text = record.do("pass", seat="cleo", reason="she has to catch a train")
    assert record.view.due == "bo"
    assert record.level.skipped == ()
    assert "nothing to place" not in text
    assert not any("nothing to place" in note for note in record.view.notes)


def test_on_the_roof_who_has_nothing_to_place_passes_and_is_named_beside_those_who_had_their_chance() -> (
    None
):
    record = Record(2)
    record.build(QUIET, QUIET, QUIET)  # all 36 translucent pyramids
    record.do("seat_joins", name="Zoe")  # without any opaque one
    record.roof()
    first = record.view.due
    record.do("pyramid", place="a1", color="opaque", size="large")
    passed = record.level.skipped
    second = record.view.due
    record.do("pyramid", place="b1", color="opaque", size="large")
    assert {first, second} == {"ada", "bo"}
    assert (passed or record.level.skipped) == ("zoe",)
    assert record.view.phase == "goals"


def test_on_the_roof_a_chance_out_of_turn_is_the_only_one() -> None:
    record = roof_of_three()
    record.do("pass", seat="bo", reason="he has to catch a train")
    turns = []
    while record.view.phase == "antennas":
        turns.append(record.view.due)
        record.do("pass")
    assert turns == ["cleo", "ada"]


def test_on_the_roof_the_tables_word_gives_a_chance_back() -> None:
    record = roof_of_three()
    record.do("pass")
    record.do("turn", seat="ada", reason="she looked away")
    turns = []
    while record.view.phase == "antennas":
        turns.append(record.view.due)
        record.do("pass")
    assert turns == ["ada", "bo", "cleo"]


def test_a_turn_that_waits_for_its_card_is_no_pass_of_whoever_has_no_pyramid() -> None:
    record = Record(2)
    record.build(QUIET, QUIET, QUIET)  # all 36 translucent pyramids
    record.do("seat_joins", name="Zoe")  # without any opaque one
    while record.view.turn != "zoe":
        record.do("turn_over", seat=record.view.turn)
    record.do("turn_over", seat="zoe")
    for cell in ("a1", "b1", "c1")[: len(record.level.closed)]:
        record.do("card", place=cell, suit="hearts")
    assert [card.seat for card in record.level.cards][-1] == "zoe"


# -- groups and columns of opaque pyramids


def test_opaque_pyramids_alone_are_no_group_where_opaque_neighbors_are_not_joined() -> None:
    assert scores(WILD_THREE, "red", wild_only="yes") == [6]
    assert scores(WILD_THREE, "red", wild_only="yes", wild_chain="adjacent_only") == []


def test_one_of_the_color_beside_three_opaque_ones_is_none_of_the_groups_of_opaque_ones_alone() -> (
    None
):
    assert scores("###R .... ....", "red", wild_only="yes", single_with_two_wilds="no") == []
    assert scores("###R .... ....", "red", wild_only="no", single_with_two_wilds="yes") == [8]


def test_an_opaque_pyramid_that_is_not_joined_to_the_next_leaves_a_single_one_short() -> None:
    assert scores("R##. .... ....", "red") == [6]
    assert scores("R##. .... ....", "red", wild_chain="adjacent_only") == []


def tower(**options: str) -> Record:
    """Return a tower with a blue pyramid and two opaque ones at a1, an opaque antenna on top; Ada's Tree is red,
    Bo's blue."""
    record = Record(2, **options)
    record.build("BRYG RYGB GYRB", "#RYG RYGB GYRB", "#RYG RYGB GYRB")
    record.roof()
    record.do("pyramid", place="a1", color="opaque", size="large", reason="drawn")
    record.pass_roof()
    record.goals("green red", "yellow blue")
    record.do("reveal")
    return record


@pytest.mark.parametrize(
    ("wild_only", "antenna", "red_and_blue"),
    [("no", "yes", (0, 1)), ("no", "no", (0, 1)), ("yes", "yes", (1, 1)), ("yes", "no", (0, 1))],
)
def test_an_opaque_antenna_makes_a_column_of_opaque_ones_alone_where_both_options_say_so(
    wild_only: str, antenna: str, red_and_blue: tuple[int, int]
) -> None:
    record = tower(column_wild_only=wild_only, antenna_in_column=antenna)
    at_a1 = tuple(
        int("a1" in GAME.report(record.state)["seats"][seat]["columns"]) for seat in ("ada", "bo")
    )
    assert at_a1 == red_and_blue


def test_two_antennas_on_one_another_are_a_column_with_the_pyramid_below_them() -> None:
    record = Record(2, antenna_place="free")
    record.build("R#GB GBRY RBGY", "R#GB GBRY RBGY", "RYGB GBRY RYGB")  # at b3 blue, blue, yellow
    record.roof()
    record.do("pyramid", place="b3", color="yellow", size="large")
    record.do("pyramid", place="b3", color="yellow", size="medium")
    record.goals("green red", "yellow yellow")
    record.do("reveal")
    assert "b3" in GAME.report(record.state)["seats"]["bo"]["columns"]


# -- shares, floors, ties


def test_the_trios_are_shared_out_from_whoever_has_the_start_token() -> None:
    record = Record(2, opaque_sizes="by_trio")
    record.do("start_token", seat="bo")
    assert {seat.id: seat.opaque_sizes for seat in record.view.seats} == {
        "bo": (2, 1, 1),
        "ada": (1, 2, 2),
    }


def test_a_card_of_the_roof_goes_beside_one_of_the_roof_where_floors_are_laid_so() -> None:
    record = Record(2, floor_cell="adjacent_to_laid")
    record.build(QUIET, QUIET, QUIET)
    record.do("card", place="a1", suit="hearts")
    record.refuses("card", "SR-4", place="c1", suit="hearts")
    record.do("card", place="c1", suit="hearts", reason="the table is round")


@pytest.mark.parametrize(("pyramids", "settled"), [("18", False), ("6", True)])
def test_three_who_are_tied_settle_it_where_the_pyramids_serve_three(
    pyramids: str, settled: bool
) -> None:
    record = Record(3, tie="showdown", showdown_pyramids=pyramids)
    record.build(QUIET, QUIET, QUIET)
    record.roof()
    record.pass_roof()
    record.goals("red red", "yellow yellow", "green green")
    # the end adds 24 to each: three columns, three opaque pyramids
    for seat in "ada", "bo", "cleo":
        record.do("score_set", seat=seat, score=76, reason="for the test")
    record.do("reveal")
    assert set(record.points.values()) == {100}
    assert GAME.report(record.state)["won_by"] == ([] if settled else ["ada", "bo", "cleo"])


def test_a_stop_of_another_board_leaves_the_nearest_two_a_photo_finish() -> None:
    record = Record(2, tie="showdown")
    record.build(QUIET, QUIET, QUIET)
    record.roof()
    record.pass_roof()
    record.goals("red red", "yellow yellow")
    # the end adds 26: four opaque pyramids
    record.do("score_set", seat="ada", score=74, reason="for the test")
    record.do("score_set", seat="bo", score=72, reason="for the test")  # and 28: five
    record.do("reveal")
    assert set(record.points.values()) == {100}
    record.do("showdown", at(1_000_000))
    record.do("showdown_stop", at(61_000_000), seat="ada")
    assert GAME.report(record.state)["won_by"] == ["ada"]
    record.do("showdown_stop", at(50_000_000, clock="board-2"), seat="bo")
    assert GAME.report(record.state)["won_by"] == []
    record.do("showdown_ruling", seat="bo")
    assert GAME.report(record.state)["won_by"] == ["bo"]


@pytest.mark.parametrize(
    ("tie", "why"),
    [("shared", ""), ("asked", " serves 2 at most"), ("showdown", " serves 2 at most")],
)
def test_a_tie_of_three_says_why_it_is_shared_where_a_showdown_was_possible(
    tie: str, why: str
) -> None:
    record = Record(3, tie=tie)
    record.build(QUIET, QUIET, QUIET)
    record.roof()
    record.pass_roof()
    record.goals("red red", "yellow yellow", "green green")
    record.do("reveal")
    for sentence in (result(record.state).tie_break, record.awaiting):
        assert ("serves" in sentence) == bool(why)
        assert why in sentence


def test_a_corner_offers_colors_while_a_pyramid_can_go_there_and_none_later() -> None:
    record = Record(2)
    record.build(QUIET, QUIET, QUIET)
    record.roof()
    assert all(corner.offers for corner in record.view.levels[3].corners)
    record.do("pyramid", place="a1", color="opaque", size="large")
    record.pass_roof()
    assert not any(corner.offers for level in record.view.levels for corner in level.corners)


@pytest.mark.parametrize(("place", "again"), [("one_per_intersection", False), ("free", True)])
def test_a_corner_with_an_antenna_offers_colors_where_antennas_stand_on_antennas(
    place: str, again: bool
) -> None:
    record = Record(2, antenna_place=place)
    record.build(QUIET, QUIET, QUIET)
    record.roof()
    record.do("pyramid", place="a1", color="opaque", size="large")
    assert bool(record.view.levels[3].corners[0].offers) is again
    assert not any(corner.offers for corner in record.view.levels[2].corners)


def test_the_house_rule_about_stamps_is_a_second_at_most() -> None:
    Record(2, stamp_error_us="1000000")
    with pytest.raises(Refused, match="0 to 1000000"):
        Record(2, stamp_error_us="1000001")


# -- the setup


@pytest.mark.parametrize(
    ("players", "deck", "lines"),
    [
        (
            3,
            "ordinary",
            ["Take the aces out of the deck; 48 cards stay. J, Q and K belong to their suits."],
        ),
        (
            4,
            "ordinary",
            [
                "Take the aces out of the deck. J, Q and K of all suits are a fifth suit, the royals.",
                "Set any 3 royals aside; 45 cards stay, 9 of each suit.",
            ],
        ),
        (
            3,
            "five_suit",
            ["Take the aces and the fifth suit out of the five-suit deck; 48 cards stay."],
        ),
        (4, "five_suit", ["Take the aces out of the five-suit deck; 60 cards stay."]),
    ],
)
def test_the_checklist_takes_out_of_each_deck_what_so_many_players_do_not_play_with(
    players: int, deck: str, lines: list[str]
) -> None:
    text = list(GAME.checklist(Record(players, deck=deck).state))
    assert [line for line in text if "Take the aces" in line or "royals aside" in line] == lines
