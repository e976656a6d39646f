"""Draws a map in cells: sites at their places, bridges as lines between them.

The order from west to east and from north to south is kept. Where room is short, distances shrink
first, then words give way to signs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from companion.display.cells import LINK, MARK, QUIET, STRONG, Canvas, Line, Pen, Run
from companion.display.pictures import Chart, Site
from companion.display.routes import Block, Routes
from companion.rules.columns import fit, width, wrap

_LEAST = 9
"""Minimum width of a place's name, in cells."""
_SIGNS = 8
"""Cells that a site without words keeps for its signs at least."""
_LEAST_ROWS, _MOST_ROWS = 16, 44
"""The range of rows that `roomy` tries."""
_WORDS = 24
"""Width at which the text of a site wraps, in cells."""
_ROWS_FOR_BRIDGES = 4
"""Rows per line of sites needed to draw bridges on a map in short."""


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
    """The spot of each site, and whether there is room for words, or for brief lines or whole heads at least."""

    spots: Mapping[str, Spot]
    in_words: bool
    framed: bool = False
    brief: bool = False
    headed: bool = False


@dataclass(frozen=True, slots=True)
class _Manner:
    """A way to draw the sites: in words, in brief lines, in short below a whole head or in short,
    with a frame, with free rows below each."""

    in_words: bool = False
    framed: bool = False
    air: int = 0
    brief: bool = False
    headed: bool = False


_FRAMED = _Manner(in_words=True, framed=True, air=1)  # between frames a bridge needs a row
_AIRY = _Manner(in_words=True, air=1)
_DENSE = _Manner(in_words=True)
_BRIEF = _Manner(brief=True)
_HEADED = _Manner(headed=True)
_SHORT = _Manner()


def plan(chart: Chart, width: int, height: int) -> ChartPlan:
    """Place the sites in `width` by `height` cells.

    Tries words in frames, then with a free row below each site, then without, then brief lines, then
    whole heads above what is short.
    """
    planned = _planned(chart, width, height, (_FRAMED, _AIRY, _DENSE, _BRIEF, _HEADED))
    return planned or _in_short(chart, width, height)


def _planned(chart: Chart, width: int, height: int, manners: Sequence[_Manner]) -> ChartPlan | None:
    """Return the plan in the first manner for which there is room, None if there is for none."""
    for manner in manners:
        if manner.brief and any(site.brief is None for site in chart.sites):
            continue
        rows = bands(_things_of(chart, width, height, manner), width, height)
        if _all_fit(rows, width, height):
            return _arranged(rows, width, height, manner)
    return None


def _in_short(chart: Chart, width: int, height: int) -> ChartPlan:
    rows = bands(_things_of(chart, width, height, _SHORT), width, height)
    return _arranged(rows, width, height, _SHORT)


def _arranged(
    rows: Sequence[Sequence[Thing]], width: int, height: int, manner: _Manner
) -> ChartPlan:
    # The free row was part of each spot while they were arranged.
    spots = {
        name: replace(spot, height=spot.height - manner.air)
        for name, spot in arranged(rows, width, height).items()
    }
    return ChartPlan(spots, manner.in_words, manner.framed, manner.brief, manner.headed)


def roomy(chart: Chart, width: int) -> tuple[ChartPlan, int]:
    """Place the sites in `width` cells with as few rows as words need.

    If words need more than a page has, use brief lines, or the short ones. Returns the plan and its
    rows.
    """
    tried: tuple[tuple[_Manner, ...], ...] = ((_AIRY, _DENSE), (_BRIEF,))
    for manners in tried:
        for rows in range(_LEAST_ROWS, _MOST_ROWS + 1, 2):
            planned = _planned(chart, width, rows, manners)
            if planned is not None:
                return planned, rows
    return _in_short(chart, width, _LEAST_ROWS), _LEAST_ROWS


def chart_lines(chart: Chart, width: int) -> Iterator[Line]:
    """Yield the map in `width` cells, then its legend."""
    planned, rows = roomy(chart, width)
    yield from drawn(chart, planned, width, rows)
    yield ()
    legend = chart.people
    if not (planned.in_words or planned.brief):
        legend = chart.legend + legend
    for line in wrap(", ".join(legend), width):
        yield tuple(Run(part, _pen_of(ink, QUIET)) for part, ink in chart.by_owner(line))


def drawn(chart: Chart, plan: ChartPlan, width: int, height: int) -> list[Line]:
    """Return the lines of the map as planned for `width` by `height` cells."""
    canvas = Canvas(width, height)
    for site in chart.sites:
        _write_site(canvas, chart, site, plan)
    airy = height >= _ROWS_FOR_BRIDGES * len({spot.y for spot in plan.spots.values()})
    if chart.places_known and (airy or plan.in_words or plan.brief or plan.headed):
        _draw_bridges(canvas, chart, plan)
    return canvas.rows()


