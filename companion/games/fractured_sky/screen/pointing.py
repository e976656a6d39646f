"""Pointing at the map: the region beside another for the cursor, and what a place answers where one is asked for."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.fractured_sky.rules.keys import number_of
from companion.games.fractured_sky.rules.picture import PLATFORM
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.charts import Spot

WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
ROW_CELLS = 2
"""A row of the screen is about as high as two cells are wide."""
ASIDE = 2
"""How much a cell to the side counts, against one straight ahead."""
OF_REGIONS = frozenset({"public", "turn", "early", "hidden"})
"""The phases in which number n answers with region n."""


def beside(spots: Mapping[str, Spot], here: str, way: str) -> str:
    """Return the name of the nearest spot that way, `here` where there is none; the first of all from nowhere."""
    if here not in spots:
        return min(spots, key=lambda name: (spots[name].x, spots[name].y), default=here)
    found = {name: far for name in spots if (far := _distance(spots[here], spots[name], WAYS[way])) is not None}
    return min(found, key=lambda name: (found[name], name), default=here)


def _distance(start: Spot, end: Spot, way: tuple[int, int]) -> int | None:
    """How far `end` lies from `start`, None where that is not the way: two rows that share a line are beside."""
    right = (2 * end.x + end.width - 2 * start.x - start.width) // 2
    down = end.y - start.y
    ahead, aside = (right * way[0], ROW_CELLS * down) if way[0] else (ROW_CELLS * down * way[1], right)
    least = 1 if way[0] else ROW_CELLS
    return ahead + ASIDE * abs(aside) if ahead >= least else None


def answer_with(game: FracturedSkyView, place: str) -> int | None:
    """Return the number that answers with a region or a platform of the map; None where it answers nothing now."""
    decision = game.move.decision if game.move is not None else None
    if decision is not None and decision.target is None and decision.card.kind != "scout":
        name = place.removeprefix(PLATFORM)
        return number_of(game.table.board, decision.card.kind, name) if name in decision.ask else None
    ids = game.table.board.ids
    return ids.index(place) + 1 if game.phase in OF_REGIONS and place in ids else None
