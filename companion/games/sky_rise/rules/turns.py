"""Whose turn it is, and when a level is complete (SR-4 to SR-7, SR-13). What follows by the rules is done here, so that
no fact has to say it: turns that pass for want of a pyramid, and the next level."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.sky_rise.rules.model import State, TowerLevel
from companion.games.sky_rise.rules.setting import may_place
from companion.rules.facts import SeatId
from companion.rules.replacing import replace

Eligible = Callable[[SeatId], bool]


def left_of(state: State, seat: SeatId, eligible: Eligible = lambda _: True) -> SeatId | None:
    """The next seat to the left that plays and is eligible, that seat itself last; None when there is none."""
    return next(filter(eligible, state.onward_from(seat)), None)


def due(state: State) -> SeatId:
    """Whose card or pyramid is entered next: the oldest turn that its button ended, else the one that runs."""
    level = state.level
    return level.closed[0] if level.closed else level.turn


def on_turn(state: State) -> SeatId | None:
    """Whose turn it is at the table; nobody's once the tower is built, or while turns that wait to be entered take all
    the room."""
    return None if state.level.stage == "done" or room(state) <= 0 else state.level.turn


def can_act(state: State, seat: SeatId) -> bool:
    """Whether a turn of that seat means something: it holds a card; it has, or may have, a pyramid to place, and on the
    roof has not had its chance."""
    level = state.level
    if level.stage == "cards":
        return state.hand(seat) > 0
    tried = level.is_roof and (seat in level.tried or seat in level.closed)
    return not tried and may_place(state, seat)


def room(state: State) -> int:
    """How many more turns the level has room for, beside those that wait to be entered."""
    level = state.level
    if level.is_roof and level.stage == "pyramids":
        return len([seat for seat in state.playing if can_act(state, seat)])
    return _free(state) - len(level.closed)


def settle(state: State) -> State:
    """Return the state with everything done that follows by itself, up to the next turn or the end of the roof."""
    state = state.with_level(replace(state.level, skipped=()))
    while state.level.stage != "done":
        settled = _step(state)
        if settled is None:
            return state
        state = settled
    return state


def _step(state: State) -> State | None:
    """One thing that follows by itself; None when the next turn, or the next entry, is somebody's."""
    level = state.level
    if _free(state) <= 0:
        return _complete(state)
    if level.closed and level.stage == "pyramids" and not may_place(state, level.closed[0]):
        # Its button ended that turn, and it can have no entry any more: it was a pass.
        return state.with_level(replace(level, closed=level.closed[1:]))
    if level.closed:
        turn = level.turn if level.turn in state.playing else left_of(state, level.turn)
        return (
            None
            if turn in (level.turn, None)
            else state.with_level(replace(level, turn=turn or level.turn))
        )
    mine = level.turn in state.playing and can_act(state, level.turn)
    turn = level.turn if mine else left_of(state, level.turn, lambda seat: can_act(state, seat))
    if turn is None:
        return _complete(state)
    if turn == level.turn:
        return None
    passed = [] if level.stage == "cards" else _between(state, level.turn, turn)
    return state.with_level(replace(level, turn=turn, skipped=(*level.skipped, *passed)))


def _free(state: State) -> int:
    """How many cells or corners are free; the roof's corners are never short of antennas."""
    level, grid = state.level, state.plan.grid
    if level.stage == "cards":
        return len(grid.cells) - len(level.cards)
    return len(grid.places) - (0 if level.is_roof else len({one.place for one in level.pyramids}))


def _between(state: State, turn: SeatId, next_turn: SeatId) -> list[SeatId]:
    """The seats whose turns pass for want of a pyramid; on the roof those that had their chance do not."""
    passed = []
    while turn != next_turn:
        if turn in state.playing and turn not in state.level.tried:
            passed.append(turn)
        turn = left_of(state, turn) or next_turn
    return passed


def _complete(state: State) -> State:
    """The floor is laid: pyramids follow (SR-6). The pyramids are placed: the next floor follows, or the end."""
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