def _draw_bridges(canvas: Canvas, chart: Chart, plan: ChartPlan) -> None:
    """Draw the bridges around what is written; those of the place that is looked at stand out."""
    blocks = {site.id: _block(site, plan) for site in chart.sites}
    routes = Routes(canvas.width, canvas.height, blocks)
    for first, second in routes.add(chart.bridges):
        canvas.line(plan.spots[first].middle, plan.spots[second].middle)
    looked_at = {site.id for site in chart.sites if site.major and (site.under or site.linked)}
    marked = set()
    for bridge in chart.bridges:
        if bridge[1] in looked_at:
            marked |= set(routes.path(bridge))
    for (x, y), sign in routes.signs():
        canvas.put(x, y, sign, MARK if (x, y) in marked else LINK)


def _block(site: Site, plan: ChartPlan) -> Block:
    """Return what is written of a site, and the cells kept free for it."""
    spot = plan.spots[site.id]
    room = (spot.x, spot.y, spot.width, spot.height)
    if plan.framed:
        frame = tuple((spot.y + row, spot.x, spot.x + spot.width) for row in range(spot.height))
        return Block(frame, spot.y + 1, room)
    head, *rest = words_of(site, in_words=plan.in_words, brief=plan.brief, headed=plan.headed)
    signs = 2 if site.marked and not (plan.brief or plan.headed) else 0
    rows = [(spot.y, spot.x, spot.x + min(width(head) + signs, spot.width))]
    for row, text in enumerate(rest[: spot.height - 1], start=spot.y + 1):
        rows.append((row, spot.x, spot.x + min(width(text), spot.width)))
    return Block(tuple(rows), spot.y, room)


def words_of(
    site: Site, *, in_words: bool, brief: bool = False, headed: bool = False
) -> tuple[str, ...]:
    """Return the text of a site, one string per row; long text is wrapped."""
    if headed:
        return (site.head, *site.short[1:])
    if brief:
        return (site.head, *(site.brief or ()))
    if not in_words:
        return site.short
    if site.lines or site.room != (0, 0):
        return (site.head, *site.lines)
    return (site.head, *(line for words in site.words for line in wrap(words, _WORDS)))


def _write_site(canvas: Canvas, chart: Chart, site: Site, plan: ChartPlan) -> None:
    spot = plan.spots[site.id]
    head, *rest = words_of(site, in_words=plan.in_words, brief=plan.brief, headed=plan.headed)
    if plan.framed:
        canvas.keep_clear(spot.x - 1, spot.y, spot.width + 2, spot.height)
    else:
        # A bridge reaches the text; what is kept free for more of it would leave a gap.
        for row, text in enumerate((head, *rest)):
            canvas.keep_clear(spot.x - 1, spot.y + row, width(text) + 2, 1)
    if plan.framed:
        _draw_frame(canvas, spot, MARK if site.under or site.marked else QUIET)
        spot = Spot(spot.x + 2, spot.y + 1, spot.width - 4, spot.height - 2)
    if site.marked and (plan.brief or plan.headed):
        head, pen = head.replace(" ", ">", 1), MARK  # nothing shifts where cells are few
    elif site.marked:
        head, pen = f">{_cut(head, spot.width - 2)}<", MARK
    else:
        head, pen = _cut(head, spot.width), STRONG if site.major else LINK
    if site.linked:
        pen = MARK
        if not (plan.in_words or plan.brief or plan.headed):
            head = _cut(f"{head}=", spot.width)  # where no lines are drawn, and without color
    canvas.put(spot.x, spot.y, head, pen._replace(reverse=site.under))
    pen = Pen() if site.major else LINK
    for row, text in enumerate(rest[: spot.height - 1], start=spot.y + 1):
        x = spot.x
        for part, ink in chart.by_owner(_cut(text, spot.width)):
            canvas.put(x, row, part, _pen_of(ink, pen))
            x += width(part)


def _draw_frame(canvas: Canvas, spot: Spot, pen: Pen) -> None:
    right, bottom, inside = spot.x + spot.width - 1, spot.y + spot.height - 1, spot.width - 2
    canvas.put(spot.x, spot.y, f"╭{'─' * inside}╮", pen)
    canvas.put(spot.x, bottom, f"╰{'─' * inside}╯", pen)
    for row in range(spot.y + 1, bottom):
        canvas.put(spot.x, row, "│", pen)
        canvas.put(right, row, "│", pen)


def _pen_of(ink: str, other: Pen) -> Pen:
    """Return the pen of an owner's mark, or the other one for text that is nobody's."""
    return Pen("strong", ink) if ink else other


def _cut(text: str, columns: int) -> str:
    """Return `text` cut to `columns`, at least one."""
    return fit(text, max(1, min(width(text), columns)))


def _things_of(chart: Chart, columns: int, rows: int, manner: _Manner) -> list[Thing]:
    things = [_thing(site, manner, spare=chart.places_known) for site in chart.sites]
    if chart.places_known:
        return things
    widest = max((thing.wanted for thing in things), default=1)
    places = in_a_grid([thing.id for thing in things], columns, rows, widest)
    cells = min(widest, columns)
    gridded = []
    for thing in things:
        x, y = places[thing.id]
        least = min(thing.least, cells)
        gridded.append(replace(thing, x=x, y=y, wanted=cells, least=least))
    return gridded


