"""FS-U1 to FS-U8: what the component file says, what it leaves open, and what is wrong with one."""

from __future__ import annotations

from fractions import Fraction

import pytest

from companion.games.fractured_sky.rules.board import board_of, platform_point
from companion.games.fractured_sky.rules.box import check, costs, regions_on
from companion.rules.components import Box, ComponentRow, as_json, example, overlay, packaged
from tests.games.fractured_sky.playing import Record, a_map, row

GAME = "fractured-sky"
OWN = {"Torrential Tropics": (1, 1), "Dreadful Desert": (3, 3)}


def test_fsu8_eight_regions_without_frosty_fjord_and_wayward_wood() -> None:
    small, large = (set(board_of(packaged(GAME), side).ids) for side in ("eight", "ten"))
    assert len(small) == 8
    assert large - small == {"frosty-fjord", "wayward-wood"}


def test_fsu1_nine_names_are_known_and_the_tenth_is_not() -> None:
    label = packaged(GAME).row("label", "Tenth region")
    assert label is not None
    assert label.status == "unknown"
    assert len(packaged(GAME).table("region")) == 10


def test_fsu2_two_regions_have_known_resources_and_eight_have_none() -> None:
    board = board_of(packaged(GAME), "ten")
    known = {region.name: region.resources for region in board.regions if region.resources}
    assert known == {"Careening Cliffs": ("Gold", "Iron"), "Sinister Spires": ("Gold", "Wood")}
    stated = [row for row in packaged(GAME).table("region") if row.fields]
    assert {row.name for row in stated if row.status == "confirmed"} == known.keys(), (
        "both follow from published rules"
    )


def test_fsu5_the_gold_of_two_slots_is_known() -> None:
    assert board_of(packaged(GAME), "eight").gold == (None, None, 1)
    assert board_of(packaged(GAME), "ten").gold == (None, None, None, 1, None)


def test_fs35_a_large_star_is_one_of_the_stars_of_its_card() -> None:
    cards = [
        row("card_black", str(n), kind="airship", stars=("N", "E"), large=("E",))
        for n in range(1, 11)
    ]
    box = overlay(example(GAME), Box(tuple(cards)))
    assert not [problem for problem in check(box) if problem.clause == "FS-35"]
    assert board_of(box, "eight").decks["black"][0].large == ("E",)
    wrong = overlay(
        box, Box((row("card_black", "3", kind="airship", stars=("N", "E"), large=("S",)),))
    )
    assert [(problem.name, problem.clause) for problem in check(wrong)] == [("3", "FS-35")]


def test_the_packaged_file_states_nothing_made_up() -> None:
    assert {row.status for row in packaged(GAME).rows} == {"confirmed", "inferred", "unknown"}
    assert not board_of(packaged(GAME), "ten").example
    assert board_of(packaged(GAME), "ten").platforms == ()
    assert board_of(packaged(GAME), "ten").platforms_open


def test_the_example_is_whole_and_says_what_it_is() -> None:
    for side in ("eight", "ten"):
        board = board_of(example(GAME), side)
        assert board.example
        assert board.places_known
        assert not board.platforms_open
        assert None not in board.gold
        assert set(board.decks) == set(board.tokens) == {"black", "orange"}
        assert all(len(region.resources) == 2 for region in board.regions)


def test_the_examples_regions_are_nobodys() -> None:
    real = {row.name for row in packaged(GAME).table("region")}
    assert not real & {region.name for region in board_of(example(GAME), "ten").regions}


def test_both_files_agree_with_the_clauses() -> None:
    assert check(packaged(GAME)) == ()
    assert check(example(GAME)) == ()


def test_fsu3_places_must_agree_with_the_known_bearing() -> None:
    wrong = overlay(
        packaged(GAME),
        Box(
            (
                row("place_ten", "Dreadful Desert", x=1, y=1),
                row("place_ten", "Torrential Tropics", x=5, y=5),
            )
        ),
    )
    assert [problem.clause for problem in check(wrong)] == ["FS-U3"]
    assert "SE" in str(check(wrong)[0])


