"""What the page of a game that is over shows, in any size. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from textual.content import Content

from companion.dashboard.big.board import largest
from companion.dashboard.big.letters import HEIGHT, can_draw, drawn, width
from companion.dashboard.plots.scores import SEVERAL, score_plot
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.scan_code import GAP, beside_code, fits
from companion.rules.ending import Ending, ScoresAfter
from companion.rules.panels import SeatLine
from companion.session.score_history import Course, ScoreStep

BESIDE = 72
"""Columns from which the chart stands beside the table."""
BLOCKS = frozenset(" ▀▄█")
NAME = 20
"""Cells that a name takes at most."""
FEW_ROWS = 14
"""Rows below which there are no large letters."""


@dataclass(frozen=True, slots=True)
class GameOver:
    """A game that is over: the players with their scores, what the scores count, who left, and how these came about for
    a game that does not say it round by round."""

    ending: Ending
    players: tuple[SeatLine, ...]
    unit: str
    left: frozenset[str] = frozenset()
    course: Course | None = None


def game_over_rows(over: GameOver, answer: str, columns: int, rows: int) -> list[Content]:
    """Return the winner's name as large as it fits, what happened and what decided it, the `answer` to the last key,
    then the final table and the chart. A code to scan in the answer takes their place, where there is room for it."""
    ending = over.ending
    code = [line for line in answer.splitlines() if set(line) <= BLOCKS]
    words = [line for line in answer.splitlines() if line not in code]
    if fits(code, columns, rows):
        return beside_code(code, [ending.headline, "", *words], columns)
    answers = [line for each in words for line in Content(each).wrap(columns)]
    said = Content.assemble((ending.headline, "bold"))
    told = [*said.wrap(columns), *(Content(ending.decided).wrap(columns) if ending.decided else ()), *answers]
    letters = _letters(over, columns, rows - len(told))
    top = [*letters, *told, Content("")]
    return [*top, *_below(over, columns, rows - len(top))]


def _letters(over: GameOver, columns: int, rows: int) -> list[Content]:
    """The names of the winners, side by side; nothing where these cannot be drawn, or have no room."""
    winners = [player for player in over.players if player.id in over.ending.winners]
    names = [player.name.upper() for player in winners] or ["NO WINNER"]
    text = " + ".join(names)
    if rows < FEW_ROWS or not can_draw(text):
        return []
    across, down = largest([text], columns, max(HEIGHT, rows // 4))
    if width(text, across) > columns:
        return []
    styles = [seat_style(player.color) for player in winners] or ["$quiet"]
    parts = [[(row, style) for row in drawn(name, across, down)] for name, style in zip(names, styles, strict=True)]
    plus = drawn(" + ", across, down)
    return [*(_joined(row, between) for row, between in zip(zip(*parts, strict=True), plus, strict=True)), Content("")]


def _joined(parts: Sequence[tuple[str, str]], between: str) -> Content:
    gap = Content.assemble((between, "$quiet"))
    return gap.join(Content.assemble(part) for part in parts)


def _below(over: GameOver, columns: int, rows: int) -> list[Content]:
    if columns < BESIDE:
        table = [*_table(over, columns), *_revealed(over)]
        return [*table, Content(""), *_chart(over, columns, 8)]
    table = [*_table(over, columns * 3 // 5), *_revealed(over)]
    across = max(row.cell_length for row in table)
    chart = _chart(over, columns - across - len(GAP), max(4, min(12, rows - 3)))
    blank = Content(" " * across)
    pairs = zip_longest((row.pad_right(across - row.cell_length) for row in table), chart, fillvalue=None)
    return [Content(GAP).join((left or blank, right or Content(""))) for left, right in pairs]


def _table(over: GameOver, columns: int) -> list[Content]:
    """The players by their scores, those who share a place with one number, with what each round brought them where
    there is room."""
    ranked = sorted(over.players, key=lambda player: _rank(over, player))
    places = [1 + sum(_rank(over, other) < _rank(over, player) for other in ranked) for player in ranked]
    gains = _gains(over.ending.after, [player.id for player in ranked])
    grid = [("", over.unit, *(name for name, _ in over.ending.after), "")]
    for place, player in zip(places, ranked, strict=True):
        grid.append((f"{place}.", player.score, *gains[player.id], _word(over, player)))
    names = [Content(""), *(_name(player) for player in ranked)]
    table = _aligned(grid, names)
    return table if table[0].cell_length <= columns else _aligned([(*row[:2], row[-1]) for row in grid], names)


def _revealed(over: GameOver) -> list[Content]:
    """What the end brought to light, by the players' glyphs: `▲ Nest red 20, Tree blue 12`."""
    rows = [
        Content.assemble((f"{player.glyph} ", seat_style(player.color)), over.ending.revealed[player.id])
        for player in sorted(over.players, key=lambda player: _rank(over, player))
        if player.id in over.ending.revealed
    ]
    return [Content(""), *rows] if rows else []


