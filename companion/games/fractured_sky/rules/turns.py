"""The actions of a seat's turn (FS-4 to FS-18), and the Starfall cards that begin a round (FS-6, FS-T8)."""

from __future__ import annotations

from companion.games.fractured_sky.rules import checks, facts as f
from companion.games.fractured_sky.rules.board import Platform
from companion.games.fractured_sky.rules.model import PIECES, ROUNDS, Deck, Round, State
from companion.games.fractured_sky.rules.options import (
    has_market_card,
    hidden_count,
    market_number,
)
from companion.games.fractured_sky.rules.public import Built, Flight, PlayerId, PublicMark, Ship
from companion.games.fractured_sky.rules.resolution import trade
from companion.games.fractured_sky.rules.standing import (
    deals,
    free_slots,
    owing_slot,
    phase,
)
from companion.rules.columns import either
from companion.rules.facts import Refused
from companion.rules.replacing import replace


def first(state: State, fact: f.First) -> State:
    """Begin round 1: slot 1, then clockwise, then the AIs; who covers Gold takes it, here too (FS-4)."""
    checks.require_seat(state, fact.seat)
    if state.current is not None:
        raise checks.not_now(state, "the first turn order stands already", "FS-4")
    place = state.playing.index(fact.seat)
    clockwise = (*state.playing[place:], *state.playing[:place])
    order = (*clockwise, *state.ais)
    begun = replace(state, current=new_round(state, 1, order))
    for slot_number, player in enumerate(order, start=1):
        begun = cover_slot(begun, player, slot_number)
    return begun


def new_round(state: State, number: int, order: tuple[PlayerId, ...]) -> Round:
    """Return a round before its Public card is revealed (FS-6)."""
    on_tray = hidden_count(state.options, number)
    return Round(
        number,
        order,
        hidden=(None,) * on_tray,
        unused=len(state.board.regions) - on_tray,
        decks={ai: Deck() for ai in state.ais},
    )


def cover_slot(state: State, player: PlayerId, slot_number: int) -> State:
    """Put the Gold of the slot that a player takes onto an AI's Market card (FS-31, FS-45).

    A seat's resources are not counted, so for a seat nothing changes.
    """
    gold = gold_on(state, slot_number)
    if player not in state.ais or not gold:
        return state
    card, traded = trade(state, state.market_cards.get(player, 0), gold)
    market_cards = {**state.market_cards, player: card}
    if not traded:
        return replace(state, market_cards=market_cards)
    held = {**state.held, player: state.held.get(player, 0) + traded}
    return replace(state, market_cards=market_cards, held=held)


def uncover_slot(state: State, player: PlayerId, slot_number: int) -> State:
    """Take a turn slot's Gold off an AI's Market card, and the Starfall it bought (FS-45).

    Where a trade lost what exceeded the number, the card is taken to have held as little as the
    trade needed.
    """
    gold = gold_on(state, slot_number)
    number = market_number(state.options, state.board.market_numbers)
    if player not in state.ais or not gold or not has_market_card(state.options):
        return state
    left, held = state.market_cards.get(player, 0) - gold, state.held.get(player, 0)
    if left < 0 and number is not None and held:
        # the card holds less than the slot gave, so a Starfall was bought with it
        left += number
        state = replace(state, held={**state.held, player: held - 1})
    return replace(state, market_cards={**state.market_cards, player: max(0, left)})


def gold_on(state: State, slot_number: int) -> int | None:
    """Return the Gold on a turn slot, or None where it is unknown (FS-U5)."""
    gold = state.board.gold
    return gold[slot_number - 1] if slot_number <= len(gold) else None


def deal(state: State, fact: f.Deal) -> State:
    """Store the Hidden cards as shuffled: the tray, then the unused pile from the top (FS-6, FS-29).

    A refusal here names no region, because everybody can read it.
    """
    if not deals(state):
        raise Refused(
            "FS-T8", "the Starfall cards of this game lie on the table", do="Deal them by hand."
        )
    now = checks.require_phase(state, "public")
    if now.dealt:
        raise Refused(
            "FS-T8",
            "the Hidden cards of this round are dealt",
            do="Turn up the Public Starfall next.",
        )
    if sorted(fact.cards) != sorted(state.board.ids):
        raise Refused(
            "FS-3", "these are not the Hidden cards", do="Name each region of this side once."
        )
    return replace(state, current=replace(now, dealt=fact.cards))


