"""The house rules of Fractured Sky: what the published rules leave open, and the difficulty of the AIs."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.house_rules import HouseRule, Options

HOUSE_RULES = (
    HouseRule("map", "FS-U8", ("box", "example")),
    HouseRule("starfalls", "FS-3", ("physical", "virtual")),
    HouseRule("ai_cards", "FS-34", ("virtual", "physical")),
    HouseRule("ai_order", "FS-31", ("as_seated", "black_first")),
    HouseRule("ai_color", "FS-31", ("black", "orange")),
    HouseRule("difficulty", "FS-32", ("easy", "medium", "hard")),
    HouseRule("ai_market_card", "FS-32", ("by_difficulty", "no", "yes")),
    HouseRule("ai_market_number", "FS-45", ("by_difficulty", "medium", "hard")),
    HouseRule("ai_buildings", "FS-32", ("by_difficulty", "2", "3", "4")),
    HouseRule("ai_high_tokens", "FS-32", ("by_difficulty", "1", "2")),
    HouseRule("one_airship_per_region", "FS-9", ("yes", "no")),
    HouseRule("excess_floor", "FS-11", ("zero", "negative")),
    HouseRule("skimmer_stack", "FS-12", ("yes", "one_per_region")),
    HouseRule("zero_airship_plus_skimmer", "FS-15", ("counts_1", "out")),
    HouseRule("objective_scored", "FS-22", ("after_power_before_regions", "at_flip")),
    HouseRule("objective_nobody", "FS-22", ("no_starfall", "table")),
    HouseRule("unawarded_with_zero_power", "FS-28", ("stays", "discarded")),
    HouseRule("hidden_count", "FS-29", ("coming_round", "finished_round")),
    HouseRule("ai_deck_empty", "FS-34", ("reshuffle", "place_airship")),
    HouseRule("several_large_stars", "FS-35", ("printed_order", "first_only")),
    HouseRule("compass_after_skip", "FS-35", ("turned_up", "carried_out")),
    HouseRule("compass_card_owner", "FS-35", ("own_deck", "last_ai_card")),
    HouseRule("compass_geometry", "FS-36", ("projection", "table")),
    HouseRule("near_starfalls", "FS-38", ("best_region", "sum")),
    HouseRule("building_advantage", "FS-38", ("bridged_regions", "on_platform")),
    HouseRule("advantage_count", "FS-38", ("distinct_buildings", "sum_over_regions")),
    HouseRule("advantage_buildings", "FS-38", ("own", "all")),
    HouseRule("scout_compass_no_east_west", "FS-40", ("next_star_then_leftmost", "previous_card")),
    HouseRule("early_reveal_scoutable", "FS-41", ("no", "yes")),
    HouseRule("ai_high_token_by", "FS-43", ("high_value", "low_value")),
    HouseRule("ai_high_token_tie", "FS-43", ("left_most", "random")),
    HouseRule("ai_none_eligible", "FS-43", ("all_low", "best_high")),
    HouseRule("market_trade_rest", "FS-45", ("lost", "kept")),
)


def colors_at_the_sides(options: Options) -> tuple[str, str]:
    """Return the colors of the AIs to the left and to the right of one player who meets two (FS-31)."""
    return ("orange", "black") if options["ai_color"] == "orange" else ("black", "orange")


_BUILDINGS = {"easy": 2, "medium": 3, "hard": 4}
_HIGH_TOKENS = {"easy": 1, "medium": 1, "hard": 2}


def buildings_of_each(options: Options) -> int:
    """How many Fortresses, and how many Markets, an AI has."""
    own = options["ai_buildings"]
    return _BUILDINGS[options["difficulty"]] if own == "by_difficulty" else int(own)


def high_tokens(options: Options) -> int:
    """How many of its tokens an AI turns to their high value (FS-43)."""
    own = options["ai_high_tokens"]
    return _HIGH_TOKENS[options["difficulty"]] if own == "by_difficulty" else int(own)


def has_market_card(options: Options) -> bool:
    """Whether the AIs have Market cards; without one their Gold and their Markets' yields are lost."""
    own = options["ai_market_card"]
    return options["difficulty"] != "easy" if own == "by_difficulty" else own == "yes"


def market_number(options: Options, numbers: Mapping[str, int]) -> int | None:
    """The resources an AI trades for a Starfall (FS-45), of the box's Market cards; None where nobody knows."""
    own = options["ai_market_number"]
    level = options["difficulty"] if own == "by_difficulty" else own
    return numbers.get("medium" if level == "easy" else level)
