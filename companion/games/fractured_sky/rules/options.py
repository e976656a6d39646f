"""The house rules of Fractured Sky: choices where the published rules are open, and the AIs' difficulty."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.house_rules import HouseRule, Options

HOUSE_RULES = (
    HouseRule(
        "map",
        "FS-U8",
        ("box", "example"),
        meanings=("as the component file has it", "the invented map and decks, for practice"),
    ),
    HouseRule(
        "starfalls",
        "FS-3",
        ("physical", "virtual"),
        meanings=("the decks lie on the table", "the companion shuffles and deals them (FS-T8)"),
    ),
    HouseRule(
        "ai_cards",
        "FS-34",
        ("virtual", "physical"),
        meanings=(
            "the companion turns up cards and tokens, where all of them are known",
            "the table names the card",
        ),
    ),
    HouseRule(
        "ai_order",
        "FS-31",
        ("as_seated", "black_first"),
        meanings=("of two AIs the one to your left plays first", ""),
    ),
    HouseRule(
        "ai_color",
        "FS-31",
        ("black", "orange"),
        meanings=("the one AI, or the one to your left", ""),
    ),
    HouseRule("difficulty", "FS-32", ("easy", "medium", "hard")),
    HouseRule("ai_market_card", "FS-32", ("by_difficulty", "no", "yes")),
    HouseRule("ai_market_number", "FS-45", ("by_difficulty", "medium", "hard")),
    HouseRule("ai_buildings", "FS-32", ("by_difficulty", "2", "3", "4")),
    HouseRule("ai_high_tokens", "FS-32", ("by_difficulty", "1", "2")),
    HouseRule(
        "one_airship_per_region",
        "FS-9",
        ("yes", "no"),
        meanings=("", "the chips there add up, a Fortress counts once"),
    ),
    HouseRule("excess_floor", "FS-11", ("zero", "negative"), meanings=("no chip goes below 0", "")),
    HouseRule(
        "skimmer_stack", "FS-12", ("yes", "one_per_region"), meanings=("", "for each player")
    ),
    HouseRule(
        "zero_airship_plus_skimmer",
        "FS-15",
        ("counts_1", "out"),
        meanings=("an Airship of 0 with a Skimmer has power 1", ""),
    ),
    HouseRule(
        "objective_scored",
        "FS-22",
        ("after_power_before_regions", "at_flip"),
        meanings=("", "before the Hidden cards; not with an AI"),
    ),
    HouseRule(
        "objective_nobody",
        "FS-22",
        ("no_starfall", "table"),
        meanings=("", "nobody only with the table's reason"),
    ),
    HouseRule(
        "unawarded_with_zero_power",
        "FS-28",
        ("stays", "discarded"),
        meanings=("", "where only Airships of power 0 stand"),
    ),
    HouseRule(
        "hidden_count",
        "FS-29",
        ("coming_round", "finished_round"),
        meanings=(
            "as many cards as the number of the round that begins",
            "as that of the one that ended",
        ),
    ),
    HouseRule(
        "ai_deck_empty",
        "FS-34",
        ("reshuffle", "place_airship"),
        meanings=("", "by the last card's compass"),
    ),
    HouseRule(
        "several_large_stars",
        "FS-35",
        ("printed_order", "first_only"),
        meanings=(
            "all large stars before the small ones",
            "the first large star, then all others as printed",
        ),
    ),
    HouseRule(
        "compass_after_skip",
        "FS-35",
        ("turned_up", "carried_out"),
        meanings=("the card before, done or not", "the last that was done"),
    ),
    HouseRule(
        "compass_card_owner", "FS-35", ("own_deck", "last_ai_card"), meanings=("", "of either AI")
    ),
    HouseRule(
        "compass_geometry", "FS-36", ("projection", "table"), meanings=("", "the table says which")
    ),
    HouseRule(
        "near_starfalls",
        "FS-38",
        ("best_region", "sum"),
        meanings=("the most in one region around", "in all of them"),
    ),
    HouseRule(
        "building_advantage",
        "FS-38",
        ("bridged_regions", "on_platform"),
        meanings=("", "the buildings on it"),
    ),
    HouseRule(
        "advantage_count",
        "FS-38",
        ("distinct_buildings", "sum_over_regions"),
        meanings=("", "once for each region"),
    ),
    HouseRule("advantage_buildings", "FS-38", ("own", "all"), meanings=("", "everybody's")),
    HouseRule(
        "scout_compass_no_east_west",
        "FS-40",
        ("next_star_then_leftmost", "previous_card"),
        meanings=(
            "",
            "the large star of the card before, and so on, of this card last; then leftmost",
        ),
    ),
    HouseRule(
        "early_reveal_scoutable",
        "FS-41",
        ("no", "yes"),
        meanings=("", "a card revealed early may be scouted"),
    ),
    HouseRule("ai_high_token_by", "FS-43", ("high_value", "low_value")),
    HouseRule(
        "ai_high_token_tie",
        "FS-43",
        ("left_most", "random"),
        meanings=("", "as drawn with the shuffle (`lots`)"),
    ),
    HouseRule(
        "ai_none_eligible",
        "FS-43",
        ("all_low", "best_high"),
        meanings=("", "of all three as many as the AI has high tokens"),
    ),
    HouseRule(
        "market_trade_rest",
        "FS-45",
        ("lost", "kept"),
        meanings=("what one yield brings above the number", "it stays on the card"),
    ),
)


def colors_at_the_sides(options: Options) -> tuple[str, str]:
    """Return the colors of the AIs to the left and to the right of a single player (FS-31)."""
    return ("orange", "black") if options["ai_color"] == "orange" else ("black", "orange")


def hidden_count(options: Options, number: int) -> int:
    """Return how many Hidden cards lie on the tray in round `number` (FS-6, FS-29)."""
    if options["hidden_count"] == "coming_round":
        return number
    return max(1, number - 1)  # no round came before the first, and it needs a card


_BUILDINGS = {"easy": 2, "medium": 3, "hard": 4}
_HIGH_TOKENS = {"easy": 1, "medium": 1, "hard": 2}


def buildings_of_each(options: Options) -> int:
    """Return how many Fortresses, and as many Markets, an AI has (FS-32)."""
    own = options["ai_buildings"]
    return _BUILDINGS[options["difficulty"]] if own == "by_difficulty" else int(own)


def high_tokens(options: Options) -> int:
    """Return how many of its tokens an AI turns to their high power (FS-43)."""
    own = options["ai_high_tokens"]
    return _HIGH_TOKENS[options["difficulty"]] if own == "by_difficulty" else int(own)


def has_market_card(options: Options) -> bool:
    """Return whether the AIs have Market cards; without one their Gold and Market yields are lost (FS-32)."""
    own = options["ai_market_card"]
    if own == "by_difficulty":
        return options["difficulty"] != "easy"
    return own == "yes"


def market_number(options: Options, numbers: Mapping[str, int]) -> int | None:
    """Return the resources an AI trades for a Starfall by the box's `numbers`, or None if unknown (FS-45)."""
    level = options["ai_market_number"]
    if level == "by_difficulty":
        level = options["difficulty"]
    if level == "easy":
        level = "medium"  # an easy AI has a card by a house rule alone, and the box has none for it
    return numbers.get(level)
