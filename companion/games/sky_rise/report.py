"""What reports show of Sky Rise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.sky_rise.rules.model import State
from companion.games.sky_rise.rules.scoring import placement_points
from companion.games.sky_rise.rules.view import level_title
from companion.reports.charts import LEFT, RIGHT, grid_step
from companion.reports.games import GameReport, ReportPicture
from companion.reports.markup import WIDTH, Markup, element, label, svg, text
from companion.reports.record import Record
from companion.rules.columns import fit
from companion.rules.game import Seat, SeatId


class SkyRiseReport(GameReport):
    """Points by level and by pyramid, and the goals once they are revealed."""

    no_rulings = frozenset({"card", "turn_over", "goal_noted"})

    def pictures(self, record: Record) -> tuple[ReportPicture, ...]:
        """Return the placement points pyramid by pyramid."""
        state: State = record.state
        if not any(level.pyramids for level in state.levels):
            return ()
        all_points = [_points_after_each(state, seat.id) for seat in state.setup.seats]
        marks = [(level_title(level), len(level.pyramids)) for level in state.levels]
        return (ReportPicture("Placement points, pyramid by pyramid", points_picture(state, all_points, marks)),)


def _points_after_each(state: State, seat: SeatId) -> tuple[int, ...]:
    """A seat's placement points after each pyramid of the tower, whoever placed it."""
    history, points = [], 0
    for level in state.levels:
        for placed in level.pyramids:
            points += placement_points(state.plan, level, placed) if placed.seat == seat else 0
            history.append(points)
    return tuple(history)


def points_picture(state: State, all_points: Sequence[Sequence[int]], levels: Sequence[tuple[str, int]]) -> Markup:
    """Return each seat's placement points after each pyramid; `levels` are their names and numbers of pyramids."""
    seats = state.setup.seats
    frame = _Frame(max(1, *map(len, all_points)), max(1, *(max(history, default=0) for history in all_points)))
    lines: list[Markup] = []
    for seat, history in zip(seats, all_points, strict=True):
        lines += _stairs(seat, [frame.at(number, points) for number, points in enumerate((0, *history))])
    below = frame.bottom + 40
    for place, seat in enumerate(seats):
        name = fit(f"{seat.glyph} {seat.name}", 24).rstrip()
        lines.append(label(12 + place % 2 * WIDTH / 2, below + 18 * (place // 2), name))
    ends = [f"{seat.name} {history[-1] if history else 0}" for seat, history in zip(seats, all_points, strict=True)]
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
    for points in range(0, frame.top + 1, grid_step(frame.top, 6)):
        yield _line(frame.at(0, points), frame.at(frame.count, points))
        yield label(LEFT - 8, frame.at(0, points)[1] + 4, str(points), "end")
    before = 0
    for name, number in levels:
        yield _line(frame.at(before, 0), frame.at(before, frame.top))
        if number * 4 > frame.count / 4:  # room for its name
            yield label(frame.at(before, 0)[0] + 2, frame.bottom + 16, name.partition(" (")[0])
        before += number


def _stairs(seat: Seat, points: Sequence[tuple[float, float]]) -> Iterator[Markup]:
    path = " ".join(f"{x:.5g},{y:.5g}" for x, y in points)
    yield element("polyline", points=path, class_="under")
    yield element("polyline", points=path, stroke=seat.color, class_="score-line")
    x, y = points[-1]
    yield element("text", text(seat.glyph), x=x, y=y + 4, text_anchor="middle", fill=seat.color, class_="glyph")


def _line(one: tuple[float, float], other: tuple[float, float]) -> Markup:
    return element("line", x1=one[0], y1=one[1], x2=other[0], y2=other[1], class_="grid")
