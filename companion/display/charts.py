"""Draws a map in cells: sites at their places, bridges as lines between them.

The order from west to east and from north to south is kept. Where room is short, distances shrink
first, then words give way to signs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.display.cells import LINK, MARK, QUIET, STRONG, Canvas, Line, Pen, Run
from companion.display.pictures import Chart, Site
from companion.rules.columns import fit, width, wrap

_LEAST = 9
"""Minimum width of a place's name, in cells."""
_LEAST_ROWS, _MOST_ROWS = 16, 44
"""The range of rows that `roomy` tries."""
_WORDS = 24
"""Width at which the text of a site wraps, in cells."""
_AIRY = 4
"""Rows per line of sites needed to draw bridges on a map of signs."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something to place on a map: its position, its wanted and minimum width, and its rows."""

    id: str
    x: Fraction
    y: Fraction
    wanted: int
    least: int
    rows: int = 2


@dataclass(frozen=True, slots=True)
class Spot:
    """The cells given to a thing: its first cell, width and height."""

    x: int
    y: int
    width: int
    height: int = 2

    @property
    def middle(self) -> tuple[int, int]:
        """The cell in the middle."""
        return self.x + self.width // 2, self.y + self.height // 2


@dataclass(frozen=True, slots=True)
class ChartPlan:
    """The spot of each site, and whether there is room for words."""

    spots: Mapping[str, Spot]
    in_words: bool


def plan(chart: Chart, width: int, height: int) -> ChartPlan:
    """Place the sites in `width` by `height` cells.

    Tries words with a free row below each site, then words without, then signs.
    """
    for in_words, air in ((True, 1), (True, 0), (False, 0)):
        rows = bands(_things_of(chart, width, height, in_words=in_words, air=air), width, height)
        if not in_words or _all_fit(rows, width, height):
            placed = arranged(rows, width, height).items()
            spots = {
                name: Spot(spot.x, spot.y, spot.width, spot.height - air) for name, spot in placed
            }
            return ChartPlan(spots, in_words)
    raise AssertionError("signs are drawn in any room")


def roomy(chart: Chart, width: int, most: int = _MOST_ROWS) -> tuple[ChartPlan, int]:
    """Place the sites in `width` cells with as few rows as words need, at most `most`.

    If words need more, use signs. Returns the plan and its rows.
    """
    for rows in range(_LEAST_ROWS, most + 1, 2):
        planned = plan(chart, width, rows)
        if planned.in_words:
            return planned, rows
    return plan(chart, width, _LEAST_ROWS), _LEAST_ROWS


def chart_lines(chart: Chart, width: int) -> Iterator[Line]:
    """Yield the map in `width` cells, then its legend."""
    planned, rows = roomy(chart, width)
    yield from drawn(chart, planned, width, rows)
    yield ()
    for line in wrap(
        ", ".join((*(() if planned.in_words else chart.legend), *chart.people)), width
    ):
        yield (Run(line, QUIET),)


def drawn(chart: Chart, plan: ChartPlan, width: int, height: int) -> list[Line]:
    """Return the lines of the map as planned for `width` by `height` cells."""
    canvas = Canvas(width, height)
    for site in chart.sites:
        _write_site(canvas, site, plan.spots[site.id], in_words=plan.in_words)
    airy = height >= _AIRY * len({spot.y for spot in plan.spots.values()})
    for first, second in chart.bridges if chart.places_known and (airy or plan.in_words) else ():
        canvas.line(plan.spots[first].middle, plan.spots[second].middle)
    return canvas.rows()


def words_of(site: Site, *, in_words: bool) -> tuple[str, ...]:
    """Return the text of a site, one string per row; long text is wrapped."""
    return (
        (site.head, *(line for words in site.words for line in wrap(words, _WORDS)))
        if in_words
        else site.short
    )


def _write_site(canvas: Canvas, site: Site, spot: Spot, *, in_words: bool) -> None:
    head, *rest = words_of(site, in_words=in_words)
    pen = MARK if site.marked else STRONG if site.major else LINK
    canvas.keep_clear(spot.x - 1, spot.y, spot.width + 2, spot.height)
    head = fit(head, max(1, min(width(head), spot.width - 2 * site.marked)))
    canvas.put(
        spot.x, spot.y, f">{head}<" if site.marked else head, pen._replace(reverse=site.under)
    )
    for row, text in enumerate(rest, start=spot.y + 1):
        canvas.put(
            spot.x,
            row,
            fit(text, max(1, min(width(text), spot.width))),
            Pen() if site.major else LINK,
        )


def _things_of(chart: Chart, columns: int, rows: int, *, in_words: bool, air: int) -> list[Thing]:
    texts = {site.id: words_of(site, in_words=in_words) for site in chart.sites}
    widths = {
        site.id: max([width(texts[site.id][0]) + 2 * site.marked, *map(width, texts[site.id][1:])])
        for site in chart.sites
    }
    places = {site.id: site.at for site in chart.sites if site.at is not None}
    if not chart.places_known:
        places = in_a_grid(
            [site.id for site in chart.sites], columns, rows, max(widths.values(), default=1)
        )
        widths = dict.fromkeys(widths, min(max(widths.values(), default=1), columns))
    return [
        _thing(site, places[site.id], texts[site.id], widths[site.id], air) for site in chart.sites
    ]


