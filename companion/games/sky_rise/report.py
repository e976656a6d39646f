"""What reports show of Sky Rise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.sky_rise.rules.model import State
from companion.games.sky_rise.rules.scoring import placement_points
from companion.games.sky_rise.rules.view import level_title
from companion.reports.charts import LEFT, RIGHT
from companion.reports.games import GameReport, ReportPicture
from companion.reports.markup import WIDTH, Markup, element, svg, text
from companion.reports.record import Record
from companion.rules.columns import fit
from companion.rules.game import Seat, SeatId


class SkyRiseReport(GameReport):
    """Points by level and by pyramid, and the goals once they are revealed."""

    def is_ruling(self, kind: str) -> bool:
        """Return whether it is more than a card laid, a turn that ended, or goals noted."""
        return kind not in ("card", "turn_over", "goal_noted")

    def pictures(self, record: Record) -> tuple[ReportPicture, ...]:
        """Return the placement points pyramid by pyramid."""
        state: State = record.state
        if not any(level.pyramids for level in state.levels):
            return ()
        courses = [_course(state, seat.id) for seat in state.setup.seats]
        marks = [(level_title(level), len(level.pyramids)) for level in state.levels]
        return (ReportPicture("Placement points, pyramid by pyramid", points_picture(state, courses, marks)),)


def _course(state: State, seat: SeatId) -> tuple[int, ...]:
    """A seat's placement points after each pyramid of the tower, whoever placed it."""
    course, points = [], 0
    for level in state.levels:
        for placed in level.pyramids:
            points += placement_points(state.plan, level, placed) if placed.seat == seat else 0
            course.append(points)
    return tuple(course)


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
