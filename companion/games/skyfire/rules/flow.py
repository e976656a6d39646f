"""How a round moves on: whose turn is next, who is eliminated, what an answer comes to."""

from __future__ import annotations

from dataclasses import replace

from companion.games.skyfire.rules.judge import all_closed, answer, launch_result, misfire_result
from companion.games.skyfire.rules.model import Question, Result, Round, State, Zone
from companion.rules.columns import either
from companion.rules.game import Refused, SeatId


def still_open(state: State) -> Round | None:
    """Return the round that is being played; None between rounds."""
    return state.current if state.current is not None and state.current.result is None else None


def open_round(state: State) -> Round:
    """Return the round that is being played; raise `Refused` between rounds."""
    current = still_open(state)
    if current is None:
        raise Refused(
            "SF-7", "no round is open", "four cards for each player first", "Deal four cards to each player first."
        )
    return current


def require_player(state: State, current: Round, seat: SeatId) -> None:
    """Raise `Refused` for a seat that does not play this round."""
    if seat not in current.players:
        names = either(map(state.name, current.players))
        raise Refused("SEATS", f"{state.name(seat)} does not play this round", names)


def require_alive(state: State, current: Round, seat: SeatId) -> None:
    """Raise `Refused` for a seat that does not play this round, or is eliminated from it."""
    require_player(state, current, seat)
    if seat in current.out:
        raise Refused("SF-R4", f"{state.name(seat)} is eliminated from the round", "somebody who is not")


def with_zone(current: Round, number: int, zone: Zone) -> Round:
    """Return the round with that zone in the place `number`, from 1."""
    return replace(current, zones=(*current.zones[: number - 1], zone, *current.zones[number:]))


def seat_after(state: State, current: Round, seat: SeatId) -> SeatId | None:
    """The next in turn after `seat` who is not eliminated (SF-R8), `seat` itself when nobody else is left."""
    order = current.players if state.clockwise else current.players[::-1]
    place = order.index(seat) + 1
    return next((player for player in (*order[place:], *order[:place]) if player in current.alive), None)


def next_turn(state: State) -> State:
    """Return the state with the next seat on turn."""
    current = open_round(state)
    assert current.turn is not None
    return replace(state, current=replace(current, turn=seat_after(state, current, current.turn)))


def eliminate(state: State, current: Round, seat: SeatId) -> State:
    """Return the state with that seat out of the round: its turn passes on, or the round is over (SF-R2)."""
    current = replace(current, out=(*current.out, seat))
    alone = len(current.alive) == 1 and state.options["lone_survivor"] == "ends_round_without_points"
    if not current.alive or alone:
        return _over(state, current, "SF-R2")
    if all_closed(current, state.options):
        return _over(state, current, "SF-R7")
    after = replace(state, current=current)
    return next_turn(after) if current.turn == seat else after


def _over(state: State, current: Round, clause: str) -> State:
    return replace(state, current=replace(current, turn=None, question=None, result=Result("nobody", clause)))


def settle(state: State) -> State:
    """Answer the question that waits, if the cards that everybody has seen answer it."""
    current = still_open(state)
    if current is None or current.question is None:
        return state
    satisfied = answer(current, current.question, state.options)
    return state if satisfied is None else answered(state, current, current.question, satisfied)


def answered(state: State, current: Round, question: Question, satisfied: bool) -> State:
    """Return the state once it is known whether the target is satisfied (SF-11, SF-12)."""
    current = replace(current, question=None)
    if question.zone is None:
        result = misfire_result(current, question.seat, satisfied, state.options)
    elif satisfied:
        result = launch_result(current, question.seat, question.zone)
    else:
        zone = current.zone(question.zone)
        zone = replace(zone, failed=(*zone.failed, question.seat), failed_with=len(zone.cards))
        failed = with_zone(current, question.zone, zone)
        return eliminate(state, failed, question.seat)
    return replace(state, current=replace(current, turn=None, result=result))
