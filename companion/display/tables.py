"""A table that a game shows, as plain data, and how it is laid out in columns of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from companion.display.cells import Line, plain
from companion.rules.columns import width, wrap

if TYPE_CHECKING:
    from companion.display.pictures import Chart, Stacks, Tower
    from companion.rules.facts import Seat

GAP = "  "

Cell: TypeAlias = "str | int | float | Seat | tuple[Seat, ...]"
"""Words, a number (a float with one decimal), somebody at the table by name, or several by their marks alone."""


@dataclass(frozen=True, slots=True)
class PanelTable:
    """Rows of cells, all of one length, below a title and the words over their columns; without a `head` the first
    cell of a row names the others. One without rows is not shown. `long`: paper has no room for it."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    long: bool = False

    @property
    def numbers(self) -> frozenset[int]:
        """The places of the columns that hold numbers, and perhaps a sign that stands for one, and nothing else."""
        columns = enumerate(zip(*self.rows, strict=True))
        return frozenset(place for place, cells in columns if self.head and _numeric(cells))


Drawing: TypeAlias = "Tower | Chart | Stacks"
"""A picture that is drawn as such where there are more than letters."""
Shown: TypeAlias = "PanelTable | Drawing"


def _numeric(cells: Sequence[Cell]) -> bool:
    signs = [cell for cell in cells if not isinstance(cell, int | float)]
    return len(signs) < len(cells) and all(
        isinstance(sign, str) and len(sign) <= 1 for sign in signs
    )


def words(cell: Cell, *, glyphs: bool = False) -> str:
    """Return what a cell says, seats with their glyphs where they can be shown."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int | float):
        return str(cell) if isinstance(cell, int) else f"{cell:.1f}"
    if isinstance(cell, tuple):
        return " ".join(f"{seat.glyph if glyphs else ''}{seat.initial}" for seat in cell)
    return f"{cell.glyph} {cell.name}" if glyphs else cell.name


class Piece(NamedTuple):
    """A part of a line: its text in the width of its column, the cell it is of, and whether it says what other cells
    are, as the words over the columns do."""

    text: str
    cell: Cell
    label: bool


def drawn_lines(drawing: Drawing, columns: int, *, paper: bool = False) -> Iterator[Line]:
    """Return a picture in at most `columns`; on paper in as few lines as it can be."""
    from companion.display.pictures import Chart, Stacks  # what a game that draws none does without

    if isinstance(drawing, Chart):
        from companion.display.charts import chart_lines

        return chart_lines(drawing, columns)
    if isinstance(drawing, Stacks):
        from companion.display.stacks import stacks_lines

        return stacks_lines(drawing, columns)
    from companion.display.towers import tower_lines

    return tower_lines(drawing, columns, sides=not paper)


def laid_out(
    table: PanelTable, columns: int, *, glyphs: bool = False
) -> Iterator[tuple[Piece, ...]]:
    """Return the lines of head and rows in at most `columns`; where there is too little room, the widest columns are
    wrapped."""
    rows = ((table.head, *table.rows) if table.head else table.rows) if table.rows else ()
    texts = [[words(cell, glyphs=glyphs) for cell in row] for row in rows]
    widths, numbers = _widths(texts, columns), table.numbers
    for place, (row, row_texts) in enumerate(zip(rows, texts, strict=True)):
        wrapped = (wrap(text, most) for text, most in zip(row_texts, widths, strict=True))
        labels = len(row) if table.head and not place else int(not table.head and len(row) > 1)
        for parts in zip_longest(*wrapped, fillvalue=""):
            yield tuple(
                Piece(_filled(part, widths[n], number=n in numbers), row[n], n < labels)
                for n, part in enumerate(parts)
            )


def _filled(text: str, columns: int, *, number: bool) -> str:
    space = " " * (columns - width(text))
    return f"{space}{text}" if number else f"{text}{space}"


def _widths(rows: Sequence[Sequence[str]], columns: int) -> list[int]:
    """The columns as wide as their cells; where there is too little room, the widest give way, and a word is divided
    only where all columns are down to their longest."""
    cells = list(zip(*rows, strict=True))
    widths = [max(map(width, column)) for column in cells]
    longest = [
        max(width(word) for text in column for word in ("", *text.split())) for column in cells
    ]
    while sum(widths) + len(GAP) * (len(widths) - 1) > columns and max(widths, default=1) > 1:
        widths[
            max(
                range(len(widths)),
                key=lambda place: (widths[place] > longest[place], widths[place]),
            )
        ] -= 1
    return widths


def plain_lines(tables: Iterable[Shown], columns: int) -> Iterator[str]:
    """Return tables as plain lines of at most so many columns, each after an empty line."""
    for table in tables:
        if table.rows:
            yield ""
            yield from [table.title] if table.title else []
            if not isinstance(table, PanelTable):
                yield from map(plain, drawn_lines(table, columns, paper=True))
                continue
            for line in laid_out(table, columns):
                yield GAP.join(piece.text for piece in line).rstrip()
