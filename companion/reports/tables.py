"""The tables of a game as HTML, and its pictures, for reports and the pages for phones."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence, Set
from functools import cache
from importlib.resources import files
from string import Template

from companion.display.tables import Cell, PanelTable, Shown, words
from companion.reports.markup import Markup, element, join, scrolled, text
from companion.reports.pictures.any_picture import draw_picture
from companion.reports.tones import seat_mark
from companion.rules.columns import width

UNTITLED = "How it stands"
"""What a table without a title is called."""
ROOMS = (14, 18, 22, 26, 30, 34, 40, 48)
"""Widths in em below which a table's rows are cards."""
_LETTER, _PADDING = 0.6, 0.5  # em; most fonts are narrower
_WORDS = 12  # letters of a line in a cell of words; more are wrapped


@cache
def table_style() -> str:
    """Return the style that shows a table's rows as cards where its columns have no room."""
    folder = files(__package__)
    style = folder.joinpath("stacked.css").read_text(encoding="utf-8")
    below = Template(folder.joinpath("stacked_below.css").read_text(encoding="utf-8"))
    return style + "".join(below.substitute(room=room) for room in ROOMS)


def shown_html(shown: Shown) -> Markup:
    """Return a table or a picture without its title, or nothing if it has no rows."""
    if not shown.rows:
        return Markup("")
    if isinstance(shown, PanelTable):
        rows = [tuple(map(_cell, row)) for row in shown.rows]
        return table(shown.title or UNTITLED, shown.head, rows, shown.numbers)
    return draw_picture(shown)


def _cell(cell: Cell) -> Markup:
    if isinstance(cell, str | int | float):
        return text(words(cell))
    if isinstance(cell, tuple):
        return Markup(" ".join(seat_mark(seat) for seat in cell))
    return join((seat_mark(cell), text(f" {cell.name}")))


def table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[Markup]], numbers: Set[int]
) -> Markup:
    """Return a table; `numbers` are the columns of numbers. Where there is no room for its columns, a page shows a card
    for each row, in which each cell follows its head; without heads it scrolls sideways. Screen readers call the box in
    which it scrolls by its `title`."""

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
                named = {"data_head": head[place]} if head and head[place] else {}
                cells.append(element("td", cell, class_=kind(place), **named))
        body.append(element("tr", *cells))
    parts.append(element("tbody", *body))
    room = f"room-{_room(head, rows)}" if head else ""
    return scrolled(title, element("table", *parts), room)


def _column_head(words: str, kind: str) -> Markup:
    if not words:
        return element("td", class_=kind)
    return element("th", text(words), scope="col", class_=kind)


def _room(head: Sequence[str], rows: Sequence[Sequence[Markup]]) -> int:
    """Return the width in em below which a page shows rows as cards: one of `ROOMS`."""
    needed = 0.0
    for column in zip(head, *(map(_plain, row) for row in rows), strict=True):
        longest = max(min(width(cell), _WORDS) for cell in column)
        longest_word = max(width(word) for cell in column for word in (cell.split() or [""]))
        needed += _LETTER * max(longest, longest_word) + _PADDING
    return next((room for room in ROOMS if room >= needed), ROOMS[-1])


def _plain(cell: Markup) -> str:
    return html.unescape(re.sub("<[^>]*>", "", cell))
