"""The house rules of Panic Fire: what the published rules leave open, each with its alternatives and its default."""

from __future__ import annotations

from companion.rules.house_rules import HouseRule, Number

HOUSE_RULES = (
    HouseRule("next_round_deck", "PF-R4", ("reshuffle_all", "continue_piles")),
    HouseRule("dealer", "PF-R4", ("rotates_left", "last_winner", "fixed")),
    HouseRule("sudden_death_players", "PF-R5", ("tied_only", "all")),
    HouseRule("no_survivor", "PF-R5", ("replay_round", "table")),
    HouseRule("shield_from_hand", "PF-R6", ("into_play_if_none", "only_when_shot")),
    HouseRule("shield_discard_draws", "PF-R6", ("no", "yes")),
    HouseRule("new_set_shields", "PF-R6", ("as_opening", "cover_all")),
    HouseRule("illegal_shot_shield", "PF-R7", ("no_help", "saves")),
    HouseRule("blocked_match", "PF-R7", ("stays", "cleared")),
    HouseRule("stalemate_who", "PF-R8", ("all_still_in", "agreed")),
    HouseRule("over_four_draw", "PF-R8", ("still_draw", "down_to_four_first")),
    HouseRule("pile_exhausted", "PF-R1", ("reshuffle", "play_on")),
    HouseRule("shot_disputes", "PF-R2", ("first_trigger", "table")),
    HouseRule("accidental_discharge", "PF-R3", ("void", "illegal")),
    HouseRule("hit_sensor", "PF-R3", ("yes", "no")),
)
# A board publishes the error of its stamps, and each stamp carries it: 2 us where hardware takes them.
NUMBERS = (
    Number("removed_shields", "PF-1", 0, 106, "Shields taken out of the pack before the game"),
    Number(
        "stamp_error_us",
        "PF-R2",
        0,
        1_000_000,
        "microseconds within which two stamps are a tie; 0: as the board says",
    ),
)
