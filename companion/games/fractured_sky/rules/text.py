"""The sentences of Fractured Sky: each fact as the log tells it to the table, or to the seat it is about."""

from __future__ import annotations

from companion.games.fractured_sky.rules import facts as f, standing
from companion.games.fractured_sky.rules.ai import Decision, direction_names, found_by_table
from companion.games.fractured_sky.rules.model import LIMIT, Played, State
from companion.games.fractured_sky.rules.options import has_market_card
from companion.games.fractured_sky.rules.public import PlayerId, is_ai
from companion.games.fractured_sky.rules.resolution import trade
from companion.games.fractured_sky.rules.turns import gold_on
from companion.rules.columns import either, listed
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
    # these facts decide the move themselves, and their sentences say how
    if not isinstance(fact, f.AiCompass | f.AiChoose | f.AiCannot | f.AiDone):
        sentence += _redecided(before, after)
    return sentence + _flipped(before, after)


def _flipped(before: State, after: State) -> str:
    """Return that the round's Objective is turned up now, or an empty string."""
    if standing.flips_objective(before) or not standing.flips_objective(after):
        return ""
    clause = "FS-22" if after.ais else "FS-19"
    return f"; the leftmost Objective is flipped ({clause})"


def _redecided(before: State, after: State) -> str:
    """Return how a pending move changed because something it was decided by was corrected."""
    old, new = before.now.pending, after.now.pending
    if old is None or new == old:
        return ""
    ai = old.decision.ai
    name = after.name(ai)
    if new is None or len(after.now.turned) > len(before.now.turned):
        gone = f"{name}'s {old.decision.card.kind} is no longer possible"
        return f"; {gone}; {_turned(before, after, ai)}"
    if (new.decision.target, new.decision.ask) == (old.decision.target, old.decision.ask):
        return f"; {name}'s move stays the same"
    return f"; its move changes: {move(after, new.decision)}"


def follows(before: State, after: State) -> str:
    """Return how a correction of the past changed a pending move; empty if it came or went, which the screen shows."""
    old, new = before.now, after.now
    if old.pending is None or new.pending is None:
        return ""
    old_turn = (old.number, old.pending.decision.ai, old.last)
    if old_turn != (new.number, new.pending.decision.ai, new.last):
        return ""
    return _redecided(before, after).removeprefix("; ")


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
            others = ", ".join(map(after.name, after.now.order[1:])) or "nobody"
            return f"{after.name(seat)} takes turn slot 1; then {others}{_first_gold(after)} (FS-4)"
        case f.Public(region=region):
            return f"round {after.round}: the Public Starfall falls on {board.name(region)} (FS-6)"
        case f.Airship(seat=seat, region=region):
            explored = _explored(before, after)
            return f"{after.name(seat)} places an Airship in {board.name(region)}{explored} (FS-8)"
        case f.Slot(seat=seat, slot=slot):
            gold = _gold(after, slot)
            return f"{after.name(seat)} takes turn slot {slot}{gold} and is done (FS-10)"
        case f.Build(seat=seat, building=building, platform=platform):
            piece = f"{building.capitalize()} on platform {platform}{board.price(building)}"
            return f"{after.name(seat)} builds a {piece} (FS-12)"
        case f.Skimmer(seat=seat, region=region):
            piece = f"Skimmer in {board.name(region)}{board.price('skimmer')}"
            return f"{after.name(seat)} builds a {piece} (FS-12)"
    return _of_a_card(after, fact) or _of_the_end(before, after, fact)


def _of_a_card(after: State, fact: Fact) -> str:
    match fact:
        case f.Deal():
            deals = "the companion shuffles and deals the Hidden Starfall cards"
            return f"round {after.round}: {deals} (FS-T8)"
        case f.Scout(seat=seat, card=card, resource=resource):
            name = after.name(seat)
            if resource:
                took = f"and takes 1 {resource.capitalize()}"
            elif standing.deals(after):
                # its seat sees a dealt card only now, and says later what it takes
                return f"{name} pays 2 Gold and scouts Hidden card {card} (FS-16)"
            else:
                took = "and takes nothing"
            return f"{name} pays 2 Gold, scouts Hidden card {card} {took} (FS-16)"
        case f.Take(seat=seat, card=card, resource=resource):
            took = f"takes 1 {resource.capitalize()} for Hidden card {card}"
            return f"{after.name(seat)} {took} (FS-16)"
        case f.Peek(seat=seat, card=card):
            peeks = f"pays 2 resources and peeks at the Objective of round {card}"
            return f"{after.name(seat)} {peeks} (FS-17)"
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
        return ", with any Gold it shows"
    return f", {gold} Gold" if gold else ""


