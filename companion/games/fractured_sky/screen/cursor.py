"""The cursor on the map, shared by all parts of the page, and what a place on the map answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.display.charts import Spot
from companion.games.fractured_sky.rules.controls import number_of
from companion.games.fractured_sky.rules.picture import PLATFORM
from companion.games.fractured_sky.rules.view import FracturedSkyView, MoveView

WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
ROW_CELLS = 2
"""Cells as wide as a row of the screen is high, about."""
ASIDE = 2
"""Weight of a cell to the side, against one straight ahead."""
ASKS_REGION = frozenset({"public", "turn", "early", "hidden"})
"""Phases in which number n answers with region n."""

LEAST_BESIDE, MOST_BESIDE = 38, 60
"""Cells of what is beside the map."""


def cells_beside(columns: int) -> int:
    """Return the cells beside the map on a screen of `columns` cells."""
    return max(LEAST_BESIDE, min(MOST_BESIDE, columns * 3 // 10))


@dataclass(slots=True)
class MapCursor:
    """The region under the cursor, empty until an arrow key is pressed."""

    region: str = ""
    over: MoveView | None = None
    """The AI's move that was pending when the cursor was moved last."""

    def go(self, region: str, game: FracturedSkyView) -> None:
        """Move to a region."""
        self.region, self.over = region, game.move

    def shown(self, game: FracturedSkyView) -> tuple[str, bool]:
        """Return the region to mark as described, and whether the cursor is there; a move of an AI has its own mark."""
        if self.region:
            return self.region, True
        moving = game.move is not None and _place_of(game.move)
        return ("" if moving else self.described(game)), False

    def start(self, game: FracturedSkyView) -> str:
        """Return the place that the first arrow key starts from: the region marked or described on the screen."""
        return self.region or self.described(game)

    def described(self, game: FracturedSkyView) -> str:
        """Return the place to describe: where a new move of an AI goes, else the region under the cursor.

        Before any arrow key, that is the region of the Public Starfall, or the leftmost one.
        """
        if game.move is not None and game.move != self.over:
            place = _place_of(game.move)
            if place:
                return place
        board = game.table.board
        leftmost = board.left_to_right[0] if board.left_to_right else ""
        return self.region or game.table.public or leftmost


def _place_of(move: MoveView) -> str:
    """Return where a move goes, or the first of the places to choose from; empty for a card on the tray."""
    decision = move.decision
    places = decision.ask if decision.target is None else (decision.target,)
    if not places or decision.card.kind == "scout":
        return ""
    prefix = PLATFORM if decision.card.kind in ("fortress", "market") else ""
    return prefix + places[0]


def beside(spots: Mapping[str, Spot], here: str, way: str) -> str:
    """Return the name of the nearest spot that way, or `here` if there is none; from nowhere, the leftmost spot."""
    if here not in spots:
        return min(spots, key=lambda name: (spots[name].x, spots[name].y), default=here)
    distances = {}
    for name, spot in spots.items():
        distance = _distance(spots[here], spot, WAYS[way])
        if distance is not None:
            distances[name] = distance
    return min(distances, key=lambda name: (distances[name], name), default=here)


def _distance(start: Spot, end: Spot, way: tuple[int, int]) -> int | None:
    """Return how far `end` lies from `start`, or None if it does not lie that way.

    Upwards and downwards a spot has to be a whole row away: two regions that share a line are
    beside each other.
    """
    # from middle to middle, in cells; names of different length share a line
    right = (2 * end.x + end.width - 2 * start.x - start.width) // 2
    down = ROW_CELLS * (end.y - start.y)
    to_the_right, downwards = way
    if to_the_right:
        ahead, aside, least = right * to_the_right, down, 1
    else:
        ahead, aside, least = down * downwards, right, ROW_CELLS
    if ahead < least:
        return None
    return ahead + ASIDE * abs(aside)


def answer_with(game: FracturedSkyView, place: str) -> int | None:
    """Return the number that answers with a region or platform of the map, or None if it answers nothing now."""
    board = game.table.board
    decision = game.move.decision if game.move is not None else None
    if decision is not None and decision.target is None and decision.card.kind != "scout":
        name = place.removeprefix(PLATFORM)
        if name in decision.ask:
            return number_of(board, decision.card.kind, name)
        return None
    if game.phase in ASKS_REGION and place in board.ids:
        return board.ids.index(place) + 1
    return None
