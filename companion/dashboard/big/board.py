"""What the big page shows of a game, and how it is laid out in any size. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from companion.dashboard.big.letters import BLOCK, HEIGHT, can_draw, drawn, width
from companion.dashboard.themes import seat_style
from companion.rules.panels import SeatLine

SIZES = ((8, 4), (6, 3), (4, 2), (2, 1), (1, 1))
"""Cells that a dot is wide and rows that it is high: about square, the smallest narrow."""
GAP = 2
"""Cells between two seats."""
LEAST = 5
"""Cells that a column has at least."""


@dataclass(frozen=True, slots=True)
class Big:
    """A game as the big page shows it: what the scores count, and the players in their order."""

    unit: str
    seats: tuple[SeatLine, ...]


def big_rows(big: Big, clock: str, columns: int, rows: int) -> list[Content]:
    """Return the clock (`0:41`, empty while none runs), then the seats side by side, as large as they fit."""
    top, left = _clock(clock, columns, rows), rows
    if top:
        top = [*top, Content("")]
        left -= len(top)
    return [*top, *_seats(big, columns, left)]


def _clock(clock: str, columns: int, rows: int) -> list[Content]:
    """The clock takes at most a third of the height."""
    if not clock or not can_draw(clock):
        return [Content.assemble((clock, "bold"))] if clock else []
    across, down = largest([clock], columns, max(HEIGHT, rows // 3))
    return [Content.assemble((row, "$foreground")) for row in drawn(clock, across, down)]


def largest(texts: Sequence[str], columns: int, rows: int) -> tuple[int, int]:
    """Return the largest dot with which every text fits; the smallest where none does."""
    widest = max(width(text, 1) for text in texts)
    fitting = (size for size in SIZES if widest * size[0] <= columns and HEIGHT * size[1] <= rows)
    return next(fitting, SIZES[-1])


def _seats(big: Big, columns: int, rows: int) -> list[Content]:
    if not big.seats:
        return []
    cells = max(LEAST, (columns + GAP) // len(big.seats) - GAP)
    blocks = [_block(seat, cells, *_letters(big, cells, rows)) for seat in big.seats]
    joined = [Content(" " * GAP).join(parts) for parts in zip(*blocks, strict=True)]
    return [*joined, Content.assemble((big.unit, "$quiet"))]


def _letters(big: Big, cells: int, rows: int) -> tuple[tuple[int, int], bool]:
    """The size of the scores, and whether the initials stand above them in the same size."""
    scores = [seat.score for seat in big.seats if can_draw(seat.score)] or ["0"]
    free = rows - 4  # the bar, the name, the note and the unit
    size = largest(scores, cells, free)
    initials = [seat.initial for seat in big.seats]
    fits = all(map(can_draw, initials)) and max(width(each, size[0]) for each in initials) <= cells
    return size, fits and 2 * HEIGHT * size[1] + 1 <= free


def _block(seat: SeatLine, cells: int, size: tuple[int, int], initials: bool) -> list[Content]:
    color = "$quiet" if seat.idle else seat_style(seat.color)
    bar = BLOCK * cells if seat.turn else ""
    rows = [(bar, color), (f"{seat.glyph} {seat.name}", f"bold {color}")]
    if initials:
        rows += [*((row, color) for row in drawn(seat.initial, *size)), ("", "")]
    score = drawn(seat.score, *size) if can_draw(seat.score) else [seat.score, *[""] * (HEIGHT * size[1] - 1)]
    rows += [(row, "$quiet" if seat.idle else "$foreground") for row in score]
    rows += [("TURN" if seat.turn and not seat.note else seat.note.upper(), "bold")]
    return [Content.assemble(row).truncate(cells, ellipsis=True, pad=True) for row in rows]
