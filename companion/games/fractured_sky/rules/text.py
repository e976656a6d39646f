"""The sentences of Fractured Sky: each fact as the log tells it to the table, or to the seat it is about."""

from __future__ import annotations

from companion.games.fractured_sky.rules import facts as f, standing
from companion.games.fractured_sky.rules.ai import Decision, direction_names, found_by_table
from companion.games.fractured_sky.rules.model import Played, State
from companion.games.fractured_sky.rules.options import has_market_card
from companion.games.fractured_sky.rules.public import PlayerId, is_ai
from companion.games.fractured_sky.rules.resolution import trade
from companion.games.fractured_sky.rules.turns import gold_on
from companion.rules.columns import either
from companion.rules.common import COMMON_FACTS, describe_common
from companion.rules.facts import TABLE, Fact, SeatId


def describe(before: State, after: State, fact: Fact, viewer: SeatId = TABLE) -> str:
    """Return the sentence of a fact as `viewer` may read it, with its consequences as found in the state `after`."""
    if isinstance(fact, f.Saw):
        return _saw(after, fact, viewer)
    if isinstance(fact, COMMON_FACTS):
        sentence = describe_common(before.common, fact)
    else:
        sentence = (
            _of_a_turn(before, after, fact)
            or _of_an_ai(before, after, fact)
            or _of_the_table(before, after, fact)
        )
    of_the_move = isinstance(fact, f.AiCompass | f.AiChoose | f.AiCannot | f.AiDone)
    again = "" if of_the_move else _redecided(before, after)
    return f"{sentence}{again}{_flipped(before, after)}"


def _flipped(before: State, after: State) -> str:
    """Return that the round's Objective is turned up now, or an empty string."""
    now = standing.flips_objective(after) and not standing.flips_objective(before)
    return (
        f"; the leftmost Objective is flipped ({'FS-22' if after.ais else 'FS-19'})" if now else ""
    )


def _redecided(before: State, after: State) -> str:
    """Return how a pending move changed because something it was decided by was corrected."""
    old, new = before.now.pending, after.now.pending
    if old is None or new == old:
        return ""
    ai = old.decision.ai
    if new is None or len(after.now.turned) > len(before.now.turned):
        return f"; {after.name(ai)}'s {old.decision.card.kind} cannot be done any more; {_turned(before, after, ai)}"
    if (new.decision.target, new.decision.ask) == (old.decision.target, old.decision.ask):
        return f"; {after.name(ai)} decides again, and its move stays"
    return f"; {after.name(ai)} decides again: {move(after, new.decision, 'it')}"


def follows(before: State, after: State) -> str:
    """Return how a correction of the past changed a pending move; empty if it came or went, which the screen shows."""
    old, new = before.now, after.now
    if old.pending is None or new.pending is None:
        return ""
    same_turn = (old.number, old.pending.decision.ai, old.last) == (
        new.number,
        new.pending.decision.ai,
        new.last,
    )
    return _redecided(before, after).removeprefix("; ") if same_turn else ""


def _saw(state: State, fact: f.Saw, viewer: SeatId) -> str:
    """Return the sentence of a seat's note; only the seat itself reads which region it saw (FS-46)."""
    name = state.name(fact.seat)
    if viewer != fact.seat:
        return f"{name} noted a card it looked at (FS-18)"
    card = f"Hidden card {fact.number}" if fact.where == "hidden" else f"Explore draw {fact.number}"
    return f"{name} noted: {card} shows {state.board.name(fact.region)} (FS-18)"


def _of_a_turn(before: State, after: State, fact: Fact) -> str:
    board = after.board
    match fact:
        case f.First(seat=seat):
            others = ", ".join(map(after.name, after.now.order[1:]))
            return f"{after.name(seat)} takes turn slot 1; then {others or 'nobody'}{_first_gold(after)} (FS-4)"
        case f.Public(region=region):
            return f"round {after.round}: the Public Starfall falls on {board.name(region)} (FS-6)"
        case f.Airship(seat=seat, region=region):
            return f"{after.name(seat)} places an Airship in {board.name(region)}{_explored(before, after)} (FS-8)"
        case f.Slot(seat=seat, slot=slot):
            return (
                f"{after.name(seat)} takes turn slot {slot}{_gold(after, slot)} and is done (FS-10)"
            )
        case f.Build(seat=seat, building=building, platform=platform):
            piece = f"{building.capitalize()} on platform {platform}{board.price(building)}"
            return f"{after.name(seat)} builds a {piece} (FS-12)"
        case f.Skimmer(seat=seat, region=region):
            return f"{after.name(seat)} builds a Skimmer in {board.name(region)}{board.price('skimmer')} (FS-12)"
    return _of_a_card(after, fact) or _of_the_end(before, after, fact)


