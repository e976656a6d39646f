"""Draws a map: a box for each site, with its pieces, and bridges between the boxes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from companion.display.charts import Thing, arranged, bands, words_of
from companion.display.pictures import Chart, MapPiece, Shape, Site
from companion.reports.markup import Markup, element, join
from companion.reports.pictures.drawing import scroll_box, svg_of, with_tooltip
from companion.reports.pictures.lettering import (
    LINE,
    SMALL,
    cut,
    in_owners_colors,
    line_of_text,
    text_width,
    wrapped,
)
from companion.reports.pictures.routes import Box, way_between
from companion.reports.tones import tone

_PAD = 7
"""Units between the frame of a box and what is in it."""
_PIECE, _GAP, _PIECE_ROW = 24, 3, 26
"""Width of a piece with one sign, from one to the next, and from one row of them to the next."""
_BASE = 12
"""From the top of a line of text to the feet of its letters."""
_CELL = 7
"""Units of a drawing for a cell of a terminal, in which games state the room of a text."""
_APART = 14
"""Units between two boxes."""
_STEP = 20  # by which a map grows until all has room


@dataclass(frozen=True, slots=True)
class _Sheet:
    """How wide a map is, how wide a box may be, and how high the map is at least."""

    kind: str
    width: int
    box: int
    least: int


_PHONE = 288
_WIDE = _Sheet("wide", 640, 150, 320)
_NARROW = _Sheet("narrow", 480, 136, 320)
"""A page shows the map that fits it. On a phone the narrow one scrolls: in less, sites would be far from their places
and bridges would go around them."""
_GRID = _Sheet("narrow grid", _PHONE, 136, 0)
"""For sites of unknown places, which no phone has to scroll."""


@dataclass(frozen=True, slots=True)
class _Content:
    """What a box contains, with its own width and height, and those that are kept for it."""

    head: tuple[str, ...]
    lines: tuple[str, ...]
    rows: tuple[tuple[MapPiece, ...], ...]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class _Layout:
    """The boxes of sites by id, the height of the map, and the bridges as SVG path data."""

    boxes: Mapping[str, Box]
    height: float
    bridges: tuple[str, ...]


def draw_chart(chart: Chart) -> Markup:
    """Return the map in two widths, then its legend."""
    narrow = _NARROW if chart.places_known else _GRID
    maps = [_map(chart, sheet) for sheet in (narrow, _WIDE)]
    return scroll_box(chart.title, "map", (*maps, *_legend(chart)))


def _map(chart: Chart, sheet: _Sheet) -> Markup:
    contents = {site.id: _content(site, sheet.box - 2 * _PAD) for site in chart.sites}
    things = tuple(_thing(site, contents[site.id]) for site in chart.sites)
    bridges = chart.bridges if chart.places_known else ()
    layout = _layout(things, bridges, sheet, places_known=chart.places_known)
    parts = [element("path", d=path, class_="bridge") for path in layout.bridges]
    for site in chart.sites:
        parts.append(_box(chart, site, contents[site.id], layout.boxes[site.id]))
    return svg_of(sheet.width, layout.height, chart.words, parts, f"chart {sheet.kind}")


def _content(site: Site, most: float) -> _Content:
    """Return the content of a site's box, at most so wide; pieces wrap like text."""
    texts: Sequence[str] = site.about
    if site.pieces is None:
        texts = words_of(site, in_words=True)[1:]
    head = tuple(wrapped(site.head, most, bold=True))
    lines = tuple(line for words in texts for line in wrapped(words, most))
    rows = _in_rows(site.pieces or (), most)
    text_wide, text_high = _room_for_text(site, head, lines, most)
    pieces_wide, pieces_high = _room_for_pieces(site, rows, most)
    width = max(text_wide, pieces_wide) + 2 * _PAD
    return _Content(head, lines, rows, width, text_high + pieces_high + 2 * _PAD)


