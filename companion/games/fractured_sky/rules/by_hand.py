"""Corrections by the table: whose turn it is, counts, pieces, the board (FS-T3, FS-T4, FS-U1 to FS-U4)."""

from __future__ import annotations

from fractions import Fraction

from companion.games.fractured_sky.rules import checks, facts as f
from companion.games.fractured_sky.rules.board import Platform, Region
from companion.games.fractured_sky.rules.model import Deck, Round, State
from companion.games.fractured_sky.rules.options import has_market_card, market_number
from companion.games.fractured_sky.rules.public import SHIPS, PlayerId, Ship
from companion.games.fractured_sky.rules.standing import done
from companion.games.fractured_sky.rules.turns import uncover_slot
from companion.rules.columns import a_number, either
from companion.rules.facts import Refused
from companion.rules.replacing import replace


def turn(state: State, fact: f.Turn) -> State:
    """Call a player's turn (FS-T3)."""
    now = _current_round(state)
    name = state.name(fact.player)
    if fact.player not in now.order or fact.player not in state.players:
        known = either(state.name(player) for player in now.order)
        raise Refused("FS-7", f"{name} does not play this round", known)
    if done(state, fact.player):
        raise Refused("FS-10", f"{name} is done for the round", "somebody who is not")
    if now.pending is not None:
        raise Refused("FS-34", "an AI's move waits", do="Finish that move first.")
    return replace(state, current=replace(now, called=fact.player))


def _current_round(state: State) -> Round:
    """Return the running round; raise `Refused` before the first."""
    if state.current is None:
        raise Refused("FS-4", "no round has begun", do="Say who takes turn slot 1 first.")
    return state.current


# -- counts


def adjust(state: State, fact: f.Adjust) -> State:
    """Set a count by hand (FS-T4)."""
    match fact.counter:
        case "starfalls":
            checks.require_ai(state, fact.of, "what a player has is set as the score")
            return replace(state, held={**state.held, fact.of: fact.value})
        case "market_card":
            return _market_card(state, fact.of, fact.value)
        case "region":
            checks.require_region(state, fact.of)
            starfalls = {**state.starfalls, fact.of: fact.value}
            if not fact.value:
                del starfalls[fact.of]
            return replace(state, starfalls=starfalls)
        case "slot":
            return _slot(state, fact.of, fact.value)
        case "unused":
            return _unused(state, fact.value)


def _unused(state: State, value: int) -> State:
    now = _current_round(state)
    most = len(state.board.regions) - len(now.hidden)
    if value > most:
        why = f"{value} cards cannot be unused with {len(now.hidden)} on the tray"
        raise Refused("FS-6", why, a_number(0, most))
    return replace(state, current=replace(now, unused=value))


def _market_card(state: State, ai: PlayerId, value: int) -> State:
    checks.require_ai(state, ai, "an AI has a Market card")
    if not has_market_card(state.options):
        why = "the AIs of this game have no Market cards"
        raise Refused("FS-32", why, do="Only a house rule gives them some.")
    number = market_number(state.options, state.board.market_numbers)
    if number is not None and value >= number:
        raise Refused("FS-45", f"its Market card trades at {number}", a_number(0, number - 1))
    return replace(state, market_cards={**state.market_cards, ai: value})


def _slot(state: State, player: PlayerId, slot: int) -> State:
    """Give a player another turn slot; whoever has it takes the player's own.

    Once all slots are taken, a wrong one means that two were mixed up.
    """
    checks.require_player(state, player)
    now = _current_round(state)
    old = now.slot_of(player)
    if old is None:
        why = f"{state.name(player)} has taken no turn slot yet"
        raise Refused("FS-10", why, "a player who is done")
    if not 1 <= slot <= len(now.order):
        raise Refused("FS-10", f"there is no turn slot {slot}", a_number(1, len(now.order)))
    slots = {number: owner for number, owner in now.slots.items() if number != old}
    if slot in slots:
        slots[old] = slots[slot]
    slots[slot] = player
    return replace(state, current=replace(now, slots=slots))


# -- pieces


def remove(state: State, fact: f.Remove) -> State:
    """Take a piece off the board (FS-T4)."""
    return _relocate(state, fact, None)


def move(state: State, fact: f.Move) -> State:
    """Put a piece somewhere else; its order among its player's pieces stays, and so does its power (FS-T4)."""
    if fact.piece != "marker":
        checks.require_place(state, fact.piece, fact.to)
    return _relocate(state, fact, fact.to)


def _relocate(state: State, fact: f.Remove | f.Move, to: str | None) -> State:
    """Move a piece to another place, or off the board if `to` is None."""
    match fact.piece:
        case "airship":
            return _relocate_airship(state, fact, to)
        case "marker":
            return _relocate_marker(state, fact, to)
        case "skimmer":
            return _relocate_skimmer(state, fact, to)
        case "fortress" | "market":
            return _relocate_building(state, fact, to)


def _relocate_airship(state: State, fact: f.Remove | f.Move, to: str | None) -> State:
    now = _current_round(state)
    # of several Airships there the last one placed
    at = _positions(state, fact, [(ship.player, ship.region) for ship in now.ships])[-1]
    if to is None:
        return _return_airship(state, fact.player, at)
    explores = all(ship.region != to for ship in now.ships)
    moved = Ship(fact.player, to, explores)
    ships = (*now.ships[:at], moved, *now.ships[at + 1 :])
    return replace(state, current=replace(now, ships=ships))


