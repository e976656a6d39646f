"""Bars in their players' colors: how far a score is, how long something took. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.rules.columns import width as cells_of
from companion.rules.facts import Seat

LEAST_BAR = 8
"""Cells of the narrowest room for bars: shorter ones show no difference."""
LEAST_NAME = 5
"""Cells of the shortest name, with its glyph."""
FULL, REST = "█", "─"


@dataclass(frozen=True, slots=True)
class PlayerBar:
    """A player's bar: the part from 0 to 1 that is full, and what is written behind it."""

    player: Seat
    part: float
    end: str


def player_bar_rows(
    title: str, bars: Sequence[PlayerBar], width: int, rest: str = REST
) -> list[Content]:
    """Return the title and a row of `width` cells for each bar, `rest` where it is not full; none without room.

    Names give way to the bars. Of several bars of a player in a row the first has the name.
    """
    names = [Content.styled(f"{bar.player.glyph} {bar.player.name}", _style(bar)) for bar in bars]
    widest = max((name.cell_length for name in names), default=0)
    ends = max((cells_of(bar.end) for bar in bars), default=0)
    widest = min(widest, width - ends - len("    ") - LEAST_BAR)
    if not bars or widest < LEAST_NAME:
        return []
    room = width - widest - ends - len("    ")
    rows = [Content.styled(title, "bold")]
    before = None
    for bar, name in zip(bars, names, strict=True):
        done = min(room, round(room * bar.part))
        if bar.part > 0:
            done = max(1, done)
        shown = Content() if bar.player.id == before else name.truncate(widest, ellipsis=True)
        rows.append(
            Content.assemble(
                shown.pad_right(widest - shown.cell_length), "  ",
                (FULL * done, _style(bar)), (rest * (room - done), "$quiet"),
                f"  {bar.end:>{ends}}",
            )
        )  # fmt: skip
        before = bar.player.id
    return rows


def _style(bar: PlayerBar) -> str:
    return seat_style(bar.player.color)
