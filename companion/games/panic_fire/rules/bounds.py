"""What no table can have: a seventh Bullet card, or more cards taken from the piles than lie there."""

from __future__ import annotations

from companion.games.panic_fire.rules.keys import NEW_PILE
from companion.games.panic_fire.rules.model import BULLETS, DEALT, PLAY_DECK, SET, Round, State
from companion.games.panic_fire.rules.standings import balance, bullets, outcome, taken
from companion.rules.game import Refused, SeatId


def free_bullets(state: State, seat: SeatId) -> int:
    """The most Bullet cards that seat can have: all but those of others and the one that is played for (PF-17)."""
    return BULLETS - taken(state) - _played_for(state) + bullets(state)[seat]


def refuse_the_impossible(before: State, after: State) -> None:
    """Raise `Refused` where `after` has too many Bullet cards (PF-17), or, at a table that plays on with what is in the
    piles (PF-R1), more cards taken than were there `before`."""
    if after.common.by_hand:
        _refuse_bullets(after)
    if after.options["pile_exhausted"] == "play_on" and after.current is not None:
        _refuse_cards(before, after.current)


def _refuse_bullets(state: State) -> None:
    if taken(state) + _played_for(state) > BULLETS or min(bullets(state).values()) < 0:
        reason = "with the Bullet cards set by hand they would not be six any more"
        raise Refused(
            "PF-17", reason, "those set by hand put right first", "First put right those that were set by hand."
        )


def _played_for(state: State) -> int:
    """How many Bullet cards the current round is still played for: one, or none once it is over."""
    current = state.current
    if current is None or current.sudden_death:
        return 0
    return 1 if outcome(current, state.options).status in ("open", "table") else 0


def _refuse_cards(before: State, current: Round) -> None:
    left, were = balance(current), balance(before.current) if before.current is not None else None
    if left is None or left[1] >= 0:
        return
    there = max(were[1], 0) if were is not None else 0
    reason = f"that takes {there - left[1]} cards, and the piles have {there}" if there else "the piles are empty"
    raise Refused("PF-R1", reason, "play without these cards, or the table's word on a new pile", NEW_PILE)


def largest_pile(state: State, current: Round) -> int:
    """The most cards that a new pile can have: all that nobody who is still in must hold (PF-2, PF-9).

    A hand is smaller than four where a Shield spent from it is not replaced (PF-R6), or where people played on without
    draws (PF-R1).
    """
    each = SET if state.options["pile_exhausted"] == "play_on" else DEALT
    saved = [pull.shield_hand for pull, verdict in current.reading.verdicts if verdict.result == "saved"]
    spent = [seat for seat in saved if seat in current.reading.alive and state.options["shield_discard_draws"] == "no"]
    held = each * len(current.reading.alive) - (len(spent) if each == DEALT else 0)
    return PLAY_DECK - state.options.numbers["removed_shields"] - held
