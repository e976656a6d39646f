"""The grid of numbers: type one, press Enter, and the cursor is at the next player; the game goes on behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from companion.dashboard.source import TableLike, refused
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.form import Form
from companion.dashboard.widgets.static import Static
from companion.display.grids import MOST_DIGITS, CellEntry, Entering, GridCell, GridRow, NumberGrid
from companion.display.panels import panels_of
from companion.rules.columns import fit, listed, width
from companion.rules.facts import Refused, Seat, ended_early
from companion.session.views import TableView

MISSING = "-"
CHANGED = "*"
"""Behind a number that is not recorded yet."""
TOTAL = "in all"
HELP = "Type a number. Arrows choose another cell."
LEAST_CELLS, MOST_CELLS = 5, 14
"""Cells that a player's column takes: a number and a sign, and names cut beyond that."""
AROUND = 11
"""Rows of the form around the rounds: title, heads, sums, what is asked, refusal and keys."""


class NumberCells(Static, can_focus=True):
    """The rows and columns, with what is being typed in place of the number under the cursor."""


class ScoresForm(Form):
    """One grid at a time. The cursor stays at its round and player, whatever else happens at the table."""

    TITLE: ClassVar[str] = "Enter points"
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "leave"),
        ("enter", "accept"),
        ("tab", "turn(1)"),
        ("shift+tab", "turn(-1)"),
        ("up", "move(-1, 0)"),
        ("down", "move(1, 0)"),
        ("left", "move(0, -1)"),
        ("right", "move(0, 1)"),
        ("home", "move(-1000, 0)"),
        ("end", "move(1000, 0)"),
        ("backspace", "erase"),
        ("ctrl+q", "app.perform('dashboard.quit')"),
    ]

    def __init__(self, table: TableLike) -> None:
        super().__init__(table)
        self._grids = self.grids(self._view)
        if self._view.abandoned:
            raise ended_early()
        if not self._grids:
            raise Refused("FORMAT", "no numbers are needed now", do="Press another key.")
        self._at = self._first_missing()
        self._row, self._column = self._grid.first_empty()
        self._typed = ""
        self._changed: dict[tuple[str, str, str], int] = {}
        """Numbers for rounds that are over, by grid, round and seat: recorded together, for one alone may break what a
        round has to come to."""
        self._was_refused = False
        """Whether what is typed was refused: the next digit then begins a new number."""

    def body(self) -> ComposeResult:
        yield NumberCells(id="cells")
        yield Static(id="hint")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(NumberCells).focus()
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def show(self, view: TableView) -> None:
        """Show what the table has now; the cursor and what is being typed stay where they are."""
        super().show(view)
        grids = self.grids(view)
        if not grids:
            self.dismiss()
            return
        title, row = self._grid.title, self._row_now.title
        self._grids = grids
        self._at = _place([grid.title for grid in grids], title, min(self._at, len(grids) - 1))
        titles = [grid_row.title for grid_row in self._grid.rows]
        self._row = _place(titles, row, min(self._row, len(titles) - 1))
        self._column = min(self._column, len(self._row_now.cells) - 1)
        self._draw()

    def grids(self, view: TableView) -> tuple[NumberGrid, ...]:
        """Return what can be typed now."""
        return grids_of(view)

    # -- where the cursor is

    @property
    def _grid(self) -> NumberGrid:
        return self._grids[self._at]

    @property
    def _row_now(self) -> GridRow:
        return self._grid.rows[self._row]

    @property
    def _cell(self) -> GridCell:
        return self._row_now.cells[self._column]

    @property
    def _key(self) -> tuple[str, str, str]:
        return self._grid.title, self._row_now.title, self._cell.seat

    @property
    def _ends_row(self) -> bool:
        """Whether Enter ends the round: all its numbers are in, and nothing is being typed."""
        row = self._row_now
        is_complete = row.now and not row.missing and not row.check
        return self._grid.end is not None and is_complete and not self._typed

    # -- its keys

    def on_key(self, event: events.Key) -> None:
        """Take digits and a minus for the number under the cursor; no other sign means anything here."""
        sign = event.character or ""
        if not (event.is_printable and sign):
            return
        event.stop()
        if sign == "?":
            self.refuse(HELP)
            return
        before = "" if self._was_refused else self._typed
        if sign.isascii() and sign.isdigit() and len(before.lstrip("-")) < MOST_DIGITS:
            self._typed = before + sign
        elif sign == "-" and not before:
            self._typed = "-"
        else:
            self.refuse(f"{sign!r} does nothing here. Type a number, then Enter.")
            return
        self._accepted()

    def _accepted(self) -> None:
        """Clear the refusal, which no longer applies."""
        self._was_refused = False
        self.query_one("#refusal").display = False
        self._draw()

    def action_erase(self) -> None:
        self._typed = self._typed[:-1]
        self._accepted()

    def action_leave(self) -> None:
        """Discard the number that is being typed, or what is not recorded yet; else go back to the table."""
        if not self._typed and not self._changed:
            super().action_leave()
            return
        if not self._typed:
            self._changed.clear()
        self._typed = ""
        self._accepted()

    def action_turn(self, by: int) -> None:
        """Show the next grid of this game."""
        self._at = (self._at + by) % len(self._grids)
        self._typed = ""
        self._row, self._column = self._grid.first_empty()
        self._accepted()

    def action_move(self, down: int, right: int) -> None:
        self._typed = ""
        last_row, last_column = len(self._grid.rows) - 1, len(self._row_now.cells) - 1
        self._row = min(max(self._row + down, 0), last_row)
        self._column = min(max(self._column + right, 0), last_column)
        self._accepted()

    def action_accept(self) -> None:
        """Record the number and go on to the next player; after the last one, Enter ends the round."""
        is_typed = self._typed not in ("", "-")
        if not is_typed and self._changed:
            self._record(self._correct)
        elif not is_typed and self._ends_row:
            self._record(self._end_row)
        elif is_typed and self._is_over and self._cell.entry is not None:
            self._note_change()
        elif not is_typed or int(self._typed) == self._cell.value:
            self._typed = ""
            self._go_on()
        else:
            self._record(self._enter_number)
        if self.is_mounted:
            self._draw()

    def _record(self, act: Callable[[], str | None]) -> None:
        self._suppress()
        try:
            refusal = refused(self._table, act)
        except Refused as why:
            refusal = why.spoken()
        if refusal is not None:
            self._suppress()
            self.refuse(refusal)
            self._was_refused = True
            return
        self._typed = ""
        self._changed.clear()
        self._accepted()
        self.show(self._table.view())
        self._go_on()

    def _enter_number(self) -> str | None:
        if self._cell.entry is None:
            return f"{self._player(self._cell.seat)} is not in the game now. Choose another cell."
        enter_number(self._table, self._cell, int(self._typed))
        return None

    @property
    def _is_over(self) -> bool:
        """Whether the row under the cursor is that of a round that is over."""
        rows = self._grid.rows
        return not self._row_now.now and not any(row.adds for row in rows)

    def _note_change(self) -> None:
        number = int(self._typed)
        if number == self._cell.value:
            self._changed.pop(self._key, None)
        else:
            self._changed[self._key] = number
        self._typed = ""
        self._accepted()
        self._column = min(self._column + 1, len(self._row_now.cells) - 1)

    def _correct(self) -> str | None:
        changes = []
        for (title, row, seat), number in self._changed.items():
            entry = self._entry_of(title, row, seat)
            if entry is None:
                return f"{row} has changed. Press Esc and type the numbers again."
            changes.append(_change(entry, number))
        self._table.correct(changes)
        return None

    def _entry_of(self, title: str, row: str, seat: str) -> CellEntry | None:
        for grid in self._grids:
            if grid.title != title:
                continue
            for grid_row in grid.rows:
                if grid_row.title != row:
                    continue
                for cell in grid_row.cells:
                    if cell.seat == seat:
                        return cell.entry
        return None

    def _end_row(self) -> str | None:
        end = self._grid.end
        assert end is not None
        self._table.enter(end.kind, end.body)
        return None

    def _go_on(self) -> None:
        """Move to the next cell of the row that waits for a number, or to the next round once this one is over."""
        row = self._row_now
        column = self._grid.next_empty(self._row, self._column)
        if column is not None:
            self._column = column
        elif row.now and self._grid.end is not None:
            pass  # Enter ends the round
        elif row.now or not any(map(_missing, self._grids)):
            self._column = min(self._column + 1, len(row.cells) - 1)
        else:
            self._at = self._first_missing()
            self._row, self._column = self._grid.first_empty()

    def _first_missing(self) -> int:
        """Return the index of the first grid that waits for a number, 0 if none does."""
        for place, grid in enumerate(self._grids):
            if _missing(grid):
                return place
        return 0

    # -- what it shows

    @property
    def room(self) -> int:
        """The cells for the rows."""
        return max(20, self.size.width - 6)

    @property
    def rows_left(self) -> int:
        """The rows of the screen for the rounds."""
        return self.size.height - AROUND

    def heads(self) -> Sequence[Seat]:
        """Return the players of the columns."""
        return self._view.setup.seats

    def _player(self, seat: str) -> str:
        return self._view.setup.name_of(seat)

    def _draw(self) -> None:
        if not self.is_mounted:
            return
        self.query_one("#form-asks", Static).update(Content(self._heading()))
        cells = self.query_one(NumberCells)
        cells.update(Content("\n").join(self._lines(self.room)))
        self.tell(self._asks())
        self.query_one("#form-keys", Static).update(Content(self._keys_now()))

    def _keys_now(self) -> str:
        if self._typed:
            return "Enter save   Esc discard"
        if self._changed:
            return "Enter correct   arrows move   Esc discard"
        more = "   Tab other numbers" if len(self._grids) > 1 else ""
        return f"Enter next   arrows move   Esc close{more}"

    def _heading(self) -> str:
        if self._changed and not self._typed:
            rows = list(dict.fromkeys(row for _, row, _ in self._changed))
            return f"Type more numbers, or press Enter to correct {listed(rows)}."
        if self._ends_row and self._grid.end is not None:
            return f"All numbers are in. Press Enter to {self._grid.end.label}."
        return f"Type {self._player(self._cell.seat)}'s number, then Enter."

    def _asks(self) -> str:
        """Say how the row under the cursor is doing: its sum, what is off, and who is missing."""
        row = self._row_now
        if row.adds:
            return "What you type is added to what was counted."
        parts = [f"{row.title}: {self._total(row)} {TOTAL}."]
        if row.check:
            parts.append(row.check)
        if row.missing:
            names = [self._player(seat) for seat in row.missing]
            parts.append(f"Missing: {listed(names)}.")
        return " ".join(parts)

    def _number(self, row: GridRow, cell: GridCell) -> int | None:
        """Return the number of a cell, or what it is about to be corrected to."""
        return self._changed.get((self._grid.title, row.title, cell.seat), cell.value)

    def _total(self, row: GridRow) -> int:
        return sum(self._number(row, cell) or 0 for cell in row.cells)

    def _lines(self, room: int) -> Iterable[Content]:
        seats, rows = self.heads(), self._shown_rows()
        layout = _Layout.of(room, [row.title for _, row in rows], len(seats))
        yield Content(self._grid.title)
        yield Content.assemble(
            " " * layout.title,
            *(head_of(seat, layout.column) for seat in seats),
            layout.last(TOTAL),
        )
        for place, row in rows:
            yield self._line(place, row, layout)
        if self._grid.has_sums and len(self._grid.rows) > 1:
            sums = [self._sum(column) for column in range(len(seats))]
            numbers = "".join(f"{number:>{layout.column}}" for number in sums)
            words = f"{'  sum':{layout.title}}{numbers}{layout.last(sum(sums))}"
            yield Content.styled(words, "bold")

    def _sum(self, column: int) -> int:
        return sum(self._number(row, row.cells[column]) or 0 for row in self._grid.rows)

    def _shown_rows(self) -> list[tuple[int, GridRow]]:
        """Return as many rows as there is room for, that of the cursor among them, with their places."""
        rows = list(enumerate(self._grid.rows))
        most = max(3, self.rows_left)
        first = min(max(0, self._row - most + 1), max(0, len(rows) - most))
        if self._row_now.now:  # the present round is last, below as many earlier ones as fit
            first = max(first, min(self._row, len(rows) - most))
        return rows[first : first + most]

    def _line(self, place: int, row: GridRow, layout: _Layout) -> Content:
        mark = "> " if place == self._row else "  "
        parts: list[str | tuple[str, str]] = [fit(mark + row.title, layout.title)]
        for column, cell in enumerate(row.cells):
            number = self._number(row, cell)
            word = MISSING if number is None else str(number)
            if number != cell.value:
                word += CHANGED
            if (place, column) != (self._row, self._column):
                parts.append(f"{word:>{layout.column}}")
                continue
            inside = f"{self._typed}_" if self._typed else word
            parts.append(" " * (layout.column - len(inside) - 2))
            parts.append((f"[{inside}]", "bold reverse"))
        parts.append(layout.last(self._total(row)))
        return Content.assemble(*parts)


