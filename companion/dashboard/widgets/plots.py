"""A session plotted in characters: scores over rulings, draws and shots of a round. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.display.races import FULL
from companion.rules.ending import ScoresAfter
from companion.rules.facts import Moment, Seat
from companion.rules.spans import US_PER_S
from companion.session.marshal_view import MarshalView, RulingLine
from companion.session.score_history import ScoreHistory

HEIGHT = 8  # maximum rows of a plot by default
LEAST = 24  # minimum width of a plot
SLOTS = (7, 5, 4, 3, 2, 1)
"""Cells of a player's bar with the gap after it, widest first; the narrowest has no gap."""
NAME_CELLS = 12  # the width of a lane's name
LEAST_CELLS = 20  # minimum width of a lane
LANE_ROWS = 3  # maximum rows of a lane of scores
EIGHTHS = " ▁▂▃▄▅▆▇█"
UPPER_HALF = "▀"


@dataclass(frozen=True, slots=True)
class _Scores:
    """The scores to plot: the players, the names of the steps, and what each has after each."""

    players: tuple[Seat, ...]
    names: tuple[str, ...]
    after: tuple[tuple[int, ...], ...]

    @property
    def least(self) -> int:
        return min(0, *map(min, self.after))

    @property
    def most(self) -> int:
        return max(0, *map(max, self.after))

    @property
    def span(self) -> int:
        return max(1, self.most - self.least)


CHANGE = "change"
"""What a step of a plot is called where scores are not by round."""


def changes_of(history: ScoreHistory) -> ScoresAfter:
    """Return the scores after each change, numbered from 1: people do not count a record's entries."""
    return tuple((str(number), step.scores) for number, step in enumerate(history, start=1))


def score_plot(
    scores: ScoresAfter,
    players: Sequence[Seat],
    width: int,
    step: str = CHANGE,
    height: int = HEIGHT,
    unit: str = "points",
    *,
    legend: bool = True,
) -> list[Content]:
    """Return a plot of scores over steps, each called a `step`, in lines of `width` cells.

    Where they fit, it has bars: for each step one of each player, side by side, with the player's
    glyph below it. Else each player has a lane of their own. No two players ever share a cell.
    `unit` names what is counted, `height` is the rows above those with the glyphs and names. A
    `legend` says whose glyphs they are. Empty if there is nothing to plot or no room.
    """
    scored = tuple(player for player in players if scores and player.id in scores[-1][1])
    if not scored or width < LEAST or height < 1:
        return []
    names = tuple(name for name, _ in scores)
    after = tuple(tuple(by_id.get(player.id, 0) for player in scored) for _, by_id in scores)
    plotted = _Scores(scored, names, after)
    margin = max(len(step), len(str(plotted.least)), len(str(plotted.most))) + 1
    for slot in SLOTS:
        if len(names) * _group_cells(plotted, slot) <= width - margin:
            rows = _bars(plotted, margin, width, slot, step, height, unit)
            return [*rows, _legend(scored)] if legend else rows
    return _lanes(plotted, width, step, height, unit)


def _group_cells(scores: _Scores, slot: int) -> int:
    """Return the cells of one step: its bars, and the gap that separates it from the next step."""
    return len(scores.players) * slot + 1


