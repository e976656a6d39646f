"""House rules of Sky Rise: what the published rules leave open, with the alternatives and the default of each."""

from __future__ import annotations

from companion.rules.house_rules import HouseRule, Number

HOUSE_RULES = (
    HouseRule(
        "deck", "SR-2", ("ordinary", "five_suit"), title="Deck", choices=("ordinary", "five suits")
    ),
    HouseRule(
        "colors",
        "SR-1",
        ("by_seats", "4", "5"),
        meanings=(
            "four with two or three players, five with four or five",
            "stated, and refused where the number of players does not go with it",
            "stated, and refused where the number of players does not go with it",
        ),
        title="Pyramid colors",
        choices=("by number of players", "four", "five"),
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
        title="Sizes of opaque pyramids",
        choices=("entered by you", "by Trios in a row"),
    ),
    HouseRule(
        "floor_cell",
        "SR-4",
        ("any", "adjacent_to_laid"),
        meanings=("a card goes to any free cell", "to a cell beside a card of the same floor"),
        title="A card may go to",
        choices=("any free cell", "a cell beside a card"),
    ),
    HouseRule(
        "wild_chain",
        "SR-11",
        ("yes", "adjacent_only"),
        meanings=("opaque pyramids are joined to each other, too", ""),
        title="Opaque pyramids join each other",
        choices=("yes", "no"),
    ),
    HouseRule(
        "wild_only",
        "SR-12",
        ("no", "yes"),
        title="Groups of opaque ones alone",
        choices=("do not count", "count"),
    ),
    HouseRule(
        "single_with_two_wilds",
        "SR-12",
        ("yes", "no"),
        title="One pyramid with two opaque ones",
        choices=("is a group", "is no group"),
    ),
    HouseRule(
        "antenna_place",
        "SR-13",
        ("one_per_intersection", "free"),
        meanings=("", "antennas may stand on antennas"),
        title="Antennas on one crossing",
        choices=("one at most", "several"),
    ),
    HouseRule(
        "column_wild_only",
        "SR-15",
        ("no", "yes"),
        meanings=("", "three opaque ones are a column of every color"),
        title="Columns of opaque ones alone",
        choices=("do not count", "count for every color"),
    ),
    HouseRule(
        "antenna_in_column",
        "SR-15",
        ("yes", "no"),
        title="An antenna continues a column",
        choices=("yes", "no"),
    ),
    HouseRule(
        "tie",
        "SR-17",
        ("asked", "shared", "showdown"),
        meanings=("those who are tied choose when they are", "", ""),
        title="A tie",
        choices=("the tied players choose", "is shared", "goes to a Tower Showdown"),
    ),
    HouseRule(
        "showdown_pyramids",
        "SR-17",
        ("18", "6"),
        title="Pyramids in a Tower Showdown",
        choices=("18 each", "6 each"),
    ),
)
# A board publishes the error of its stamps, and each stamp carries it: 2 us where hardware takes them.
NUMBERS = (
    Number(
        "stamp_error_us",
        "SR-17",
        0,
        1_000_000,
        "microseconds within which two stamps are a tie; 0: as the board says",
        title="Photo finish (microseconds)",
    ),
)