def _relocate_skimmer(state: State, fact: f.Remove | f.Move, to: str | None) -> State:
    now = _current_round(state)
    at = _positions(state, fact, [(flight.player, flight.region) for flight in now.flights])[0]
    moved = () if to is None else (replace(now.flights[at], region=to),)
    flights = (*now.flights[:at], *moved, *now.flights[at + 1 :])
    return replace(state, current=replace(now, flights=flights))


def _relocate_building(state: State, fact: f.Remove | f.Move, to: str | None) -> State:
    built = state.buildings
    pieces = []
    for piece in built:
        # a building of the other kind is nowhere, so that the indexes stay those of `built`
        platform = piece.platform if piece.building == fact.piece else ""
        pieces.append((piece.player, platform))
    at = _positions(state, fact, pieces)[0]
    moved = () if to is None else (replace(built[at], platform=to),)
    return replace(state, buildings=(*built[:at], *moved, *built[at + 1 :]))


def _positions(
    state: State, fact: f.Remove | f.Move, pieces: list[tuple[PlayerId, str]]
) -> list[int]:
    """Return the indexes of the named piece among `pieces`, (player, place) pairs; raise `Refused` if there is none."""
    places = [at for at, piece in enumerate(pieces) if piece == (fact.player, fact.place)]
    if not places:
        preposition = "in" if fact.piece in ("airship", "skimmer") else "on"
        where = f"{preposition} {state.board.place(fact.piece, fact.place)}"
        why = f"{state.name(fact.player)} has no {f.piece_name(fact.piece)} {where}"
        raise Refused("FS-12", why, "a piece that is on the board")
    return places


def _return_airship(state: State, player: PlayerId, place: int) -> State:
    """Return the Airship at that index to its player, who is not done any more (FS-T4).

    Its power, and the Gold that an AI's slot put on its Market card, go; what it drew stays drawn
    (FS-8).
    """
    now = state.now
    own = [ship for ship in now.ships[: place + 1] if ship.player == player]
    slot = now.slot_of(player)
    after = replace(
        now,
        ships=(*now.ships[:place], *now.ships[place + 1 :]),
        slots={slot: owner for slot, owner in now.slots.items() if owner != player},
        powers={owner: chips for owner, chips in now.powers.items() if owner != player},
    )
    if player in now.decks:
        left = len(after.ships_of(player))
        deck = _return_token(now.decks[player], len(own) - 1, left)
        after = replace(after, decks={**now.decks, player: deck})
    returned = replace(state, current=after)
    if slot is None:
        return returned
    return uncover_slot(returned, player, slot)


def _return_token(deck: Deck, place: int, left: int) -> Deck:
    """Make the token under an AI's Airship the next to be placed.

    `place` is the Airship's index among the AI's own, `left` how many stay on the board.
    """
    out, placed = deck.tokens[:SHIPS], list(deck.tokens[SHIPS:])
    if place < len(placed):
        placed.insert(left, placed.pop(place))
    return replace(deck, tokens=(*out, *placed))


def _relocate_marker(state: State, fact: f.Remove | f.Move, to: str | None) -> State:
    """Move a scouting marker to another Hidden card or off; what its player noted about the first card is dropped."""
    now = _current_round(state)
    marks = list(now.marks)
    at = _positions(state, fact, [(mark.player, str(mark.card)) for mark in marks])[0]
    if to is None:
        del marks[at]
    else:
        checks.require_place(state, fact.piece, to)
        marks[at] = replace(marks[at], card=int(to))
    moved = (fact.player, "hidden", fact.place)
    sights = tuple(
        sight for sight in now.sights if (sight.seat, sight.where, str(sight.number)) != moved
    )
    return replace(state, current=replace(now, marks=tuple(marks), sights=sights, looking=None))


# -- what the board shows


def map_region(state: State, fact: f.MapRegion) -> State:
    """Store what the board shows of a region; fields that are left out stay as they are (FS-U1 to FS-U3)."""
    checks.require_region(state, fact.region)
    old = state.board.by_id[fact.region]
    if fact.resources and len(set(fact.resources)) != 2:
        raise Refused("FS-U2", "a region has two different resources", "two of gold, iron, wood")
    if (fact.x is None) != (fact.y is None):
        raise Refused("FS-U3", "the place is half known", do="Give x and y, or neither.")
    point, resources = old.point, old.resources
    if fact.x is not None and fact.y is not None:
        point = (Fraction(fact.x), Fraction(fact.y))
    if fact.resources:
        resources = tuple(resource.capitalize() for resource in fact.resources)
    region = Region(old.id, fact.name.strip() or old.name, resources, point)
    regions = {**state.board.by_id, region.id: region}
    return replace(state, board=replace(state.board, regions=tuple(regions.values())))


def map_platform(state: State, fact: f.MapPlatform) -> State:
    """Store what the board shows of a platform; fields that are left out stay as they are (FS-U4)."""
    for region in fact.regions:
        checks.require_region(state, region)
    if len(set(fact.regions)) != len(fact.regions):
        raise Refused("FS-U4", "a region is bridged to it twice", do="Name each region once.")
    old = state.board.platform(fact.platform) or Platform(fact.platform, ())
    platform = replace(old, regions=fact.regions or old.regions, places=fact.places or old.places)
    if not platform.regions:
        do = "Name its regions too."
        raise Refused(
            "FS-U4", f"platform {platform.id} is new, and no bridge of it is named", do=do
        )
    platforms = {known.id: known for known in state.board.platforms} | {platform.id: platform}
    return replace(state, board=replace(state.board, platforms=tuple(platforms.values())))
