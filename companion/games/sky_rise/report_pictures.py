"""The drawings of a Sky Rise report: the tower, seen from above its front, and the course of the placement points. A
pyramid is told by its letter, a card by the sign of its suit; nothing by its color alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.sky_rise.rules.facts import Size
from companion.games.sky_rise.rules.model import Placed, State, TowerLevel
from companion.games.sky_rise.rules.scoring import placement_points
from companion.games.sky_rise.rules.tower import legend, level_title
from companion.reports.charts import LEFT, RIGHT, WIDTH, svg
from companion.reports.markup import Markup, element, join, text
from companion.rules.columns import fit
from companion.rules.game import Seat

_ACROSS, _BACK, _SLANT = 73.0, 30.0, 20.0  # a card: its width, its depth on paper, how far a row is shifted
_LIFT = 46.0  # from one level to the next, for the pyramids between
_HEIGHTS: dict[Size, float] = {"large": 36.0, "medium": 30.0, "small": 24.0}
_LEGEND_LINE = 52  # letters


def tower_picture(state: State) -> Markup:
    """Return the tower with its levels lifted apart, the highest on top."""
    grid = state.plan.grid
    step = _BACK * grid.rows + _LIFT
    parts: list[Markup] = []
    for place, level in enumerate(reversed(state.levels)):
        parts.append(_level(state, level, 26 + step * place + _HEIGHTS["large"]))
    bottom = 26 + step * len(state.levels)
    lines = _broken(legend(state))
    parts += [_label(4, bottom + 18 + 16 * number, line) for number, line in enumerate(lines)]
    return svg(bottom + 18 + 16 * len(lines), _in_words(state), *parts)


def _in_words(state: State) -> str:
    levels = []
    for level in state.levels:
        pieces = ", ".join(f"{one.place} {one.color}" for one in level.pyramids) or "no pyramids"
        cards = ", ".join(f"{one.place} {one.suit}" for one in level.cards) or "no cards"
        levels.append(f"{level_title(level)}: {cards}; {pieces}")
    return "The tower from the ground up. " + ". ".join(levels)


def _level(state: State, level: TowerLevel, top: float) -> Markup:
    """A level: its cards row by row from behind, its pyramids in the same order, its name on the left."""
    grid = state.plan.grid
    cells = [_card(state, level, cell, top) for cell in grid.cells]
    pieces = []
    for place in grid.places:
        standing = [placed for placed in level.pyramids if placed.place == place]
        pieces += [_pyramid(state, level, placed, top - 14 * high) for high, placed in enumerate(standing)]
    name, _, rest = level_title(level).partition(" (")
    front = top + _BACK * grid.rows
    marks = [_label(_corner(state, f"{letter}{grid.rows + 1}", top)[0], front + 14, letter, "middle")
             for letter in "abcd"[: grid.columns + 1]]  # fmt: skip
    for row in range(1, grid.rows + 2):
        x, y = _corner(state, f"a{row}", top)
        marks.append(_label(x - 24, y + 4, str(row), "end"))
    return join((_label(4, top + 12, name), _label(4, top + 28, f"({rest}"), *cells, *marks, *pieces))


def _corner(state: State, place: str, top: float) -> tuple[float, float]:
    """Where a corner lies on paper; rows go from behind to the front."""
    x, y = "abcd".index(place[0]), int(place[1]) - 1
    return LEFT + 4 + _ACROSS * x + _SLANT * (state.plan.grid.rows - y), top + _BACK * y


def _card(state: State, level: TowerLevel, cell: str, top: float) -> Markup:
    letter, number = cell[0], int(cell[1])
    right = "abcd"["abcd".index(letter) + 1]
    around = (cell, f"{right}{number}", f"{right}{number + 1}", f"{letter}{number + 1}")
    corners = [_corner(state, place, top) for place in around]
    outline = element("polygon", points=" ".join(f"{x:.4g},{y:.4g}" for x, y in corners), class_="cell")
    card = next((laid for laid in level.cards if laid.place == cell), None)
    if card is None:
        return outline
    x, y = (sum(values) / 4 for values in zip(*corners, strict=True))
    hint = element(
        "title", text(f"{cell}: {card.suit}{f' {card.rank}' if card.rank else ''}, by {state.name(card.seat)}")
    )
    return element("g", hint, outline, _label(x, y + 5, state.kit.sign(card.suit), "middle"))


def _pyramid(state: State, level: TowerLevel, placed: Placed, top: float) -> Markup:
    x, y = _corner(state, placed.place, top)
    height = _HEIGHTS[placed.size]
    ink = state.kit.ink(placed.color)
    outline = element(
        "polygon",
        points=f"{x - height * 0.42:.4g},{y + 5:.4g} {x:.4g},{y + 5 - height:.4g} {x + height * 0.42:.4g},{y + 5:.4g}",
        fill=ink,
        stroke="currentColor",
    )
    points = placement_points(state.plan, level, placed)
    said = f"{placed.place}: {placed.size} {placed.color}, by {state.name(placed.seat)}, points {points}"
    style = f"fill:{'#000' if _is_light(ink) else '#fff'};font-size:11px"
    letter = element("text", text(state.kit.letter(placed.color)), x=x, y=y + 2, text_anchor="middle", class_="on-dot",
                     style=style)  # fmt: skip
    return element("g", element("title", text(said)), outline, letter)


def _is_light(ink: str) -> bool:
    """Whether black letters read better on that ink than white ones (relative luminance, WCAG 2)."""
    try:
        red, green, blue = (int(ink[place : place + 2], 16) / 255 for place in (1, 3, 5))
    except ValueError:
        return True
    return bool(0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 > 0.18)


def points_picture(state: State, courses: Sequence[Sequence[int]], levels: Sequence[tuple[str, int]]) -> Markup:
    """Return each seat's placement points after each pyramid; `levels` are their names and numbers of pyramids."""
    seats = state.setup.seats
    frame = _Frame(max(1, *map(len, courses)), max(1, *(max(course, default=0) for course in courses)))
    lines: list[Markup] = []
    for seat, course in zip(seats, courses, strict=True):
        lines += _stairs(seat, [frame.at(number, points) for number, points in enumerate((0, *course))])
    below = frame.bottom + 40
    for place, seat in enumerate(seats):
        name = fit(f"{seat.glyph} {seat.name}", 24).rstrip()
        lines.append(_label(12 + place % 2 * WIDTH / 2, below + 18 * (place // 2), name))
    ends = [f"{seat.name} {course[-1] if course else 0}" for seat, course in zip(seats, courses, strict=True)]
    height = below + 6 + 18 * ((len(seats) - 1) // 2)
    return svg(height, f"Placement points in the end: {'; '.join(ends)}", *_axes(frame, levels), *lines)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where the `count` pyramids and up to `top` points lie on paper."""

    count: int
    top: int
    bottom: float = 174.0

    def at(self, number: int, points: int) -> tuple[float, float]:
        return LEFT + (WIDTH - LEFT - RIGHT) * number / self.count, self.bottom - 160 * points / self.top


def _axes(frame: _Frame, levels: Sequence[tuple[str, int]]) -> Iterator[Markup]:
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if frame.top / step <= 6)
    for points in range(0, frame.top + 1, every):
        yield _line(frame.at(0, points), frame.at(frame.count, points))
        yield _label(LEFT - 8, frame.at(0, points)[1] + 4, str(points), "end")
    before = 0
    for name, number in levels:
        yield _line(frame.at(before, 0), frame.at(before, frame.top))
        if number * 4 > frame.count / 4:  # room for its name
            yield _label(frame.at(before, 0)[0] + 2, frame.bottom + 16, name.partition(" (")[0])
        before += number


def _stairs(seat: Seat, points: Sequence[tuple[float, float]]) -> Iterator[Markup]:
    path = " ".join(f"{x:.5g},{y:.5g}" for x, y in points)
    yield element("polyline", points=path, class_="under")
    yield element("polyline", points=path, stroke=seat.color, class_="course")
    x, y = points[-1]
    yield element("text", text(seat.glyph), x=x, y=y + 4, text_anchor="middle", fill=seat.color, class_="glyph")


def _line(one: tuple[float, float], other: tuple[float, float]) -> Markup:
    return element("line", x1=one[0], y1=one[1], x2=other[0], y2=other[1], class_="grid")


def _label(x: float, y: float, words: str, anchor: str = "start") -> Markup:
    return element("text", text(words), x=x, y=y, text_anchor=anchor)


def _broken(words: str) -> list[str]:
    """The legend in lines that fit, broken between colors."""
    lines = [""]
    for part in words.split(", "):
        if len(lines[-1]) + len(part) > _LEGEND_LINE:
            lines.append("")
        lines[-1] += f"{', ' if lines[-1] else ''}{part}"
    return lines
