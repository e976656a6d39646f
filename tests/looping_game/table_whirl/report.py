"""What the report of Whirl shows beyond its panels."""

from __future__ import annotations

from collections.abc import Mapping

from companion.reports.games import Figures, GameReport
from companion.reports.record import Record
from companion.rules.game import SeatId

from .loops import whirl


class Report(GameReport):
    """Loops where the figures of a session are asked for."""

    def figures(self, record: Record) -> Mapping[SeatId, Figures]:
        whirl("figures", record.state.turns)
        return super().figures(record)


REPORT = Report
