"""What reports show of Sky Rise."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.sky_rise.report_pictures import points_picture
from companion.games.sky_rise.rules.model import State
from companion.games.sky_rise.rules.scoring import placement_points
from companion.games.sky_rise.rules.standings import result, winners
from companion.games.sky_rise.rules.view import level_title
from companion.reports.games import Figures, GameReport, ReportPicture, Scores
from companion.reports.record import Record
from companion.rules.game import SeatId


class SkyRiseReport(GameReport):
    """Points by level and by pyramid, and the goals once they are revealed."""

    def winners(self, state: State) -> tuple[SeatId, ...]:
        """Return who won (SR-17); a victory may be shared."""
        return winners(state)

    def scores(self, state: State) -> Scores:
        """Return the placement points after each level that is complete (SR-8, SR-9), then all points at the end."""
        return Scores.of("points", state.setup.seats, result(state).after)

    def figures(self, record: Record) -> Mapping[SeatId, Figures]:
        """Return who won the game."""
        state: State = record.state
        first = winners(state)
        return {seat.id: Figures(games_won=int(seat.id in first)) for seat in state.setup.seats}

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
