"""House rules of SkyFire: what the published rules leave open, with the alternatives and the default of each."""

from __future__ import annotations

from companion.rules.house_rules import HouseRule

HOUSE_RULES = (
    HouseRule(
        "removed_targets",
        "SF-5",
        ("random_unseen", "chosen_open"),
        meanings=(
            "nobody knows which targets went back with four or five players",
            "the table enters them (`removed`), and they are no round's target",
        ),
        title="Targets put back",
        choices=("unknown to all", "entered by you"),
    ),
    HouseRule(
        "satisfies",
        "SF-14",
        ("multiset", "set"),
        meanings=("a symbol that the target shows twice must be there twice", "once is enough"),
        title="A symbol shown twice",
        choices=("must be there twice", "once is enough"),
    ),
    HouseRule(
        "tie",
        "SF-18",
        ("shared", "extra_round"),
        meanings=("", "all go on, each extra round for the finale, until one leads (SF-T6)"),
        title="A tie",
        choices=("is shared", "extra rounds decide"),
    ),
    HouseRule(
        "failed_launch_cards",
        "SF-R1",
        ("turn_back", "stay_up"),
        meanings=(
            (
                "after a launch that failed, the cards lie face down again where they lay; everybody has "
                "seen them"
            ),
            "",
        ),
        title="Cards after a failed launch",
        choices=("lie face down again", "stay face up"),
    ),
    HouseRule(
        "lone_survivor",
        "SF-R2",
        ("plays_on", "ends_round_without_points"),
        meanings=(
            (
                "the only one left takes turn after turn until a launch or a misfire ends the round; a "
                "wrong launch ends it without winner"
            ),
            "",
        ),
        title="The only player left",
        choices=("plays on", "ends the round, no points"),
    ),
    HouseRule(
        "first_player",
        "SF-R3",
        ("rotate", "winner"),
        meanings=(
            (
                "the table says who begins round 1 (`first`, before the first turn), and each round the "
                "next to the left of who began the last"
            ),
            "who won the last round alone; else as by `rotate`",
        ),
        title="Who starts the next round",
        choices=("the next to the left", "who won the last one"),
    ),
    HouseRule(
        "eliminated_hand",
        "SF-R4",
        ("kept_hidden", "shown"),
        meanings=(
            "who is eliminated keeps the cards and has no turn until the round ends",
            "lays them open (`hand_shown`)",
        ),
        title="Hand of an eliminated player",
        choices=("stays hidden", "is laid open"),
    ),
    HouseRule(
        "wrong_misfire_winners",
        "SF-R5",
        ("others", "all_not_eliminated"),
        meanings=(
            "the declarer does not score; when all others are eliminated, nobody does",
            "the declarer scores too",
        ),
        title="A wrong misfire scores for",
        choices=("the others still in", "all still in"),
    ),
    HouseRule(
        "empty_launch",
        "SF-R6",
        ("allowed", "refused"),
        meanings=("an empty zone satisfies nothing, so its launcher is eliminated", ""),
        title="Launching an empty zone",
        choices=("is allowed", "is refused"),
    ),
    HouseRule(
        "failed_zone",
        "SF-R7",
        ("open", "closed"),
        meanings=(
            "a zone that failed may grow, be launched again, and counts in a misfire",
            "it may and does not. With all zones closed the round ends without points",
        ),
        title="A zone that failed",
        choices=("stays open", "is closed"),
    ),
    HouseRule(
        "direction",
        "SF-R8",
        ("clockwise", "table"),
        meanings=(
            "",
            (
                "the table may turn it round (`direction`); it stays so until it is turned again. The "
                "first player moves to the left in any case"
            ),
        ),
        title="Turns go",
        choices=("clockwise", "either way, as you say"),
    ),
)