def _room_for_text(
    site: Site, head: Sequence[str], lines: Sequence[str], most: float
) -> tuple[float, float]:
    """Return the width and height of a site's text, or what is reserved for it if that is more."""
    widths = [text_width(line, bold=True) for line in head]
    widths += [text_width(line) for line in lines]
    count = len(head) + len(lines)
    if site.pieces is None:
        cells, least = site.room
        widths.append(min(most, cells * _CELL))
        count = max(count, least)
    return max(widths), LINE * count


def _room_for_pieces(
    site: Site, rows: Sequence[Sequence[MapPiece]], most: float
) -> tuple[float, float]:
    """Return the width and height of a site's pieces, or what is reserved for them if that is more."""
    abreast = max(1, int((most + _GAP) // (_PIECE + _GAP)))
    reserved = most
    if site.piece_room < abreast:
        reserved = (_PIECE + _GAP) * site.piece_room - _GAP
    widths = [sum(_piece_width(one) + _GAP for one in row) - _GAP for row in rows]
    # reserve rows, so boxes do not move when pieces arrive
    count = max(len(rows), math.ceil(site.piece_room / abreast))
    return max([reserved, *widths]), _PIECE_ROW * count


def _in_rows(pieces: Sequence[MapPiece], most: float) -> tuple[tuple[MapPiece, ...], ...]:
    rows: list[list[MapPiece]] = []
    left = 0.0
    for one in pieces:
        wide = _piece_width(one) + _GAP
        if not rows or wide > left:
            rows.append([])
            left = most
        rows[-1].append(one)
        left -= wide
    return tuple(map(tuple, rows))


# Cached: sites reserve room, so the layout rarely changes. It takes 20 ms, four times the rest.
@lru_cache(maxsize=16)
def _layout(
    things: tuple[Thing, ...],
    bridges: tuple[tuple[str, str], ...],
    sheet: _Sheet,
    *,
    places_known: bool,
) -> _Layout:
    """Place all boxes on the lowest map that has room for all."""
    if not places_known:
        things = _in_a_grid(things, sheet.width + _APART)
    width = sheet.width - 2 + _APART
    height = sheet.least
    while True:
        rows = bands(things, width, height)
        needed = sum(max(thing.rows for thing in row) for row in rows)
        widest = max((sum(thing.wanted + 1 for thing in row) - 1 for row in rows), default=0)
        alone = all(len(row) == 1 for row in rows)
        if needed <= height and (widest <= width or alone):
            break
        height += _STEP
    if not places_known:
        height = needed
    boxes = {}
    for name, spot in arranged(rows, width, height).items():
        boxes[name] = Box(1 + spot.x, 1 + spot.y, spot.width - _APART, spot.height - _APART)
    bottom = max((box.y + box.height for box in boxes.values()), default=0) + 2
    paths = []
    for ends in bridges:
        others = [box for name, box in boxes.items() if name not in ends]
        on_sheet = Box(0, 0, sheet.width, bottom)
        paths.append(way_between(boxes[ends[0]], boxes[ends[1]], others, on_sheet).path)
    return _Layout(boxes, bottom, tuple(paths))


def _thing(site: Site, content: _Content) -> Thing:
    x, y = site.at or (Fraction(), Fraction())
    wide = math.ceil(content.width) + _APART
    return Thing(site.id, x, y, wide, wide, math.ceil(content.height) + _APART)


def _in_a_grid(things: Sequence[Thing], width: int) -> tuple[Thing, ...]:
    """Return things of unknown places in reading order, all equally large."""
    wide, high = max(thing.wanted for thing in things), max(thing.rows for thing in things)
    across = max(1, (width + 1) // (wide + 1))
    gridded = []
    for at, thing in enumerate(things):
        x, y = Fraction(at % across), Fraction(at // across)
        gridded.append(Thing(thing.id, x, y, wide, wide, high))
    return tuple(gridded)


def _box(chart: Chart, site: Site, content: _Content, box: Box) -> Markup:
    kind = "site"
    if site.major:
        kind += " place"
    if site.marked:
        kind += " marked"
    parts = [
        element("rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=7, class_=kind)
    ]
    x, y = box.x + _PAD, box.y + _PAD
    for line in content.head:
        parts.append(line_of_text(x, y + _BASE, line, "strong" if site.major else ""))
        y += LINE
    for line in content.lines:
        parts.append(in_owners_colors(x, y + _BASE, chart.by_owner(line), "about"))
        y += LINE
    for row in content.rows:
        at = x
        for one in row:
            parts.append(_piece(one, at, y + 2))
            at += _piece_width(one) + _GAP
        y += _PIECE_ROW
    return with_tooltip(f"{site.head}: {', '.join(site.words)}", *parts)


def _piece_width(one: MapPiece) -> float:
    return max(float(_PIECE), text_width(one.sign, SMALL, bold=True) + 10)


def _piece(one: MapPiece, x: float, y: float) -> Markup:
    """Return a piece 22 high: its shape in its owner's color, with its sign inside."""
    wide = _piece_width(one)
    outline = element("path", d=_outline(one.shape, x, y, wide), class_="outline")
    base = y + {"house": 18, "dart": 15}.get(one.shape, 16)
    sign = line_of_text(x + wide / 2, base, one.sign, "sign", "middle")
    kind = f"piece owner {tone(one.ink)}" if one.ink else "piece"
    if one.shape == "full star":
        kind += " full"
    return with_tooltip(one.words, outline, sign, kind=kind)


def _outline(shape: Shape, x: float, y: float, wide: float) -> str:
    """Return the path of a shape in a place 22 high and as wide as its sign needs."""
    right, middle = x + wide, x + wide / 2
    if shape == "ship":  # a hull with a gondola
        return (
            f"M{x + 8:g} {y + 2:g}H{right - 8:g}a8 8 0 0 1 0 16H{middle + 5:g}l-2 4h-6l-2 -4"
            f"H{x + 8:g}a8 8 0 0 1 0 -16Z"
        )
    if shape == "tower":  # with battlements
        step = wide / 5
        return f"M{x:g} {y + 22:g}V{y:g}h{step:g}v4h{step:g}v-4h{step:g}v4h{step:g}v-4h{step:g}V{y + 22:g}Z"
    if shape == "house":
        return (
            f"M{x + 1:g} {y + 22:g}V{y + 8:g}L{middle:g} {y:g}L{right - 1:g} {y + 8:g}V{y + 22:g}Z"
        )
    if shape == "dart":  # wings swept back
        return f"M{x:g} {y + 4:g}H{right:g}L{middle + 3:g} {y + 21:g}H{middle - 3:g}Z"
    points = []
    for corner, (across, down) in enumerate(_STAR):
        points.append(f"{'L' if corner else 'M'}{middle + across:g} {y + 12 + down:g}")
    return f"{''.join(points)}Z"


_STAR = (
    (0, -12), (3.8, -5), (11.4, -3.7), (6, 1.9), (7.1, 9.7), (0, 6.3),
    (-7.1, 9.7), (-6, 1.9), (-11.4, -3.7), (-3.8, -5),
)  # fmt: skip
"""The corners of a star, from its middle."""


def _legend(chart: Chart) -> Iterator[Markup]:
    """Yield what the shapes are, and whose the signs are."""
    entries: list[tuple[float, Markup]] = []
    for shape, name in chart.shapes:
        drawn = _piece(MapPiece(shape, "", "", name), 0, 0)
        shown = cut(name, _PHONE - 36)
        label = line_of_text(30, 15, shown)
        entries.append((36 + text_width(shown), join((drawn, label))))
    for words in chart.people:
        shown = cut(words, _PHONE - 14, bold=True)
        wide = text_width(shown, bold=True) + 14
        entries.append((wide, in_owners_colors(2, 15, chart.by_owner(shown))))
    if not entries:
        return
    x, y, parts = 0.0, 0.0, []
    for wide, entry in entries:
        if x and x + wide > _PHONE:
            x, y = 0.0, y + _PIECE_ROW
        parts.append(element("g", entry, transform=f"translate({x:g} {y:g})"))
        x += wide
    about = ", ".join((*(name for _, name in chart.shapes), *chart.people))
    yield svg_of(_PHONE, y + _PIECE_ROW, f"Signs: {about}", parts, "legend")
