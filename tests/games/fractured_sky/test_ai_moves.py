"""FS-34 to FS-41: where an AI's Airships, buildings and Skimmers go, and what it scouts."""

from __future__ import annotations

import ast
from dataclasses import replace
from importlib.resources import files
from typing import get_type_hints

import pytest

from companion.games.fractured_sky.rules.ai import Decision, decide
from companion.games.fractured_sky.rules.board import Card, Direction
from companion.games.fractured_sky.rules.facts import Building
from companion.games.fractured_sky.rules.public import (
    Built,
    Flight,
    PublicMark,
    PublicTable,
    Ship,
    TurnedCard,
)
from companion.rules.components import Box
from tests.games.fractured_sky.playing import Record, a_map

AI = "@black"
TT, DD, XX, YY = "torrential-tropics", "dreadful-desert", "x-land", "y-land"
SQUARE = {
    "Torrential Tropics": (1, 1),
    "Dreadful Desert": (3, 3),
    "X Land": (3, 1),
    "Y Land": (1, 3),
}


def a_table(box: Box | None = None, **options: str) -> PublicTable:
    """An empty table of a solo game in round 1, on the square of four regions."""
    record = Record("ada", box or a_map(SQUARE), ai_cards="physical", **options)
    record.do("first", seat="ada")
    return record.table


def built(*platforms: str, player: str = AI, building: Building = "market") -> tuple[Built, ...]:
    return tuple(Built(player, building, platform) for platform in platforms)


def turned(*cards: Card, ai: str = AI, done: bool = True) -> tuple[TurnedCard, ...]:
    return tuple(TurnedCard(ai, card, done) for card in cards)


def clauses(decision: Decision) -> list[str]:
    return [reason.clause for reason in decision.reasons]


# -- Airships


def test_fs37_the_airship_goes_where_most_starfalls_show() -> None:
    table = replace(a_table(), starfalls={DD: 2, XX: 1})
    move = decide(table, AI, Card("airship", ("NW",)))
    assert (move.target, move.clause) == (DD, "FS-37")
    assert move.reasons[-1].text == "it shows the most Starfalls"


def test_fs37_not_where_it_has_an_airship_already() -> None:
    table = replace(a_table(), starfalls={DD: 2, XX: 1}, ships=(Ship(AI, DD), Ship("ada", XX)))
    assert decide(table, AI, Card("airship", ("NW",))).target == XX


def test_fs37_two_regions_tied_and_equal_buildings_compass_south_east_takes_the_south_eastern() -> (
    None
):
    table = replace(a_table(), starfalls={TT: 1, DD: 1})
    move = decide(table, AI, Card("airship", ("SE",)))
    assert (move.target, move.clause) == (DD, "FS-36")
    assert move.reasons[-1].text == "tie broken by this card's compass: furthest south-east"
    assert move.reasons[-1].text == "tie broken by this card's compass: furthest south-east"
    assert decide(table, AI, Card("airship", ("NW",))).target == TT


def test_fs35_advantage_comes_before_the_compass() -> None:
    box = a_map(
        SQUARE,
        {"p": (("Torrential Tropics", "X Land"), 2), "q": (("Dreadful Desert", "Y Land"), 2)},
    )
    table = replace(a_table(box), starfalls={TT: 1, DD: 1}, buildings=built("p"))
    move = decide(table, AI, Card("airship", ("SE",)))
    assert (move.target, move.clause) == (TT, "FS-35")


def test_fs35_only_its_own_buildings_give_advantage() -> None:
    box = a_map(SQUARE, {"p": (("Torrential Tropics", "X Land"), 2)})
    table = replace(a_table(box), starfalls={TT: 1, DD: 1}, buildings=built("p", player="@orange"))
    assert decide(table, AI, Card("airship", ("SE",))).target == DD


def test_fs37_without_a_starfall_advantage_and_compass_decide() -> None:
    assert decide(a_table(), AI, Card("airship", ("SE",))).target == DD


def test_fs36_a_tie_along_the_large_star_goes_to_the_small_one() -> None:
    move = decide(a_table(), AI, Card("airship", ("E", "S")))
    assert move.target == DD
    assert [reason.text for reason in move.reasons][-2:] == [
        "tie broken by this card's compass: furthest east",
        "tie broken by a small star: furthest south",
    ]


