"""The tower as a picture, for screens, pages and reports."""

from __future__ import annotations

from collections.abc import Mapping

from companion.display import pictures
from companion.display.pictures import DrawnPyramid, Floor, Point, Tile, Tower
from companion.games.sky_rise.rules.box import OPAQUE_LETTER
from companion.games.sky_rise.rules.facts import Size, Suit
from companion.games.sky_rise.rules.model import OPAQUE, position
from companion.games.sky_rise.rules.view import CellView, LevelView, PieceView, SkyRiseView
from companion.rules.facts import Seat

_SIZES: dict[Size, pictures.Size] = {"small": 1, "medium": 2, "large": 3}


def tower(game: SkyRiseView) -> Tower:
    """Return the whole tower."""
    seats = {seat.id: seat for seat in game.seats}
    inks = {color.suit: color.ink for color in game.colors}
    legend = (
        *(f"{color.letter} {color.name} {color.sign}" for color in game.colors),
        f"{OPAQUE_LETTER} {OPAQUE}",
    )
    floors = tuple(floor(level, seats, inks) for level in game.levels)
    legend_inks = (*(color.ink for color in game.colors), "")
    owners = {pyramid.owner for level in floors for pyramid in level.pyramids}
    people = tuple(
        (f"{seat.glyph} {seat.name}", seat.color) for seat in game.seats if seat.glyph in owners
    )
    return Tower("The tower", floors, legend, inks=legend_inks, people=people)


def floor(level: LevelView, seats: Mapping[str, Seat], inks: Mapping[Suit, str]) -> Floor:
    """Return one level; `seats` are by their ids, `inks` maps each suit to its color `#rrggbb`."""
    cards = [cell for cell in level.cells if cell.suit]
    return Floor(
        title=level.title,
        columns=level.grid.columns,
        rows=level.grid.rows,
        usual=_SIZES[level.size] if level.size is not None else None,
        tiles=tuple(_tile(cell, inks) for cell in cards),
        pyramids=tuple(
            _pyramid(piece, seats[piece.seat])
            for corner in level.corners
            for piece in corner.pieces
        ),
        joined=_joined(level),
    )


def _tile(cell: CellView, inks: Mapping[Suit, str]) -> Tile:
    ink = inks.get(cell.suit, "") if cell.suit is not None else ""
    return Tile(position(cell.place), cell.sign, f"{cell.place} {cell.suit}", ink)


def _pyramid(piece: PieceView, owner: Seat) -> DrawnPyramid:
    """Return a pyramid with the player who placed it, for their points."""
    words = f"{piece.place} {piece.color}, {piece.size}, of {owner.name} for {piece.points}"
    ink = "" if piece.color == OPAQUE else piece.ink
    at, size = position(piece.place), _SIZES[piece.size]
    return DrawnPyramid(at, size, piece.letter, ink, words, owner.glyph, owner.color)


def _joined(level: LevelView) -> frozenset[tuple[Point, Point]]:
    """Return the pairs of neighboring corners that are in one group (SR-10)."""
    pairs = set()
    for group in level.groups:
        members = {position(place) for place in (*group.own, *group.opaque)}
        pairs |= {
            ((x, y), near)
            for x, y in members
            for near in ((x + 1, y), (x, y + 1))
            if near in members
        }
    return frozenset(pairs)
