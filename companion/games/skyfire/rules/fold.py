"""Apply a fact to a state of SkyFire: return the next state, or refuse with the clause. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.skyfire.rules import consistency, facts as f, flow, notes, seen
from companion.games.skyfire.rules.deck import (
    DEALT,
    NO_WHITE,
    RULES_VERSION as RULES_VERSION,
    Face,
    deck_for,
)
from companion.games.skyfire.rules.keys import NEXT_TURN, YES_OR_NO
from companion.games.skyfire.rules.model import SEAT_COUNTS, Move, Result, Round, State, Zone
from companion.games.skyfire.rules.options import HOUSE_RULES
from companion.games.skyfire.rules.standings import ended, is_final, next_first, scores, winners
from companion.rules import common
from companion.rules.columns import count_range, plural
from companion.rules.common import COMMON_FACTS, Common, SeatJoins, SeatLeaves
from companion.rules.components import box_of
from companion.rules.facts import Fact, Refused, SeatId, Setup, by_kind
from companion.rules.house_rules import read_options
from companion.rules.replacing import replace
from companion.rules.seats import require_setup

OLDER_VERSIONS = (2,)
# facts refused while the clock is stopped (SF-T3)
_WHILE_RUNNING = f.Deal, f.Place, f.Launch, f.Misfire


def start(setup: Setup) -> State:
    """Return the state before the first round; raise `Refused` for bad seats, options or an unknown version."""
    require_setup(setup, "SkyFire", RULES_VERSION, SEAT_COUNTS, "SF-5", OLDER_VERSIONS)
    box, version = box_of(setup), setup.rules_version
    # Both decks now: the number of players can change between rounds.
    decks = deck_for(box, NO_WHITE, version), deck_for(box, NO_WHITE + 1, version)
    return State(Common(setup), read_options(setup.options, HOUSE_RULES), decks)


def _require_seats(count: int, do: str) -> None:
    if count not in SEAT_COUNTS:
        raise Refused("SF-5", f"{plural(count, 'player')} {do}", count_range(SEAT_COUNTS, "player"))


def apply(state: State, fact: Fact, entry: int) -> State:
    """Return the state after `fact`, entry number `entry`; raise `Refused` if the rules do not allow it."""
    if isinstance(fact, COMMON_FACTS):
        return _people(state, fact)
    if isinstance(fact, _WHILE_RUNNING):
        common.require_running(state.common, fact.at)
    if (
        isinstance(fact, f.Place | f.Launch | f.Misfire)
        and (current := flow.still_open(state)) is not None
    ):
        common.require_since(current.begun, fact.at, "SF-7", "the deal")
    # After every fact: entering faces or the target can answer an open question.
    return flow.settle(_HANDLERS[type(fact)](state, fact, entry))


# -- people (SF-T1, SF-T2)


def _people(state: State, fact: Fact) -> State:
    current = flow.still_open(state)
    if isinstance(fact, SeatLeaves) and fact.seat in winners(state):
        raise Refused(
            "SF-T1", f"{state.name(fact.seat)} has won the game", do="Name somebody who has not."
        )
    if isinstance(fact, SeatJoins):
        flow.refuse_after_the_game(state, "SF-T2")
        if current is not None:
            reason = "a round is open, and its zones are as many as its players less one"
            raise Refused("SF-T2", reason, do="End the round first.")
        if len(state.common.playing) + 1 >= SEAT_COUNTS.stop:  # too few may wait for more
            _require_seats(len(state.common.playing) + 1, "would play")
    if isinstance(fact, SeatLeaves) and current is not None:
        _require_answered(current, "SF-T1")
    after = replace(state, common=common.apply_common(state.common, fact, scores(state)))
    if isinstance(fact, SeatLeaves) and current is not None and fact.seat in current.alive:
        return flow.eliminate(after, current, fact.seat)
    return after


# -- the round and its turns


def _deal(state: State, fact: f.Deal, _entry: int) -> State:
    flow.refuse_after_the_game(state)
    if (current := flow.still_open(state)) is not None:
        _require_answered(current, "SF-9")
        raise Refused(
            "SF-9", f"round {current.number} is not over", do="Launch a zone, or declare a misfire."
        )
    players = state.playing
    _require_seats(len(players), "are left")
    first, number, deck = next_first(state), len(ended(state)) + 1, state.deck_with(len(players))
    target = None
    if is_final(number) and deck.finale is not None and deck.finale.symbols is not None:
        target = Face(deck.finale.name, deck.finale.symbols)
    opened = Round(
        number=number,
        players=players,
        first=first,
        turn=first,
        zones=(Zone(),) * (len(players) - 1),
        target=target,
        left_over=max(0, deck.cards - DEALT * len(players)),
        begun=fact.at,
    )
    return replace(state, past=state.rounds, current=opened)


def _first(state: State, fact: f.First, _entry: int) -> State:
    current = flow.open_round(state)
    flow.require_player(state, current, fact.seat)
    if current.moves or current.out:
        raise Refused(
            "SF-R3", "the round has begun", "the first player before the first turn", NEXT_TURN
        )
    return replace(state, current=replace(current, first=fact.seat, turn=fact.seat))


def _direction(state: State, fact: f.Direction, _entry: int) -> State:
    if state.options["direction"] == "clockwise":
        do = "To change that, set the house rule direction to table before a game."
        raise Refused("SF-R8", "turns go clockwise at this table", do=do)
    return replace(state, clockwise=fact.clockwise)


def _on_turn(state: State) -> tuple[Round, SeatId]:
    current = flow.open_round(state)
    _require_answered(current, "SF-11")
    assert current.turn is not None
    return current, current.turn


def _require_answered(current: Round, clause: str) -> None:
    if current.question is not None:
        zone = current.question.zone
        asked = "does any zone meet the target?"
        if zone is not None:
            asked = f"does zone {zone} meet the target?"
        raise Refused(clause, asked, "the answer first", YES_OR_NO)


def _zone(state: State, current: Round, number: int) -> Zone:
    zone = flow.zone_of(current, number)
    if flow.closed(zone, state.options):
        raise Refused("SF-R7", f"zone {number} failed and is closed at this table", "another zone")
    return zone


def _place(state: State, fact: f.Place, entry: int) -> State:
    current, seat = _on_turn(state)
    zone = _zone(state, current, fact.zone)
    if current.hand(seat) == 0:
        raise Refused(
            "SF-13", f"{state.name(seat)} has no cards", do="Launch a zone, or declare a misfire."
        )
    # The slot is noted first: the card's place is the number of cards before it.
    before, current = current, notes.placed(current, seat, (fact.zone, len(zone.cards)))
    moved = Move("place", seat, fact.zone, entry, fact.at, seen.back_of(state, fact.back))
    current = flow.with_zone(current, fact.zone, replace(zone, cards=(*zone.cards, moved)))
    consistency.refuse_backs(state, before, current, do=consistency.PLACE_WITHOUT)
    return flow.next_turn(replace(state, current=replace(current, moves=(*current.moves, moved))))


def _launch(state: State, fact: f.Launch, entry: int) -> State:
    current, seat = _on_turn(state)
    zone = _zone(state, current, fact.zone)
    if not zone.cards and state.options["empty_launch"] == "refused":
        raise Refused("SF-R6", f"zone {fact.zone} is empty", "a zone with cards")
    current = flow.with_zone(current, fact.zone, replace(zone, turned=len(zone.cards)))
    moved = Move("launch", seat, fact.zone, entry, fact.at)
    return replace(state, current=replace(current, moves=(*current.moves, moved), question=moved))


def _misfire(state: State, fact: f.Misfire, entry: int) -> State:
    current, seat = _on_turn(state)
    if held := current.hand(seat):
        reason = f"{state.name(seat)} holds {plural(held, 'card')}"
        raise Refused("SF-12", reason, do="Place them all before a misfire.")
    zones = tuple(replace(zone, turned=len(zone.cards)) for zone in current.zones)
    moved = Move("misfire", seat, None, entry, fact.at)
    return replace(
        state, current=replace(current, zones=zones, moves=(*current.moves, moved), question=moved)
    )


def _satisfied(state: State, fact: f.Satisfied, _entry: int) -> State:
    current = flow.open_round(state)
    if current.question is None:
        do = "Launch a zone or declare a misfire first."
        raise Refused("SF-14", "no launch and no misfire waits for an answer", do=do)
    return flow.answered(state, current, current.question, fact.satisfied)


# -- the table's word (SF-T5)


def _turn(state: State, fact: f.Turn, _entry: int) -> State:
    current, _ = _on_turn(state)
    flow.require_player(state, current, fact.seat)
    if fact.seat in current.out:
        raise Refused(
            "SF-R4", f"{state.name(fact.seat)} is eliminated from the round", "somebody who is not"
        )
    return replace(state, current=replace(current, turn=fact.seat))


def _override(state: State, fact: f.Override, _entry: int) -> State:
    current, _ = _on_turn(state)
    flow.require_player(state, current, fact.seat)
    if (fact.status == "out") == (fact.seat in current.out):
        why = f"{state.name(fact.seat)} is {fact.status} already"
        raise Refused("SF-T5", why, do="Nothing has to be changed.")
    if fact.status == "out":
        return flow.eliminate(state, current, fact.seat)
    common.require_not_left(state.common, fact.seat, "SF-T1")
    out = tuple(seat for seat in current.out if seat != fact.seat)
    return replace(state, current=replace(current, out=out))


def _round_end(state: State, fact: f.RoundEnd, _entry: int) -> State:
    current = flow.open_round(state)
    for place, seat in enumerate(fact.seats):
        flow.require_player(state, current, seat)
        if seat in fact.seats[:place]:
            raise Refused(
                "SF-T5", f"{state.name(seat)} is named twice", do="Name each winner once."
            )
    points = fact.points if fact.seats else 0
    result = Result("table", "SF-T5", fact.seats, points, reason=fact.reason)
    return replace(state, current=replace(current, turn=None, question=None, result=result))


_HANDLERS: dict[type[Fact], Callable[[State, Any, int], State]] = {
    f.Deal: _deal, f.First: _first, f.Direction: _direction, f.Place: _place, f.Launch: _launch, f.Misfire: _misfire,
    f.Satisfied: _satisfied, f.Revealed: seen.revealed, f.Target: seen.target, f.Removed: seen.removed,
    f.Backs: seen.backs, f.HandShown: seen.hand_shown, f.HandNoted: notes.hand_noted, f.PlaceNoted: notes.place_noted,
    f.Turn: _turn, f.Override: _override, f.RoundEnd: _round_end,
}  # fmt: skip
FACTS = by_kind(*_HANDLERS, *COMMON_FACTS)
