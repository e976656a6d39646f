"""The house rules of Sky Rise: what the published rules leave open, each with its alternatives and its default."""

from __future__ import annotations

from companion.rules.house_rules import HouseRule, Number

HOUSE_RULES = (
    HouseRule("deck", "SR-2", ("ordinary", "five_suit")),
    HouseRule("colors", "SR-1", ("by_seats", "4", "5")),
    HouseRule("opaque_sizes", "SR-1", ("entered_by_table", "by_trio")),
    HouseRule("floor_cell", "SR-4", ("any", "adjacent_to_laid")),
    HouseRule("wild_chain", "SR-11", ("yes", "adjacent_only")),
    HouseRule("wild_only", "SR-12", ("no", "yes")),
    HouseRule("single_with_two_wilds", "SR-12", ("yes", "no")),
    HouseRule("antenna_place", "SR-13", ("one_per_intersection", "free")),
    HouseRule("column_wild_only", "SR-15", ("no", "yes")),
    HouseRule("antenna_in_column", "SR-15", ("yes", "no")),
    HouseRule("tie", "SR-17", ("asked", "shared", "showdown")),
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
