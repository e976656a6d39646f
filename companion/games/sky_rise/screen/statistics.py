"""The statistics of Sky Rise: points, colors level by level, groups, columns, and the tower."""

from __future__ import annotations

from textual.content import Content

from companion.games.sky_rise.rules.view import SkyRiseView
from companion.games.sky_rise.screen.seat_text import result_rows
from companion.games.sky_rise.screen.side import column_rows, group_rows

WIDTH = 74
"""Cells that a page has on the smallest screen."""


def statistics(game: SkyRiseView) -> Content:
    """Return the page."""
    blocks = [
        [_title("The tower"), *(Content(line) for line in game.picture)],
        [_title("Points"), *result_rows(game)],
        [_title("Color totals (SR-10)"), *_colors(game)],
        [_title("Groups and columns"), *_groups(game)],
    ]
    if game.notes:
        blocks.append([_title("Open"), *(Content(f"  {note}") for note in game.notes)])
    return Content("\n\n").join(Content("\n").join(block) for block in blocks)


def _title(text: str) -> Content:
    return Content.assemble((text, "bold"))


def _colors(game: SkyRiseView) -> list[Content]:
    levels = [level for level in game.levels if level.size is not None]
    head = "".join(f"{level.name + ('' if level.complete else ' so far'):>17}" for level in levels)
    rows = [Content.assemble((f"  {'':<12}{head}{'total':>7}", "$quiet"))]
    for color in game.colors:
        points = "".join(f"{dict(level.scores).get(color.name, 0):>17}" for level in levels)
        rows.append(Content.assemble(f"  {color.letter} {color.name:<10}{points}", (f"{color.total:>7}", "bold")))
    return rows


def _groups(game: SkyRiseView) -> list[Content]:
    rows = [row for level in game.levels for row in group_rows(game, level, WIDTH)]
    return rows + (column_rows(game, WIDTH) or [Content("no column yet")])
