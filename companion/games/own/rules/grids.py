"""The grids of a game of one's own: every open counter of the players, by round or, if it lasts, box by box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from companion.display.grids import CellEntry, Entering, GridCell, GridRow, NumberGrid, RowEnd
from companion.games.own.rules.definition import Counter
from companion.games.own.rules.model import Counted, State, valued
from companion.rules.facts import Refused, SeatId


def grids(state: State) -> tuple[NumberGrid, ...]:
    """Return a grid for each counter that is reset with each round, then one for those that last.

    Secret counters are in none. Counters of a single turn are gone before anybody could type them.
    """
    by_round: list[tuple[str, Counter]] = []
    lasting: list[tuple[str, Counter]] = []
    for name, counter in state.says.counters.items():
        if counter.of != "seat" or counter.secret or counter.lasts == "turn":
            continue
        is_of_rounds = counter.lasts == "round" and bool(state.says.rounds)
        (by_round if is_of_rounds else lasting).append((name, counter))
    turn = "" if state.over else state.turn
    during = str(len(state.closed))
    made = [
        NumberGrid(
            counter.title,
            tuple(_rounds(state, name, counter)),
            _end(state),
            turn=turn,
            during=during,
        )
        for name, counter in by_round
    ]
    if lasting:
        boxes: list[GridRow] = []
        for name, counter in lasting:
            boxes += _boxes(state, name, counter)
        has_sums = all(counter.once for _, counter in lasting)
        end = None if made else _end(state)
        made.append(NumberGrid(state.says.unit, tuple(boxes), end, has_sums, turn, during=during))
    return tuple(made)


def _rounds(state: State, name: str, counter: Counter) -> Iterator[GridRow]:
    """Yield the rounds that are over, then the one that is played."""
    for place, closed in enumerate(state.closed):
        kind = state.says.rounds.get(closed.name)
        cells = []
        for seat in state.setup.seats:
            values = state.kept.get(seat.id, {}).get(name, ())
            missed = len(state.closed) - len(values)  # rounds before this player joined
            if place < missed:
                cells.append(GridCell(seat.id, None))
                continue
            value = int(values[place - missed])
            counted = closed.counted.get(seat.id, {}).get(name)
            entry = _missed(state, name, seat.id, value, counted, closed.until)
            cells.append(GridCell(seat.id, value, entry))
        yield GridRow(f"{kind.title if kind else 'round'} {place + 1}", tuple(cells))
    kind = state.says.rounds.get(state.round_name)
    if kind is None or state.over:
        return
    row = GridRow(f"{kind.title} {len(state.closed) + 1}", _cells_now(state, name, counter))
    check = "" if row.missing else _broken_check(state)
    yield GridRow(row.title, row.cells, check, now=True)


def _boxes(state: State, name: str, counter: Counter) -> Iterator[GridRow]:
    """Yield the row of a counter that lasts; one that is counted again and again has a row to add to it."""
    yield GridRow(counter.title, _cells_now(state, name, counter), now=counter.once)
    if counter.once or state.over:
        return
    cells = []
    for seat in state.setup.seats:
        add = CellEntry(Entering.NOW, "add", partial(_added, name, seat.id, 0))
        entry = add if seat.id in state.playing else None
        total = state.counters[seat.id].get(name, counter.start)
        cells.append(GridCell(seat.id, None, entry, total=total))
    yield GridRow(f"+ {counter.title}", tuple(cells), now=True, adds=True)


def _cells_now(state: State, name: str, counter: Counter) -> tuple[GridCell, ...]:
    cells = []
    for seat in state.setup.seats:
        counted = state.counted.get(seat.id, {}).get(name)
        value = state.counters[seat.id].get(name, counter.start)
        if counted is None:
            is_open = seat.id in state.playing and not state.over
            entry = _new(state, name, seat.id, value) if is_open else None
            is_added_to = counter.lasts == "game" and not counter.once
            cells.append(GridCell(seat.id, value if is_added_to else None, entry))
        elif counted.number == 1 or counted.by is None:
            cells.append(GridCell(seat.id, value, _amended(name, seat.id, value, counted)))
        else:
            cells.append(GridCell(seat.id, value, _new(state, name, seat.id, value)))
    return tuple(cells)


def _new(state: State, name: str, seat: SeatId, value: int) -> CellEntry:
    """Return the entry that sets the counter, or adds what it lacks where a file of format 1 cannot set one."""
    if state.says.format > 1:
        return CellEntry(Entering.NOW, "set", partial(_set, name, seat))
    return CellEntry(Entering.NOW, "add", partial(_added, name, seat, value))


def _amended(name: str, seat: SeatId, value: int, counted: Counted) -> CellEntry:
    """Return the entry that changes the last fact of a counter, so that typing over leaves no trail of differences."""
    if counted.by is None:
        return CellEntry(Entering.AMEND, "set", partial(_set, name, seat), counted.last)
    body_of = partial(_added, name, seat, value - counted.by)
    return CellEntry(Entering.AMEND, "add", body_of, counted.last)


def _missed(
    state: State, name: str, seat: SeatId, value: int, counted: Counted | None, until: int
) -> CellEntry:
    """Return the entry that corrects a round that is over, before the fact that ended it."""
    if counted is not None and (counted.number == 1 or counted.by is None):
        return _amended(name, seat, value, counted)
    new = _new(state, name, seat, value)
    after = until if counted is None else counted.last
    return CellEntry(Entering.INSERT, new.kind, new.body_of, after)


def _set(name: str, seat: SeatId, number: int) -> Mapping[str, Any]:
    return {"counter": name, "value": number, "seat": seat}


def _added(name: str, seat: SeatId, value: int, number: int) -> Mapping[str, Any]:
    return {"counter": name, "by": number - value, "seat": seat}


def _broken_check(state: State) -> str:
    """Return what the file says of the first check that does not hold now, empty if all do.

    A check may rest on a secret number, and its sentence would tell of it.
    """
    if state.says.secrets:
        return ""
    for clause, check in state.says.checks.items():
        try:
            holds = valued(state, state.rules.checks[clause], f"check {clause}")
        except Refused:
            continue  # it has no value yet; the end of the round says why
        if not holds:
            return check.says
    return ""


def _end(state: State) -> RowEnd | None:
    kind = state.says.rounds.get(state.round_name)
    if kind is None or kind.ends != "input" or state.over:
        return None
    return RowEnd(f"end {kind.title} {len(state.closed) + 1}", "round_ends", {})