def _of_the_end(before: State, after: State, fact: Fact) -> str:
    match fact:
        case f.Reveal(card=card, region=region):
            return _revealed(before, after, card, region)
        case f.Powers(player=player, chips=chips):
            return _powers(after, player, chips)
        case f.Objective(players=players):
            won = after.now.objective
            if not won:
                return "nobody meets the Objective (FS-22)"
            tie = ": tied, the earlier turn slot" if len(set(players)) > 1 else ""
            return f"{after.name(won[0])} meets the Objective{tie} (FS-22)"
        case f.RoundEnd():
            return _round_over(after)
    return ""


def _revealed(before: State, after: State, card: int, region: str) -> str:
    # while a turn slot is free the round goes on, so the card was revealed early
    early = before.now.pending is None and len(before.now.slots) < len(before.now.order)
    clause = "FS-41" if early else "FS-20"
    there = f"{after.starfalls.get(region, 0)} there now"
    shows = f"Hidden card {card} shows {after.board.name(region)}: {there}"
    return f"{shows}{_contradiction(after, card, region)} ({clause})"


def _powers(after: State, player: PlayerId, chips: tuple[int, ...]) -> str:
    powers = []
    for chip, ship in zip(chips, after.now.ships_of(player), strict=False):
        powers.append(f"{chip} in {after.board.name(ship.region)}")
    text = f"{after.name(player)} shows {', '.join(powers)}"
    total = sum(standing.powers_of(after, player) or ())
    if total > LIMIT and not is_ai(player):
        text += f"; {total} shown in total, so each chip counts {total - LIMIT} less (FS-11)"
    return f"{text} (FS-21)"


def _contradiction(state: State, card: int, region: str) -> str:
    """Return a resource that was taken from the card although its region does not have it (FS-16)."""
    known = {resource.casefold() for resource in state.board.by_id[region].resources}
    if not known:
        return ""
    taken = {str(mark.resource) for mark in state.now.marks if mark.card == card and mark.resource}
    odd = " and ".join(sorted(taken - known)).capitalize()
    return f"; {odd} was taken from it, which the region does not have" if odd else ""


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
            unused = ", ".join(standing.sitting_out(after, ai))
            return f"{after.name(ai)}'s cards are shuffled; unused tokens: {unused} (FS-33)"
        case f.AiTurn(ai=ai):
            return _turned(before, after, ai)
        case f.AiChoose():
            return _chosen(after, fact)
        case f.AiCannot(reason=reason):
            return _cannot(before, after, reason)
        case f.AiDone() if before.now.pending is not None:
            return _done(before, after, before.now.pending.decision)
        case f.AiSitsOut(ai=ai, tokens=tokens):
            return f"{after.name(ai)}'s unused tokens: {', '.join(tokens)} (FS-33)"
        case f.AiTokens(ai=ai, tokens=tokens):
            return f"{after.name(ai)}'s tokens are {', '.join(tokens)} (FS-43)"
        case f.AiCompass():
            return _compass(after, fact)
    return ""


def _chosen(after: State, fact: f.AiChoose) -> str:
    where = fact.target
    if after.now.pending is not None:
        where = after.board.place(after.now.pending.decision.card.kind, where)
    why = f": {fact.reason} (FS-T4)" if fact.reason else " (FS-36)"
    return f"the table chooses {where}{why}"


def _compass(after: State, fact: f.AiCompass) -> str:
    pointing = direction_names(fact.stars) if fact.stars else "no more stars"
    if fact.stars and fact.whole:
        pointing += ", no further"
    pending = after.now.pending
    then = _AWAITED if pending is None else move(after, pending.decision)
    return f"the compass points {pointing}; {then}"


def _cannot(before: State, after: State, reason: str) -> str:
    """Return whose card could not be carried out, and what follows."""
    if before.now.pending is None:
        return f"not possible ({reason})"
    decision = before.now.pending.decision
    card = f"{after.name(decision.ai)}: {decision.card.kind.capitalize()} not possible ({reason})"
    return f"{card}; {_after_cannot(before, after, decision.ai)}"


def _after_cannot(before: State, after: State, ai: PlayerId) -> str:
    """Return what an AI does after its move could not be made: the same card elsewhere, or the next card (FS-34)."""
    old, now = before.now, after.now
    if now.pending is None or len(now.turned) > len(old.turned):
        return _turned(before, after, ai)
    return move(after, now.pending.decision)


_AWAITED = "its next card follows"


