"""A table that a game shows, as plain data, and its layout in columns of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from companion.display.cells import Line, plain
from companion.rules.columns import width, wrap

if TYPE_CHECKING:
    from companion.display.pictures import Chart, Race, Stacks, Tower
    from companion.rules.facts import Seat

GAP = "  "

Cell: TypeAlias = "str | int | float | Seat | tuple[Seat, ...]"
"""Text, a number (a float with one decimal), a player by name, or several by their glyphs and
initials."""


@dataclass(frozen=True, slots=True)
class PanelTable:
    """Rows of cells, all of one length, under a title and column heads.

    Without a `head` the first cell of a row labels the others. A table without rows is not shown; a
    `long` one is not printed on paper. `columns_on_cards` are the indexes of columns
    repeated on the players' cards.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    long: bool = False
    columns_on_cards: tuple[int, ...] = ()

    def without_card_columns(self) -> PanelTable:
        """Return the table without the columns on the cards."""
        kept = [place for place in range(len(self.head)) if place not in self.columns_on_cards]
        if len(kept) == len(self.head):
            return self
        rows: tuple[tuple[Cell, ...], ...] = ()
        if len(kept) > 1:  # beside the names
            rows = tuple(tuple(row[place] for place in kept) for row in self.rows)
        head = tuple(self.head[place] for place in kept)
        return replace(self, head=head, rows=rows, columns_on_cards=())

    @property
    def numbers(self) -> frozenset[int]:
        """Indexes of the columns that hold numbers, apart from single signs used for one."""
        if not self.head:
            return frozenset()
        columns = enumerate(zip(*self.rows, strict=True))
        return frozenset(place for place, cells in columns if _numeric(cells))


Drawing: TypeAlias = "Tower | Chart | Stacks | Race"
"""A picture, drawn as one wherever more than letters can be shown."""
Shown: TypeAlias = "PanelTable | Drawing"


def _numeric(cells: Sequence[Cell]) -> bool:
    signs = [cell for cell in cells if not isinstance(cell, int | float)]
    return len(signs) < len(cells) and all(
        isinstance(sign, str) and len(sign) <= 1 for sign in signs
    )


def words(cell: Cell, *, glyphs: bool = False) -> str:
    """Return the text of a cell; `glyphs` adds the players' glyphs."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return str(cell)
    if isinstance(cell, float):
        return f"{cell:.1f}"
    if isinstance(cell, tuple):
        marks = (seat.glyph + seat.initial if glyphs else seat.initial for seat in cell)
        return " ".join(marks)
    return f"{cell.glyph} {cell.name}" if glyphs else cell.name


class Piece(NamedTuple):
    """Part of a line: text padded to its column, the cell it comes from, and whether it is a label.

    Labels are column heads, or the first cells of a table without heads.
    """

    text: str
    cell: Cell
    label: bool


def drawn_lines(drawing: Drawing, columns: int, *, paper: bool = False) -> Iterator[Line]:
    """Return the lines of a picture in at most `columns`; on `paper`, as few as possible."""
    # Imported late, so that a game without pictures does not load them.
    from companion.display.pictures import Chart, Race, Stacks

    if isinstance(drawing, Chart):
        from companion.display.charts import chart_lines

        return chart_lines(drawing, columns)
    if isinstance(drawing, Stacks):
        from companion.display.stacks import stacks_lines

        return stacks_lines(drawing, columns)
    if isinstance(drawing, Race):
        from companion.display.races import race_lines

        return race_lines(drawing, columns)
    from companion.display.towers import tower_lines

    return tower_lines(drawing, columns, sides=not paper)


def laid_out(
    table: PanelTable, columns: int, *, glyphs: bool = False
) -> Iterator[tuple[Piece, ...]]:
    """Yield the lines of head and rows in at most `columns`, wrapping the widest columns."""
    rows: tuple[tuple[Cell, ...], ...] = table.rows
    if rows and table.head:
        rows = (table.head, *rows)
    texts = [[words(cell, glyphs=glyphs) for cell in row] for row in rows]
    widths = _widths(texts, columns)
    numbers = table.numbers
    for place, (row, row_texts) in enumerate(zip(rows, texts, strict=True)):
        labels = int(len(row) > 1)
        if table.head:
            labels = 0 if place else len(row)
        wrapped = (wrap(text, most) for text, most in zip(row_texts, widths, strict=True))
        for parts in zip_longest(*wrapped, fillvalue=""):
            yield tuple(
                Piece(_filled(part, widths[n], number=n in numbers), row[n], n < labels)
                for n, part in enumerate(parts)
            )


def _filled(text: str, columns: int, *, number: bool) -> str:
    space = " " * (columns - width(text))
    return f"{space}{text}" if number else f"{text}{space}"


def _widths(rows: Sequence[Sequence[str]], columns: int) -> list[int]:
    """Return column widths: those of their cells, or where they do not fit, the widest narrowed.

    A word is divided only once every column is down to its longest word.
    """
    columns_of_text = list(zip(*rows, strict=True))
    widths = [max(map(width, column)) for column in columns_of_text]
    longest = []
    for column in columns_of_text:
        words_of_column = " ".join(column).split()
        longest.append(max(map(width, words_of_column), default=0))
    room = columns - len(GAP) * (len(widths) - 1)
    while sum(widths) > room and max(widths, default=1) > 1:
        places = range(len(widths))
        widest = max(places, key=lambda place: (widths[place] > longest[place], widths[place]))
        widths[widest] -= 1
    return widths


def plain_lines(tables: Iterable[Shown], columns: int) -> Iterator[str]:
    """Yield tables as plain lines of at most `columns`, each after an empty line."""
    for table in tables:
        if not table.rows:
            continue
        yield ""
        if table.title:
            yield table.title
        if not isinstance(table, PanelTable):
            yield from map(plain, drawn_lines(table, columns, paper=True))
            continue
        for line in laid_out(table, columns):
            yield GAP.join(piece.text for piece in line).rstrip()
