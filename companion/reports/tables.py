"""The tables of a game as HTML and its pictures as SVG, for reports and the pages for phones.

Everything in a picture has a letter or a sign, and words in the picture's title; color alone means
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from companion.display.charts import Spot, roomy, words_of
from companion.display.pictures import (
    Chart,
    DrawnPyramid,
    Floor,
    Lying,
    Point,
    Site,
    Stacks,
    Tile,
    Tower,
)
from companion.display.tables import Cell, PanelTable, Shown, words
from companion.reports.markup import WIDTH, Markup, element, join, label, scrolled, svg, text
from companion.rules.columns import fit, wrap
from companion.rules.facts import Seat
from companion.rules.seats import PALETTE

_LEFT = 84.0  # margin for the floors' names
# The width and depth of a field in the drawing, and how far each row is shifted for perspective.
_ACROSS, _BACK, _SLANT = 70.0, 30.0, 20.0
_LIFT = 50.0  # between two floors, for the pyramids of the lower one
_HEIGHTS = {3: 38.0, 2: 30.0, 1: 21.0}  # of a pyramid, by size
_LETTERS = "abcdefgh"
_LEGEND_LETTERS = 54  # letters that fit the width of a drawing
_MOST_ROWS = 150  # rows of a map before it gives way to signs; a page can scroll
_CARD = 0.62  # the width of a card as a share of its field
_CARD_STEP = 22.0  # the visible part of a covered card
# A map is laid out in terminal cells: their number across, and the width and height of one.
_CELLS, _CELL, _ROW = 66, 5.95, 14.5
UNTITLED = "How it stands"
"""What a table without a title is called."""
_TONES = {color.casefold(): name for name, color in PALETTE.items()}


def tone(color: str) -> str:
    """Return the CSS class of a seat's color, which has a shade for dark and one for light pages."""
    name = _TONES.get(color.casefold())
    return f"tone-{name}" if name else "tone"


def seat_mark(seat: Seat) -> Markup:
    """Return glyph and initial in the seat's color."""
    return element("span", text(f"{seat.glyph}{seat.initial}"), class_=f"mark {tone(seat.color)}")


def drawn(shown: Shown) -> Markup:
    """Return a table or a picture without its title, or nothing if it has no rows."""
    if not shown.rows:
        return Markup("")
    if isinstance(shown, PanelTable):
        rows = [tuple(map(_cell, row)) for row in shown.rows]
        return table(shown.title or UNTITLED, shown.head, rows, shown.numbers)
    if isinstance(shown, Stacks):
        return _stacks(shown)
    if isinstance(shown, Chart):
        return _chart(shown)
    return _tower(shown)


def _cell(cell: Cell) -> Markup:
    if isinstance(cell, str | int | float):
        return text(words(cell))
    if isinstance(cell, tuple):
        return Markup(" ".join(seat_mark(seat) for seat in cell))
    return join((seat_mark(cell), text(f" {cell.name}")))


def table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[Markup]], numbers: Set[int]
) -> Markup:
    """Return a table that scrolls sideways if it is too wide; `numbers` are the columns of numbers. Screen readers call
    the box in which it scrolls by its `title`."""

    def kind(place: int) -> str:
        return "number" if place in numbers else "words"

    parts = []
    if head:
        heads = (_column_head(words, kind(place)) for place, words in enumerate(head))
        parts.append(element("thead", element("tr", *heads)))
    body = []
    for row in rows:
        cells = []
        for place, cell in enumerate(row):
            if not head and place == 0:  # it labels the others
                cells.append(element("th", cell, scope="row", class_="words"))
            else:
                cells.append(element("td", cell, class_=kind(place)))
        body.append(element("tr", *cells))
    parts.append(element("tbody", *body))
    return scrolled(title, element("table", *parts))


def _column_head(words: str, kind: str) -> Markup:
    if not words:
        return element("td", class_=kind)
    return element("th", text(words), scope="col", class_=kind)


def _tower(tower: Tower) -> Markup:
    """Return the tower, its floors lifted apart and seen from above the front, and its side views."""
    step = _BACK * tower.floors[0].rows + _LIFT
    top = 2 + _HEIGHTS[3]
    parts = [
        _floor(floor, top + step * place) for place, floor in enumerate(reversed(tower.floors))
    ]
    bottom = top + step * len(tower.floors)
    sides, bottom = _sides(tower, bottom)
    legend = wrap(", ".join(tower.legend), _LEGEND_LETTERS)
    lines = [label(4, bottom + 18 + 16 * place, line) for place, line in enumerate(legend)]
    height = bottom + 18 + 16 * len(lines)
    return svg(height, tower.words, *parts, *sides, *lines, class_="picture")


