"""The map as a picture: regions and platforms where they lie, bridges between them, what stands on each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from textual.content import Content

from companion.games.fractured_sky.rules.board import Board, platform_point
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.games.fractured_sky.screen.canvas import Canvas
from companion.games.fractured_sky.screen.layout import ROWS, Spot, Thing, arranged, in_reading_order
from companion.games.fractured_sky.screen.marks import keys_of, platform_lines, region_line

LEAST_REGION = 9
PLATFORM = "platform "  # before a platform's id, which may be that of a region as well
CURSOR = ">"
"""Between the key and the name of the region under the cursor, so that nothing moves aside for it."""
AIRY = 4
"""Rows for each line of things from which on bridges are drawn: closer together, lines would tell less than digits."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What stands somewhere on the picture: two lines, and whether an AI's move points at it."""

    id: str
    head: str
    below: str
    region: bool
    pointed: bool


def picture(game: FracturedSkyView, width: int, height: int, cursor: str = "") -> tuple[list[Content], dict[str, Spot]]:
    """Return the map in `width` by `height` cells, the region `cursor` marked, and where each region and platform
    stands in it."""
    board = game.table.board
    highlighted = game.move.highlight if game.move is not None else ()
    drawn = {one.id: one for one in _drawn(game, highlighted if _on_the_map(game) else (), cursor)}
    spots = arranged(_things(board, drawn, width), width, height)
    canvas = Canvas(width, height)
    for name, one in drawn.items():
        _write(canvas, one, spots[name], under=name == cursor)
    if board.places_known and height >= AIRY * len({spot.y for spot in spots.values()}):
        _bridges(canvas, board, spots)
    return canvas.rows(), spots


def _on_the_map(game: FracturedSkyView) -> bool:
    return game.move is not None and game.move.decision.card.kind != "scout"


def _drawn(game: FracturedSkyView, highlighted: Collection[str], cursor: str) -> list[Drawn]:
    board, keys = game.table.board, keys_of(game)
    building = game.move is not None and game.move.decision.card.kind in ("fortress", "market")
    regions = [
        Drawn(
            region.id,
            f"{keys[region.id]}{CURSOR if region.id == cursor else ' '}{region.name}".strip(),
            region_line(game, region.id),
            region=True,
            pointed=not building and region.id in highlighted,
        )
        for region in board.regions
    ]
    platforms = [
        Drawn(
            PLATFORM + platform.id,
            *platform_lines(game, platform),
            region=False,
            pointed=building and platform.id in highlighted,
        )
        for platform in board.platforms
    ]
    return regions + platforms


def _things(board: Board, drawn: dict[str, Drawn], width: int) -> list[Thing]:
    places = dict(in_reading_order(list(drawn), width, 16))
    if board.places_known:
        places |= {region.id: region.point for region in board.regions if region.point is not None}
        points = {PLATFORM + each.id: platform_point(board, each) for each in board.platforms}
        places |= {name: point for name, point in points.items() if point is not None}
    return [_thing(one, places[one.id]) for one in drawn.values()]


def _thing(one: Drawn, place: tuple[Fraction, Fraction]) -> Thing:
    head = len(one.head) + 2 * one.pointed
    wanted = max(head, len(one.below))
    least = max(min(head, LEAST_REGION), len(one.below)) if one.region else wanted
    return Thing(one.id, place[0], place[1], wanted, least)


def _write(canvas: Canvas, one: Drawn, spot: Spot, *, under: bool) -> None:
    room = spot.width - 2 * one.pointed
    head = one.head if len(one.head) <= room else one.head[: max(1, room - 1)] + "~"
    style = "bold $accent" if one.pointed else "bold" if one.region else "$primary"
    canvas.keep_clear(spot.x - 1, spot.y, spot.width + 2, ROWS)
    canvas.put(spot.x, spot.y, f">{head}<" if one.pointed else head, f"{style} reverse" if under else style)
    canvas.put(spot.x, spot.y + 1, one.below[: max(spot.width, 1)], "" if one.region else "$primary")


def _bridges(canvas: Canvas, board: Board, spots: dict[str, Spot]) -> None:
    for platform in board.platforms:
        start = _middle(spots[PLATFORM + platform.id])
        for region in platform.regions:
            canvas.line(start, _middle(spots[region]), "$quiet")


def _middle(spot: Spot) -> tuple[int, int]:
    return spot.x + spot.width // 2, spot.y + ROWS // 2


def at_cell(spots: dict[str, Spot], x: int, y: int) -> str:
    """Return what stands at a cell; nothing where nothing does."""
    found = (name for name, spot in spots.items() if 0 <= x - spot.x < spot.width and 0 <= y - spot.y < ROWS)
    return next(found, "")