def public(state: State, fact: f.Public) -> State:
    """Put the Public card's Starfall on its region (FS-6)."""
    now = checks.require_phase(state, "public")
    checks.require_region(state, fact.region)
    return replace(add_starfall(state, fact.region), current=replace(now, public=fact.region))


def add_starfall(state: State, region: str) -> State:
    """Put one more Starfall on a region."""
    return replace(state, starfalls={**state.starfalls, region: state.starfalls.get(region, 0) + 1})


def airship(state: State, fact: f.Airship) -> State:
    """Place an Airship; the first in a region takes the Explore slot and draws an unused card, if
    any is left (FS-8)."""
    now = checks.require_turn(state, fact.seat)
    checks.require_region(state, fact.region)
    own = {ship.region for ship in now.ships_of(fact.seat)}
    if fact.region in own and state.options["one_airship_per_region"] == "yes":
        where = f"{state.name(fact.seat)} has an Airship in {state.board.name(fact.region)} already"
        raise Refused("FS-9", where, "another region")
    explores = all(ship.region != fact.region for ship in now.ships)
    now = replace(now, ships=(*now.ships, Ship(fact.seat, fact.region, explores)))
    if explores and now.unused:
        now = replace(now, draws=(*now.draws, fact.seat), unused=now.unused - 1)
    return _after_action(state, now, fact.seat)


def _after_action(state: State, now: Round, player: PlayerId, looking: int | None = None) -> State:
    # a called turn (FS-T3) is used up; after any other action a scout can take nothing more (FS-16)
    return replace(state, current=replace(now, last=player, called=None, looking=looking))


def slot(state: State, fact: f.Slot) -> State:
    """Take a turn slot of the next row with its Gold; the player is done for the round (FS-10)."""
    checks.require_seat(state, fact.seat)
    now = checks.require_phase(state, "slot")
    if owing_slot(state) != fact.seat:
        raise checks.not_now(state, f"{state.name(fact.seat)} takes no turn slot now", "FS-10")
    free = free_slots(state)
    if fact.slot not in free:
        wanted = f"turn slot {either(map(str, free))}"
        raise Refused("FS-10", f"turn slot {fact.slot} is not free", wanted)
    taken = replace(state, current=replace(now, slots={**now.slots, fact.slot: fact.seat}))
    return cover_slot(taken, fact.seat, fact.slot)


def build(state: State, fact: f.Build) -> State:
    """Build a Fortress or a Market on a platform with a free place (FS-12)."""
    now = checks.require_turn(state, fact.seat)
    platform = checks.require_platform(state, fact.platform)
    if not _has_place(state, platform):
        raise _no_place(state, platform)
    own = [piece.building for piece in state.buildings if piece.player == fact.seat]
    if own.count(fact.building) >= PIECES:
        why = f"{state.name(fact.seat)} has built all {PIECES} of that kind"
        raise Refused("FS-2", why, "another piece")
    piece = Built(fact.seat, fact.building, platform.id)
    return _after_action(replace(state, buildings=(*state.buildings, piece)), now, fact.seat)


def _has_place(state: State, platform: Platform) -> bool:
    built = [piece.platform for piece in state.buildings]
    return platform.places is None or built.count(platform.id) < platform.places


def _no_place(state: State, platform: Platform) -> Refused:
    """Return the refusal of a full platform, with what is left to choose (FS-12, FS-U4)."""
    why, board = f"platform {platform.id} has no free place", state.board
    if any(_has_place(state, other) for other in board.platforms):
        return Refused("FS-12", why, "another platform")
    if board.platforms_open:
        return Refused("FS-12", why, do="Enter another platform with its bridges.")
    return Refused("FS-12", why, "another action")


def skimmer(state: State, fact: f.Skimmer) -> State:
    """Build a Skimmer in a region, for this round (FS-12, FS-15)."""
    now = checks.require_turn(state, fact.seat)
    checks.require_region(state, fact.region)
    own = [flight.region for flight in now.flights if flight.player == fact.seat]
    if len(own) >= PIECES:
        why = f"{state.name(fact.seat)} has built all {PIECES} Skimmers"
        raise Refused("FS-2", why, "another piece")
    if fact.region in own and state.options["skimmer_stack"] == "one_per_region":
        where = f"{state.name(fact.seat)} has a Skimmer in {state.board.name(fact.region)} already"
        raise Refused("FS-12", where, "another region")
    flights = (*now.flights, Flight(fact.seat, fact.region))
    return _after_action(state, replace(now, flights=flights), fact.seat)