def test_fs36_still_tied_the_leftmost() -> None:
    table = replace(a_table(), starfalls={XX: 1, YY: 1})
    move = decide(table, AI, Card("airship", ("SE",)))
    assert (move.target, move.reasons[-1].text) == (YY, "still tied: the leftmost")


def test_fs36_tied_even_then_the_table_says_which() -> None:
    move = decide(a_table(), AI, Card("airship", ("W",)))
    assert move.target is None
    assert move.ask == (TT, YY)


def test_fs35_the_compass_is_the_previous_cards() -> None:
    table = replace(a_table(), starfalls={TT: 1, DD: 1}, turned=turned(Card("scout", ("NW",))))
    assert decide(table, AI, Card("airship", ("SE",))).target == TT


@pytest.mark.parametrize(("ruling", "target"), [("turned_up", TT), ("carried_out", DD)])
def test_fs35_whether_a_skipped_card_has_a_compass(ruling: str, target: str) -> None:
    skipped = turned(Card("market", ("NW",)), done=False)
    table = replace(a_table(compass_after_skip=ruling), starfalls={TT: 1, DD: 1}, turned=skipped)
    assert decide(table, AI, Card("airship", ("SE",))).target == target


@pytest.mark.parametrize(
    ("ruling", "target", "words"),
    [("printed_order", XX, "this card's compass"), ("first_only", DD, "a small star")],
)
def test_fs35_several_large_stars(ruling: str, target: str, words: str) -> None:
    card = Card("airship", ("E", "S", "N"), large=("E", "N"))
    move = decide(replace(a_table(several_large_stars=ruling), starfalls={XX: 1, DD: 1}), AI, card)
    assert move.target == target
    assert f"tie broken by {words}: " in move.reasons[-1].text


def test_fs35_where_no_star_is_said_to_be_large_the_first_one_is() -> None:
    reasons = decide(
        replace(a_table(), starfalls={XX: 1, DD: 1}), AI, Card("airship", ("E", "S"))
    ).reasons
    assert [reason.text for reason in reasons[-2:]] == [
        "tie broken by this card's compass: furthest east",
        "tie broken by a small star: furthest south",
    ]


@pytest.mark.parametrize(("ruling", "target"), [("own_deck", DD), ("last_ai_card", TT)])
def test_fs35_whose_previous_card(ruling: str, target: str) -> None:
    others = turned(Card("scout", ("NW",)), ai="@orange")
    table = replace(a_table(compass_card_owner=ruling), starfalls={TT: 1, DD: 1}, turned=others)
    assert decide(table, AI, Card("airship", ("SE",))).target == target


def test_fs36_the_table_may_keep_the_compass_to_itself() -> None:
    table = replace(a_table(compass_geometry="table"), starfalls={TT: 1, DD: 1})
    move = decide(table, AI, Card("airship", ("SE",)))
    assert move.ask == (TT, DD)
    assert "south-east" in move.reasons[-1].text


def test_fsu3_while_a_place_is_unknown_the_table_says_which() -> None:
    table = a_table(a_map({**SQUARE, "Z Land": None}))
    move = decide(replace(table, starfalls={TT: 1, "z-land": 1}), AI, Card("airship", ("SE",)))
    assert (move.target, move.ask) == (None, (TT, "z-land"))
    assert "incomplete" in move.reasons[-1].text


def test_fs34_without_an_airship_left_the_card_cannot_be_done() -> None:
    table = replace(a_table(), ships=(Ship(AI, TT), Ship(AI, DD), Ship(AI, XX)))
    assert decide(table, AI, Card("airship", ("SE",))).impossible == "all its Airships are placed"


# -- buildings

DEGREES = {
    "Dreadful Desert": (5, 5),
    "Torrential Tropics": (1, 1),
    "N": (5, 1),
    "W": (1, 5),
    "S": (5, 9),
    "E": (9, 5),
    "SE": (9, 9),
}
FOUR_AND_FOUR = {
    "north-west": (("Dreadful Desert", "Torrential Tropics", "N", "W"), 2),
    "south-east": (("Dreadful Desert", "S", "E", "SE"), 2),
    "small": (("Dreadful Desert", "E"), 2),
    "far": (("Torrential Tropics", "N", "W"), 2),
}


