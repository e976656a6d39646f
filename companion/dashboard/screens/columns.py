"""The grid of numbers for a game that records all numbers of a player as one fact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.content import Content

from companion.dashboard.screens.scores import CHANGED, MISSING, ScoresForm, head_of
from companion.dashboard.source import TableLike
from companion.display.grids import ColumnEntry, GridCell, GridRow
from companion.rules.columns import fit, listed, plural, width
from companion.rules.facts import Seat
from companion.session.views import TableView

MARK, SUM = "> ", "  sum"
LEAST_COLUMN, MOST_COLUMN = 4, 12
"""Cells that a player's column takes: a number of two digits with its marks, and a name."""


class ColumnsForm(ScoresForm):
    """A grid whose columns are recorded one by one: Enter goes down a column, then to the next one.

    Esc discards the number that is being typed, then those that are not recorded yet, then closes
    the form. It closes by itself after the last number.
    """

    def __init__(self, table: TableLike) -> None:
        self._drafts: dict[tuple[str, str], int] = {}
        """Numbers that are not recorded yet, by row and player."""
        super().__init__(table)
        self._row, self._column = self._next_hole(0, -1) or (0, 0)

    # -- where the cursor goes

    def _is_missing(self, row: int, column: int) -> bool:
        grid_row = self._grid.rows[row]
        cell = grid_row.cells[column]
        return cell.takes_number and self._number(grid_row, cell) is None

    def _next_hole(self, column: int, row: int) -> tuple[int, int] | None:
        """Return the row and column of the next missing number after a cell, column by column in a circle."""
        rows, columns = len(self._grid.rows), len(self._row_now.cells)
        for step in range(1, rows * columns + 1):
            next_column, next_row = divmod(column * rows + row + step, rows)
            next_column %= columns
            if self._is_missing(next_row, next_column):
                return next_row, next_column
        return None

    def _go_on(self) -> None:
        hole = self._next_hole(self._column, self._row)
        if hole is not None:
            self._row, self._column = hole

    def _takes(self, row: int, column: int) -> bool:
        return self._grid.rows[row].cells[column].takes_number

    def _rows_of(self, column: int) -> list[int]:
        """Return the rows in which a number of that column can be typed."""
        return [row for row in range(len(self._grid.rows)) if self._takes(row, column)]

    def action_move(self, down: int, right: int) -> None:
        """Move to the next cell that way in which a number can be typed; nowhere else."""
        self._typed = ""
        columns = len(self._row_now.cells)
        column = min(max(self._column + right, 0), columns - 1)
        rows = self._rows_of(column)
        if down < 0:
            rows = [row for row in rows if row < self._row]
        elif down > 0:
            rows = [row for row in rows if row > self._row]
        if rows:
            wanted = self._row + down
            self._row, self._column = min(rows, key=lambda row: abs(row - wanted)), column
        self._accepted()

    # -- its keys

    def action_accept(self) -> None:
        """Take the number; once the column is complete, record it."""
        if self._typed in ("", "-"):
            self._typed = ""
            self._go_on()
        else:
            self._take_number()
        if self.is_mounted:
            self._draw()

    def _take_number(self) -> None:
        row, seat, number = self._row_now, self._cell.seat, int(self._typed)
        column = self._column
        before = self._drafts.get((row.title, seat))
        self._drafts[row.title, seat] = number
        if None in self._numbers_of(seat):
            self._typed = ""
            self._accepted()
            self._go_on()
            return
        self._record(self._enter_column)
        if not self._was_refused:
            self._forget(seat)
            if None in self._numbers_of(seat):  # a lesson took them back at once
                self._row, self._column = self._next_hole(column, -1) or (self._row, column)
            elif self.is_mounted and self._next_hole(0, -1) is None:
                self.dismiss()
        elif before is None:
            del self._drafts[row.title, seat]
        else:
            self._drafts[row.title, seat] = before

    def _enter_column(self) -> str | None:
        column = self._entry_of_column(self._cell.seat)
        numbers = [number for number in self._numbers_of(column.seat) if number is not None]
        self._table.enter(column.kind, column.body_of(numbers))
        return None

    def action_leave(self) -> None:
        """Discard the number that is being typed, or those that are not recorded; else go back to the table."""
        if not self._typed and self._drafts:
            self._drafts.clear()
            self._accepted()
            return
        super().action_leave()

    def _forget(self, seat: str) -> None:
        self._drafts = {key: number for key, number in self._drafts.items() if key[1] != seat}

    # -- what it shows

    def heads(self) -> Sequence[Seat]:
        """Return the players of the columns, the companion's own among them."""
        lines = {line.id: line for line in self._view.players}
        return [lines[cell.seat] for cell in self._row_now.cells]

    def _player(self, seat: str) -> str:
        return next((line.name for line in self._view.players if line.id == seat), seat)

    def show(self, view: TableView) -> None:
        """Show what the table has now; the cursor leaves a cell that takes no number any more."""
        super().show(view)
        if self.is_mounted and not self._cell.takes_number:
            self._go_on()
            self._draw()

    def _entry_of_column(self, seat: str) -> ColumnEntry:
        return next(column for column in self._grid.columns if column.seat == seat)

    def _number(self, row: GridRow, cell: GridCell) -> int | None:
        return self._drafts.get((row.title, cell.seat), cell.value)

    def _numbers_of(self, seat: str) -> list[int | None]:
        """Return a player's numbers from the top row to the last one, None for each that is missing."""
        numbers = []
        for row in self._grid.rows:
            for cell in row.cells:
                if cell.seat == seat and cell.takes_number:
                    numbers.append(self._number(row, cell))
        return numbers

    def _numbers_shown(self, seat: str) -> list[int | None]:
        """Return a player's numbers, with the one that is being typed."""
        numbers = self._numbers_of(seat)
        if seat == self._cell.seat and self._typed not in ("", "-"):
            numbers[self._rows_of(self._column).index(self._row)] = int(self._typed)
        return numbers

    def _keys_now(self) -> str:
        if self._typed:
            return "Enter next   Esc discard"
        if self._drafts:
            return "arrows move   Esc discard"
        return "arrows move   Esc close"

    def _heading(self) -> str:
        name, row = self._player(self._cell.seat), self._row_now.title
        return f"Type {name}'s {self._grid.number} in {row}, then Enter."

    def _asks(self) -> str:
        """Say what follows from the numbers of the cursor's column, and who is missing."""
        column = self._entry_of_column(self._cell.seat)
        parts = [column.check(self._numbers_shown(column.seat))]
        missing = []
        for other in self._grid.columns:
            if None in self._numbers_of(other.seat):
                missing.append(self._player(other.seat))
        if missing:
            parts.append(f"Missing: {listed(missing)}.")
        return " ".join(filter(None, parts))

    def _lines(self, room: int) -> Iterable[Content]:
        heads, rows = self.heads(), self._shown_rows()
        title = len(MARK) + max(width(row.title) for _, row in rows)
        cells = max(LEAST_COLUMN, min(MOST_COLUMN, (room - title) // len(heads)))
        title = min(title, max(len(SUM), room - cells * len(heads)))
        yield Content.assemble(" " * title, *(head_of(seat, cells) for seat in heads))
        for place, row in rows:
            yield self._cells_of(place, row, title, cells)
        sums = []
        for seat in heads:
            numbers = [number or 0 for number in self._numbers_shown(seat.id)]
            sums.append(f"{sum(numbers):>{cells - 1}} ")
        total = Content.styled(f"{SUM:{title}}{''.join(sums)}", "bold")
        hidden = plural(len(self._grid.rows) - len(rows), "more row")
        more = hidden.rjust(room - total.cell_length)
        if len(rows) < len(self._grid.rows) and total.cell_length + len(more) <= room:
            total += Content.styled(more, "$quiet")
        yield total

    def _cells_of(self, place: int, row: GridRow, title: int, cells: int) -> Content:
        mark = MARK if place == self._row else " " * len(MARK)
        parts: list[str | tuple[str, str]] = [fit(mark + row.title, title)]
        for column, cell in enumerate(row.cells):
            number = self._number(row, cell)
            word = MISSING if cell.takes_number else ""
            if number is not None:
                word = str(number)
            after = CHANGED if number != cell.value else " "
            if (place, column) == (self._row, self._column):
                inside = f"{self._typed}_" if self._typed else word or " "
                parts.append(" " * (cells - len(inside) - 2))
                parts.append((f"[{inside}]", "bold reverse"))
            else:
                parts.append(f"{word:>{cells - 1}}{after}")
        return Content.assemble(*parts)
