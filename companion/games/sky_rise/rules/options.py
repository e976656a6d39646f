"""House rules of Sky Rise: what the published rules leave open, with the alternatives and the default of each."""

from __future__ import annotations

from companion.rules.house_rules import HouseRule, Number

HOUSE_RULES = (
    HouseRule("deck", "SR-2", ("ordinary", "five_suit")),
    HouseRule(
        "colors",
        "SR-1",
        ("by_seats", "4", "5"),
        meanings=(
            "four with two or three players, five with four or five",
            "stated, and refused where the number of players does not go with it",
            "stated, and refused where the number of players does not go with it",
        ),
    ),
    HouseRule(
        "opaque_sizes",
        "SR-1",
        ("entered_by_table", "by_trio"),
        meanings=(
            "the table says who has which sizes (`opaque`); until then only their number is known",
            (
                "the Trios stand in a row, each large, medium, small, and from the start player on each "
                "takes a share from the front; `opaque` overrides"
            ),
        ),
    ),
    HouseRule(
        "floor_cell",
        "SR-4",
        ("any", "adjacent_to_laid"),
        meanings=("a card goes to any free cell", "to a cell beside a card of the same floor"),
    ),
    HouseRule(
        "wild_chain",
        "SR-11",
        ("yes", "adjacent_only"),
        meanings=("opaque pyramids are joined to each other, too", ""),
    ),
    HouseRule("wild_only", "SR-12", ("no", "yes")),
    HouseRule("single_with_two_wilds", "SR-12", ("yes", "no")),
    HouseRule(
        "antenna_place",
        "SR-13",
        ("one_per_intersection", "free"),
        meanings=("", "antennas may stand on antennas"),
    ),
    HouseRule(
        "column_wild_only",
        "SR-15",
        ("no", "yes"),
        meanings=("", "three opaque ones are a column of every color"),
    ),
    HouseRule("antenna_in_column", "SR-15", ("yes", "no")),
    HouseRule(
        "tie",
        "SR-17",
        ("asked", "shared", "showdown"),
        meanings=("those who are tied choose when they are", "", ""),
    ),
    HouseRule("showdown_pyramids", "SR-17", ("18", "6")),
)
# A board publishes the error of its stamps, and each stamp carries it: 2 us where hardware takes them.
NUMBERS = (
    Number(
        "stamp_error_us",
        "SR-17",
        0,
        1_000_000,
        "microseconds within which two stamps are a tie; 0: as the board says",
    ),
)