def _chart(chart: Chart) -> Markup:
    """Return the map, laid out as in a terminal and with the same words."""
    planned, rows = roomy(chart, _CELLS, _MOST_ROWS, apart=True)
    bridges = []
    if chart.places_known:
        for first, second in chart.bridges:
            x1, y1 = _on_paper(*planned.spots[first].middle)
            x2, y2 = _on_paper(*planned.spots[second].middle)
            bridges.append(element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="bridge"))
    sites: list[Markup] = []
    for site in chart.sites:
        sites += _site(chart, site, planned.spots[site.id], in_words=planned.in_words)
    legend = chart.people
    if not planned.in_words:
        legend = chart.legend + legend
    bottom = _on_paper(0, rows)[1]
    lines = []
    for place, line in enumerate(wrap(", ".join(legend), _LEGEND_LETTERS)):
        lines.append(element("text", *_by_owner(chart, line), x=4, y=bottom + 14 + 16 * place))
    height = bottom + 8 + 16 * len(lines)
    return svg(height, chart.words, *bridges, *sites, *lines, class_="picture")


def _stacks(stacks: Stacks) -> Markup:
    """Return the stacks, two side by side, each card covering part of the one below it."""
    parts: list[Markup] = []
    top, wide, letters = 0.0, WIDTH / 2 - 12, _LEGEND_LETTERS // 2 - 1
    for first in range(0, len(stacks.stacks), 2):
        pair = stacks.stacks[first : first + 2]
        high = max(len(stack.cards) for stack in pair) * _CARD_STEP
        heads = [[stack.title, *wrap(stack.note, letters)] for stack in pair]
        top += 15 * (max(map(len, heads)) - 2)  # room for notes of more than one line
        for place, (stack, head) in enumerate(zip(pair, heads, strict=True)):
            x = 4 + (WIDTH / 2) * place
            for row, line in enumerate(head, start=1):
                parts.append(label(x, top + 29 - 15 * (len(head) - row), line))
            for number, card in enumerate(stack.cards, start=1):
                y = top + 36 + high - _CARD_STEP * number
                parts.append(_face_down(card, number, x, y, wide, letters))
        top += high + 56
    return svg(top, stacks.words, *parts, class_="picture")


def _face_down(card: Lying, number: int, x: float, y: float, wide: float, letters: int) -> Markup:
    back = element("rect", x=x, y=y, width=wide, height=_CARD_STEP + 8, rx=4, class_="site place")
    owner = fit(card.who, letters - 1 - len(f"{number} {card.note}")).rstrip()
    name = element("tspan", text(owner), class_=f"owner {tone(card.ink)}")
    note = label(x + wide - 6, y + 23, card.note, "end")
    return join((back, element("text", text(f"{number} "), name, x=x + 6, y=y + 23), note))


def _on_paper(x: float, y: float) -> tuple[float, float]:
    """Return the position of a terminal cell in the drawing."""
    return 4 + x * _CELL, 4 + y * _ROW


def _by_owner(chart: Chart, line: str) -> Iterator[Markup]:
    """Yield the line with each owner's mark in their color."""
    for part, ink in chart.by_owner(line):
        if ink:
            yield element("tspan", text(part), class_=f"owner {tone(ink)}", font_weight="bold")
        else:
            yield text(part)


def _site(chart: Chart, site: Site, spot: Spot, *, in_words: bool) -> Iterator[Markup]:
    (x, y), (wide, high) = _on_paper(spot.x, spot.y), (spot.width * _CELL, spot.height * _ROW)
    kind = "site"
    if site.major:
        kind += " place"
    if site.marked:
        kind += " marked"
    words = element("title", text(f"{site.head}: {', '.join(site.words)}"))
    yield element(
        "rect", words, x=x - 3, y=y - 2, width=wide + 4, height=high + 4, rx=4, class_=kind
    )
    for row, line in enumerate(words_of(site, in_words=in_words)):
        bold = {"font_weight": "bold"} if site.major and not row else {}
        parts = _by_owner(chart, line) if row else (text(line),)
        yield element("text", *parts, x=x, y=y + 11 + _ROW * row, class_="cell-text", **bold)


