"""Visible cards that somebody enters: the target, faces turned up, backs, hands laid open."""

from __future__ import annotations

from companion.games.skyfire.rules import consistency, facts as f
from companion.games.skyfire.rules.deck import NAME_IT, Deck, read_faces
from companion.games.skyfire.rules.flow import open_round, require_player, with_zone, zone_of
from companion.games.skyfire.rules.keys import DEAL_FIRST
from companion.games.skyfire.rules.model import Round, State
from companion.games.skyfire.rules.standings import is_final, used_targets
from companion.rules.columns import plural
from companion.rules.facts import Refused
from companion.rules.replacing import replace

STACK = 4  # SF-5: the targets on the finale
NOBODY_LOOKED = "?"  # a back that nobody entered


def target(state: State, fact: f.Target, _entry: int) -> State:
    """Return the state with the round's target named (SF-8); raise `Refused`."""
    current = open_round(state)
    if any(zone.failed for zone in current.zones):
        raise Refused(
            "SF-8", "a launch was judged by this round's target", do="Take that launch back first."
        )
    deck, final = state.deck, is_final(current.number)
    refuse_other_stack(deck, fact.card, final=final)
    stack = deck.targets if not final else (deck.finale,) if deck.finale is not None else ()
    (face,) = read_faces([fact.card], stack, deck.out)
    if face.symbols is None and face.name is None:
        raise Refused("SF-8", f"{fact.card!r} is no target", do=NAME_IT)
    if not final and face.name is not None:
        if face.name in {used.name for used in used_targets(state)}:
            raise Refused(
                "SF-5",
                f"{face.name} was the target of an earlier round",
                "a target still on the stack",
            )
        if face.name in {gone.name for gone in state.removed}:
            raise Refused("SF-5", f"{face.name} was taken out", "a target still on the stack")
    return replace(state, current=replace(current, target=face))


def refuse_other_stack(deck: Deck, text: str, *, final: bool) -> None:
    """Raise `Refused` for the finale before the final round, and for another target in it."""
    if not deck.targets_known or deck.finale is None:
        return
    if not final and deck.finale.is_called(text):
        do = "Type the colors of the target on top."
        raise Refused("SF-8", "that is the finale, the target of round 5", do=do)
    if final and any(card.is_called(text) for card in deck.targets):
        raise Refused(
            "SF-8", "this round is played for the finale", do="Leave the target as it is."
        )


def removed(state: State, fact: f.Removed, _entry: int) -> State:
    """Return the state with the targets that were taken out (SF-3, SF-5); raise `Refused`."""
    if state.options["removed_targets"] == "random_unseen":
        do = "To change that, set the house rule removed targets to chosen open before a game."
        raise Refused("SF-5", "targets are taken out unseen at this table", do=do)
    targets = state.deck.targets
    if state.deck is state.decks[0]:
        expected = "four or five players"
        raise Refused(
            "SF-2", "with three players the white targets go back, and none is chosen", expected
        )
    gone = sum(card.copies for card in targets) - STACK
    if len(fact.cards) != gone:
        raise Refused(
            "SF-3", f"{len(fact.cards)} targets named, and {gone} are taken out", do=f"Name {gone}."
        )
    faces = read_faces(fact.cards, targets, state.deck.out)
    if (often := consistency.more_than_there_are(faces, targets)) is not None:
        raise Refused(
            "SF-5",
            f"{often} is named more often than there is such a target",
            do="Name each target once.",
        )
    current = state.current
    now = (
        (current.target,)
        if current is not None and current.target and not is_final(current.number)
        else ()
    )
    played = {face.name for face in (*used_targets(state), *now) if face.name is not None}
    if both := [face for face in faces if face.name in played]:
        reason = f"{both[0]} was played for, so it was on the stack"
        raise Refused("SF-5", reason, do="Name the targets that were taken out.")
    return replace(state, removed=faces)


