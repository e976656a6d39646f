"""The grid of powers at the end of a round: a row for each region, a column for each player (FS-21)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from companion.display.grids import ColumnEntry, GridCell, GridRow, NumberGrid
from companion.games.fractured_sky.rules.ai import turning_instructions
from companion.games.fractured_sky.rules.model import LIMIT
from companion.games.fractured_sky.rules.public import CHIPS, PlayerId
from companion.games.fractured_sky.rules.view import FracturedSkyView, PlayerView
from companion.rules.clauses import spoken

WITH_POWERS = ("powers", "objective", "resolve")
"""Phases in which powers can be entered or corrected."""
Slot = tuple[str, int]
"""A region, and which Airship of the same player there."""


def power_grids(game: FracturedSkyView) -> tuple[NumberGrid, ...]:
    """Return the grid once powers are entered; empty before."""
    players = [player for player in game.players if game.table.ships_of(player.id)]
    if game.phase not in WITH_POWERS or not players:
        return ()
    slots = {player.id: _slots_of(game, player.id) for player in players}
    taken = {slot for own in slots.values() for slot in own}
    board = game.table.board
    in_order = sorted(taken, key=lambda slot: (board.left_to_right.index(slot[0]), slot[1]))
    rows = []
    for region, number in in_order:
        title = board.name(region) + (f", {number}" if number > 1 else "")
        cells = tuple(_cell(player, slots[player.id], (region, number)) for player in players)
        rows.append(GridRow(title, cells, now=True))
    columns = []
    for player in players:
        own = [slot for slot in in_order if slot in slots[player.id]]
        columns.append(_column(game, player, slots[player.id], own))
    during = str(game.round)
    return (
        NumberGrid("Powers", tuple(rows), columns=tuple(columns), number="power", during=during),
    )


def _slots_of(game: FracturedSkyView, player: PlayerId) -> list[Slot]:
    """Return where a player's Airships are, in the order of placing."""
    counts: Counter[str] = Counter()
    slots = []
    for ship in game.table.ships_of(player):
        counts[ship.region] += 1
        slots.append((ship.region, counts[ship.region]))
    return slots


def _cell(player: PlayerView, slots: Sequence[Slot], slot: Slot) -> GridCell:
    if slot not in slots:
        return GridCell(player.id, None)
    power = None if player.powers is None else player.powers[slots.index(slot)]
    return GridCell(player.id, power, in_column=True)


def _column(
    game: FracturedSkyView, player: PlayerView, placed: Sequence[Slot], shown: Sequence[Slot]
) -> ColumnEntry:
    """Return the entry of a player's powers; `shown` are the `placed` Airships in the order of the rows."""

    def body_of(numbers: Sequence[int]) -> Mapping[str, Any]:
        power = dict(zip(shown, numbers, strict=True))
        return {"player": player.id, "chips": [power[slot] for slot in placed]}

    check: Callable[[Sequence[int | None]], str] = _off
    if player.ai:
        check = partial(_of_tokens, game, player)
    return ColumnEntry(player.id, "powers", body_of, check)


def _of_tokens(game: FracturedSkyView, ai: PlayerView, _numbers: Sequence[int | None]) -> str:
    """Return which of an AI's tokens counts with its high value; the values are unknown, so none is off (FS-43)."""
    if ai.virtual:
        return ""
    return spoken(turning_instructions(game.table, ai.id))


def _off(numbers: Sequence[int | None]) -> str:
    """Return what follows from a seat's chips: which there are not so many of, or how many count less (FS-2, FS-11)."""
    known = [number for number in numbers if number is not None]
    for number, count in Counter(known).items():
        there = CHIPS.count(number)
        if count > there:
            if there == 0:
                return f"No chip has {number}."
            return f"There are not {count} chips with {number}."
    excess = sum(known) - LIMIT
    if excess > 0:
        return f"{sum(known)} in all, {excess} over {LIMIT}: each chip counts {excess} less."
    return ""