def _rank(over: GameOver, player: SeatLine) -> tuple[bool, bool, int]:
    """What the players are ordered by: who left is last, winners are first."""
    score = int(player.score) if player.score.lstrip("-").isdecimal() else 0
    return player.id in over.left, player.id not in over.ending.winners, -score


def _word(over: GameOver, player: SeatLine) -> str:
    return "winner" if player.id in over.ending.winners else "left" if player.id in over.left else ""


def _name(player: SeatLine) -> Content:
    name = Content.assemble((f"{player.glyph} {player.name}", seat_style(player.color)))
    return name.truncate(NAME, ellipsis=True)


def _gains(after: ScoresAfter, players: Sequence[str]) -> dict[str, list[str]]:
    """What each round brought each player; a dot for nothing."""
    rows: dict[str, list[str]] = {player: [] for player in players}
    before: Mapping[str, int] = {}
    for _, scores in after:
        for player, row in rows.items():
            gain = scores.get(player, 0) - before.get(player, 0)
            row.append(f"{gain:+d}" if gain else ".")
        before = scores
    return rows


def _aligned(grid: Sequence[tuple[str, ...]], names: Sequence[Content]) -> list[Content]:
    """The rows of a table: the place, the name, the score in bold, the other cells, all to the right but name and
    word."""
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    name = max(each.cell_length for each in names)
    rows = []
    for each, (place, score, *gains, word) in zip(names, grid, strict=True):
        more = "".join(f"  {gain:>{cells}}" for gain, cells in zip(gains, widths[2:], strict=False))
        padded = each.pad_right(name - each.cell_length)
        style = "bold" if place else "$quiet"
        last = f"  {word:<{widths[-1]}}" if widths[-1] else ""
        rows.append(
            Content.assemble(
                (f"{place:>{widths[0]}} ", "$quiet"), padded, (f"  {score:>{widths[1]}}", style), (more, "$quiet"), last
            )
        )
    return rows


def _chart(over: GameOver, columns: int, rows: int) -> list[Content]:
    """The scores round by round, or fact by fact for a game that does not say them so. The table tells the glyphs."""
    *plot, _ = _plot(over, columns, rows) or [Content("")]
    several = any(SEVERAL in row.plain for row in plot)
    return [*plot, Content.assemble((f"{SEVERAL} several", "$quiet"))] if several else plot


def _plot(over: GameOver, columns: int, rows: int) -> list[Content]:
    after = over.ending.after
    if len(after) < 2:
        return [] if over.course is None else score_plot(over.course, over.players, columns, height=rows)
    ids = tuple(player.id for player in over.players)
    steps = tuple(
        ScoreStep(number, "", (), tuple(scores.get(player, 0) for player in ids))
        for number, (_, scores) in enumerate(after, start=1)
    )
    return score_plot(Course(ids, steps), over.players, columns, "round", [name for name, _ in after], rows)
