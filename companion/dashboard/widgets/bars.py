"""Horizontal bars in their players' colors: how far a score is, how long something took. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.display.pictures import Lane, Race
from companion.display.races import FULL, REST
from companion.rules.columns import width as cells_of

LEAST_BAR = 8
"""Cells of the narrowest room for bars: shorter ones show no difference."""
LEAST_NAME = 5
"""Cells of the shortest name, with its glyph."""
LEFT_HALF = "▌"


def player_bar_rows(
    title: str, bars: Sequence[Lane], width: int, rest: str = REST
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


def race_rows(race: Race, width: int) -> list[Content]:
    """Return a declared race, its title above; none without room."""
    return player_bar_rows(race.title, race.lanes, width, REST if race.goal else " ")


def _style(bar: Lane) -> str:
    return seat_style(bar.player.color)


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar on a scale of its own: what is before it, its length, and the text after it.

    `length` is in any unit; None if it is unknown, so that there is the text alone.
    """

    label: Content
    length: int | None
    text: str
    style: str


def bar_rows(bars: Sequence[Bar], width: int, longest: int = 0) -> list[Content]:
    """Return a row of at most `width` cells for each bar, all on one scale.

    The `longest` of other bars on the same scale can be given. Where there is no room for bars,
    there are their labels and texts.
    """
    if not bars:
        return []
    label_cells = max(bar.label.cell_length for bar in bars)
    text_cells = max((len(bar.text) for bar in bars if bar.length is not None), default=0)
    cells = width - label_cells - text_cells - 2
    most = max(longest, 1, *(bar.length or 0 for bar in bars))
    rows = []
    for bar in bars:
        parts = [bar.label.pad_right(label_cells - bar.label.cell_length), Content(" ")]
        if bar.length is not None and cells >= LEAST_BAR:
            halves = max(1, round(2 * cells * bar.length / most))
            signs = FULL * (halves // 2) + LEFT_HALF * (halves % 2)
            parts.append(Content.styled(f"{signs} ", bar.style))
        parts.append(Content(bar.text))
        rows.append(Content("").join(parts).truncate(width, ellipsis=True))
    return rows