@dataclass(frozen=True, slots=True)
class _Layout:
    """How many cells a row's title takes, and each player's column; without room no row has its sum."""

    title: int
    column: int
    has_totals: bool

    @classmethod
    def of(cls, room: int, titles: Iterable[str], players: int) -> _Layout:
        title = max(map(width, [TOTAL, *titles])) + 3
        total = width(TOTAL) + 2
        has_totals = title + players * LEAST_CELLS + total <= room
        left = room - title - (total if has_totals else 0)
        column = max(LEAST_CELLS, min(MOST_CELLS, left // players))
        return cls(min(title, max(8, room - players * column)), column, has_totals)

    def last(self, text: object) -> str:
        """Return the end of a row, empty without room for it."""
        return f"{text:>{width(TOTAL) + 2}}" if self.has_totals else ""


def head_of(seat: Seat, cells: int) -> tuple[str, str]:
    """Return the head of a player's column: the name, or the initial where the name does not fit."""
    name = f"{seat.glyph} {seat.name}"
    if width(name) >= cells:
        name = f"{seat.glyph}{seat.initial}"
    return " " * (cells - width(name)) + name, seat_style(seat.color)


def grids_of(view: TableView) -> tuple[NumberGrid, ...]:
    """Return the grids of a game that have a row."""
    grids = panels_of(view.setup.game).grids
    return () if grids is None else tuple(grid for grid in grids(view.game) if grid.rows)


def _missing(grid: NumberGrid) -> bool:
    return any(row.missing for row in grid.rows)


def _place(titles: list[str], title: str, otherwise: int) -> int:
    return titles.index(title) if title in titles else otherwise


def _change(entry: CellEntry, number: int) -> dict[str, Any]:
    kind = entry.kind if entry.how is Entering.INSERT else ""
    return {"entry": entry.entry, "body": entry.body_of(number), "kind": kind}


def enter_number(table: TableLike, cell: GridCell, number: int) -> None:
    """Record a number typed into a cell that takes one."""
    entry = cell.entry
    assert entry is not None
    body = entry.body_of(number)
    if entry.how is Entering.NOW:
        table.enter(entry.kind, body)
    elif entry.how is Entering.AMEND:
        table.amend(entry.entry, body)
    else:
        table.insert(entry.kind, body, after=entry.entry)
