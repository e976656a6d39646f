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
        if place:
            yield Content("")
        if table.title:
            yield Content.styled(table.title, "bold")
        room = width - len(_INDENT)
        if not isinstance(table, PanelTable):
            for line in drawn_lines(table, room):
                yield Content(_INDENT) + drawn_line(line)
            continue
        for pieces in laid_out(table, room, glyphs=True):
            cells = [Content.styled(piece.text, _style(piece)) for piece in pieces]
            yield Content(_INDENT) + Content(GAP).join(cells)


def _style(piece: Piece) -> str:
    if piece.label:
        return "$quiet"
    if isinstance(piece.cell, str | int | float | tuple):
        return ""
    return seat_style(piece.cell.color)


def drawn_line(line: Line) -> Content:
    """Return a line of a picture."""
    return Content.assemble(*((run.text, pen_style(run.pen)) for run in line))


def pen_style(pen: Pen) -> str:
    """Return the style of a pen; letters on a fill have a readable color."""
    if pen.filled:
        style = on_ink(pen.ink)
        return f"bold {style}" if pen.role == "strong" else style
    styles = [_ROLES[pen.role]] if pen.role else []
    if pen.ink:
        styles.append(seat_style(pen.ink))
    if pen.reverse:
        styles.append("reverse")
    return " ".join(styles)
