"""What is awaited now, in words, and the key or tap that answers it."""

from __future__ import annotations

from companion.games.fractured_sky.rules.ai.decide import by_eye
from companion.games.fractured_sky.rules.ai.tokens import how_to_turn
from companion.games.fractured_sky.rules.checks import waiting_for
from companion.games.fractured_sky.rules.keys import ANSWERS, answer_key, answer_keys, key_of, number_of
from companion.games.fractured_sky.rules.model import ROUNDS, State
from companion.games.fractured_sky.rules.phase import (
    early,
    owing_slot,
    phase,
    table_of,
    to_move,
    unpowered,
    virtual,
)
from companion.games.fractured_sky.rules.public import PlayerId, is_ai
from companion.games.fractured_sky.rules.standings import starfalls_of, winner
from companion.games.fractured_sky.rules.starfalls import deals, on_card, to_deal
from companion.games.fractured_sky.rules.text import move
from companion.games.fractured_sky.rules.turns import may_take
from companion.rules.actions import PRESS
from companion.rules.pauses import GO_ON

_STEP = f"{key_of('next')} or the trigger"


def awaiting(state: State) -> str:
    """Return what the companion waits for, and which key or tap answers it."""
    said = f"paused: {GO_ON} goes on" if state.common.paused else _said(state)
    return f"example map - {said}" if state.board.example else said


def _said(state: State) -> str:
    regions = answer_keys(len(state.board.regions))
    match phase(state):
        case "first":
            return f"who takes turn slot 1? {PRESS} {_by_key(state, state.playing)} (FS-4)"
        case "public" if deals(state):
            what = "the Hidden cards are dealt" if to_deal(state) else "the Public Starfall card is turned up"
            return f"round {state.round} of {ROUNDS}: {what}: {_STEP} (FS-T8)"
        case "public":
            return f"round {state.round} of {ROUNDS}: the Public Starfall's region, {regions} or its button (FS-6)"
        case "shuffle":
            return f"the AIs' cards are shuffled: {_STEP} (FS-33)"
        case "early":
            return f"two resources taken: {_turned_up(state, early(state) or 1, regions)} (FS-41)"
        case "slot":
            free = ", ".join(answer_key(slot) for slot in _free(state))
            return f"{state.name(owing_slot(state) or '')} takes a turn slot: {free} (FS-10)"
        case "ai":
            return _ai(state)
        case "turn":
            return _turn(state, regions)
    return _end(state, regions)


def _by_key(state: State, players: tuple[PlayerId, ...]) -> str:
    """The players behind the keys that answer with them: the numbers beside them on the screen are turn slots."""
    return ", ".join(f"{answer_key(at)} {state.name(player)}" for at, player in enumerate(players, start=1))


def _free(state: State) -> tuple[int, ...]:
    now = state.current
    return tuple(slot for slot in range(1, len(now.order) + 1) if slot not in now.slots) if now is not None else ()


def _ai(state: State) -> str:
    pending = state.current.pending if state.current is not None else None
    if pending is None:
        return waiting_for(state)[1]
    decision, cannot = pending.decision, key_of("cannot")
    name, kind = state.name(decision.ai), decision.card.kind
    said = f"{name}: {move(state, decision)}"
    if decision.target is not None:
        return f"{said}; {key_of('next')} when it is done, {cannot} if it cannot be"
    asked = (number_of(state.board, kind, place) for place in decision.ask)
    numbers = " ".join(answer_key(number) for number in asked if number <= len(ANSWERS))
    if not by_eye(state.board, kind):
        return f"{said}; {PRESS} {numbers}"
    known = f"{PRESS} {numbers}, or " if numbers else ""
    return f"{name}'s {kind}: on which platform? {known}enter another one first; {cannot} if none is free (FS-38)"


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
        return f"{state.name(mover)}'s turn: {_STEP} turns up its card (FS-34)"
    return f"{state.name(mover)}'s turn: turn up its card and name it (FS-34)"


def _turned_up(state: State, card: int, regions: str) -> str:
    """What turns up a Hidden card: the companion that dealt it, or the table, which names its region."""
    dealt = state.current is not None and on_card(state.current, card) is not None
    return f"Hidden card {card}: {_STEP}" if dealt else f"turn up Hidden card {card}; its region, {regions}"


def _end(state: State, regions: str) -> str:
    now = state.current
    match phase(state):
        case "hidden":
            card = now.hidden.index(None) + 1 if now is not None else 1
            return f"all are done: {_turned_up(state, card, regions)} (FS-20)"
        case "powers":
            player = unpowered(state)[0]
            said = f"the power under the Airships of {state.name(player)}"
            return f"{said}: {how_to_turn(table_of(state), player)} (FS-43)" if is_ai(player) else f"{said} (FS-21)"
        case "objective":
            nobody = answer_key(len(ANSWERS))
            return f"who meets the Objective? {_by_key(state, state.players)}, {nobody} nobody (FS-22)"
        case "resolve":
            return f"the regions are resolved: {key_of('end')}, or the trigger held, ends the round (FS-23)"
    first = winner(state)
    held = starfalls_of(state, first) if first is not None else 0
    return f"{state.name(first or '')} wins with {held} Starfalls, the game is over (FS-30)"
