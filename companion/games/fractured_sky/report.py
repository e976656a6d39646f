"""The report of Fractured Sky."""

from __future__ import annotations

from dataclasses import replace

from companion.reports.games import ROUNDS_WON, FigureColumn, Figures, GameReport
from companion.reports.record import Record
from companion.rules.ending import leading
from companion.rules.facts import SeatId


class FracturedSkyReport(GameReport):
    """Starfalls by round; if an AI wins, no seat is the winner (FS-30)."""

    no_rulings = frozenset({"shuffle", "ai_turn", "saw", "deal"})

    def over_sessions(self, unit: str) -> tuple[FigureColumn, ...]:
        """Return the rounds with most Starfalls, and all Starfalls."""
        return (replace(ROUNDS_WON, head="rounds led"), *super().over_sessions(unit))

    def seat_figures(self, record: Record, seat: SeatId) -> Figures:
        """Return in how many rounds the seat gained most Starfalls, alone or tied."""
        return Figures(rounds_won=sum(seat in leading(past.gains) for past in record.state.past))
