"""A grid of numbers that people type: a row for each round, a column for each player.

A game declares its grids as part of its panels. Each cell says what a number typed into it becomes: a new fact, or a
correction of one that was entered before. A screen or a page draws the grid and knows nothing of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.rules.facts import SeatId

MOST_DIGITS = 7
"""Digits of a number that people type."""


class Entering(StrEnum):
    """How a number is recorded."""

    NOW = "now"
    """As a new fact."""
    AMEND = "amend"
    """Instead of what one entry says."""
    INSERT = "insert"
    """As a fact that was missed, after one entry."""


@dataclass(frozen=True, slots=True)
class CellEntry:
    """What a number typed into a cell becomes: a fact of `kind` whose body `body_of` returns.

    `entry` is the one that is amended, or after which the fact is inserted; 0 for a new one.
    """

    how: Entering
    kind: str
    body_of: Callable[[int], Mapping[str, Any]]
    entry: int = 0


@dataclass(frozen=True, slots=True)
class GridCell:
    """The number of one player: None while nobody has entered it.

    Nothing can be typed without an `entry`, except `in_column`: there a number is recorded together
    with the others of its column. `total` is what a number of a row that `adds` is added to.
    """

    seat: SeatId
    value: int | None
    entry: CellEntry | None = None
    in_column: bool = False
    total: int | None = None

    @property
    def takes_number(self) -> bool:
        """Whether a number can be typed."""
        return self.entry is not None or self.in_column


@dataclass(frozen=True, slots=True)
class ColumnEntry:
    """A fact of `kind` that has all numbers of one player, recorded once none of them is missing.

    `body_of` and `check` take the numbers from the top row to the last one; `check` says what
    follows from those typed so far, None for a missing one.
    """

    seat: SeatId
    kind: str
    body_of: Callable[[Sequence[int]], Mapping[str, Any]]
    check: Callable[[Sequence[int | None]], str] = lambda _numbers: ""


@dataclass(frozen=True, slots=True)
class GridRow:
    """One round, or one box of a score sheet.

    `check` says what is off with its numbers, empty if nothing is. `now` marks the row that is being played.
    """

    title: str
    cells: tuple[GridCell, ...]
    check: str = ""
    now: bool = False
    adds: bool = False
    """Whether a number is added to what was counted, again and again: then nobody is ever done."""

    @property
    def missing(self) -> tuple[SeatId, ...]:
        """The players whose number can be typed and was not entered yet."""
        return tuple(cell.seat for cell in self.cells if cell.value is None and cell.takes_number)

    @property
    def total(self) -> int:
        """The sum of the numbers that were entered."""
        return sum(cell.value for cell in self.cells if cell.value is not None)


@dataclass(frozen=True, slots=True)
class RowEnd:
    """What ends the row that is played, once nobody is missing: a fact, and what it is called (`end hand 3`)."""

    label: str
    kind: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NumberGrid:
    """All rows of one thing that is counted (`title`), oldest first, with the columns in the order of the seats."""

    title: str
    rows: tuple[GridRow, ...]
    end: RowEnd | None = None
    has_sums: bool = True
    """Whether the numbers of a column belong together, so that their sum says something."""
    turn: SeatId = ""
    """Whose turn it is, where only that player's numbers can be typed."""
    columns: tuple[ColumnEntry, ...] = ()
    """What records the numbers of each column, if they are recorded together."""
    number: str = "number"
    """What is typed."""
    during: str = ""
    """Identifies the current round, so a late number from a phone is not recorded in the next one."""

    def first_empty(self) -> tuple[int, int]:
        """Return the row and the column of the first cell to type into: of the row that is played, if it has one, and
        of whose turn it is."""
        order = sorted(range(len(self.rows)), key=lambda place: not self.rows[place].now)
        for place in order:
            column = self.next_empty(place, -1)
            if column is not None:
                return place, column
        return order[0], 0

    def own_cells(self, seat: SeatId) -> tuple[tuple[GridRow, GridCell], ...]:
        """Return the cells that this player may fill in without the others, with their rows.

        These are the player's cells of the rows that are played, or the first empty one if no row is. A number that
        is there may be replaced only if one row alone is played: then it is that of the round, and of several boxes
        each is filled in once.
        """
        if self.turn not in ("", seat):
            return ()
        played = [row for row in self.rows if row.now]
        own = []
        for row in played or self.rows:
            for cell in row.cells:
                may_type = cell.entry is not None and cell.entry.how is not Entering.INSERT
                if cell.seat == seat and may_type and (cell.value is None or len(played) == 1):
                    own.append((row, cell))
        return tuple(own if played else own[:1])

    def own_column(
        self, seat: SeatId
    ) -> tuple[ColumnEntry, tuple[tuple[GridRow, GridCell], ...]] | None:
        """Return what records this player's numbers together, and their cells from the top row to the last one; None
        if they are recorded one by one, or cannot be typed."""
        own = []
        for row in self.rows:
            for cell in row.cells:
                if cell.seat == seat and cell.in_column:
                    own.append((row, cell))
        for column in self.columns:
            if column.seat == seat and own and self.turn in ("", seat):
                return column, tuple(own)
        return None

    def next_empty(self, place: int, column: int) -> int | None:
        """Return the next column of a row to type into after that one, in a circle; None if nobody is missing."""
        row = self.rows[place]
        if self.turn in row.missing:
            return [cell.seat for cell in row.cells].index(self.turn)
        count = len(row.cells)
        for step in range(1, count + 1):
            at = (column + step) % count
            if row.cells[at].seat in row.missing:
                return at
        return None
