"""SkyFire's part of a report."""

from __future__ import annotations

from companion.games.skyfire.rules.standings import ended
from companion.reports.games import ROUNDS_WON, FigureColumn, Figures, GameReport
from companion.reports.record import Record
from companion.rules.facts import SeatId


class SkyFireReport(GameReport):
    """Rounds, launches and misfires."""

    no_rulings = frozenset({"place", "backs", "hand_noted", "place_noted"})

    def over_sessions(self, unit: str) -> tuple[FigureColumn, ...]:
        """Return rounds won, and the points."""
        return (ROUNDS_WON, *super().over_sessions(unit))

    def seat_figures(self, record: Record, seat: SeatId) -> Figures:
        """Return the rounds the seat won, by another's wrong misfire included."""
        results = [played.result for played in ended(record.state) if played.result is not None]
        return Figures(rounds_won=sum(seat in result.winners for result in results))