def test_fs38_the_building_example_with_two_platforms_of_degree_four() -> None:
    table = replace(a_table(a_map(DEGREES, FOUR_AND_FOUR)), starfalls={DD: 1})
    move = decide(table, AI, Card("fortress", ("NW",)))
    assert move.target == "north-west"
    assert [reason.left for reason in move.reasons] == [
        ("north-west", "south-east", "small", "far"),
        ("north-west", "south-east", "small"),
        ("north-west", "south-east"),
        ("north-west",),
    ]
    assert clauses(move) == ["FS-38", "FS-38", "FS-38", "FS-36"]
    assert decide(table, AI, Card("fortress", ("SE",))).target == "south-east"


def test_fs38_advantage_comes_before_the_compass() -> None:
    table = replace(
        a_table(a_map(DEGREES, FOUR_AND_FOUR)), starfalls={DD: 1}, buildings=built("far")
    )
    move = decide(table, AI, Card("fortress", ("SE",)))
    assert move.target == "north-west"
    assert "AI Advantage" in move.reasons[-1].text


def test_fs38_a_full_platform_is_passed_over() -> None:
    full = built("north-west", "north-west", player="ada")
    table = replace(a_table(a_map(DEGREES, FOUR_AND_FOUR)), starfalls={DD: 1}, buildings=full)
    assert decide(table, AI, Card("fortress", ("NW",))).target == "south-east"


@pytest.mark.parametrize(("ruling", "target"), [("best_region", "one"), ("sum", "two")])
def test_fs38_near_the_best_region_or_the_most_in_all(ruling: str, target: str) -> None:
    box = a_map(
        SQUARE, {"one": (("Dreadful Desert",), 2), "two": (("Torrential Tropics", "X Land"), 2)}
    )
    table = replace(
        a_table(box, near_starfalls=ruling),
        starfalls={DD: 2, TT: 2, XX: 1} if ruling == "sum" else {DD: 2, TT: 1},
    )
    assert decide(table, AI, Card("market", ("NW",))).target == target


LINES = {
    "p": (("Torrential Tropics", "X Land"), 9),
    "q": (("Dreadful Desert", "Y Land"), 9),
    "r": (("Torrential Tropics", "Y Land"), 9),
    "s": (("Dreadful Desert", "X Land"), 9),
}


@pytest.mark.parametrize(
    ("options", "buildings", "star", "target"),
    [
        # every platform but q is bridged to a region that has the building
        ({}, built("p"), "SE", "s"),
        ({"building_advantage": "on_platform"}, built("p"), "SE", "p"),
        # both its regions have the building
        ({"advantage_count": "sum_over_regions"}, built("p"), "SE", "p"),
        ({"advantage_buildings": "own"}, built("q", player="ada"), "N", "p"),
        ({"advantage_buildings": "all"}, built("q", player="ada"), "N", "r"),
    ],
)
def test_fs38_the_rulings_on_advantage(
    options: dict[str, str], buildings: tuple[Built, ...], star: Direction, target: str
) -> None:
    table = replace(a_table(a_map(SQUARE, LINES), **options), buildings=buildings)
    assert decide(table, AI, Card("fortress", (star,))).target == target


@pytest.mark.parametrize(("count", "number"), [("distinct_buildings", 1), ("sum_over_regions", 2)])
def test_fs38_advantage_is_told_with_its_count(count: str, number: int) -> None:
    table = replace(a_table(a_map(SQUARE, LINES), advantage_count=count), buildings=built("p"))
    move = decide(table, AI, Card("fortress", ("SE",)))
    reasons = [f"{reason.text} ({reason.clause})" for reason in move.reasons]
    assert f"AI Advantage: most buildings bridged to its regions, {number} (FS-38)" in reasons


