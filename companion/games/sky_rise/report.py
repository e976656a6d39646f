"""Sky Rise's part of a report."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.sky_rise.rules.model import State
from companion.games.sky_rise.rules.scoring import placement_points
from companion.games.sky_rise.rules.standings import name_of_level
from companion.reports.charts import score_chart
from companion.reports.games import GameReport, ReportPicture
from companion.reports.record import Record
from companion.rules.facts import SeatId


class SkyRiseReport(GameReport):
    """Points by level and by pyramid, and the goals once they are revealed."""

    no_rulings = frozenset({"card", "turn_over", "goal_noted"})

    def pictures(self, record: Record) -> tuple[ReportPicture, ...]:
        """Return a chart of the placement points after each pyramid."""
        after = tuple(_points_after_each(record.state))
        if not after:
            return ()
        chart = score_chart(after, record.setup.seats, "placement points", "pyramid")
        return (ReportPicture("Placement points, pyramid by pyramid", chart),)


def _points_after_each(state: State) -> Iterator[tuple[str, dict[SeatId, int]]]:
    """Yield the placement points after each pyramid; the last one of a level carries the level's name."""
    held = dict.fromkeys((seat.id for seat in state.setup.seats), 0)
    for level in state.levels:
        for placed in level.pyramids:
            held = {
                **held,
                placed.seat: held[placed.seat] + placement_points(state.plan, level, placed),
            }
            yield name_of_level(level) if placed is level.pyramids[-1] else "", held
