"""The house rules of SkyFire: what the published rules leave open, each with its alternatives and its default."""

from __future__ import annotations

from companion.rules.house_rules import HouseRule

HOUSE_RULES = (
    HouseRule("removed_targets", "SF-5", ("random_unseen", "chosen_open")),
    HouseRule("satisfies", "SF-14", ("multiset", "set")),
    HouseRule("tie", "SF-18", ("shared", "extra_round")),
    HouseRule("failed_launch_cards", "SF-R1", ("turn_back", "stay_up")),
    HouseRule("lone_survivor", "SF-R2", ("plays_on", "ends_round_without_points")),
    HouseRule("first_player", "SF-R3", ("rotate", "winner")),
    HouseRule("eliminated_hand", "SF-R4", ("kept_hidden", "shown")),
    HouseRule("wrong_misfire_winners", "SF-R5", ("others", "all_not_eliminated")),
    HouseRule("empty_launch", "SF-R6", ("allowed", "refused")),
    HouseRule("failed_zone", "SF-R7", ("open", "closed")),
    HouseRule("direction", "SF-R8", ("clockwise", "table")),
)