def test_fs34_no_building_left_means_the_next_card() -> None:
    # easy: two of each kind
    table = replace(a_table(a_map(SQUARE, LINES)), buildings=built("p", "q"))
    assert decide(table, AI, Card("market", ("NW",))).impossible == "no Market is left"
    assert not decide(table, AI, Card("fortress", ("NW",))).impossible


def test_fs34_no_free_platform_means_the_next_card() -> None:
    table = replace(
        a_table(a_map(SQUARE, {"p": (("X Land",), 1)})), buildings=built("p", player="ada")
    )
    assert decide(table, AI, Card("market", ("NW",))).impossible == "no platform has a free place"


def test_fsu4_with_unknown_platforms_the_table_says_where() -> None:
    move = decide(a_table(a_map(SQUARE)), AI, Card("market", ("NW",)))
    assert (move.target, move.impossible, move.clause) == (None, "", "FS-U4")


# -- Skimmers and scouting


def test_fs39_a_skimmer_goes_to_the_public_starfalls_region() -> None:
    move = decide(replace(a_table(), public=XX), AI, Card("skimmer", ("NW",)))
    assert (move.target, move.clause) == (XX, "FS-39")


def test_fs32_an_ai_has_two_skimmers() -> None:
    table = replace(a_table(), public=XX, flights=(Flight(AI, XX), Flight(AI, TT)))
    assert decide(table, AI, Card("skimmer", ("NW",))).impossible == "no Skimmer is left"


@pytest.mark.parametrize(("star", "card"), [("NW", "1"), ("W", "1"), ("E", "3"), ("SE", "3")])
def test_fs40_the_leftmost_or_rightmost_card_as_the_compass_points(
    star: Direction, card: str
) -> None:
    table = replace(a_table(), hidden=(None, None, None), turned=turned(Card("airship", (star,))))
    assert decide(table, AI, Card("scout", ("N",))).target == card


def test_fs40_only_cards_that_are_face_down_and_not_scouted() -> None:
    table = replace(
        a_table(), hidden=(None, TT, None, None), marks=(PublicMark(AI, 1, taken=True),)
    )
    assert decide(table, AI, Card("scout", ("W",))).reasons[0].left == ("3", "4")


def test_fs41_a_table_may_let_revealed_cards_be_scouted() -> None:
    table = replace(
        a_table(early_reveal_scoutable="yes"),
        hidden=(None, TT),
        marks=(PublicMark(AI, 1, taken=True),),
    )
    assert decide(table, AI, Card("scout", ("W",))).target == "2"


def test_fs34_nothing_left_to_scout_means_the_next_card() -> None:
    table = replace(a_table(), hidden=(None,), marks=(PublicMark(AI, 1, taken=True),))
    assert decide(table, AI, Card("scout", ("W",))).impossible == "no Hidden card is left to scout"


def test_fs40_a_star_north_or_south_gives_way_to_the_next_then_leftmost() -> None:
    table = replace(a_table(), hidden=(None, None, None))
    assert decide(table, AI, Card("scout", ("N", "E"))).target == "3"
    assert decide(table, AI, Card("scout", ("N",))).target == "1"


def test_fs40_or_to_the_card_before() -> None:
    cards = turned(Card("airship", ("E",)), Card("airship", ("N", "W")))
    table = replace(
        a_table(scout_compass_no_east_west="previous_card"), hidden=(None, None, None), turned=cards
    )
    assert decide(table, AI, Card("scout", ("W",))).target == "3"


def test_excluded_places_are_passed_over() -> None:
    table = replace(a_table(), starfalls={TT: 1, DD: 1})
    assert decide(table, AI, Card("airship", ("SE",)), frozenset({DD})).target == TT


# -- what an AI may know


def test_fs46_the_ais_take_the_open_table_and_import_no_state() -> None:
    assert get_type_hints(decide)["table"] is PublicTable
    source = (
        files("companion.games.fractured_sky.rules").joinpath("ai.py").read_text(encoding="utf-8")
    )
    imported = [
        node.module or ""
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
    ]
    forbidden = ("model", "standing", "rules", "opponents", "view", "ending", "turns")
    assert imported
    assert not [name for name in imported if name.rpartition(".")[2] in forbidden]