def _of_a_card(after: State, fact: Fact) -> str:
    match fact:
        case f.Deal():
            return f"round {after.round}: the companion shuffles and deals the Hidden Starfall cards (FS-T8)"
        case f.Scout(seat=seat, card=card, resource=resource):
            # a dealt card is looked at first
            nothing = "" if standing.deals(after) else " and takes nothing"
            took = f" and takes 1 {resource.capitalize()}" if resource else nothing
            pays = "pays 2 Gold," if took else "pays 2 Gold and"
            return f"{after.name(seat)} {pays} scouts Hidden card {card}{took} (FS-16)"
        case f.Take(seat=seat, card=card, resource=resource):
            return (
                f"{after.name(seat)} takes 1 {resource.capitalize()} for Hidden card {card} (FS-16)"
            )
        case f.Peek(seat=seat, card=card):
            return f"{after.name(seat)} pays 2 resources and peeks at the Objective of round {card} (FS-17)"
    return ""


def _explored(before: State, after: State) -> str:
    """Return what the first Airship in a region brings (FS-8)."""
    if not after.now.ships[-1].explore:
        return ""
    if len(after.now.draws) > len(before.now.draws):
        return f", on the Explore slot, and draws a Hidden card; {after.now.unused} left"
    return ", on the Explore slot; the unused pile is empty"


def _first_gold(state: State) -> str:
    """Return who takes Gold for a slot of the first row, if that is known; AIs only with a Market card."""
    shares = []
    for slot, player in enumerate(state.now.order, start=1):
        gold = gold_on(state, slot)
        if gold and (not is_ai(player) or has_market_card(state.options)):
            shares.append(f"; {state.name(player)} gets {gold} Gold for slot {slot}")
    return "".join(shares)


def _gold(state: State, slot: int) -> str:
    gold = gold_on(state, slot)
    if gold is None:
        return ", with the Gold it shows"
    return f", {gold} Gold" if gold else ""


def _of_the_end(before: State, after: State, fact: Fact) -> str:
    match fact:
        case f.Reveal(card=card, region=region):
            early = before.now.pending is None and len(before.now.slots) < len(before.now.order)
            shows = f"Hidden card {card} shows {after.board.name(region)}: {after.starfalls.get(region, 0)} there now"
            return f"{shows}{_contradiction(after, card, region)} ({'FS-41' if early else 'FS-20'})"
        case f.Powers(player=player, chips=chips):
            places = [after.board.name(ship.region) for ship in after.now.ships_of(player)]
            powers = ", ".join(
                f"{chip} in {place}" for chip, place in zip(chips, places, strict=False)
            )
            total = sum(standing.powers_of(after, player) or ())
            excess = (
                f": {total} in all, each {total - 10} less (FS-11)"
                if not is_ai(player) and total > 10
                else ""
            )
            return f"{after.name(player)} shows {powers}{excess} (FS-21)"
        case f.Objective(players=players):
            won = after.now.objective
            if not won:
                return "nobody meets the Objective (FS-22)"
            tie = ": tied, the earlier turn slot" if len(set(players)) > 1 else ""
            return f"{after.name(won[0])} meets the Objective{tie} (FS-22)"
        case f.RoundEnd():
            return _round_over(after)
    return ""


def _contradiction(state: State, card: int, region: str) -> str:
    """Return a resource that was taken from the card although its region does not have it (FS-16)."""
    known = {resource.casefold() for resource in state.board.by_id[region].resources}
    odd = {mark.resource for mark in state.now.marks if mark.card == card and mark.resource} - known
    names = " and ".join(sorted(odd)).capitalize()
    return f"; {names} was taken from it, which the region does not have" if known and odd else ""


