"""The fold: a state and a fact give the next state, or a refusal with its clause. Pure; nothing is drawn here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from companion.games.base import Fact, Refused, Setup
from companion.games.common import COMMON_FACTS, Common, SeatJoins, SeatLeaves, apply_common
from companion.games.fractured_sky import ending, opponents, starfalls, turns
from companion.games.fractured_sky import facts as f
from companion.games.fractured_sky.board import Platform, Region, board_of, with_platform, with_region
from companion.games.fractured_sky.box import box_for
from companion.games.fractured_sky.checks import require_ai, require_region
from companion.games.fractured_sky.model import Round, State
from companion.games.fractured_sky.options import read_options
from companion.games.fractured_sky.phase import done, free_slots
from companion.games.fractured_sky.standings import starfalls_of
from companion.games.seats import refuse_twins

RULES_VERSION = 1
SEAT_COUNTS = range(1, 6)
_SMALL_SIDE = 3  # FS-U8: up to three seats play on eight regions
_HANDS = (f.Airship, f.Build, f.Skimmer, f.Scout, f.Take, f.Peek, f.Slot, f.AiTurn, f.AiDone)


def start(setup: Setup) -> State:
    """Return the state before the first round; raise `Refused` for seats, options or a version not known."""
    if setup.rules_version != RULES_VERSION:
        stated = f"the game was recorded under version {setup.rules_version} of the rules of Fractured Sky"
        raise Refused("RULES", stated, f"version {RULES_VERSION}")
    seats = len(setup.seats)
    if seats not in SEAT_COUNTS:
        said = f"{seats} {'seat was' if seats == 1 else 'seats were'} named"
        raise Refused("FS-31", said, f"{SEAT_COUNTS.start} to {SEAT_COUNTS.stop - 1} seats")
    refuse_twins([seat.id for seat in setup.seats])
    refuse_twins([seat.name for seat in setup.seats])
    options = read_options(setup.options)
    board = board_of(box_for(setup), "eight" if seats <= _SMALL_SIDE else "ten")
    return State(Common(setup), options, board, _ais(seats))


def _ais(seats: int) -> tuple[f.Ai, ...]:
    """Two AIs for one player, one for two (FS-31)."""
    both: tuple[f.Ai, ...] = ("@black", "@orange")
    return both[: max(0, _SMALL_SIDE - seats)]


def apply(state: State, fact: Fact) -> State:
    """Return the state after `fact`; raise `Refused` when the rules do not allow it."""
    if isinstance(fact, COMMON_FACTS):
        return _common(state, fact)
    if state.common.paused and isinstance(fact, _HANDS):
        raise Refused("PAUSE", "the clock stands still", "the game to go on first")
    handler = _HANDLERS.get(type(fact))
    if handler is None:
        raise Refused("FORMAT", f"{fact.kind} is no fact of Fractured Sky", "a fact of Fractured Sky")
    return handler(state, fact)


def _common(state: State, fact: Fact) -> State:
    if isinstance(fact, SeatLeaves) and state.humans == (fact.seat,):
        raise Refused("FS-T1", f"{state.name(fact.seat)} is the last seat", "the end of the session instead")
    scores = {seat.id: starfalls_of(state, seat.id) for seat in state.common.setup.seats}
    after = replace(state, common=apply_common(state.common, fact, scores))
    if isinstance(fact, SeatJoins) and len(after.common.playing) >= SEAT_COUNTS.stop:
        raise Refused("FS-T2", "five seats play already", "a seat that leaves first")
    return _left(after, fact.seat) if isinstance(fact, SeatLeaves) else after


def _left(state: State, seat: str) -> State:
    """A seat that leaves takes its Airships and Skimmers with it (FS-T1)."""
    now = state.current
    if now is None:
        return state
    cleared = replace(
        now,
        ships=tuple(ship for ship in now.ships if ship.player != seat),
        flights=tuple(flight for flight in now.flights if flight.player != seat),
        slots={slot: player for slot, player in now.slots.items() if player != seat},
        powers={player: chips for player, chips in now.powers.items() if player != seat},
        objective=None if now.objective == (seat,) else now.objective,
    )
    return replace(state, current=cleared)


def _turn(state: State, fact: f.Turn) -> State:
    now = _running(state)
    if fact.player not in now.order or fact.player not in state.players:
        raise Refused("FS-7", f"{fact.player!r} does not play this round", f"one of {', '.join(now.order)}")
    if done(state, fact.player):
        raise Refused("FS-10", f"{state.name(fact.player)} is done for the round", "somebody who is not")
    if now.pending is not None:
        raise Refused("FS-34", "an AI's move waits", "its end first")
    return replace(state, current=replace(now, called=fact.player))


def _running(state: State) -> Round:
    """The running round; refused before the first."""
    if state.current is None:
        raise Refused("FS-4", "no round has begun", "who takes turn slot 1")
    return state.current


def _adjust(state: State, fact: f.Adjust) -> State:
    match fact.counter:
        case "starfalls":
            require_ai(state, fact.of, "the count of a seat is set by score_set")
            return replace(state, held={**state.held, fact.of: fact.value})
        case "market_card":
            require_ai(state, fact.of, "an AI has a Market card")
            return replace(state, market_cards={**state.market_cards, fact.of: fact.value})
        case "region":
            require_region(state, fact.of)
            return replace(state, starfalls=_without_zero({**state.starfalls, fact.of: fact.value}))
        case "slot":
            return _slot_moved(state, fact.of, fact.value)
    return replace(state, current=replace(_running(state), unused=fact.value))


def _slot_moved(state: State, player: str, slot: int) -> State:
    now = _running(state)
    if now.slot_of(player) is None or slot not in free_slots(state):
        free = ", ".join(str(number) for number in free_slots(state)) or "none"
        raise Refused("FS-10", f"{state.name(player)} cannot stand on slot {slot}", f"a free slot ({free})")
    kept = {number: owner for number, owner in now.slots.items() if owner != player}
    return replace(state, current=replace(now, slots={**kept, slot: player}))


def _without_zero(counts: dict[str, int]) -> dict[str, int]:
    return {region: count for region, count in counts.items() if count}


def _remove(state: State, fact: f.Remove) -> State:
    if fact.piece == "skimmer":
        now = _running(state)
        flights = list(now.flights)
        found = [one for one in flights if (one.player, one.region) == (fact.player, fact.place)]
        _require_piece(state, fact, bool(found))
        flights.remove(found[0])
        return replace(state, current=replace(now, flights=tuple(flights)))
    buildings = list(state.buildings)
    wanted = (fact.player, fact.piece, fact.place)
    built = [one for one in buildings if (one.player, one.building, one.platform) == wanted]
    _require_piece(state, fact, bool(built))
    buildings.remove(built[0])
    return replace(state, buildings=tuple(buildings))


def _require_piece(state: State, fact: f.Remove, found: bool) -> None:
    if not found:
        missing = f"{state.name(fact.player)} has no {fact.piece} at {fact.place}"
        raise Refused("FS-12", missing, "a piece that is on the board")


def _map_region(state: State, fact: f.MapRegion) -> State:
    require_region(state, fact.region)
    old = state.board.by_id[fact.region]
    if fact.resources and len(set(fact.resources)) != 2:
        raise Refused("FS-U2", "a region has two different resources", "two of gold, iron, wood")
    if (fact.x is None) != (fact.y is None):
        raise Refused("FS-U3", "the place is half known", "x and y, or neither")
    point = old.point if fact.x is None or fact.y is None else (Fraction(fact.x), Fraction(fact.y))
    resources = tuple(each.capitalize() for each in fact.resources) or old.resources
    region = Region(old.id, fact.name.strip() or old.name, resources, point)
    return opponents.decided_again(replace(state, board=with_region(state.board, region)))


def _map_platform(state: State, fact: f.MapPlatform) -> State:
    for region in fact.regions:
        require_region(state, region)
    if len(set(fact.regions)) != len(fact.regions):
        raise Refused("FS-U4", "a region is bridged to it twice", "each region once")
    platform = Platform(fact.platform, fact.regions, fact.places)
    return opponents.decided_again(replace(state, board=with_platform(state.board, platform)))


_HANDLERS: dict[type[Fact], Callable[[State, Any], State]] = {
    f.First: turns.first,
    f.Deal: starfalls.deal,
    f.Public: turns.public,
    f.Airship: turns.airship,
    f.Slot: turns.slot,
    f.Build: turns.build,
    f.Skimmer: turns.skimmer,
    f.Scout: turns.scout,
    f.Take: turns.take,
    f.Peek: turns.peek,
    f.Saw: turns.saw,
    f.Reveal: ending.reveal,
    f.Powers: ending.powers,
    f.Objective: ending.objective,
    f.RoundEnd: ending.round_end,
    f.Shuffle: opponents.shuffle,
    f.AiTurn: opponents.ai_turn,
    f.AiChoose: opponents.ai_choose,
    f.AiCannot: opponents.ai_cannot,
    f.AiDone: opponents.ai_done,
    f.AiTokens: ending.ai_tokens,
    f.Turn: _turn,
    f.Adjust: _adjust,
    f.Remove: _remove,
    f.MapRegion: _map_region,
    f.MapPlatform: _map_platform,
}
