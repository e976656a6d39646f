"""The part beside the log: the way to the score that ends the game, and what the last rounds added."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from companion.dashboard.game_screen import Summary
from companion.dashboard.registry import CURTAIN
from companion.dashboard.widgets.bars import race_rows
from companion.dashboard.widgets.page import key_for_more
from companion.dashboard.widgets.rounds import round_rows
from companion.dashboard.widgets.tables import table_rows
from companion.display.pictures import Race
from companion.games.own.panels import FEW_COUNTERS, compared, overview, way_to_goal
from companion.games.own.rules.view import SheetView
from companion.rules.actions import named
from companion.rules.columns import listed, plural
from companion.rules.ending import ScoresAfter
from companion.session.views import TableView


class OwnSummary(Summary):
    """What a game adds to the cards: bars up to the score that ends it, the last rounds, teams, the table's own
    counters, and the players' counters as bars."""

    def lines(self, view: TableView) -> list[str]:
        game: SheetView = view.game
        lines = super().lines(view)
        if game.secrets and not game.over:
            titles = listed(counter.title for counter in game.secrets.values())
            key = named(CURTAIN.id, CURTAIN.keys[0])
            lines.append(f"Secret {titles}: press {key}, one player at a time.")
        return lines

    def more(self, view: TableView, width: int, most: int) -> list[Content]:
        game: SheetView = view.game
        many = len(game.players[0].counters) > FEW_COUNTERS
        tables = list(table_rows(overview(game, with_counters=many), width))
        if len(tables) > most:
            more = f"{plural(len(tables) - most + 1, 'row')} more: {key_for_more(self.app)}"
            tables[most - 1 :] = [Content.styled(more, "$quiet")]
        blocks = [_rows(way_to_goal(game), width), tables]
        left = most - _rows_of(blocks)
        blocks.insert(1, round_rows(_rounds(game), "", view.players, width, left, _first(game)))
        for counter in () if many else compared(game):
            block = race_rows(counter, width)
            if _rows_of([*blocks, block]) <= most:
                blocks.append(block)
        rows: list[Content] = []
        for block in filter(None, blocks):
            rows += [Content(""), *block] if rows else block
        return rows


def _rows_of(blocks: Sequence[Sequence[Content]]) -> int:
    """Return the rows of the blocks with an empty one after each."""
    return sum(len(block) + 1 for block in blocks if block)


def _rounds(game: SheetView) -> ScoresAfter:
    """Return the scores after each round, by the name of its kind with its number."""
    after = []
    for number, (title, scores) in enumerate(game.rounds, start=1):
        by_player = {player.id: score for player, score in zip(game.players, scores, strict=True)}
        after.append((f"{title} {number}", by_player))
    return tuple(after)


def _first(game: SheetView) -> dict[str, int] | None:
    """Return the scores before the first round, None if all are 0."""
    if not any(game.first):
        return None
    return {player.id: score for player, score in zip(game.players, game.first, strict=True)}


def _rows(race: Race | None, width: int) -> list[Content]:
    return [] if race is None else race_rows(race, width)
