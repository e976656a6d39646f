"""The charts of a report as inline SVG, from plain figures. Pure.

A seat is identified by glyph and name, never by color alone; lines and letters use the page's own
color.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.reports.games import TimeLine, TimeMark
from companion.reports.markup import WIDTH, Markup, element, join, label, svg, text
from companion.rules.columns import fit
from companion.rules.ending import ScoresAfter
from companion.rules.facts import Seat
from companion.rules.spans import measured

_LEFT, _RIGHT = 92, 12  # margins for names and for half a glyph
_LANE = 26  # the height of a seat's lane
Point = tuple[float, float]


def score_chart(
    scores: ScoresAfter, seats: Sequence[Seat], unit: str, each: str = "round"
) -> Markup:
    """Return the score of each seat after `each` step, counted in `unit`.

    A step without a name gets no glyph on the lines. Seats with equal scores are drawn side by
    side.
    """
    by_seat = [[after.get(seat.id, 0) for _, after in scores] for seat in seats]
    top = max([1, *map(max, by_seat)]) if scores else 1
    low = min([0, *map(min, by_seat)]) if scores else 0
    lane = min(24.0, 160 / (top - low))
    zero, bottom = 24 + lane * top, 24 + lane * (top - low)
    step = (WIDTH - _LEFT - _RIGHT) / max(1, len(scores))
    every = _grid_step(top - low, 12, (1, 5))
    grid = []
    for level in range(-(-low // every) * every, top + 1, every):
        y = zero - lane * level
        grid.append(_gridline(y, label(_LEFT - 8, y + 4, str(level), "end")))
    names = [
        label(_LEFT + step * place, bottom + 24, name, "middle")
        for place, (name, _) in enumerate(scores, start=1)
    ]
    lines = []
    for place, (seat, own) in enumerate(zip(seats, by_seat, strict=True)):
        # Lines of seats with equal scores lie side by side, not on one another.
        shift = (place - (len(seats) - 1) / 2) * min(4.0, lane / (len(seats) + 1))
        points = [
            (_LEFT + step * i, zero - lane * score + shift) for i, score in enumerate((0, *own))
        ]
        named = [point for (name, _), point in zip(scores, points[1:], strict=True) if name]
        lines.append(_score_line(seat, points, named))
    legend = _legend(seats, bottom + 48)
    series = [
        f"{seat.name} {', '.join(map(str, own))}" for seat, own in zip(seats, by_seat, strict=True)
    ]
    title = f"{unit} after each {each}: {'; '.join(series)}"
    caption = label(4, 14, unit)
    height = bottom + 54 + 18 * ((len(seats) - 1) // 2)
    return svg(height, title, caption, *grid, *names, *lines, *legend)


def time_chart(line: TimeLine, seats: Sequence[Seat]) -> Markup:
    """Return one round over the seconds since *fire!*.

    Each seat has a lane with its draws (strokes) and shots (glyphs); the gun has one, too.
    """
    span_us = max([1_000_000, *(mark.us for mark in line.marks)])
    lanes = {seat.id: 6 + _LANE * (place + 0.5) for place, seat in enumerate(seats)}
    gun = 6 + _LANE * (len(seats) + 0.5)
    bottom = gun + _LANE / 2

    def x(us: int) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * us / span_us

    rows = [
        _gridline(y, _lane_name(y, seat)) for seat, y in zip(seats, lanes.values(), strict=True)
    ]
    every = _grid_step(span_us, 8, unit=1_000_000)
    ticks = [_tick(x(us), bottom, f"{us / 1_000_000:g}") for us in range(0, span_us + 1, every)]
    colors = {seat.id: seat for seat in seats}
    marks = [
        _mark(mark, x(mark.us), lanes.get(mark.seat or "", gun), gun, colors) for mark in line.marks
    ]
    caption = label(WIDTH - _RIGHT, bottom + 30, "seconds since fire!", "end")
    title = f"{line.title}: {len(line.marks)} draws, shots and pulls over {span_us / 1_000_000:.1f} seconds"
    return svg(
        bottom + 36, title, *rows, _gridline(gun, label(4, gun + 4, "gun")), *ticks, *marks, caption
    )


def matrix_chart(matrix: Sequence[Sequence[int]], seats: Sequence[Seat]) -> Markup:
    """Return who eliminated whom: shooters by row, targets by column, larger dots for higher
    counts."""
    side = min(52.0, (WIDTH - _LEFT - _RIGHT) / len(seats))
    top = 40
    most = max([1, *map(max, matrix)])
    parts = [label(4, 14, "shooter, by row; who was eliminated, by column")]
    for j, seat in enumerate(seats):
        parts.append(
            label(_LEFT + side * (j + 0.5), top - 8, f"{seat.glyph} {seat.initial}", "middle")
        )
    sentences = []
    for i, (row, seat) in enumerate(zip(matrix, seats, strict=True)):
        y = top + side * i
        parts.append(_lane_name(y + side / 2, seat))
        for j, count in enumerate(row):
            x = _LEFT + side * j
            parts.append(_cell(x, y, side, count, count / most, seat, own=i == j))
        counts = zip(seats, row, strict=True)
        targets = [f"{target.name} {count}" for target, count in counts if count]
        if targets:
            sentences.append(f"{seat.name} eliminated {', '.join(targets)}")
    title = "; ".join(sentences) or "nobody eliminated anybody"
    return svg(top + side * len(seats) + 8, title, *parts)


def _grid_step(span: int, most: int, factors: Sequence[int] = (1, 2, 5), unit: int = 1) -> int:
    """Return the distance between grid lines that divides `span` into at most `most` parts.

    It is one of the `factors` times a power of ten of `unit`, the smallest that fits.
    """
    while True:
        for factor in factors:
            if span / (unit * factor) <= most:
                return unit * factor
        unit *= 10


def _cell(
    x: float, y: float, side: float, count: int, share: float, seat: Seat, *, own: bool
) -> Markup:
    frame = element("rect", x=x, y=y, width=side, height=side, class_="own" if own else "cell")
    if not count:
        return frame
    radius = side * (0.24 + 0.2 * share**0.5)
    middle = (x + side / 2, y + side / 2)
    dot = element("circle", cx=middle[0], cy=middle[1], r=radius, fill=seat.color, class_="dot")
    number = element(
        "text",
        text(str(count)),
        x=middle[0],
        y=middle[1] + 5,
        text_anchor="middle",
        class_="on-dot",
    )
    return join((frame, dot, number))


def _score_line(seat: Seat, points: Sequence[Point], named: Sequence[Point]) -> Markup:
    path = " ".join(f"{x:.6g},{y:.6g}" for x, y in points)
    under = element("polyline", points=path, class_="under")
    line = element("polyline", points=path, stroke=seat.color, class_="score-line")
    return join((under, line, *(_glyph(seat, x, y) for x, y in named)))


def _glyph(seat: Seat, x: float, y: float) -> Markup:
    return element(
        "text",
        text(seat.glyph),
        x=x,
        y=y + 4,
        text_anchor="middle",
        fill=seat.color,
        class_="glyph",
    )


def _legend(seats: Sequence[Seat], top: float) -> list[Markup]:
    parts: list[Markup] = []
    for place, seat in enumerate(seats):
        x, y = 12 + place % 2 * WIDTH / 2, top + place // 2 * 18
        parts += [_glyph(seat, x, y - 4), label(x + 12, y, fit(seat.name, 22).rstrip())]
    return parts


def _gridline(y: float, name: Markup) -> Markup:
    return join((element("line", x1=_LEFT, y1=y, x2=WIDTH - _RIGHT, y2=y, class_="grid"), name))


def _lane_name(y: float, seat: Seat) -> Markup:
    return label(4, y + 4, fit(f"{seat.glyph} {seat.name}", 11).rstrip())


def _tick(x: float, y: float, name: str) -> Markup:
    line = element("line", x1=x, y1=6, x2=x, y2=y, class_="grid")
    return join((line, label(x, y + 14, name, "middle")))


def _mark(mark: TimeMark, x: float, y: float, gun: float, seats: dict[str, Seat]) -> Markup:
    hint = element("title", text(f"{measured(mark.us, mark.pm)}: {mark.text}"))
    if mark.sign == "draw":
        stroke = seats[mark.seat].color if mark.seat in seats else "currentColor"
        under = element("line", x1=x, y1=y - 8, x2=x, y2=y + 8, class_="under")
        return element(
            "g",
            hint,
            under,
            element("line", x1=x, y1=y - 7, x2=x, y2=y + 7, stroke=stroke, class_="draw"),
        )
    if mark.sign == "shot":
        beam = element("line", x1=x, y1=y, x2=x, y2=gun, class_="beam")
        parts = [hint, beam, element("circle", cx=x, cy=gun, r=5, class_="shot")]
        if mark.seat in seats:  # a shot may have no shooter yet
            parts.append(_glyph(seats[mark.seat], x, y))
        return element("g", *parts)
    return element(
        "g", hint, element("text", text("x"), x=x, y=gun + 4, text_anchor="middle", class_="pull")
    )
