"""What to lay out before the first card (SR-1 to SR-4)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.sky_rise.rules.model import EACH, HAND, OPAQUE_PYRAMIDS, State
from companion.games.sky_rise.rules.setting import in_turn, share, suits_of

_SET_ASIDE = 3  # SR-2: of the royals, so that they are as many as the other suits


def checklist(state: State) -> tuple[str, ...]:
    """Return the steps of the setup, a plain line each."""
    return tuple(_steps(state))


def _steps(state: State) -> Iterator[str]:
    colors = ", ".join(state.plan.colors)
    yield f"Pyramids: lay out {EACH} Trios (large, medium, small) each of {colors}."
    shares = ", ".join(f"{state.name(seat)} {share(state, seat)}" for seat in state.playing)
    yield f"Share out the {OPAQUE_PYRAMIDS} opaque pyramids, if {state.name(in_turn(state)[0])} starts: {shares}."
    yield from _deck(state)
    aces = ", ".join(f"{suit} {color}" for suit, color in state.plan.suits if suit != "royals")
    yield f"Lay the aces beside the table to show each suit's color: {aces}."
    for color in (color for suit, color in state.plan.suits if suit == "royals"):
        yield f"Lay the Joker beside them: it stands for the royals, {color}."
    pile = "" if state.pile is None else f" of {state.pile} cards"
    yield f"Shuffle, and deal {HAND} cards to each player; the rest is the draw pile{pile}."
    yield f"Take one Nest and one Tree card for each of {colors}; put the others back."
    yield "Deal each player one Nest and one Tree, secretly. What is left stays unseen."
    yield "The Start token goes to whoever was last at the top of a tall building."


def _deck(state: State) -> Iterator[str]:
    suits, ordinary = [suit for suit, _ in state.plan.suits], state.options["deck"] == "ordinary"
    cards = "" if state.plan.deck is None else f"; {state.plan.deck} cards stay"
    out = [suit for suit in suits_of(state.options, len(suits)) if suit not in suits]
    if not ordinary:
        gone = "".join(f" and {'the fifth suit' if suit == 'fifth' else f'all {suit}'}" for suit in out)
        yield f"Take the aces{gone} out of the five-suit deck{cards}."
    elif "royals" in suits:
        yield "Take the aces out of the deck. J, Q and K of all suits are a fifth suit, the royals."
        yield f"Set any {_SET_ASIDE} royals aside{cards}, {state.plan.cards_of_suit} of each suit."
    else:
        yield f"Take the aces out of the deck{cards}. J, Q and K belong to their suits."