def _round_over(after: State) -> str:
    played = after.past[-1]
    text = f"round {played.number} is over: {gained(after, played)} (FS-23)"
    first = standing.winner(after)
    if first is None:
        return text
    return f"{text}; {after.name(first)} wins with {standing.starfalls_of(after, first)} (FS-30)"


def gained(state: State, played: Played) -> str:
    """Return `Ada +2, AI black +1`, or that nobody gained."""
    gains = ", ".join(f"{state.name(player)} +{gain}" for player, gain in played.gains.items())
    return gains or "nobody gains a Starfall"


def _of_an_ai(before: State, after: State, fact: Fact) -> str:
    match fact:
        case f.Shuffle(ai=ai, tokens=tokens):
            if not tokens:
                return f"{after.name(ai)}'s deck is shuffled again (FS-34)"
            out = ", ".join(standing.sitting_out(after, ai))
            return f"{after.name(ai)}'s cards are shuffled; tokens {out} sit out (FS-33)"
        case f.AiTurn(ai=ai):
            return _turned(before, after, ai)
        case f.AiChoose(target=target, reason=reason):
            decision = after.now.pending.decision if after.now.pending else None
            where = (
                after.board.place(decision.card.kind, target) if decision is not None else target
            )
            return f"the table says {where}" + (f": {reason} (FS-T4)" if reason else " (FS-36)")
        case f.AiCannot(reason=reason):
            whose = before.now.pending.decision.ai if before.now.pending else ""
            return f"that cannot be done: {reason}; {_after_cannot(before, after, whose)}"
        case f.AiDone() if before.now.pending is not None:
            return _done(before, after, before.now.pending.decision)
        case f.AiSitsOut(ai=ai, tokens=tokens):
            return f"{after.name(ai)}'s tokens {', '.join(tokens)} sit out (FS-33)"
        case f.AiTokens(ai=ai, tokens=tokens):
            return f"{after.name(ai)}'s tokens are {', '.join(tokens)} (FS-43)"
        case f.AiCompass(stars=stars, whole=whole):
            pointing = direction_names(stars) if stars else "no more stars"
            all_of_it = ", and that is all" if stars and whole else ""
            pending = after.now.pending
            then = move(after, pending.decision) if pending is not None else _AWAITED
            return f"the compass points {pointing}{all_of_it}; {then}"
    return ""


def _after_cannot(before: State, after: State, ai: PlayerId) -> str:
    """Return what an AI does after its move could not be made: the same card elsewhere, or the next card (FS-34)."""
    old, now = before.now, after.now
    if now.pending is None or len(now.turned) > len(old.turned):
        return _turned(before, after, ai)
    return f"{after.name(ai)} does it elsewhere: {move(after, now.pending.decision, 'it')}"


_AWAITED = "the next card is awaited"


def _turned(before: State, after: State, ai: PlayerId) -> str:
    """Return the cards an AI turned up and skipped, the one that was pending before excepted, then its move."""
    old, now = before.now, after.now
    seen = len(old.turned) + (old.pending is not None)
    skipped = ", ".join(
        turn.card.kind for turn in now.turned[seen:] if not turn.carried_out and turn.ai == ai
    )
    cards = f"{skipped}, which cannot be done" if skipped else ""
    if now.pending is None:
        return (
            f"{after.name(ai)} turns up {cards}; {_AWAITED} (FS-34)"
            if cards
            else f"{_AWAITED} (FS-34)"
        )
    first = f"{cards}, then " if cards else ""
    decision = now.pending.decision
    return f"{after.name(ai)} turns up {first}{decision.card.kind}: {move(after, decision, 'it')}"


def move(state: State, decision: Decision, subject: str = "") -> str:
    """Return a pending move with the step and clause that decided it; `subject` replaces the AI's name."""
    if decision.target is None:
        among = [state.board.place(decision.card.kind, place) for place in decision.ask]
        among += ["another"] if among and found_by_table(state.board, decision.card.kind) else []
        question = f"which: {either(among)}" if among else "where it goes"
        return f"the table says {question}; {decision.reasons[-1].text} ({decision.clause})"
    why = f"{decision.reasons[-1].text} ({decision.clause})"
    return f"{subject or state.name(decision.ai)} {_action(state, decision)}; {why}"


def made(state: State, decision: Decision) -> str:
    """Return an AI's action: `AI black places an Airship in Copper Crag`."""
    return f"{state.name(decision.ai)} {_action(state, decision)}"


