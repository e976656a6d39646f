"""Draws a tower: each floor from above, then each row of crossings from the side."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase

from companion.display.pictures import DrawnPyramid, Floor, Point, Tile, Tower
from companion.reports.markup import Markup, element, join
from companion.reports.pictures.drawing import badge, scroll_box, svg_of, with_tooltip
from companion.reports.pictures.lettering import (
    LINE,
    cut,
    in_owners_colors,
    line_of_text,
    text_width,
)

_STEP = 42.0
"""From one crossing to the next. Two floors of four crossings fit side by side on a phone."""
_LEFT, _TOP, _EDGE = 26.0, 52.0, 22.0
"""Margins with the rows' numbers, with title and letters, and for half a pyramid with its sign."""
_HALF = {3: 12.0, 2: 10.0, 1: 8.0}  # of a pyramid from above, by size
_CARD = 8.0  # half of a card: it leaves room for the largest pyramids at its corners
_BELOW = 4.5  # from a pyramid's edge to the middle of its owner's sign
_TALL = {3: 38.0, 2: 31.0, 1: 24.0}  # a pyramid from the side
_LEAN = 0.45  # half the width of a pyramid from the side as a share of its height
_MOST = 260.0  # of the words of the legend, which fits a phone
_INK = "#222222"  # of a pyramid without a color
_ON_TIP = 0.55  # what shows of a pyramid below another one


def draw_tower(tower: Tower) -> Markup:
    """Return the floors from the ground up, the rows from the side, and what the letters mean."""
    floors = [_floor(floor) for floor in tower.floors]
    rows = [_side(tower, row) for row in range(tower.floors[0].rows + 1)]
    return scroll_box(tower.title, "tower", (*floors, *rows, *_legend(tower)))


def _across(columns: int, title: str) -> float:
    return max(_LEFT + _STEP * columns + _EDGE, text_width(title, bold=True) + 8)


def _crossing(place: Point) -> tuple[float, float]:
    return _LEFT + _STEP * place[0], _TOP + _STEP * place[1]


def _column_letters(columns: int, y: float) -> Iterator[Markup]:
    """Yield the letter of each crossing in a row, at that height."""
    crossings = columns + 1
    for column, letter in zip(range(crossings), ascii_lowercase[:crossings], strict=True):
        x, _ = _crossing((column, 0))
        yield line_of_text(x, y, letter, "soft small", "middle")


def _floor(floor: Floor) -> Markup:
    parts = [line_of_text(4, 14, floor.title, "strong")]
    parts += _column_letters(floor.columns, 32)
    for row in range(floor.rows + 1):
        _, y = _crossing((0, row))
        parts.append(line_of_text(4, y + 4, str(row + 1), "soft small"))
    parts += _edges(floor)
    parts += [_tile(tile) for tile in floor.tiles]
    places = [(x, y) for y in range(floor.rows + 1) for x in range(floor.columns + 1)]
    parts += [
        _from_above(standing, place) for place in places if (standing := floor.standing(place))
    ]
    width = _across(floor.columns, floor.title)
    height = _TOP + _STEP * floor.rows + 26
    return svg_of(width, height, _in_words(floor), parts, "floor")


def _in_words(floor: Floor) -> str:
    tiles = ", ".join(tile.words for tile in floor.tiles) or "no cards"
    pyramids = ", ".join(pyramid.words for pyramid in floor.pyramids) or "no pyramids"
    return f"{floor.title} from above: {tiles}; {pyramids}"


def _edges(floor: Floor) -> Iterator[Markup]:
    """Yield the lines between neighboring crossings, thick ones inside a group."""
    for y in range(floor.rows + 1):
        for x in range(floor.columns + 1):
            for end in ((x + 1, y), (x, y + 1)):
                if end[0] > floor.columns or end[1] > floor.rows:
                    continue
                kind = "joined" if ((x, y), end) in floor.joined else "edge"
                (x1, y1), (x2, y2) = _crossing((x, y)), _crossing(end)
                yield element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def _tile(tile: Tile) -> Markup:
    """Return a card in the middle of its field, in the color of its suit if that has one."""
    corner_x, corner_y = _crossing(tile.at)
    x, y, side = corner_x + _STEP / 2, corner_y + _STEP / 2, 2 * _CARD
    looks = {"fill": tile.ink, "class_": "card"} if tile.ink else {"class_": "card plain"}
    card = element("rect", x=x - _CARD, y=y - _CARD, width=side, height=side, rx=2, **looks)
    sign = line_of_text(x, y + 4.5, tile.sign, "suit" if tile.ink else "small", "middle")
    return with_tooltip(tile.words, card, sign)


