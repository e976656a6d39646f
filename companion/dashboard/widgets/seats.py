"""Many seats in little room: columns of names and scores, those whose turn it is first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.display.panels import SeatLine
from companion.rules.columns import width as cells_of

T = TypeVar("T")
LONGEST_NAME = 12  # maximum cells of a name in columns
GAP = "  "
TURN = "> "
"""Marks those whose turn it is."""


def shown_and_more(items: Sequence[T], room: int) -> tuple[Sequence[T], int]:
    """Return the items that fit and how many do not; if any do not, one place is left for their
    count."""
    if len(items) <= room:
        return items, 0
    shown = items[: max(room - 1, 0)]
    return shown, len(items) - len(shown)


def and_more(count: int) -> str:
    """Return the text for the number of items not shown."""
    return f"and {count} more"


def columns(lines: Sequence[SeatLine], width: int, rows: int) -> Content:
    """Return the seats in at most `rows` rows, column by column; those who play come first."""
    ranked = sorted(lines, key=lambda line: (not line.turn, line.idle))
    names = min(LONGEST_NAME, max(cells_of(line.name) for line in lines))
    scores = max(cells_of(line.score) for line in lines)
    seat_cells = len(f"{TURN}? ") + names + len(" ") + scores
    across = max(seat_cells, len(f"{TURN}{and_more(len(lines))}"))
    count = max(1, (width + len(GAP)) // (across + len(GAP)))
    shown, more = shown_and_more(ranked, count * rows)
    cells = [_cell(line, names, scores) for line in shown]
    if more:
        cells.append(Content.assemble((f"{'':{len(TURN)}}{and_more(more)}", "$quiet")))
    padded = [cell.pad_right(max(0, across - cell.cell_length)) for cell in cells]
    down = -(-len(cells) // count)
    return Content("\n").join(Content(GAP).join(padded[row::down]) for row in range(down))


def _cell(line: SeatLine, names: int, scores: int) -> Content:
    """Return one seat: turn mark, glyph, name, score."""
    mark = TURN if line.turn else " " * len(TURN)
    style = "$quiet" if line.idle else seat_style(line.color)
    name = Content.assemble((f"{line.glyph} {line.name}", style))
    name = name.truncate(names + len("? "), ellipsis=True, pad=True)
    weight = "$quiet" if line.idle else "bold"
    return Content.assemble((mark, "bold $accent"), name, " ", (f"{line.score:>{scores}}", weight))