def revealed(state: State, fact: f.Revealed, _entry: int) -> State:
    """Return the state with the faces of a zone that was turned up (SF-11, SF-12); raise `Refused`."""
    if state.current is None:
        raise Refused("SF-7", "no round has begun", "four cards for each player first", DEAL_FIRST)
    current = state.current
    zone = zone_of(current, fact.zone)
    if not zone.turned:
        reason = f"the cards of zone {fact.zone} were not turned up"
        raise Refused("SF-11", reason, do="Launch a zone or declare a misfire first.")
    if len(fact.cards) != zone.turned:
        reason = f"{len(fact.cards)} named, {zone.turned} turned up in zone {fact.zone}"
        raise Refused("SF-11", reason, do="Name each card that was turned up.")
    word = fact.reason.strip()
    faces = read_faces(fact.cards, state.deck.fireworks, state.deck.out, vouched=bool(word))
    entered = with_zone(current, fact.zone, replace(zone, faces=faces, word=word))
    if not word:
        consistency.refuse_unknown_symbols(state, faces)
        consistency.refuse_too_many(
            state, with_zone(current, fact.zone, replace(zone, faces=())), faces
        )
        consistency.refuse_other_cards(zone, faces)
        consistency.refuse_the_opposite(state, entered, fact.zone)
        consistency.refuse_backs(state, current, entered)
    return replace(state, current=entered)


def backs(state: State, fact: f.Backs, _entry: int) -> State:
    """Return the state with these visible backs entered (SF-6, SF-7); raise `Refused`."""
    current = open_round(state)
    lying = (
        current.left_over if fact.zone == f.LEFT_OVER else len(zone_of(current, fact.zone).cards)
    )
    if len(fact.backs) > lying:
        raise _too_many_backs(current, fact, lying)
    entered_backs = [back_of(state, back) for back in fact.backs]
    all_backs = (*entered_backs, *[None] * (lying - len(entered_backs)))
    if fact.zone == f.LEFT_OVER:
        entered = replace(current, left_over_backs=all_backs)
    else:
        zone = current.zone(fact.zone)
        cards = tuple(
            replace(card, back=back) for card, back in zip(zone.cards, all_backs, strict=True)
        )
        entered = with_zone(current, fact.zone, replace(zone, cards=cards))
    if not fact.reason.strip():
        consistency.refuse_backs(state, current, entered)
    return replace(state, current=entered)


def _too_many_backs(current: Round, fact: f.Backs, lying: int) -> Refused:
    left_over = fact.zone == f.LEFT_OVER
    if not lying and left_over:
        reason = f"no card is left over with {len(current.players)} players"
        return Refused("SF-6", reason, do="Name the backs of a zone.")
    if not lying:
        return Refused("SF-6", f"zone {fact.zone} is empty", do="Place a card there first.")
    cards = plural(lying, "card")
    lie = f"{cards} are left over" if left_over else f"zone {fact.zone} has {cards}"
    named = plural(len(fact.backs), "back is", "backs are")
    return Refused("SF-6", f"{lie}, and {named} named", do=f"Name at most {plural(lying, 'back')}.")


def back_of(state: State, text: str) -> str | None:
    """Return the back that is meant, as the component file writes it, or None if nobody looked."""
    return None if text.strip() in ("", NOBODY_LOOKED) else state.deck.read_back(text)


def hand_shown(state: State, fact: f.HandShown, _entry: int) -> State:
    """Return the state with an eliminated seat's hand laid open (SF-R4); raise `Refused`."""
    current = open_round(state)
    require_player(state, current, fact.seat)
    if state.options["eliminated_hand"] == "kept_hidden":
        do = "To change that, set the house rule eliminated hand to shown before a game."
        raise Refused("SF-R4", "the eliminated keep their cards hidden at this table", do=do)
    if fact.seat not in current.out:
        raise Refused(
            "SF-R4", f"{state.name(fact.seat)} is not eliminated", do="Name a player who is."
        )
    if len(fact.cards) != (held := current.hand(fact.seat)):
        reason = f"{len(fact.cards)} named, {state.name(fact.seat)} holds {held}"
        raise Refused("SF-R4", reason, do="Name each card of the hand.")
    others = tuple(pair for pair in current.shown if pair[0] != fact.seat)
    word = fact.reason.strip()
    faces = read_faces(fact.cards, state.deck.fireworks, state.deck.out, vouched=bool(word))
    if not word:
        consistency.refuse_unknown_symbols(state, faces)
        consistency.refuse_too_many(state, replace(current, shown=others), faces)
    return replace(state, current=replace(current, shown=(*others, (fact.seat, faces))))