def _thing(site: Site, manner: _Manner, *, spare: bool) -> Thing:
    """Return a site to place; a head has two cells to `spare` for its mark unless cells are few."""
    lines = words_of(site, in_words=manner.in_words, brief=manner.brief, headed=manner.headed)
    fixed = site.room != (0, 0)
    # Where a site has room of its own, its place does not depend on what lies there now.
    head = width(lines[0])
    if not (manner.brief or manner.headed):
        head += 2 * (spare if fixed else site.marked)
    below, rows = max(map(width, lines[1:]), default=0), len(lines)
    if fixed:
        below, rows = _SIGNS, 2
        if manner.in_words:
            below, rows = site.room
        elif manner.brief:
            below, rows = site.brief_room
    wanted = least = max(head, below)
    if site.major:  # only the names of places are cut
        least = max(min(head, _LEAST), below)
    edges = 2 * manner.framed
    x, y = site.at or (Fraction(), Fraction())
    return Thing(site.id, x, y, wanted + 2 * edges, least + 2 * edges, rows + edges + manner.air)


def _all_fit(bands: Sequence[Sequence[Thing]], columns: int, rows: int) -> bool:
    if sum(map(_height_of, bands)) > rows:
        return False
    return all(_wanted_cells(band) <= columns for band in bands)


def _wanted_cells(band: Sequence[Thing]) -> int:
    """Return the cells that a band wants, with one between two things."""
    return sum(thing.wanted for thing in band) + len(band) - 1


def arranged(bands: Sequence[Sequence[Thing]], width: int, height: int) -> dict[str, Spot]:
    """Return a spot for each thing; no two overlap if their minimum widths fit at all."""
    if not bands:
        return {}
    norths = [min(thing.y for thing in band) for band in bands]
    heights = [_height_of(band) for band in bands]
    ends = min(norths), max(norths)
    tops = [
        _scaled(north, ends, height - rows) for north, rows in zip(norths, heights, strict=True)
    ]
    first_rows = _spread(tops, heights, height, gap=0)
    xs = [thing.x for band in bands for thing in band]
    sides = min(xs), max(xs)
    return {
        thing.id: Spot(column, row, cells, thing.rows)
        for band, row in zip(bands, first_rows, strict=True)
        for thing, column, cells in _in_a_row(band, sides, width)
    }


def bands(things: Iterable[Thing], width: int, height: int) -> list[list[Thing]]:
    """Group the things into rows, from north to south: as many as `height` has room for."""
    by_y: dict[Fraction, list[Thing]] = {}
    for thing in sorted(things, key=lambda thing: (thing.y, thing.x)):
        by_y.setdefault(thing.y, []).append(thing)
    banded = [part for band in by_y.values() for part in _split(band, width)]
    while len(banded) > 1 and sum(map(_height_of, banded)) > height:
        merged = [upper + lower for upper, lower in pairwise(banded)]
        place = min(range(len(merged)), key=lambda at: _crowding(merged[at], width))
        banded[place : place + 2] = [merged[place]]
    return [sorted(band, key=lambda thing: thing.x) for band in banded]


def _split(band: list[Thing], width: int) -> list[list[Thing]]:
    """Split a band that is too wide, every other thing one row lower."""
    if len(band) < 2 or _wanted_cells(band) <= width:
        return [band]
    return [*_split(band[::2], width), *_split(band[1::2], width)]


def _height_of(band: Sequence[Thing]) -> int:
    return max(thing.rows for thing in band)


def _crowding(band: Sequence[Thing], width: int) -> tuple[bool, bool, Fraction, int]:
    """Return a sort key for merging bands: last what does not fit even cut, then what would be cut, then by how far
    apart they lie."""
    ys = [thing.y for thing in band]
    wanted = _wanted_cells(band)
    least = sum(thing.least for thing in band) + len(band) - 1
    return least > width, wanted > width, max(ys) - min(ys), wanted


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
        widest = max(range(len(cells)), key=lambda at: (spare[at] > 0, cells[at]))
        cells[widest] -= 1
    return cells


def _scaled(value: Fraction, ends: tuple[Fraction, Fraction], room: int) -> int:
    low, high = ends
    if low == high:
        return 0
    return round((value - low) / (high - low) * room)


def _spread(starts: Sequence[int], sizes: Sequence[int], room: int, gap: int) -> list[int]:
    """Return the starts, moved as little as keeps things in order, apart and inside the room."""
    moved: list[int] = []
    free = 0
    for start, size in zip(starts, sizes, strict=True):
        moved.append(max(start, free))
        free = moved[-1] + size + gap
    # Pushing right may have left the room; push back from its end.
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
    # Each takes two rows; more across keeps them inside the height.
    needed = -(-len(ids) * 2 // max(2, rows))
    across = max(1, min(most, max(square, needed)))
    return {name: (Fraction(at % across), Fraction(at // across)) for at, name in enumerate(ids)}


def at_cell(spots: Mapping[str, Spot], x: int, y: int) -> str:
    """Return the id of the thing at a cell, or ""."""
    for name, spot in spots.items():
        if 0 <= x - spot.x < spot.width and 0 <= y - spot.y < spot.height:
            return name
    return ""