def scout(state: State, fact: f.Scout) -> State:
    """Mark a Hidden card as scouted, with a resource or without (FS-16)."""
    now = checks.require_turn(state, fact.seat)
    checks.require_card(now, fact.card)
    if any((mark.player, mark.card) == (fact.seat, fact.card) for mark in now.marks):
        raise Refused(
            "FS-16", f"{state.name(fact.seat)} has scouted card {fact.card} already", "another card"
        )
    if now.hidden[fact.card - 1] is not None and state.options["early_reveal_scoutable"] == "no":
        raise Refused("FS-41", f"card {fact.card} is face up", "a card that is face down")
    mark = PublicMark(fact.seat, fact.card, fact.resource is not None, fact.resource)
    return _after_action(
        state, replace(now, marks=(*now.marks, mark)), fact.seat, looking=fact.card
    )


def take(state: State, fact: f.Take) -> State:
    """Record the resource taken by whoever has just scouted without saying which (FS-16).

    Whether the region has that resource is not checked: a refusal would tell everybody about the
    card.
    """
    checks.require_seat(state, fact.seat)
    now = checks.require_phase(state, "turn")
    mark = may_take(state)
    if mark is None or (mark.player, mark.card) != (fact.seat, fact.card):
        scout = f"scouted card {fact.card} without taking anything"
        why = f"{state.name(fact.seat)} has not just {scout}"
        raise Refused("FS-16", why, do="Take a resource right after the scout, once.")
    at = now.marks.index(mark)
    taken = replace(mark, taken=True, resource=fact.resource)
    marks = (*now.marks[:at], taken, *now.marks[at + 1 :])
    return replace(state, current=replace(now, marks=marks))


def may_take(state: State) -> PublicMark | None:
    """Return the marker of whoever has just scouted and may still say what it takes, or None (FS-16)."""
    now = state.now
    if now.looking is None or now.last is None or phase(state) != "turn":
        return None
    mark = PublicMark(now.last, now.looking, taken=False)
    return mark if mark in now.marks else None


def peek(state: State, fact: f.Peek) -> State:
    """Mark an Objective that is face down as seen by that seat (FS-17)."""
    now = checks.require_turn(state, fact.seat)
    if not state.has_objectives:
        raise Refused("FS-5", "the solo game has no Objectives, and so no Peek", "another action")
    if fact.card < now.number:
        wanted = f"the one of round {either(map(str, range(now.number, ROUNDS + 1)))}"
        raise Refused("FS-17", f"the Objective of round {fact.card} lies face up", wanted)
    if (fact.seat, fact.card) in state.watched:
        raise Refused("FS-17", f"{state.name(fact.seat)} has peeked at it already", "another card")
    return _after_action(
        replace(state, watched=(*state.watched, (fact.seat, fact.card))), now, fact.seat
    )


def saw(state: State, fact: f.Saw) -> State:
    """Store what a seat saw on a card it looked at; noting it again corrects it (FS-46)."""
    checks.require_seat(state, fact.seat)
    name = state.name(fact.seat)
    # everybody can read a refusal, so none here repeats the region
    if fact.region not in state.board.by_id:
        known = f"one of {', '.join(state.board.ids)}"
        raise Refused("FS-U8", "that is no region on this side of the board", do=f"Type {known}.")
    now = state.now
    if phase(state) in ("first", "public", "over"):
        raise Refused("FS-18", "no card of this round was looked at", do="Note it during a round.")
    if now.dealt:
        do = "Look at them behind your curtain."
        raise Refused("FS-T8", "the companion dealt the cards and shows them itself", do=do)
    scouted = {mark.card for mark in now.marks if mark.player == fact.seat}
    if fact.where == "hidden" and fact.number not in scouted:
        why = f"{name} has not scouted card {fact.number}"
        raise Refused("FS-16", why, "a card it scouted")
    drawn = now.draws.count(fact.seat)
    if fact.where == "explore" and fact.number > drawn:
        raise Refused("FS-8", f"{name} has drawn {drawn} Explore cards", "one of these")
    card = (fact.seat, fact.where, fact.number)
    others = tuple(sight for sight in now.sights if (sight.seat, sight.where, sight.number) != card)
    if any((sight.seat, sight.region) == (fact.seat, fact.region) for sight in others):
        do = "Each region has only one Hidden card."
        raise Refused("FS-3", "another card was said to show that region", do=do)
    return replace(state, current=replace(now, sights=(*others, fact)))