def _bars(
    scores: _Scores, margin: int, width: int, slot: int, step: str, height: int, unit: str
) -> list[Content]:
    """Return a group of bars for each step, spread over the width, with its scores above them."""
    bar = max(1, slot - 1)
    steps = len(scores.names)
    starts = [margin + place * (width - margin) // steps for place in range(steps)]
    numbers = all(len(str(score)) <= bar for after in scores.after for score in after)
    rows = max(1, height - 1 - numbers)  # a row for the unit, another for the highest number
    below = 0
    if scores.least < 0:
        below = max(1, round(rows * -scores.least / scores.span))
    above = max(1, rows - below)
    canvas = [[(" ", "")] * width for _ in range(numbers + above + below)]
    for start, after in zip(starts, scores.after, strict=True):
        for place, (player, score) in enumerate(zip(scores.players, after, strict=True)):
            cells = _bar(score, scores, above, below)
            column = start + place * slot
            for row, sign in enumerate(cells, start=numbers):
                canvas[row][column : column + bar] = [(sign, seat_style(player.color))] * bar
            if numbers:
                # In the row above the bar: the canvas has one more row than the bar, at its top.
                filled = [row for row, sign in enumerate(cells) if sign != " "]
                top = min((*filled, above))
                text = str(score)
                canvas[top][column : column + len(text)] = [(sign, "bold") for sign in text]
    ticks = ["" for _ in canvas]
    ticks[numbers], ticks[-1] = str(scores.most), str(scores.least)
    glyphs = [(" ", "")] * width
    for start in starts:
        for place, player in enumerate(scores.players):
            glyphs[start + place * slot] = (player.glyph, f"bold {seat_style(player.color)}")
    axis = _names_below(scores.names, starts, margin, width, step)
    return [
        Content.styled(unit, "$quiet"),
        *(
            Content.assemble((f"{tick:>{margin - 1}}|", "$quiet"), *row[margin:])
            for tick, row in zip(ticks, canvas, strict=True)
        ),
        Content.assemble(*glyphs),
        Content.styled(axis, "$quiet"),
    ]


def _bar(score: int, scores: _Scores, above: int, below: int) -> list[str]:
    """Return the signs of a bar from its highest row to its lowest, some of them below zero."""
    eighths = 0
    if score > 0:
        eighths = max(1, round(8 * above * score / scores.most))
    halves = 0
    if score < 0:
        halves = max(1, round(2 * below * score / scores.least))
    cells = [EIGHTHS[max(0, min(8, eighths - 8 * row))] for row in reversed(range(above))]
    for row in range(below):
        rest = halves - 2 * row
        if rest >= 2:
            cells.append(FULL)
        else:
            cells.append(UPPER_HALF if rest == 1 else " ")
    return cells


def _names_below(
    names: Sequence[str], starts: Sequence[int], margin: int, width: int, step: str
) -> str:
    """Return the name of each step at its beginning, or only the first and last if some do not
    fit."""
    ends = (*starts[1:], width + 1)
    if any(len(name) >= end - start for name, start, end in zip(names, starts, ends, strict=True)):
        first = f"{step} {names[0]}".ljust(width - len(names[-1]))
        return f"{first}{names[-1]}"
    row = f"{step:<{margin}}"
    for name, start, end in zip(names, starts, ends, strict=True):
        row += f"{name:<{end - start}}"
    return row[:width].rstrip()


def _lanes(scores: _Scores, width: int, step: str, height: int, unit: str) -> list[Content]:
    """Return a lane for each player with the scores from the first step to the last."""
    totals = [str(score) for score in scores.after[-1]]
    total_cells = max(map(len, totals))
    cells = width - NAME_CELLS - total_cells - 2
    if cells < LEAST_CELLS:
        return []
    rows = max(1, min(LANE_ROWS, (height - 1) // len(scores.players)))
    lines = [Content.styled(f"{unit}, each line from {scores.least} to {scores.most}", "$quiet")]
    columns = _columns(scores.after, cells)
    for place, (player, total) in enumerate(zip(scores.players, totals, strict=True)):
        style = seat_style(player.color)
        name = Content.styled(f"{player.glyph} {player.name}", style)
        name = name.truncate(NAME_CELLS - 1, ellipsis=True, pad=True)
        eighths = [
            max(1, round(8 * rows * (column[place] - scores.least) / scores.span))
            for column in columns
        ]
        for row in reversed(range(rows)):
            line = "".join(EIGHTHS[max(0, min(8, level - 8 * row))] for level in eighths)
            head = name if row == 0 else Content(" " * (NAME_CELLS - 1))
            end = f"  {total:>{total_cells}}" if row == 0 else ""
            lines.append(Content.assemble(head, " ", (line, style), (end, "bold")))
    first, last = f"{step} {scores.names[0]}", scores.names[-1]
    axis = f"{' ' * NAME_CELLS}{first:<{max(len(first) + 1, cells - len(last))}}{last}"
    return [*lines, Content.styled(axis[:width], "$quiet")]


def _columns(scores: Sequence[tuple[int, ...]], cells: int) -> list[tuple[int, ...]]:
    """Return the scores for each cell; few steps are stretched, many are thinned out."""
    return [scores[cell * len(scores) // cells] for cell in range(cells - 1)] + [scores[-1]]


def _legend(seats: Sequence[Seat]) -> Content:
    return Content("  ").join(
        Content.assemble((f"{seat.glyph} {seat.name}", seat_style(seat.color))) for seat in seats
    )


SHOTS = frozenset({"shot", "dry_pull", "knock"})
DRAW, SHOT, SEVERAL_HERE = "|", "X", "#"
LEGEND = f"{DRAW} draw   {SHOT} shot   {SEVERAL_HERE} several"


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
