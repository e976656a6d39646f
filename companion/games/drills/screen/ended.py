"""The times of a finished session as bars."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.bars import Bar, bar_rows
from companion.games.drills.panels import margin
from companion.games.drills.rules.text import in_seconds
from companion.games.drills.rules.view import ALL, DrillsView, PlayerView
from companion.rules.spans import NOT_MEASURED

GAP = 3  # cells between two players
LEAST = 30  # minimum cells of a player side by side with others


def ended_rows(game: DrillsView, width: int) -> list[Content]:
    """Return a bar for each time, all on one scale.

    Strings of one player each are by player, side by side where there is room. Strings of all
    players at once are one below the other, each with who was first.
    """
    if any(string.name == ALL for string in game.strings):
        return list(_duel_rows(game, width))
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


def _duel_rows(game: DrillsView, width: int) -> Iterator[Content]:
    """Yield for each string of all players who was first, and everybody's time."""
    players = {player.name: player for player in game.players}
    longest = max(
        (span.us for string in game.strings for _, span in string.times if span is not None),
        default=0,
    )
    for string in game.strings:
        if string.number > 1:
            yield Content("")
        head = Content.styled(f"{string.number}  {string.ended}{margin(string)}", "bold")
        yield head.truncate(width, ellipsis=True)
        bars = []
        for name, span in string.times:
            if name in players:
                style = seat_style(players[name].color)
                label = Content.styled(f"{players[name].glyph} {name}", style)
                if span is None:
                    bars.append(Bar(label, None, "unknown", style))
                elif span.tapped:
                    bars.append(Bar(label, None, NOT_MEASURED, style))
                else:
                    bars.append(Bar(label, span.us, in_seconds(span), style))
        yield from bar_rows(bars, width, longest)


def _bars(game: DrillsView, player: PlayerView) -> list[Bar]:
    style = seat_style(player.color)
    bars = []
    for string in game.strings:
        if string.name != player.name:
            continue
        label = Content.styled(f"{string.number:>2}", "$quiet")
        if string.result is None:
            bars.append(Bar(label, None, string.ended, style))
        else:
            bars.append(Bar(label, string.result.us, in_seconds(string.result), style))
    return bars
