"""What to lay out before the first round (FS-U8, FS-1 to FS-6, FS-31 to FS-33)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.fractured_sky.rules.ai.difficulty import buildings_of_each, has_market_card
from companion.games.fractured_sky.rules.box import box_for
from companion.games.fractured_sky.rules.model import PIECES, ROUNDS, SHIPS, State
from companion.games.fractured_sky.rules.phase import virtual
from companion.rules.columns import plural

_CHIPS = 12  # FS-2
_TOKENS = 6  # FS-33
_RESOURCES = 4  # FS-1


def checklist(state: State) -> tuple[str, ...]:
    """Return the steps of the setup, a plain line each."""
    return (*_board(state), *_players(), *_trays(state), *_opponents(state), *_order(state))


def _board(state: State) -> Iterator[str]:
    regions, slots = len(state.board.regions), len(state.board.gold)
    yield f"Lay out the side of the board with {regions} regions and {slots} turn slots."
    ten = box_for(state.setup).row("side", "ten")
    gone = [name for name in (ten.fields["regions"] if ten else ()) if name not in _names(state)]
    if state.options["starfalls"] == "virtual":
        yield "Both Starfall decks stay in the box: the companion shuffles and deals them."
    else:
        if gone:
            yield f"Take {' and '.join(gone)} out of both Starfall decks."
        yield f"Shuffle the Public deck and the Hidden deck, each by itself: {regions} cards each."
    yield f"Put the {state.board.starfall_tokens} Starfall tokens, Gold, Iron and Wood in reach."


def _names(state: State) -> set[str]:
    """The regions in play as the box's file calls them."""
    side = box_for(state.setup).row("side", state.board.side)
    return set(side.fields["regions"]) if side is not None else set()


def _players() -> Iterator[str]:
    yield f"Each player takes {SHIPS} Airships, {_CHIPS} Power chips and any {_RESOURCES} resources."
    yield f"Each player takes {PIECES} Fortresses, {PIECES} Markets and {PIECES} Skimmers."


def _trays(state: State) -> Iterator[str]:
    if not state.has_objectives:
        yield "Leave the Objectives in the box: a game alone has none."
        return
    if state.board.side == "eight":
        yield "With up to three players some Objectives leave the game; which ones is not known here."
    yield f"Shuffle the Objectives and lay {ROUNDS} face down in a row on the tray, one a round."


def _opponents(state: State) -> Iterator[str]:
    market = "its Market card" if has_market_card(state.options) else "no Market card"
    of_each, skimmers = buildings_of_each(state.options), plural(state.board.ai_skimmers, "Skimmer")
    for ai in state.ais:
        yield f"{state.name(ai)} gets {of_each} Fortresses, {of_each} Markets, {skimmers} and {market}."
    if not state.ais:
        return
    if all(virtual(state, ai) for ai in state.ais):
        yield "The companion turns up the AIs' action cards and airship tokens."
    else:
        yield f"Shuffle each AI's action cards; shuffle its {_TOKENS} airship tokens, 3 face up sit out."


def _order(state: State) -> Iterator[str]:
    yield "Turn slot 1: who saw a shooting star last; in a second game, who sits left of the winner."
    last = ", then the AIs" if state.ais else ""
    yield f"The others follow clockwise{last}. Whoever covers Gold on a slot takes it."
