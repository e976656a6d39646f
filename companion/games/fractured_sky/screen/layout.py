"""Where things of a map stand on a screen: their order from left to right and from top to bottom is kept, distances
give way to the room there is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

ROWS = 2
"""Rows of a thing on the map."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on a map: its place, and the cells it would like and needs at least."""

    id: str
    x: Fraction
    y: Fraction
    wanted: int
    least: int


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a thing stands: its first cell, and how wide it is."""

    x: int
    y: int
    width: int


def arranged(things: Iterable[Thing], width: int, height: int) -> dict[str, Spot]:
    """Return a spot for each thing; no two overlap as long as their least widths fit at all."""
    bands = _bands(list(things), width, height)
    if not bands:
        return {}
    lows = [band[0].y for band in bands]
    rows = _spread([_scaled(low, lows, height - ROWS) for low in lows], [ROWS] * len(bands), height, gap=0)
    xs = [thing.x for band in bands for thing in band]
    return {
        thing.id: Spot(column, row, cells)
        for band, row in zip(bands, rows, strict=True)
        for thing, column, cells in _in_a_row(band, xs, width)
    }


def _bands(things: list[Thing], width: int, height: int) -> list[list[Thing]]:
    """The things that stand beside each other, from north to south: as many bands as there is room for."""
    by_y: dict[Fraction, list[Thing]] = {}
    for thing in sorted(things, key=lambda one: (one.y, one.x)):
        by_y.setdefault(thing.y, []).append(thing)
    bands = list(by_y.values())
    while len(bands) > max(1, height // ROWS):
        place = min(range(len(bands) - 1), key=lambda at: _crowd(bands[at] + bands[at + 1], width))
        bands[place : place + 2] = [bands[place] + bands[place + 1]]
    return [sorted(band, key=lambda one: one.x) for band in bands]


def _crowd(band: Sequence[Thing], width: int) -> tuple[bool, Fraction, int]:
    """How badly the things of a band would stand together: too wide first, then by how far apart they lie."""
    wanted = sum(thing.wanted + 1 for thing in band)
    apart = max(thing.y for thing in band) - min(thing.y for thing in band)
    return wanted > width, apart, wanted


def _in_a_row(band: Sequence[Thing], xs: Sequence[Fraction], width: int) -> Iterable[tuple[Thing, int, int]]:
    cells = _shrunk(band, width)
    columns = [_scaled(thing.x, xs, width - size) for thing, size in zip(band, cells, strict=True)]
    return zip(band, _spread(columns, cells, width, gap=1), cells, strict=True)


def _shrunk(band: Sequence[Thing], width: int) -> list[int]:
    """The widths of the things of a band: the widest give way first."""
    cells = [thing.wanted for thing in band]
    least = [min(thing.least, thing.wanted) for thing in band]
    while sum(cells) + len(cells) - 1 > width:
        spare = [size - low for size, low in zip(cells, least, strict=True)]
        if not any(spare):
            break
        cells[max(range(len(cells)), key=lambda at: (spare[at] > 0, cells[at]))] -= 1
    return cells


def _scaled(value: Fraction, values: Sequence[Fraction], room: int) -> int:
    low, high = min(values), max(values)
    return 0 if low == high else round((value - low) / (high - low) * room)


def _spread(starts: Sequence[int], sizes: Sequence[int], room: int, gap: int) -> list[int]:
    """Return the starts moved as little as keeps things apart, in their order, and inside the room."""
    moved: list[int] = []
    free = 0
    for start, size in zip(starts, sizes, strict=True):
        moved.append(max(start, free))
        free = moved[-1] + size + gap
    free = room
    for place in reversed(range(len(moved))):
        moved[place] = max(0, min(moved[place], free - sizes[place]))
        free = moved[place] - gap
    return moved


def in_reading_order(ids: Sequence[str], width: int, cells: int) -> Mapping[str, tuple[Fraction, Fraction]]:
    """Return places for things whose places nobody knows: in lines, as many beside each other as fit."""
    across = max(1, width // (cells + 1))
    return {name: (Fraction(at % across), Fraction(at // across)) for at, name in enumerate(ids)}
