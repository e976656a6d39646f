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
        title="Map",
        choices=("from the box", "invented example"),
    ),
    HouseRule(
        "starfalls",
        "FS-3",
        ("physical", "virtual"),
        meanings=("the decks lie on the table", "the companion shuffles and deals them (FS-T8)"),
        title="Starfall decks",
        choices=("on the table", "dealt by the companion"),
    ),
    HouseRule(
        "ai_cards",
        "FS-34",
        ("virtual", "physical"),
        meanings=(
            "the companion turns up cards and tokens, where all of them are known",
            "the table names the card",
        ),
        title="AIs' cards",
        choices=("turned up by the companion", "on the table"),
    ),
    HouseRule(
        "ai_order",
        "FS-31",
        ("as_seated", "black_first"),
        meanings=("of two AIs the one to your left plays first", ""),
        title="Two AIs take turns",
        choices=("as seated", "black first"),
    ),
    HouseRule(
        "ai_color",
        "FS-31",
        ("black", "orange"),
        meanings=("the one AI, or the one to your left", ""),
        title="Color of the first AI",
        choices=("black", "orange"),
    ),
    HouseRule(
        "difficulty",
        "FS-32",
        ("easy", "medium", "hard"),
        title="AI difficulty",
        choices=("easy", "medium", "hard"),
    ),
    HouseRule(
        "ai_market_card",
        "FS-32",
        ("by_difficulty", "no", "yes"),
        title="AIs have a Market card",
        choices=("by difficulty", "no", "yes"),
    ),
    HouseRule(
        "ai_market_number",
        "FS-45",
        ("by_difficulty", "medium", "hard"),
        title="AI Market card trades at",
        choices=("by difficulty", "the medium number", "the hard number"),
    ),
    HouseRule(
        "ai_buildings",
        "FS-32",
        ("by_difficulty", "2", "3", "4"),
        title="AI buildings of each kind",
        choices=("by difficulty", "2", "3", "4"),
    ),
    HouseRule(
        "ai_high_tokens",
        "FS-32",
        ("by_difficulty", "1", "2"),
        title="AI tokens turned high",
        choices=("by difficulty", "1", "2"),
    ),
    HouseRule(
        "one_airship_per_region",
        "FS-9",
        ("yes", "no"),
        meanings=("", "the chips there add up, a Fortress counts once"),
        title="Your Airships in a region",
        choices=("one at most", "several, powers added"),
    ),
    HouseRule(
        "excess_floor",
        "FS-11",
        ("zero", "negative"),
        meanings=("no chip goes below 0", ""),
        title="Reduced power",
        choices=("stops at 0", "may go below 0"),
    ),
    HouseRule(
        "skimmer_stack",
        "FS-12",
        ("yes", "one_per_region"),
        meanings=("", "for each player"),
        title="Your Skimmers in a region",
        choices=("several", "one at most"),
    ),
    HouseRule(
        "zero_airship_plus_skimmer",
        "FS-15",
        ("counts_1", "out"),
        meanings=("an Airship of 0 with a Skimmer has power 1", ""),
        title="A 0 Airship with a Skimmer",
        choices=("counts 1", "is out"),
    ),
    HouseRule(
        "objective_scored",
        "FS-22",
        ("after_power_before_regions", "at_flip"),
        meanings=("", "before the Hidden cards; not with an AI"),
        title="Objective is scored",
        choices=("after the powers", "when it is flipped"),
    ),
    HouseRule(
        "objective_nobody",
        "FS-22",
        ("no_starfall", "table"),
        meanings=("", "nobody only with the table's reason"),
        title="Objective that nobody meets",
        choices=("no Starfall", "only with a reason"),
    ),
    HouseRule(
        "unawarded_with_zero_power",
        "FS-28",
        ("stays", "discarded"),
        meanings=("", "where only Airships of power 0 stand"),
        title="Starfalls among powers of 0",
        choices=("stay", "are discarded"),
    ),
    HouseRule(
        "hidden_count",
        "FS-29",
        ("coming_round", "finished_round"),
        meanings=(
            "as many cards as the number of the round that begins",
            "as that of the one that ended",
        ),
        title="Hidden cards on the tray",
        choices=("number of this round", "number of the last round"),
    ),
    HouseRule(
        "ai_deck_empty",
        "FS-34",
        ("reshuffle", "place_airship"),
        meanings=("", "by the last card's compass"),
        title="AI out of cards",
        choices=("shuffles", "places an Airship"),
    ),
    HouseRule(
        "several_large_stars",
        "FS-35",
        ("printed_order", "first_only"),
        meanings=(
            "all large stars before the small ones",
            "the first large star, then all others as printed",
        ),
        title="Several large stars",
        choices=("all before small ones", "only the first is large"),
    ),
    HouseRule(
        "compass_after_skip",
        "FS-35",
        ("turned_up", "carried_out"),
        meanings=("the card before, done or not", "the last that was done"),
        title="Compass of a skipped card",
        choices=("counts", "does not count"),
    ),
    HouseRule(
        "compass_card_owner",
        "FS-35",
        ("own_deck", "last_ai_card"),
        meanings=("", "of either AI"),
        title="Compass of the last card",
        choices=("of this AI", "of either AI"),
    ),
    HouseRule(
        "compass_geometry",
        "FS-36",
        ("projection", "table"),
        meanings=("", "the table says which"),
        title="Furthest by compass",
        choices=("found by the companion", "found by the table"),
    ),
    HouseRule(
        "near_starfalls",
        "FS-38",
        ("best_region", "sum"),
        meanings=("the most in one region around", "in all of them"),
        title="Nearest Starfalls",
        choices=("in one region", "in all regions around"),
    ),
    HouseRule(
        "building_advantage",
        "FS-38",
        ("bridged_regions", "on_platform"),
        meanings=("", "the buildings on it"),
        title="Advantage for buildings counts",
        choices=("bridged regions", "the platform"),
    ),
    HouseRule(
        "advantage_count",
        "FS-38",
        ("distinct_buildings", "sum_over_regions"),
        meanings=("", "once for each region"),
        title="Advantage counts a building",
        choices=("once", "once per region"),
    ),
    HouseRule(
        "advantage_buildings",
        "FS-38",
        ("own", "all"),
        meanings=("", "everybody's"),
        title="Advantage counts buildings of",
        choices=("this AI", "everybody"),
    ),
    HouseRule(
        "scout_compass_no_east_west",
        "FS-40",
        ("next_star_then_leftmost", "previous_card"),
        meanings=(
            "",
            "the large star of the card before, and so on, of this card last; then leftmost",
        ),
        title="No star east or west",
        choices=("next star, then left", "earlier cards first"),
    ),
    HouseRule(
        "early_reveal_scoutable",
        "FS-41",
        ("no", "yes"),
        meanings=("", "a card revealed early may be scouted"),
        title="Scout a card revealed early",
        choices=("no", "yes"),
    ),
    HouseRule(
        "ai_high_token_by",
        "FS-43",
        ("high_value", "low_value"),
        title="AI token turned high",
        choices=("highest high value", "highest low value"),
    ),
    HouseRule(
        "ai_high_token_tie",
        "FS-43",
        ("left_most", "random"),
        meanings=("", "as drawn with the shuffle (`lots`)"),
        title="Tied AI tokens",
        choices=("the leftmost", "at random"),
    ),
    HouseRule(
        "ai_none_eligible",
        "FS-43",
        ("all_low", "best_high"),
        meanings=("", "of all three as many as the AI has high tokens"),
        title="No AI token at a Starfall",
        choices=("all low", "the best high"),
    ),
    HouseRule(
        "market_trade_rest",
        "FS-45",
        ("lost", "kept"),
        meanings=("what one yield brings above the number", "it stays on the card"),
        title="Rest after a Market trade",
        choices=("is lost", "stays"),
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
