"""The AIs' turns: cards turned up, moves that wait for the table, moves made (FS-33 to FS-42)."""

from __future__ import annotations

from companion.games.fractured_sky.rules import checks, facts as f, public, standing
from companion.games.fractured_sky.rules.ai import (
    Decision,
    Reason,
    decide,
    earlier_turns,
    found_by_table,
)
from companion.games.fractured_sky.rules.board import Card
from companion.games.fractured_sky.rules.model import Deck, PendingMove, Round, State
from companion.games.fractured_sky.rules.turns import cover_slot
from companion.rules.columns import either
from companion.rules.facts import Refused
from companion.rules.replacing import replace

SLOT_ORDER = (1, 3, 2)  # FS-42


def shuffle(state: State, fact: f.Shuffle) -> State:
    """Store an AI's cards and tokens as shuffled (FS-33), or its deck shuffled again after it ran out (FS-34)."""
    checks.require_ai(state, fact.ai, "only AIs have decks")
    now = checks.require_phase(state, "shuffle")
    wanted = standing.ai_to_shuffle(state)
    if wanted != fact.ai:
        why = f"{state.name(fact.ai)}'s cards are not to be shuffled now"
        raise Refused("FS-33", why, do=f"Shuffle {state.name(wanted or '')}'s.")
    _require_whole("FS-34", "cards", fact.cards, len(state.board.decks[public.color_of(fact.ai)]))
    old = now.decks[fact.ai]
    if not old.shuffled:
        _require_whole("FS-33", "tokens", fact.tokens, public.TOKENS)
        if fact.lots:
            _require_whole("FS-43", "lots", fact.lots, public.TOKENS)
    elif fact.tokens or fact.lots:
        why = "the tokens were shuffled at the start of the round"
        raise Refused("FS-33", why, do="Shuffle the cards alone.")
    deck = Deck(fact.cards, fact.tokens or old.tokens, fact.lots or old.lots, shuffled=True)
    return _with_round(state, replace(now, decks={**now.decks, fact.ai: deck}))


def _require_whole(clause: str, word: str, numbers: tuple[int, ...], size: int) -> None:
    """Refuse numbers that are not 1 to `size`, each once."""
    if sorted(numbers) != list(range(1, size + 1)):
        why = f"the {word} are not all there, each once"
        raise Refused(clause, why, do=f"Name 1 to {size} in any order.")


def _with_round(state: State, now: Round) -> State:
    return replace(state, current=now)


def ai_turn(state: State, fact: f.AiTurn) -> State:
    """Turn up an AI's top card; one that cannot be carried out is skipped (FS-34)."""
    checks.require_ai(state, fact.ai, "it is a seat's turn otherwise")
    now = checks.require_mover(state, fact.ai)
    if fact.card is not None:
        return _try_card(state, now, fact.ai, Card(fact.card, fact.stars))
    if not standing.virtual(state, fact.ai):
        unknown = "the companion does not turn up this AI's cards"
        raise Refused("FS-U7", unknown, do="Name the kind of card that was turned up.")
    return _turn_up(state, fact.ai)


def _turn_up(state: State, ai: public.PlayerId) -> State:
    """Turn up cards until one can be carried out or the deck is empty."""
    deck = state.board.decks[public.color_of(ai)]
    while state.now.pending is None:
        now = state.now
        face_down = now.decks[ai].cards
        if not face_down:
            break
        rest = replace(now.decks[ai], cards=face_down[1:])
        now = replace(now, decks={**now.decks, ai: rest})
        state = _try_card(state, now, ai, deck[face_down[0] - 1])
    now = state.now
    if now.pending is None and state.options["ai_deck_empty"] == "place_airship":
        own = [turn.card for turn in now.turned if turn.ai == ai]
        stars = own[-1].stars if own else ()
        return _try_card(state, now, ai, Card("airship", stars))
    return state