def _floor(floor: Floor, top: float) -> Markup:
    """Return a floor: its name, its cards row by row from the back, then its pyramids likewise."""
    name, _, rest = floor.title.partition(" (")
    marks = [label(4, top + 12, name), label(4, top + 28, f"({rest}" if rest else "")]
    for column, letter in zip(range(floor.columns + 1), _LETTERS, strict=False):
        x, y = _crossing(floor, (column, floor.rows), top)
        marks.append(label(x, y + 18, letter, "middle"))
    for row in range(floor.rows + 1):
        x, y = _crossing(floor, (0, row), top)
        marks.append(label(x - 24, y + 4, str(row + 1), "end"))
    fields = [_field(floor, (x, y), top) for y in range(floor.rows) for x in range(floor.columns)]
    pieces: list[Markup] = []
    for row in range(floor.rows + 1):
        for column in range(floor.columns + 1):
            # From the back, so that pyramids in front cover those behind them.
            x, y = _crossing(floor, (column, row), top)
            pieces += _pyramids(floor.standing((column, row)), x, y + 5, 0.4)
    return join((*marks, *fields, *pieces))


def _crossing(floor: Floor, place: Point, top: float) -> Point | tuple[float, float]:
    """Return the position of a crossing in the drawing."""
    return _LEFT + _ACROSS * place[0] + _SLANT * (floor.rows - place[1]), top + _BACK * place[1]


def _field(floor: Floor, place: Point, top: float) -> Markup:
    x, y = place
    around = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
    corners = [_crossing(floor, corner, top) for corner in around]
    points = " ".join(f"{x:.4g},{y:.4g}" for x, y in corners)
    outline = element("polygon", points=points, class_="cell")
    for tile in floor.tiles:
        if tile.at == place:
            return element("g", *_card(tile, corners), outline)
    return outline


def _card(tile: Tile, corners: list[Point | tuple[float, float]]) -> Iterator[Markup]:
    x, y = (sum(values) / 4 for values in zip(*corners, strict=True))
    yield element("title", text(tile.words))
    if not tile.ink:
        yield label(x, y + 5, tile.sign, "middle")
        return
    edges = [
        f"{x + (corner - x) * _CARD:.4g},{y + (side - y) * _CARD:.4g}" for corner, side in corners
    ]
    yield element("path", d=f"M{' L'.join(edges)} Z", fill=tile.ink, class_="card")
    sign = text(tile.sign)
    yield element("text", sign, x=x, y=y + 5, text_anchor="middle", class_="suit")


def _pyramids(
    pyramids: tuple[DrawnPyramid, ...], x: float, foot: float, half: float
) -> Iterator[Markup]:
    """Yield the pyramids on one crossing, each on the tip of the one below.

    `half` is half the width of a pyramid as a share of its height.
    """
    for pyramid in pyramids:
        high = _HEIGHTS[pyramid.size]
        points = f"{x - high * half:.4g},{foot:.4g} {x:.4g},{foot - high:.4g} {x + high * half:.4g},{foot:.4g}"
        outline = element("polygon", points=points, fill=pyramid.ink or "#222222", class_="piece")
        letter = element(
            "text", text(pyramid.letter), x=x, y=foot - 3, text_anchor="middle", class_="letter"
        )
        yield element("g", element("title", text(pyramid.words)), outline, letter)
        foot -= high * 0.55


def _sides(tower: Tower, top: float) -> tuple[list[Markup], float]:
    """Return each row of crossings from the side, two side by side, and the y below them."""
    floor, parts = tower.floors[0], []
    tall = sum(map(_height_of, tower.floors))
    for row in range(floor.rows + 1):
        left, foot = 24.0 + WIDTH / 2 * (row % 2), top + (tall + 44) * (row // 2 + 1) - 22
        parts.append(label(left - 20, foot - tall - 6, f"row {row + 1} from the side"))
        step = (WIDTH / 2 - 56) / floor.columns
        for column in range(floor.columns + 1):
            parts.append(label(left + step * column, foot + 16, _LETTERS[column], "middle"))
        parts += _elevation(tower, row, left, step, foot)
    return parts, top + (tall + 44) * -(-(floor.rows + 1) // 2)


def _elevation(tower: Tower, row: int, left: float, step: float, foot: float) -> Iterator[Markup]:
    for floor in tower.floors:
        right = left + step * floor.columns
        if any(tile.at[1] in (row - 1, row) for tile in floor.tiles):
            yield element("line", x1=left - 18, y1=foot, x2=right + 18, y2=foot, class_="cell")
        for column in range(floor.columns + 1):
            yield from _pyramids(floor.standing((column, row)), left + step * column, foot, 0.45)
        foot -= _height_of(floor)


def _height_of(floor: Floor) -> float:
    """Return how far the next floor lies above this one."""
    tallest = _HEIGHTS[floor.usual or 1]
    for place in {pyramid.at for pyramid in floor.pyramids}:
        tallest = max(tallest, sum(_HEIGHTS[pyramid.size] for pyramid in floor.standing(place)))
    return tallest + 3
