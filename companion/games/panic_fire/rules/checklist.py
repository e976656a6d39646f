"""What to lay out before the first round (PF-1 to PF-3)."""

from __future__ import annotations

from companion.games.panic_fire.rules.model import BULLETS, DEALT, PLAY_DECK, State
from companion.games.panic_fire.rules.standings import next_dealer
from companion.rules.columns import plural


def checklist(state: State) -> tuple[str, ...]:
    """Return the steps of the setup, a plain line each."""
    removed, players = state.options.numbers["removed_shields"], len(state.playing)
    pile = PLAY_DECK - removed - DEALT * players
    half = DEALT // 2
    dealer = next(seat.name for seat in state.setup.seats if seat.id == next_dealer(state))
    out = [f"Take {plural(removed, 'Shield')} out of the pack."] if removed else []
    return (
        f"Lay the {BULLETS} Bullet cards face up as one stack.",
        *out,
        f"Shuffle the other {PLAY_DECK - removed} cards.",
        f"Deal {DEALT} to each player, all face down: {half} in a row (the set), {half} beside them (the hand).",
        f"Make draw piles of the {pile} cards that are left, in everybody's reach.",
        "Put the gun in the middle, in everybody's reach.",
        f"Nobody looks at a hand yet. {dealer} deals, and calls fire.",
    )
