"""The tables and pictures of a game as colored text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.content import Content

from companion.dashboard.themes import on_ink, seat_style
from companion.display.cells import Line, Pen
from companion.display.tables import GAP, PanelTable, Piece, Shown, drawn_lines, laid_out

_INDENT = "  "
_ROLES = {"": "", "quiet": "$quiet", "strong": "bold", "mark": "bold $accent", "link": "$primary"}


def table_rows(tables: Iterable[Shown], width: int) -> Iterator[Content]:
    """Return tables as rows of text of at most `width` cells, an empty row between two tables."""
    for place, table in enumerate(table for table in tables if table.rows):
        yield from [Content("")] if place else []
        yield from [Content.assemble((table.title, "bold"))] if table.title else []
        if not isinstance(table, PanelTable):
            yield from (
                Content(_INDENT) + drawn_line(line)
                for line in drawn_lines(table, width - len(_INDENT))
            )
            continue
        for line in laid_out(table, width - len(_INDENT), glyphs=True):
            yield Content(_INDENT) + Content(GAP).join(
                Content.assemble((piece.text, _style(piece))) for piece in line
            )


def _style(piece: Piece) -> str:
    if piece.label:
        return "$quiet"
    return "" if isinstance(piece.cell, str | int | float | tuple) else seat_style(piece.cell.color)


def drawn_line(line: Line) -> Content:
    """Return a line of a picture."""
    return Content.assemble(*((run.text, pen_style(run.pen)) for run in line))


def pen_style(pen: Pen) -> str:
    """Return the style of a pen; letters on a fill have a readable color."""
    if pen.filled:
        return f"{'bold ' if pen.role == 'strong' else ''}{on_ink(pen.ink)}"
    color = seat_style(pen.ink) if pen.ink else ""
    return " ".join(filter(None, (_ROLES[pen.role], color, "reverse" if pen.reverse else "")))