def _action(state: State, decision: Decision) -> str:
    return f"{_DOES[decision.card.kind]} {state.board.place(decision.card.kind, decision.target or '')}"


_DOES = {
    "airship": "places an Airship in",
    "fortress": "builds a Fortress on",
    "market": "builds a Market on",
    "skimmer": "builds a Skimmer in",
    "scout": "scouts",
}


def _done(before: State, after: State, decision: Decision) -> str:
    """Return what an AI did; with its third Airship it takes a turn slot and is done for the round."""
    text, ai = f"{made(after, decision)} ({decision.clause})", decision.ai
    slot = after.now.slot_of(ai)
    if slot is None or before.now.slot_of(ai) is not None:
        return text
    card, traded = trade(before, before.market_cards.get(ai, 0), gold_on(after, slot) or 0)
    text = f"{text}; it takes turn slot {slot}{_gold(after, slot)} and is done (FS-42)"
    return f"{text}; its Market card shows {card}, {traded} Starfall (FS-45)" if traded else text


def _swapped(before: State, player: PlayerId, slot: int) -> str:
    """Return who gives up that turn slot in exchange for the player's own."""
    other = before.now.slots.get(slot)
    if other in (None, player):
        return ""
    return f", {before.name(other or '')} takes {before.now.slot_of(player)}"


def _of_the_table(before: State, after: State, fact: Fact) -> str:
    match fact:
        case f.Turn(player=player, reason=reason):
            return f"the table says it is {after.name(player)}'s turn: {reason} (FS-T3)"
        case f.Adjust(counter=counter, of=of, value=value, reason=reason):
            whose = after.board.name(of) if counter == "region" else after.name(of) if of else ""
            swapped = _swapped(before, of, value) if counter == "slot" else ""
            text = f"{_COUNTED[counter]}{f' ({whose})' if whose else ''} set to {value} by hand{swapped}"
            return f"{text}: {reason} (FS-T4)"
        case f.Remove(player=player, piece=piece, place=where, reason=reason):
            left = after.board.place(piece, where)
            return f"{after.name(player)}'s {f.piece_name(piece)} leaves {left}: {reason} (FS-T4)"
        case f.Move(player=player, piece=piece, place=where, to=to, reason=reason):
            way = f"{after.board.place(piece, where)} to {after.board.place(piece, to)}"
            return (
                f"{after.name(player)}'s {f.piece_name(piece)} moves from {way}: {reason} (FS-T4)"
            )
        case f.MapRegion(region=region):
            return f"the map: {after.board.name(region)} is as the table says (FS-U1)"
        case f.MapPlatform(platform=platform):
            known = after.board.platform(platform)
            bridges = (
                ", ".join(after.board.name(region) for region in known.regions)
                if known is not None
                else ""
            )
            held = (
                f" and holds {known.places}"
                if known is not None and known.places is not None
                else ""
            )
            return f"the map: platform {platform} is bridged to {bridges}{held} (FS-U4)"
    return fact.kind


_COUNTED = {
    "starfalls": "Starfalls",
    "market_card": "Market card",
    "region": "Starfalls on a region",
    "unused": "unused Hidden cards",
    "slot": "turn slot",
}


def reveals(before: State, fact: Fact) -> str | None:
    """Return what a fact showed to whom and cannot be unseen, or None."""
    match fact:
        case f.Deal():
            return "the Hidden Starfall cards of the round, to whoever looked at one"
        case f.Public():
            return "the Public Starfall card, to everybody"
        case f.Reveal(card=card):
            return f"Hidden card {card}, to everybody"
        case f.Powers(player=player):
            return f"the powers of {before.name(player)}, to everybody"
        case f.Scout(seat=seat, card=card):
            return f"Hidden card {card}, to {before.name(seat)}"
        case f.Peek(seat=seat, card=card):
            return f"the Objective of round {card}, to {before.name(seat)}"
        case f.Airship(seat=seat, region=region):
            explored = all(ship.region != region for ship in before.now.ships)
            return (
                f"an Explore card, to {before.name(seat)}"
                if explored and before.now.unused
                else None
            )
        case f.AiTurn(ai=ai):
            return f"the next action card of {before.name(ai)}, to everybody"
    return None
