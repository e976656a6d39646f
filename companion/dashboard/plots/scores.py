"""The score of each seat over the rulings that changed one, as a plot in characters. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.rules.game import Seat
from companion.session.score_history import Course

HEIGHT = 8
"""Rows of the plot at most."""
LEAST = 24
"""Cells below which nothing can be plotted."""
SEVERAL = "&"
"""Stands where several seats have one score."""


def score_plot(course: Course, seats: Sequence[Seat], width: int, unit: str = "entry") -> list[Content]:
    """Return the plot in lines of `width` cells: a column for each change, a glyph for each seat, the numbers of the
    steps below, each of them a `unit`; nothing while no score has changed."""
    shown = [(seat, course.seats.index(seat.id)) for seat in seats if seat.id in course.seats]
    if not course.steps or not shown or width < LEAST:
        return []
    after = [[step.scores[place] for _, place in shown] for step in course.steps]
    least, most = min(0, *(min(row) for row in after)), max(1, *(max(row) for row in after))
    rows = min(HEIGHT, most - least)
    margin = max(len(str(least)), len(str(most))) + 1
    columns = _columns([[0] * len(shown), *after], width - margin - 1)
    levels = [[_level(score, least, most, rows) for score in column] for column in columns]
    lines = [
        _line(level, levels, [seat for seat, _ in shown], margin, _tick(level, least, most, rows))
        for level in range(rows, -1, -1)
    ]
    first, last = str(course.steps[0].n), str(course.steps[-1].n)
    names = f"{f'{unit} {first}':<{max(len(columns) - len(last), len(unit) + len(first) + 2)}}{last}"
    return [
        *lines,
        Content.assemble((" " * (margin + 1) + names, "$quiet"))[:width],
        _legend([seat for seat, _ in shown]),
    ]


def _columns(scores: list[list[int]], cells: int) -> list[list[int]]:
    """A column for each cell: the scores that stood then; few changes are stretched, many are thinned out."""
    cells = min(cells, max(len(scores) * 4, LEAST))
    return [scores[cell * len(scores) // cells] for cell in range(cells - 1)] + [scores[-1]]


def _level(score: int, least: int, most: int, rows: int) -> int:
    return round((score - least) * rows / (most - least))


def _tick(level: int, least: int, most: int, rows: int) -> str:
    return str(least + round(level * (most - least) / rows)) if level in (0, rows) or rows <= HEIGHT // 2 else ""


def _line(level: int, levels: list[list[int]], seats: Sequence[Seat], margin: int, tick: str) -> Content:
    cells = [_cell(level, column, seats) for column in levels]
    return Content.assemble((f"{tick:>{margin}}|", "$quiet"), *cells)


def _cell(level: int, column: list[int], seats: Sequence[Seat]) -> tuple[str, str]:
    here = [seat for seat, at in zip(seats, column, strict=True) if at == level]
    if not here:
        return (" ", "$quiet")
    return (here[0].glyph, seat_style(here[0].color)) if len(here) == 1 else (SEVERAL, "bold")


def _legend(seats: Sequence[Seat]) -> Content:
    names = Content("  ").join(
        Content.assemble((f"{seat.glyph} {seat.name}", seat_style(seat.color))) for seat in seats
    )
    return Content.assemble(names, (f"  {SEVERAL} several", "$quiet"))
