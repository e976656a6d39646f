"""Whose turn it is, and when a level is complete (SR-4 to SR-7, SR-13).

What follows by the rules happens here without a fact: turns that pass because there is no pyramid, and the next
level.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.games.sky_rise.rules.model import State, TowerLevel
from companion.games.sky_rise.rules.setting import may_place
from companion.rules.facts import SeatId
from companion.rules.replacing import replace

Eligible = Callable[[SeatId], bool]


def left_of(state: State, seat: SeatId, eligible: Eligible = lambda _: True) -> SeatId | None:
    """Return the next eligible player to the left, `seat` itself last, or None."""
    return next(filter(eligible, state.onward_from(seat)), None)


def due(state: State) -> SeatId:
    """Return the seat whose card or pyramid is entered next: the oldest turn ended by button, else the current
    one."""
    level = state.level
    return level.closed[0] if level.closed else level.turn


def on_turn(state: State) -> SeatId | None:
    """Return whose turn it is at the table, or None once the tower is built or while turns to be entered take all the
    room."""
    if state.level.stage == "done" or room(state) <= 0:
        return None
    return state.level.turn


def can_act(state: State, seat: SeatId) -> bool:
    """Return True if the seat can use a turn: it holds a card, or may have a pyramid and its chance on the roof
    is left."""
    level = state.level
    if level.stage == "cards":
        return state.hand(seat) > 0
    tried = level.is_roof and (seat in level.tried or seat in level.closed)
    return not tried and may_place(state, seat)


def room(state: State) -> int:
    """Return how many more turns the level has room for, besides those waiting to be entered."""
    level = state.level
    if level.is_roof and level.stage == "pyramids":
        return len([seat for seat in state.playing if can_act(state, seat)])
    return _free(state) - len(level.closed)


def settle(state: State) -> State:
    """Return the state after everything that follows automatically, up to the next turn or the end of the roof."""
    state = state.with_level(replace(state.level, skipped=()))
    # Each step can make another one due; a finished roof ends it.
    while state.level.stage != "done":
        settled = _step(state)
        if settled is None:
            return state
        state = settled
    return state


def _step(state: State) -> State | None:
    """Return the state after one automatic step, or None if it is somebody's turn or entry."""
    level = state.level
    if _free(state) <= 0:
        return _complete(state)
    if level.closed and level.stage == "pyramids" and not may_place(state, level.closed[0]):
        # Its button ended that turn, and it can have no entry any more: it was a pass.
        return state.with_level(replace(level, closed=level.closed[1:]))
    if level.closed:
        return _off_absent_seat(state)
    turn: SeatId | None = level.turn
    if level.turn not in state.playing or not can_act(state, level.turn):
        turn = left_of(state, level.turn, lambda seat: can_act(state, seat))
    if turn is None:
        return _complete(state)
    if turn == level.turn:
        return None
    passed = [] if level.stage == "cards" else _between(state, level.turn, turn)
    return state.with_level(replace(level, turn=turn, skipped=(*level.skipped, *passed)))


def _off_absent_seat(state: State) -> State | None:
    """Return the state with the turn moved on from a seat that has left, or None if there is nothing to move."""
    level = state.level
    if level.turn in state.playing:
        return None
    turn = left_of(state, level.turn)
    if turn is None or turn == level.turn:
        return None
    return state.with_level(replace(level, turn=turn))


def _free(state: State) -> int:
    """Return the number of free cells or corners; the roof's corners never run out."""
    level, grid = state.level, state.plan.grid
    if level.stage == "cards":
        return len(grid.cells) - len(level.cards)
    if level.is_roof:
        return len(grid.places)
    return len(grid.places) - len({placed.place for placed in level.pyramids})


def _between(state: State, turn: SeatId, next_turn: SeatId) -> list[SeatId]:
    """Return the seats whose turns pass without a pyramid; on the roof, seats that had their chance do not pass."""
    passed = []
    while turn != next_turn:
        if turn in state.playing and turn not in state.level.tried:
            passed.append(turn)
        turn = left_of(state, turn) or next_turn
    return passed


def _complete(state: State) -> State:
    """Return the state after a stage: pyramids follow a floor (SR-6), and the next floor or the end follows them."""
    level = state.level
    if level.stage == "cards":
        last = level.cards[-1].seat if level.cards else level.turn
        return state.with_level(
            replace(level, stage="pyramids", closed=(), turn=left_of(state, last) or last)
        )
    done = state.with_level(replace(level, stage="done", closed=()))
    if level.is_roof:
        return done
    starter = left_of(state, level.starter) or level.starter
    return replace(
        done,
        levels=(
            *done.levels,
            TowerLevel(level.number + 1, starter, starter, skipped=level.skipped),
        ),
    )