def _thing(
    site: Site, place: tuple[Fraction, Fraction], lines: tuple[str, ...], wide: int, air: int
) -> Thing:
    head, below = width(lines[0]) + 2 * site.marked, max(map(width, lines[1:]), default=0)
    least = max(min(head, _LEAST), below) if site.major else max(head, below)
    return Thing(site.id, place[0], place[1], wide, min(least, wide), len(lines) + air)


def _all_fit(bands: Sequence[Sequence[Thing]], columns: int, rows: int) -> bool:
    return sum(map(_height_of, bands)) <= rows and all(
        sum(thing.wanted + 1 for thing in band) <= columns + 1 for band in bands
    )


def arranged(bands: Sequence[Sequence[Thing]], width: int, height: int) -> dict[str, Spot]:
    """Return a spot for each thing; no two overlap if their minimum widths fit at all."""
    if not bands:
        return {}
    norths, highs = (
        [min(thing.y for thing in band) for band in bands],
        [_height_of(band) for band in bands],
    )
    ends = min(norths), max(norths)
    tops = [_scaled(north, ends, height - high) for north, high in zip(norths, highs, strict=True)]
    rows = _spread(tops, highs, height, gap=0)
    xs = [thing.x for band in bands for thing in band]
    sides = min(xs), max(xs)
    return {
        thing.id: Spot(column, row, cells, thing.rows)
        for band, row in zip(bands, rows, strict=True)
        for thing, column, cells in _in_a_row(band, sides, width)
    }


def bands(things: Iterable[Thing], width: int, height: int) -> list[list[Thing]]:
    """Group the things into rows, from north to south: as many as `height` has room for."""
    by_y: dict[Fraction, list[Thing]] = {}
    for thing in sorted(things, key=lambda thing: (thing.y, thing.x)):
        by_y.setdefault(thing.y, []).append(thing)
    banded = [part for band in by_y.values() for part in _split(band, width)]
    while len(banded) > 1 and sum(map(_height_of, banded)) > height:
        tightest = min(
            range(len(banded) - 1), key=lambda at: _crowding(banded[at] + banded[at + 1], width)
        )
        banded[tightest : tightest + 2] = [banded[tightest] + banded[tightest + 1]]
    return [sorted(band, key=lambda thing: thing.x) for band in banded]


def _split(band: list[Thing], width: int) -> list[list[Thing]]:
    """Split a band that is too wide, every other thing one row lower."""
    if len(band) < 2 or sum(thing.wanted + 1 for thing in band) <= width + 1:
        return [band]
    return [*_split(band[::2], width), *_split(band[1::2], width)]


def _height_of(band: Sequence[Thing]) -> int:
    return max(thing.rows for thing in band)


def _crowding(band: Sequence[Thing], width: int) -> tuple[bool, Fraction, int]:
    """Return a sort key for merging bands: too wide last, then by how far apart they lie."""
    wanted = sum(thing.wanted + 1 for thing in band)
    apart = max(thing.y for thing in band) - min(thing.y for thing in band)
    return wanted > width, apart, wanted


def _in_a_row(
    band: Sequence[Thing], sides: tuple[Fraction, Fraction], width: int
) -> Iterable[tuple[Thing, int, int]]:
    cells = _fitted_widths(band, width)
    columns = [
        _scaled(thing.x, sides, width - size) for thing, size in zip(band, cells, strict=True)
    ]
    return zip(band, _spread(columns, cells, width, gap=1), cells, strict=True)


def _fitted_widths(band: Sequence[Thing], width: int) -> list[int]:
    """Return the widths of a band's things; the widest shrink first."""
    cells = [thing.wanted for thing in band]
    least = [min(thing.least, thing.wanted) for thing in band]
    while sum(cells) + len(cells) - 1 > width:
        spare = [size - low for size, low in zip(cells, least, strict=True)]
        if not any(spare):
            break
        cells[max(range(len(cells)), key=lambda at: (spare[at] > 0, cells[at]))] -= 1
    return cells


def _scaled(value: Fraction, ends: tuple[Fraction, Fraction], room: int) -> int:
    low, high = ends
    return 0 if low == high else round((value - low) / (high - low) * room)


def _spread(starts: Sequence[int], sizes: Sequence[int], room: int, gap: int) -> list[int]:
    """Return the starts, moved as little as keeps things in order, apart and inside the room."""
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


def in_a_grid(
    ids: Sequence[str], columns: int, rows: int, cells: int
) -> dict[str, tuple[Fraction, Fraction]]:
    """Return places for things of `cells` cells whose real places are unknown.

    They are filled in reading order; the grid's proportions follow those of the room.
    """
    most = max(1, (columns + 1) // (cells + 1))
    # A thing is about four times as wide as high.
    square = round(math.sqrt(len(ids) * max(0, columns) / max(1, rows) / 4))
    across = max(1, min(most, max(square, -(-len(ids) * 2 // max(2, rows)))))
    return {name: (Fraction(at % across), Fraction(at // across)) for at, name in enumerate(ids)}


def at_cell(spots: Mapping[str, Spot], x: int, y: int) -> str:
    """Return the id of the thing at a cell, or ""."""
    found = (
        name
        for name, spot in spots.items()
        if 0 <= x - spot.x < spot.width and 0 <= y - spot.y < spot.height
    )
    return next(found, "")
