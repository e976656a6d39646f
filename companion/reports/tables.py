"""The tables of a game as HTML, and its pictures, for reports and the pages for phones."""

from __future__ import annotations

from collections.abc import Sequence, Set

from companion.display.tables import Cell, PanelTable, Shown, words
from companion.reports.markup import Markup, element, join, scrolled, text
from companion.reports.pictures.drawn import draw
from companion.reports.tones import seat_mark

UNTITLED = "How it stands"
"""What a table without a title is called."""


def drawn(shown: Shown) -> Markup:
    """Return a table or a picture without its title, or nothing if it has no rows."""
    if not shown.rows:
        return Markup("")
    if isinstance(shown, PanelTable):
        rows = [tuple(map(_cell, row)) for row in shown.rows]
        return table(shown.title or UNTITLED, shown.head, rows, shown.numbers)
    return draw(shown)


def _cell(cell: Cell) -> Markup:
    if isinstance(cell, str | int | float):
        return text(words(cell))
    if isinstance(cell, tuple):
        return Markup(" ".join(seat_mark(seat) for seat in cell))
    return join((seat_mark(cell), text(f" {cell.name}")))


def table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[Markup]], numbers: Set[int]
) -> Markup:
    """Return a table that scrolls sideways if it is too wide; `numbers` are the columns of numbers. Screen readers call
    the box in which it scrolls by its `title`."""

    def kind(place: int) -> str:
        return "number" if place in numbers else "words"

    parts = []
    if head:
        heads = (_column_head(words, kind(place)) for place, words in enumerate(head))
        parts.append(element("thead", element("tr", *heads)))
    body = []
    for row in rows:
        cells = []
        for place, cell in enumerate(row):
            if not head and place == 0:  # it labels the others
                cells.append(element("th", cell, scope="row", class_="words"))
            else:
                cells.append(element("td", cell, class_=kind(place)))
        body.append(element("tr", *cells))
    parts.append(element("tbody", *body))
    return scrolled(title, element("table", *parts))


def _column_head(words: str, kind: str) -> Markup:
    if not words:
        return element("td", class_=kind)
    return element("th", text(words), scope="col", class_=kind)
