"""The tables of a game as HTML, for reports and the pages for phones."""

from __future__ import annotations

from collections.abc import Sequence, Set

from companion.reports.markup import Markup, element, join, text
from companion.reports.pictures import picture
from companion.rules.seats import PALETTE
from companion.rules.tables import Cell, Marked, Picture, Shown, Table, words

_TONES = {color.casefold(): name for name, color in PALETTE.items()}


def tone(color: str) -> str:
    """Return the class of a seat's color, of which a page has a shade for a dark and one for a light ground."""
    name = _TONES.get(color.casefold())
    return f"tone-{name}" if name else "tone"


def seat_mark(seat: Marked) -> Markup:
    """Return glyph and initial in the seat's color."""
    return element("span", text(f"{seat.glyph}{seat.initial}"), class_=f"mark {tone(seat.color)}")


def drawn(shown: Shown) -> Markup:
    """Return a table or a picture without its title; nothing for one without rows."""
    if not shown.rows:
        return Markup("")
    if isinstance(shown, Picture):
        return element("pre", Markup("\n".join(map(text, shown.lines))))
    if not isinstance(shown, Table):
        return picture(shown)
    return table(shown.head, [tuple(map(_cell, row)) for row in shown.rows], shown.numbers)


def _cell(cell: Cell) -> Markup:
    if isinstance(cell, str | int | float):
        return text(words(cell))
    if isinstance(cell, tuple):
        return Markup(" ".join(seat_mark(one) for one in cell))
    return join((seat_mark(cell), text(f" {cell.name}")))


def table(head: Sequence[str], rows: Sequence[Sequence[Markup]], numbers: Set[int]) -> Markup:
    """Return rows of cells below their words, scrolled sideways where there is too little room; `numbers` are the
    places of the columns that hold numbers."""

    def row(tag: str, cells: Sequence[Markup]) -> Markup:
        kinds = ("number" if place in numbers else "words" for place in range(len(cells)))
        return element("tr", *(element(tag, cell, class_=kind) for cell, kind in zip(cells, kinds, strict=True)))

    top = [element("thead", row("th", [*map(text, head)]))] if head else []
    body = element("tbody", *(row("td", cells) for cells in rows))
    return element("div", element("table", *top, body), class_="scroll")