def _from_above(standing: tuple[DrawnPyramid, ...], place: Point) -> Markup:
    """Return the pyramids on a crossing as squares with their four edges, and the sign of the owner of the topmost."""
    x, y = _crossing(place)
    parts = []
    for pyramid in standing:
        half = _HALF[pyramid.size]
        left, right, back, front = x - half, x + half, y - half, y + half
        edges = f"M{left:g} {back:g}L{right:g} {front:g}M{left:g} {front:g}L{right:g} {back:g}"
        base = element(
            "rect", x=left, y=back, width=2 * half, height=2 * half, fill=pyramid.ink or _INK
        )
        parts += [base, element("path", d=edges)]
    top = standing[-1]
    parts.append(line_of_text(x, y + 4.5, top.letter, "letter", "middle"))
    if top.owner:
        parts.append(badge(x, y + _HALF[top.size] + _BELOW, top.owner, top.owner_ink))
    words = "; ".join(pyramid.words for pyramid in standing)
    return with_tooltip(words, element("g", *parts, class_="pyramid"))


def _side(tower: Tower, row: int) -> Markup:
    """Return a row of crossings from the side, as high as the whole tower."""
    columns = tower.floors[0].columns
    title = f"row {row + 1} from the side"
    foot = 24 + sum(map(_height_of, tower.floors))
    height = foot + 24
    parts = [line_of_text(4, 14, title, "strong")]
    parts += _column_letters(columns, foot + 18)
    words = []
    for floor in tower.floors:
        if any(tile.at[1] in (row - 1, row) for tile in floor.tiles):
            right = _crossing((columns, 0))[0] + _EDGE
            parts.append(
                element("line", x1=_LEFT - 20, y1=foot, x2=right, y2=foot, class_="ground")
            )
        for column in range(columns + 1):
            standing = floor.standing((column, row))
            parts += _from_the_side(standing, _crossing((column, 0))[0], foot)
            words += [pyramid.words for pyramid in standing]
        foot -= _height_of(floor)
    return svg_of(
        _across(columns, title), height, f"{title}: {', '.join(words) or 'empty'}", parts, "side"
    )


def _from_the_side(standing: tuple[DrawnPyramid, ...], x: float, foot: float) -> Iterator[Markup]:
    for pyramid in standing:
        tall = _TALL[pyramid.size]
        half = tall * _LEAN
        points = f"{x - half:.4g},{foot:.4g} {x:.4g},{foot - tall:.4g} {x + half:.4g},{foot:.4g}"
        outline = element("polygon", points=points, fill=pyramid.ink or _INK)
        aside = 3 if pyramid.owner else 0  # room for the owner's sign
        letter = line_of_text(x - aside, foot - 4, pyramid.letter, "letter", "middle")
        parts = [element("g", outline, letter, class_="pyramid")]
        if pyramid.owner:
            sign_x = x + max(10.0, half - 4)
            parts.append(badge(sign_x, foot - 9, pyramid.owner, pyramid.owner_ink))
        yield with_tooltip(pyramid.words, join(parts))
        foot -= tall * _ON_TIP


def _height_of(floor: Floor) -> float:
    """Return how far the next floor lies above this one."""
    tallest = _TALL[floor.usual or 1]
    for place in {pyramid.at for pyramid in floor.pyramids}:
        *below, top = (_TALL[pyramid.size] for pyramid in floor.standing(place))
        tallest = max(tallest, _ON_TIP * sum(below) + top)
    return tallest + 6


def _legend(tower: Tower) -> Iterator[Markup]:
    """Yield what the letters and signs mean, and whose the owners' signs are."""
    inks = tower.inks or ("",) * len(tower.legend)
    rows: list[Markup] = []
    for words, ink in zip(tower.legend, inks, strict=True):
        y = LINE * len(rows)
        swatch = element(
            "rect", x=4, y=y + 4, width=11, height=11, rx=2, fill=ink or _INK, class_="card"
        )
        rows.append(join((swatch, line_of_text(22, y + 14, cut(words, _MOST)))))
    for words, ink in tower.people:
        rows.append(
            in_owners_colors(4, LINE * len(rows) + 14, ((cut(words, _MOST, bold=True), ink),))
        )
    entries = (*tower.legend, *(words for words, _ in tower.people))
    if entries:
        wide = min(_MOST, max(text_width(words, bold=True) for words in entries)) + 26
        about = ", ".join(entries)
        yield svg_of(wide, LINE * len(rows) + 6, f"Signs: {about}", rows, "legend")
