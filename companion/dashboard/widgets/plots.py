"""A session plotted in characters: scores over rulings, draws and shots of a round. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.rules.ending import ScoresAfter
from companion.rules.facts import Moment, Seat
from companion.rules.spans import US_PER_S
from companion.session.marshal_view import MarshalView, RulingLine

HEIGHT = 8  # maximum rows of a plot by default
LEAST = 24  # minimum width of a plot
NARROW, WIDE = 4, 9  # maximum cells of a step without and with its name
SEVERAL = "&"  # for several seats with the same score


def score_plot(
    scores: ScoresAfter,
    players: Sequence[Seat],
    width: int,
    unit: str = "entry",
    height: int = HEIGHT,
    *,
    named: bool = False,
) -> list[Content]:
    """Return a plot of scores in lines of `width` cells, at most `height` rows above its axis.

    Each step gets columns, each player a glyph. Below are the steps' names, if `named` and they
    fit, else the first and last, called a `unit` each. Empty while no score has changed.
    """
    scored = [player for player in players if scores and player.id in scores[-1][1]]
    if not scored or width < LEAST or height < 1:
        return []
    names = [name for name, _ in scores]
    after = [[step.get(player.id, 0) for player in scored] for _, step in scores]
    least = min(0, *map(min, after))
    most = max(1, *map(max, after))
    rows = min(height, most - least)
    margin = max(len(str(least)), len(str(most))) + 1
    wide = WIDE if named else NARROW
    cells = min(width - margin - 1, max((len(after) + 1) * wide, LEAST))
    columns = _columns([[0] * len(scored), *after], cells)
    levels = [
        [round((score - least) * rows / (most - least)) for score in column] for column in columns
    ]
    lines = []
    for level in range(rows, -1, -1):
        tick = ""
        if level in (0, rows) or rows <= HEIGHT // 2:  # a high plot is labelled at its ends only
            tick = str(least + round(level * (most - least) / rows))
        row = [_cell(level, column, scored) for column in levels]
        lines.append(Content.assemble((f"{tick:>{margin}}|", "$quiet"), *row))
    below = _named(names, len(columns)) if named else ""
    if not below:
        first = f"{unit} {names[0]}"
        room = max(len(columns) - len(names[-1]), len(first) + 1)
        below = f"{first:<{room}}{names[-1]}"
    axis = Content.assemble((" " * (margin + 1) + below, "$quiet"))[:width]
    return [*lines, axis, _legend(scored)]


def _named(names: Sequence[str], cells: int) -> str:
    """Return each name at the beginning of its step, "" if one does not fit."""
    starts = [-(-place * cells // (len(names) + 1)) for place in range(1, len(names) + 1)]
    row = " " * starts[0]
    for name, (start, end) in zip(names, pairwise((*starts, cells + 1)), strict=True):
        room = end - start
        if len(name) >= room:
            return ""
        row += f"{name:<{room}}"
    return row


def _columns(scores: list[list[int]], cells: int) -> list[list[int]]:
    """Return the scores for each cell; few steps are stretched, many are thinned out."""
    return [scores[cell * len(scores) // cells] for cell in range(cells - 1)] + [scores[-1]]


def _cell(level: int, column: list[int], seats: Sequence[Seat]) -> tuple[str, str]:
    here = [seat for seat, at in zip(seats, column, strict=True) if at == level]
    if not here:
        return (" ", "$quiet")
    if len(here) > 1:
        return (SEVERAL, "bold")
    return (here[0].glyph, seat_style(here[0].color))


def _legend(seats: Sequence[Seat]) -> Content:
    names = Content("  ").join(
        Content.assemble((f"{seat.glyph} {seat.name}", seat_style(seat.color))) for seat in seats
    )
    return Content.assemble(names, (f"  {SEVERAL} several", "$quiet"))


SHOTS = frozenset({"shot", "dry_pull", "knock"})
DRAW, SHOT, SEVERAL_HERE = "|", "X", "#"
LEGEND = f"{DRAW} draw   {SHOT} shot   {SEVERAL_HERE} several"
NAME_CELLS = 12  # the width of a lane's name
LEAST_CELLS = 20  # minimum width of a lane


ShotMark = tuple[int, object]
"""Microseconds since the round's beginning, and the seat; None is the gun."""


def shot_plot(
    view: MarshalView, seats: Sequence[Seat], starts: Collection[str], width: int
) -> list[Content]:
    """Return the last round, counted from the last fact in force of a kind in `starts`.

    Each seat has a lane with its draws, the gun one with its shots; seconds and a legend follow.
    Empty if no clock ran, or nothing was timed by it.
    """
    marks, cells = _marks(view.rulings, starts), width - NAME_CELLS
    if not marks or cells < LEAST_CELLS:
        return []
    span_us = max(US_PER_S, *(us for us, _ in marks))

    def lane(name: str, style: str, seat: object, sign: str) -> Content:
        row = ["."] * cells
        for us, whose in marks:
            if whose == seat:
                cell = us * (cells - 1) // span_us
                row[cell] = sign if row[cell] == "." else SEVERAL_HERE
        named = Content.assemble((name, style)).truncate(NAME_CELLS - 1, ellipsis=True, pad=True)
        return Content.assemble(named, " ", "".join(row))

    lanes = [
        lane(f"{seat.glyph} {seat.name}", seat_style(seat.color), seat.id, DRAW) for seat in seats
    ]
    return [*lanes, lane("gun", "bold", None, SHOT), _seconds(span_us, cells)]


def _marks(rulings: Sequence[RulingLine], starts: Collection[str]) -> list[ShotMark]:
    """Return the draws and shots of the last round by the clock of its beginning."""
    start: Moment | None = None
    marks: list[ShotMark] = []
    for line in rulings:
        if not line.stands or line.problem is not None or line.at is None:
            continue
        if line.kind in starts:
            start, marks = line.at, []
        elif start is None or line.at.clock != start.clock:
            continue
        elif line.kind == "draw":
            marks.append((max(0, line.at.us - start.us), line.body.get("seat")))
        elif line.kind in SHOTS:
            marks.append((max(0, line.at.us - start.us), None))
    return marks


def _seconds(span_us: int, cells: int) -> Content:
    end = f"{span_us / US_PER_S:.1f} s"
    between = cells - 1 - len(end)
    legend = LEGEND if len(LEGEND) + 2 <= between else ""
    return Content.assemble((f"{' ' * NAME_CELLS}0{legend.center(between)}{end}", "$quiet"))
