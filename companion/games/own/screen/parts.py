"""The part beside the log: the way to the score that ends the game, and what the last rounds added."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from companion.dashboard.game_screen import Summary
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.tables import table_rows
from companion.games.own.panels import overview
from companion.games.own.rules.view import SheetView
from companion.rules.columns import width as cells_of
from companion.session.views import TableView

FEW_COUNTERS = 3
"""So many counters a player's card shows whole."""
LEAST_BAR = 8
"""Cells of the shortest bar that shows anything."""


class OwnSummary(Summary):
    """What a game adds to the cards: bars up to the score that ends it, the last rounds, teams, the table's own
    counters."""

    def more(self, view: TableView, width: int) -> list[Content]:
        game: SheetView = view.game
        rows = list(race(game, width))
        if rows:
            rows.append(Content(""))
        left = max(1, self.content_size.height - len(rows))
        many = len(game.players[0].counters) > FEW_COUNTERS
        rows += table_rows(overview(game, left, with_counters=many), width)
        return rows


def race(game: SheetView, width: int) -> Iterator[Content]:
    """Yield a bar for each player, full at the score that ends the game; none if the game ends in another way."""
    if game.goal is None or game.over:
        return
    names = max(cells_of(f"{player.glyph} {player.name}") for player in game.players)
    ends = [f"{player.score} of {game.goal}" for player in game.players]
    if any(game.first):  # a score that counts down
        ends = [f"{player.score} left" for player in game.players]
    room = width - names - max(map(len, ends)) - len("    ")
    if room < LEAST_BAR:
        return
    yield Content.styled(f"The game ends at {game.goal}", "bold")
    for player, first, end in zip(game.players, game.first, ends, strict=True):
        done = round(room * _share(first, player.score, game.goal))
        style = seat_style(player.color)
        name = Content.assemble((f"{player.glyph} {player.name}", style))
        yield Content.assemble(
            name.pad_right(names - name.cell_length), "  ",
            ("█" * done, style), ("─" * (room - done), "$quiet"), f"  {end}",
        )  # fmt: skip


def _share(first: int, now: int, goal: int) -> float:
    """Return the part of the way from the first score to the goal, from 0 to 1."""
    if goal == first:
        return 0.0
    return min(1.0, max(0.0, (now - first) / (goal - first)))
