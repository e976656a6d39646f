"""What is awaited now, in words, and the key or tap that answers it."""

from __future__ import annotations

from companion.games.fractured_sky.checks import waiting_for
from companion.games.fractured_sky.model import ROUNDS, State
from companion.games.fractured_sky.phase import early, owing_slot, phase, to_move, unpowered, virtual
from companion.games.fractured_sky.public import is_ai
from companion.games.fractured_sky.standings import starfalls_of, winner
from companion.games.fractured_sky.starfalls import deals, on_card, to_deal
from companion.games.fractured_sky.text import move
from companion.games.fractured_sky.turns import may_take


def awaiting(state: State) -> str:
    """Return what the companion waits for, and which key or tap answers it."""
    said = _said(state)
    return f"example map - {said}" if state.board.example else said


def _said(state: State) -> str:
    regions = f"1 to {len(state.board.regions) % 10}" if len(state.board.regions) < 10 else "1 to 9, 0"
    match phase(state):
        case "first":
            return f"who takes turn slot 1? press {_up_to(len(state.humans))} (FS-4)"
        case "public" if deals(state):
            what = "the Hidden cards are dealt" if to_deal(state) else "the Public Starfall card is turned up"
            return f"round {state.round} of {ROUNDS}: {what}: n or the trigger (FS-T8)"
        case "public":
            return f"round {state.round} of {ROUNDS}: the Public Starfall's region, {regions} or its button (FS-6)"
        case "shuffle":
            return "the AIs' cards are shuffled: n or the trigger (FS-33)"
        case "early":
            return f"two resources taken: {_turned_up(state, early(state) or 1, regions)} (FS-41)"
        case "slot":
            free = ", ".join(str(slot) for slot in _free(state))
            return f"{state.name(owing_slot(state) or '')} takes a turn slot: {free} (FS-10)"
        case "ai":
            return _ai(state)
        case "turn":
            return _turn(state, regions)
    return _end(state, regions)


def _up_to(number: int) -> str:
    return "1" if number == 1 else f"1 to {number}"


def _free(state: State) -> tuple[int, ...]:
    now = state.current
    return tuple(slot for slot in range(1, len(now.order) + 1) if slot not in now.slots) if now is not None else ()


def _ai(state: State) -> str:
    pending = state.current.pending if state.current is not None else None
    if pending is None:
        return waiting_for(state)[1]
    said = f"{state.name(pending.decision.ai)}: {move(state, pending.decision)}"
    if pending.decision.target is None:
        numbers = " ".join(str(place) for place in range(1, len(pending.decision.ask) + 1))
        return f"{said}; press {numbers}" if numbers else f"{said}; name it, or k: it cannot be done"
    return f"{said}; n when it is done, k if it cannot be"


def _turn(state: State, regions: str) -> str:
    mark = may_take(state)
    if mark is None or not deals(state):
        return _mover(state, regions)
    first = f"{state.name(mark.player)} may take a resource by Hidden card {mark.card} (FS-16)"
    return f"{first}; then {_mover(state, regions)}"


def _mover(state: State, regions: str) -> str:
    mover = to_move(state) or ""
    if not is_ai(mover):
        others = "build, scout, peek" if state.has_objectives else "build, scout"
        return f"{state.name(mover)}'s turn: an Airship's region, {regions}, or {others} (FS-7)"
    if virtual(state, mover):
        return f"{state.name(mover)}'s turn: n or the trigger turns up its card (FS-34)"
    return f"{state.name(mover)}'s turn: turn up its card and name it: kind and compass (FS-34)"


def _turned_up(state: State, card: int, regions: str) -> str:
    """What turns up a Hidden card: the companion that dealt it, or the table, which names its region."""
    dealt = state.current is not None and on_card(state.current, card) is not None
    return f"Hidden card {card}: n or the trigger" if dealt else f"turn up Hidden card {card}; its region, {regions}"


def _end(state: State, regions: str) -> str:
    now = state.current
    match phase(state):
        case "hidden":
            card = now.hidden.index(None) + 1 if now is not None else 1
            return f"all are done: {_turned_up(state, card, regions)} (FS-20)"
        case "powers":
            return f"the power under the Airships of {state.name(unpowered(state)[0])} (FS-21)"
        case "objective":
            return f"who meets the Objective? {_up_to(len(state.players))}, 0 nobody (FS-22)"
        case "resolve":
            return "the regions are resolved: e, or the trigger held, ends the round (FS-23)"
    first = winner(state)
    held = starfalls_of(state, first) if first is not None else 0
    return f"{state.name(first or '')} wins with {held} Starfalls, the game is over (FS-30)"
