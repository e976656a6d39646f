"""House rules of Panic Fire: what the published rules leave open, with the alternatives and the default of
each."""

from __future__ import annotations

from companion.rules.house_rules import HouseRule, Number

# A meaning follows its alternative's name in the table of rulings; it is empty if the name says everything.
HOUSE_RULES = (
    HouseRule(
        "next_round_deck",
        "PF-R4",
        ("reshuffle_all", "continue_piles"),
        meanings=(
            "every round starts from 106 cards",
            "dealt from what is left; cards left is `?` if that was too little",
        ),
        title="Cards of the next round",
        choices=("all shuffled again", "what is left"),
    ),
    HouseRule(
        "dealer",
        "PF-R4",
        ("rotates_left", "last_winner", "fixed"),
        meanings=("from the first seat", "", ""),
        title="Dealer",
        choices=("the next to the left", "winner of the last round", "always the same"),
    ),
    HouseRule(
        "sudden_death_players",
        "PF-R5",
        ("tied_only", "all"),
        title="Who plays sudden death",
        choices=("the tied players", "everybody"),
    ),
    HouseRule(
        "no_survivor",
        "PF-R5",
        ("replay_round", "table"),
        meanings=(
            "the round does not count",
            (
                "the table says who takes the Bullet card, or that nobody does (`round_end`). Sudden "
                "death is always replayed. If nobody takes the Bullet card, the round is replayed, and the "
                "card stays on the stack"
            ),
        ),
        title="A round without a survivor",
        choices=("is played again", "you decide"),
    ),
    HouseRule(
        "shield_from_hand",
        "PF-R6",
        ("into_play_if_none", "only_when_shot"),
        meanings=(
            "a Shield from hand may be laid in play by who has none there (PF-16)",
            (
                "it is discarded against a shot (PF-12) or played in a stalemate (PF-16), and otherwise "
                "never laid in play. The companion does not see where a Shield comes from. It assumes that "
                "the first Shield of each set, opening or new (PF-14), belongs to the set, and refuses a "
                "second one"
            ),
        ),
        title="Laying a Shield from the hand",
        choices=("if none is in play", "only against a shot"),
    ),
    HouseRule(
        "shield_discard_draws",
        "PF-R6",
        ("no", "yes"),
        meanings=(
            "a Shield spent from the hand is not replaced",
            "one draw, counted from the fact; nobody taps for it",
        ),
        title="Draw after spending a hand Shield",
        choices=("no", "yes"),
    ),
    HouseRule(
        "new_set_shields",
        "PF-R6",
        ("as_opening", "cover_all"),
        meanings=(
            "a new set (PF-14) may bring a new Shield into play",
            "its Shields are covered; with `only_when_shot` that seat lays none from then on",
        ),
        title="Shields in a new set",
        choices=("as at the start", "are covered"),
    ),
    HouseRule(
        "illegal_shot_shield",
        "PF-R7",
        ("no_help", "saves"),
        meanings=("", "an illegal shooter's Shield is spent instead"),
        title="Shield of an illegal shooter",
        choices=("does not help", "saves the shooter"),
    ),
    HouseRule(
        "blocked_match",
        "PF-R7",
        ("stays", "cleared"),
        meanings=("", "a target with a match who is saved by a Shield lays four new cards"),
        title="Match of a target saved by a Shield",
        choices=("stays", "is cleared"),
    ),
    HouseRule(
        "stalemate_who",
        "PF-R8",
        ("all_still_in", "agreed"),
        meanings=("", "the table names who draws"),
        title="Who draws in a stalemate",
        choices=("all still in", "those you name"),
    ),
    HouseRule(
        "over_four_draw",
        "PF-R8",
        ("still_draw", "down_to_four_first"),
        meanings=(
            "",
            "both alternatives only change a reminder on the screen: the companion does not see hands",
        ),
        title="With over four cards in hand",
        choices=("still draw", "first down to four"),
    ),
    HouseRule(
        "pile_exhausted",
        "PF-R1",
        ("reshuffle", "play_on"),
        meanings=(
            (
                "the discards become a new pile; cards left is `?`, from when the piles may have run "
                "out, until the table counts them (`reshuffle`). A new pile has at most the cards that "
                "nobody holds. Each player who is still in holds 8 cards, fewer if a Shield was spent from "
                "the hand and not replaced (PF-R6)"
            ),
            (
                "what takes more cards than the piles have is refused, a draw, a stalemate and a new set "
                "of four alike, until the table makes a new pile. Hands may be empty then, so a new pile "
                "is without 4 cards for each"
            ),
        ),
        title="Empty piles",
        choices=("shuffle the discards", "play on without"),
    ),
    HouseRule(
        "shot_disputes",
        "PF-R2",
        ("first_trigger", "table"),
        meanings=(
            (
                "the trigger's stamps order shots. Two that differ by less than the error of that "
                "difference are a tie, and the table orders them (`tie_break`); until then they count as "
                "stamped"
            ),
            "the table may order any two consecutive shots",
        ),
        title="Order of two shots",
        choices=("first trigger", "you decide"),
    ),
    HouseRule(
        "accidental_discharge",
        "PF-R3",
        ("void", "illegal"),
        meanings=(
            (
                "a dry pull has no consequence. The table can say that a dry pull or a knock was a shot "
                "(`promote`): if it came before the shot that ended the round, it is named and can "
                "change how the round ended; if it came after, first undo the shot that ended the round"
            ),
            "it is an illegal shot; only its shooter is named",
        ),
        title="A dry pull",
        choices=("does not count", "is an illegal shot"),
    ),
    HouseRule(
        "hit_sensor",
        "PF-R3",
        ("yes", "no"),
        meanings=("", "the gun has none, each pull is a shot"),
        title="Hit sensor on the gun",
        choices=("yes", "no"),
    ),
)
NUMBERS = (
    Number(
        "removed_shields",
        "PF-1",
        0,
        106,
        "Shields taken out of the pack before the game",
        title="Shields taken out",
    ),
    # A board publishes the error of its stamps, and each stamp carries it: 2 us where hardware takes them.
    Number(
        "stamp_error_us",
        "PF-R2",
        0,
        1_000_000,
        "microseconds within which two stamps are a tie; 0: as the board says",
        title="Tie of two shots (microseconds)",
    ),
)
