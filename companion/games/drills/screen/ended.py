"""The times of a finished session as bars."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.plots import Bar, bar_rows
from companion.games.drills.rules.text import in_seconds
from companion.games.drills.rules.view import ALL, DrillsView, PlayerView, StringView
from companion.rules.pauses import Span

GAP = 3  # cells between two players
LEAST = 30  # minimum cells of a player side by side with others


def time_rows(game: DrillsView, width: int) -> list[Content]:
    """Return a bar for each string of each player, all on one scale.

    The players are side by side where there is room, else one below the other.
    """
    shown = [(player, _bars(game, player)) for player in game.players]
    shown = [(player, bars) for player, bars in shown if bars]
    if not shown:
        return []
    longest = max(bar.length or 0 for _, bars in shown for bar in bars)
    cells = (width + GAP) // len(shown) - GAP
    beside = cells >= LEAST
    blocks = []
    for player, bars in shown:
        name = Content.styled(f"{player.glyph} {player.name}", f"bold {seat_style(player.color)}")
        rows = bar_rows(bars, cells if beside else width, longest)
        blocks.append([name.truncate(cells if beside else width, ellipsis=True), *rows])
    if not beside:
        return [row for block in blocks for row in block]
    lines = []
    for parts in zip_longest(*blocks, fillvalue=Content("")):
        padded = [part.pad_right(cells - part.cell_length) for part in parts]
        lines.append(Content(" " * GAP).join(padded).rstrip())
    return lines


def _bars(game: DrillsView, player: PlayerView) -> list[Bar]:
    style = seat_style(player.color)
    bars = []
    for string, span in _strings(game, player):
        label = Content.styled(f"{string.number:>2}", "$quiet")
        if span is None:
            bars.append(Bar(label, None, string.ended, style))
        else:
            bars.append(Bar(label, span.us, in_seconds(span), style))
    return bars


def _strings(game: DrillsView, player: PlayerView) -> Iterator[tuple[StringView, Span | None]]:
    """Yield the player's strings with what each came to, None if it does not count."""
    for string in game.strings:
        if string.name == player.name:
            yield string, string.result
        elif string.name == ALL:
            yield string, dict(string.times).get(player.name)
