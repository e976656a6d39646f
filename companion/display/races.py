"""Draws a race in cells: a bar in each player's color.

● Ada  ████████────────  8 of 16
▲ Ben  ████────────────  4 of 16
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.display.cells import QUIET, Line, Pen, Run
from companion.display.pictures import Race
from companion.rules.columns import fit, width

FULL, REST = "█", "─"
_MOST_NAME, _MOST_BAR = 24, 60
_GAP = "  "


def race_lines(race: Race, columns: int) -> Iterator[Line]:
    """Yield a line for each lane in at most `columns`; names give way to the bars."""
    names = [f"{lane.player.glyph} {lane.player.name}" for lane in race.lanes]
    ends = max((width(lane.end) for lane in race.lanes), default=0)
    room = max(2, columns - ends - 2 * len(_GAP))
    label = min(_MOST_NAME, room // 2, max(map(width, names), default=0))
    bar = min(_MOST_BAR, room - label)
    before = None
    for lane, name in zip(race.lanes, names, strict=True):
        pen = Pen("strong", lane.player.color)
        done = min(bar, round(bar * lane.part))
        if lane.part > 0:
            done = max(1, done)
        shown = "" if lane.player.id == before else name
        rest = REST if race.goal else " "
        yield (
            Run(fit(shown, label), pen),
            Run(f"{_GAP}{FULL * done}", pen),
            Run(rest * (bar - done), QUIET),
            Run(f"{_GAP}{' ' * (ends - width(lane.end))}{lane.end}", Pen()),
        )
        before = lane.player.id