def _try_card(
    state: State,
    now: Round,
    ai: public.PlayerId,
    card: Card,
    excluded: frozenset[str] = frozenset(),
) -> State:
    """Make the move by that card pending, or skip the card if it cannot be carried out."""
    # decided by `now`, in which a card may be turned up or have more stars than in `state`
    state = _with_round(state, replace(now, pending=None))
    decision = decide(standing.table_of(state), ai, card, excluded)
    if decision.impossible:
        return _skip_card(state, ai, card)
    return _with_round(state, replace(now, pending=PendingMove(decision, decision, excluded)))


def _skip_card(state: State, ai: public.PlayerId, card: Card) -> State:
    turn = public.TurnedCard(ai, card, carried_out=False)
    return _with_round(state, replace(state.now, turned=(*state.now.turned, turn)))


def _require_pending(state: State) -> tuple[Round, PendingMove]:
    now = checks.require_phase(state, "ai")
    if now.pending is None:
        raise Refused("FS-34", "no AI's move waits", do="Wait for an AI's turn.")
    return now, now.pending


def ai_compass(state: State, fact: f.AiCompass) -> State:
    """Add stars to the card whose compass a pending move asks for, and decide the move again (FS-35, FS-36)."""
    now, pending = _require_pending(state)
    old = pending.decision
    if old.compass is None or fact.ai != old.ai:
        do = "Keep the move as it is, or give a reason."
        raise Refused("FS-35", "no compass is asked for", do=do)
    earlier = earlier_turns(standing.table_of(state), old.ai)
    # the last of `compass_cards` is the card of the move itself
    own_card = old.compass >= len(earlier)
    if own_card:
        card = _with_stars(old.card, fact)
        return _try_card(state, now, old.ai, card, pending.excluded)
    at = earlier[old.compass]
    turn = replace(now.turned[at], card=_with_stars(now.turned[at].card, fact))
    turned = (*now.turned[:at], turn, *now.turned[at + 1 :])
    return _try_card(state, replace(now, turned=turned), old.ai, old.card, pending.excluded)


def _with_stars(card: Card, fact: f.AiCompass) -> Card:
    """Return the card with the stars that the table read off it; raise `Refused` if they cannot be right."""
    stars = (*card.stars, *fact.stars)
    if not stars or not (fact.stars or fact.whole):
        raise Refused("FS-35", "no star of the compass is named", do="Name one at least.")
    if len(set(stars)) < len(stars):
        raise Refused("FS-35", f"a star is named twice: {', '.join(stars)}", do="Name each once.")
    return replace(card, stars=stars, more=not fact.whole)


def ai_choose(state: State, fact: f.AiChoose) -> State:
    """Settle a tie of a pending move, or overrule the move with a reason (FS-36, FS-T4)."""
    now, pending = _require_pending(state)
    old = pending.decision
    checks.require_place(state, old.card.kind, fact.target)
    if _is_asked_for(old, fact.target):
        reason, by_hand = Reason("FS-36", "the table says so", (fact.target,)), ""
    elif fact.reason:
        reason = Reason("FS-T4", f"by hand: {fact.reason}", (fact.target,))
        by_hand = fact.reason
    else:
        wanted = _choices(state, old) if old.ask else "the move as it is"
        why = f"{state.board.place(old.card.kind, fact.target)} is not what the rules ask for"
        raise Refused("FS-36", why, do=f"Choose {wanted}, or give a reason.")
    decision = _with_target(old, fact.target, reason)
    return _with_round(
        state, replace(now, pending=replace(pending, decision=decision, by_hand=by_hand))
    )


def _choices(state: State, decision: Decision) -> str:
    return either(state.board.place(decision.card.kind, place) for place in decision.ask)


def _is_asked_for(decision: Decision, target: str) -> bool:
    """Return whether the table may choose that target without a reason."""
    return target in decision.ask or (decision.target is None and not decision.ask)