def _turned(before: State, after: State, ai: PlayerId) -> str:
    """Return an AI's move, then the cards it turned up and skipped, the one that was pending before excepted."""
    old, now = before.now, after.now
    # a card that was pending is now the first of the new ones in `turned`
    seen = len(old.turned) + (old.pending is not None)
    skipped = []
    for turn in now.turned[seen:]:
        if turn.ai == ai and not turn.carried_out:
            skipped.append(turn.card.kind)
    cards = f"{listed(skipped)} not possible" if skipped else ""
    if now.pending is not None:
        text = move(after, now.pending.decision)
        return f"{text}; {cards}" if cards else text
    if cards:
        return f"{after.name(ai)}: {cards}; {_AWAITED} (FS-34)"
    return f"{_AWAITED} (FS-34)"


def move(state: State, decision: Decision) -> str:
    """Return a pending move with the step and clause that decided it: `AI black: Airship to Copper
    Crag (it has the most bridges) (FS-38)`."""
    why = f"({decision.reasons[-1].text}) ({decision.clause})"
    if decision.target is not None:
        return f"{made(state, decision)} {why}"
    kind = decision.card.kind
    among = [state.board.place(kind, place) for place in decision.ask]
    piece = f"{state.name(decision.ai)}: {_DEEDS[kind]}"
    if not among:
        return f"{piece} a platform that the table finds {why}"
    if found_by_table(state.board, kind):
        among.append("another")
    return f"{piece} {either(among)}, as the table decides {why}"


def made(state: State, decision: Decision) -> str:
    """Return an AI's action: `AI black: Airship to Copper Crag`."""
    kind = decision.card.kind
    place = state.board.place(kind, decision.target or "")
    return f"{state.name(decision.ai)}: {_DEEDS[kind]} {place}"


_DEEDS = {
    "airship": "Airship to",
    "fortress": "Fortress on",
    "market": "Market on",
    "skimmer": "Skimmer to",
    "scout": "scouts",
}


def _done(before: State, after: State, decision: Decision) -> str:
    """Return what an AI did; with its third Airship it takes a turn slot and is done for the round."""
    # once more, for a reader who sees one line at a time; the running log leaves it out
    text, ai = f"{made(after, decision)}, done ({decision.clause})", decision.ai
    slot = after.now.slot_of(ai)
    if slot is None or before.now.slot_of(ai) is not None:
        return text
    text += f"; it takes turn slot {slot}{_gold(after, slot)} and is done (FS-42)"
    card, traded = trade(before, before.market_cards.get(ai, 0), gold_on(after, slot) or 0)
    if traded:
        text += f"; its Market card shows {card}, {traded} Starfall (FS-45)"
    return text


def _swapped(before: State, player: PlayerId, slot: int) -> str:
    """Return who gives up that turn slot in exchange for the player's own."""
    other = before.now.slots.get(slot)
    if other in (None, player):
        return ""
    return f", {before.name(other or '')} takes {before.now.slot_of(player)}"


def _of_the_table(before: State, after: State, fact: Fact) -> str:
    match fact:
        case f.Turn(player=player, reason=reason):
            return f"the table gives {after.name(player)} the turn: {reason} (FS-T3)"
        case f.Adjust():
            return _adjusted(before, after, fact)
        case f.Remove(player=player, piece=piece, place=where, reason=reason):
            leaves = f"{f.piece_name(piece)} leaves {after.board.place(piece, where)}"
            return f"{after.name(player)}'s {leaves}: {reason} (FS-T4)"
        case f.Move(player=player, piece=piece, place=where, to=to, reason=reason):
            way = f"{after.board.place(piece, where)} to {after.board.place(piece, to)}"
            moves = f"{f.piece_name(piece)} moves from {way}"
            return f"{after.name(player)}'s {moves}: {reason} (FS-T4)"
        case f.MapRegion(region=region):
            return f"the map: {after.board.name(region)} is entered (FS-U1)"
        case f.MapPlatform(platform=platform):
            return _mapped(after, platform)
    return fact.kind


def _adjusted(before: State, after: State, fact: f.Adjust) -> str:
    counter = _COUNTED[fact.counter]
    if fact.counter == "region":
        counter += f" ({after.board.name(fact.of)})"
    elif fact.of:
        counter += f" ({after.name(fact.of)})"
    swapped = _swapped(before, fact.of, fact.value) if fact.counter == "slot" else ""
    return f"{counter} set to {fact.value} by hand{swapped}: {fact.reason} (FS-T4)"


def _mapped(after: State, name: str) -> str:
    platform = after.board.platform(name)
    bridges, holds = "", ""
    if platform is not None:
        bridges = ", ".join(map(after.board.name, platform.regions))
        if platform.places is not None:
            holds = f" and holds {platform.places}"
    return f"the map: platform {name} is bridged to {bridges}{holds} (FS-U4)"


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
            if explored and before.now.unused:
                return f"an Explore card, to {before.name(seat)}"
        case f.AiTurn(ai=ai):
            return f"the next action card of {before.name(ai)}, to everybody"
    return None