def test_fsu2_a_region_has_two_different_resources() -> None:
    wrong = overlay(
        packaged(GAME), Box((row("region", "Creepy Cove", resources=("Gold", "Gold")),))
    )
    assert [problem.clause for problem in check(wrong)] == ["FS-U2"]


def test_fsu4_a_platform_is_bridged_to_regions_of_its_side_each_once() -> None:
    own = (row("platform_eight", "1", regions=("Frosty Fjord", "Creepy Cove", "Creepy Cove")),)
    assert [problem.why for problem in check(overlay(packaged(GAME), Box(own)))] == [
        "'Frosty Fjord' is bridged to it",
        "a region is bridged to it twice",
    ]


EIGHT = regions_on(example(GAME), "eight")


@pytest.mark.parametrize(
    ("wrong", "clause", "why"),
    [
        (row("side", "eight", regions=EIGHT[:7]), "FS-U8", "it has 7 regions"),
        (
            row("side", "eight", regions=(*EIGHT[:7], "Nowhere")),
            "FS-U1",
            "there is no region 'Nowhere'",
        ),
        (row("place_ten", "Nowhere", x=1, y=1), "FS-U3", "there is no such region"),
        (row("platform_eight", "99", x=1), "FS-U4", "its place is half known"),
        (row("token_black", "7", low=1, high=2), "FS-33", "there are 7 tokens"),
        (row("chips", "Power chips", values=(1, 2)), "FS-2", "there are 2"),
        (
            row("card_black", "11", kind="airship", stars=("E",)),
            "FS-U7",
            "there are 11 action cards",
        ),
    ],
)
def test_what_a_box_has_too_little_or_too_much_of_is_told_with_its_clause(
    wrong: ComponentRow, clause: str, why: str
) -> None:
    problems = [
        (problem.clause, problem.why) for problem in check(overlay(example(GAME), Box((wrong,))))
    ]
    assert (clause, why) in problems


def test_fs43_a_low_value_is_not_above_the_high_one() -> None:
    wrong = overlay(example(GAME), Box((row("token_black", "1", low=5, high=2),)))
    assert [problem.clause for problem in check(wrong)] == ["FS-43"]


def test_fs34_a_deck_must_be_able_to_place_airships() -> None:
    cards = tuple(row("card_black", str(n), kind="scout", stars=("E",)) for n in range(1, 11))
    assert [problem.clause for problem in check(overlay(example(GAME), Box(cards)))] == ["FS-34"]


def test_what_is_open_says_what_it_costs() -> None:
    text = " ".join(costs(packaged(GAME)))
    for clause in ("FS-U2", "FS-U3", "FS-U4", "FS-U5", "FS-U7"):
        assert clause in text
    assert costs(example(GAME)) == (
        "this is an example map: its regions, places, cards and tokens are invented",
    )


def test_fst7_a_platform_without_a_place_lies_in_the_middle_of_its_bridges() -> None:
    board = board_of(a_map(OWN, {"p": (tuple(OWN), 1)}), "eight")
    assert platform_point(board, board.platforms[0]) == (Fraction(2), Fraction(2))


def test_fsu1_the_owner_names_the_tenth_region() -> None:
    own = overlay(
        packaged(GAME),
        Box((ComponentRow("label", "Tenth region", {"value": "Here"}, "confirmed", "my copy"),)),
    )
    assert board_of(own, "eight").name("tenth-region") == "Here"


def test_a_session_keeps_the_box_it_was_begun_with() -> None:
    record = Record("ada bo cleo", a_map(OWN))
    assert record.state.board.ids == ("torrential-tropics", "dreadful-desert")
    assert as_json(a_map(OWN)) == record.setup.components


def test_a_table_may_practise_on_the_example_whatever_its_own_box_says() -> None:
    record = Record("ada", a_map(OWN), map="example")
    assert record.state.board.example
    assert len(record.state.board.regions) == 8


def test_every_screen_that_uses_the_example_says_so() -> None:
    record = Record("ada")
    assert record.view().example
    assert "example map" in record.game.summary(record.state)[0]
    assert record.game.report(record.state)["example"]