def _with_target(decision: Decision, target: str, reason: Reason) -> Decision:
    """Return the decision with the target that the table chose."""
    return replace(
        decision, target=target, ask=(), reasons=(*decision.reasons, reason), compass=None
    )


def ai_cannot(state: State, _fact: f.AiCannot) -> State:
    """Replace a move that the table cannot make by the next candidate, or by the next card (FS-34)."""
    now, pending = _require_pending(state)
    old = pending.decision
    if old.target is not None:
        after = _try_card(state, now, old.ai, old.card, pending.excluded | {old.target})
    elif not old.ask or found_by_table(state.board, old.card.kind):
        # the table found no place at all, so no other candidate is left
        after = _skip_card(_with_round(state, replace(now, pending=None)), old.ai, old.card)
    else:
        why = "the table has not said yet which it is"
        raise Refused("FS-36", why, _choices(state, old))
    return _turn_up_next(after, old.ai)


def _turn_up_next(state: State, ai: public.PlayerId) -> State:
    """Turn up the next card if no move is pending any more (FS-34)."""
    if state.now.pending is None and standing.virtual(state, ai):
        return _turn_up(state, ai)
    return state


def redecide(state: State) -> State:
    """Decide a pending move again after a correction; without a change to what it read, it stays.

    A move that the table overruled stands (FS-T4), and so does its answer to a tie that is still
    asked.
    """
    now = state.now
    if now.pending is None or now.pending.by_hand:
        return state
    old = now.pending
    again = decide(standing.table_of(state), old.ruled.ai, old.ruled.card, old.excluded)
    if again == old.ruled:
        return state
    if again.impossible:
        skipped = _skip_card(_with_round(state, replace(now, pending=None)), again.ai, again.card)
        return _turn_up_next(skipped, again.ai)
    decision = again
    answered = old.decision != old.ruled and old.decision.target is not None
    if answered and _is_asked_for(again, old.decision.target or ""):
        decision = _with_target(again, old.decision.target or "", old.decision.reasons[-1])
    return _with_round(state, replace(now, pending=replace(old, decision=decision, ruled=again)))


def ai_done(state: State, _fact: f.AiDone) -> State:
    """Put the piece of the pending move on the board."""
    now, pending = _require_pending(state)
    decision = pending.decision
    if decision.target is None:
        do = f"Choose {_choices(state, decision)}." if decision.ask else "Name the platform."
        raise Refused("FS-36", "the table has not said yet where it goes", do=do)
    turned = (*now.turned, public.TurnedCard(decision.ai, decision.card, carried_out=True))
    now = replace(now, pending=None, turned=turned, last=decision.ai, called=None)
    return _place_piece(_with_round(state, now), now, decision, decision.target)


def _place_piece(state: State, now: Round, decision: Decision, target: str) -> State:
    ai = decision.ai
    match decision.card.kind:
        case "airship":
            explores = all(ship.region != target for ship in now.ships)
            ships = (*now.ships, public.Ship(ai, target, explores))
            return _take_slot(_with_round(state, replace(now, ships=ships)), ai)
        case "skimmer":
            flights = (*now.flights, public.Flight(ai, target))
            return _with_round(state, replace(now, flights=flights))
        case "scout":
            marks = (*now.marks, public.PublicMark(ai, int(target), taken=True))
            return _with_round(state, replace(now, marks=marks))
        case "fortress" | "market" as building:
            built = (*state.buildings, public.Built(ai, building, target))
            return replace(state, buildings=built)


def _take_slot(state: State, ai: public.PlayerId) -> State:
    """Give an AI with three Airships its turn slot, 1, else 3, else 2, with its Gold (FS-42)."""
    now = state.now
    if len(now.ships_of(ai)) < public.SHIPS:
        return state
    free = standing.free_slots(state)
    wanted = [slot for slot in SLOT_ORDER if slot in free] or list(free)
    after = _with_round(state, replace(now, slots={**now.slots, wanted[0]: ai}))
    return cover_slot(after, ai, wanted[0])
