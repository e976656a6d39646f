"""The tables of a game as colored text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.rules.tables import GAP, Piece, Shown, laid_out

_INDENT = "  "


def table_rows(tables: Iterable[Shown], width: int) -> Iterator[Content]:
    """Return tables as rows of text of at most `width` cells, an empty row between two of them."""
    for place, table in enumerate(table for table in tables if table.rows):
        yield from [Content("")] if place else []
        yield from [Content.assemble((table.title, "bold"))] if table.title else []
        for line in laid_out(table, width - len(_INDENT), glyphs=True):
            yield Content(_INDENT) + Content(GAP).join(Content.assemble((piece.text, _style(piece))) for piece in line)


def _style(piece: Piece) -> str:
    if piece.label:
        return "$quiet"
    return "" if isinstance(piece.cell, str | int | float | tuple) else seat_style(piece.cell.color)
