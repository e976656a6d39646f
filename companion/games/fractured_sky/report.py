"""What reports show of Fractured Sky."""

from __future__ import annotations

from companion.reports.games import Figures, GameReport
from companion.reports.record import Record
from companion.rules.ending import leading
from companion.rules.facts import SeatId


class FracturedSkyReport(GameReport):
    """Starfalls by round; an AI that wins leaves no seat the winner (FS-30)."""

    no_rulings = frozenset({"shuffle", "ai_turn", "saw", "deal"})

    def seat_figures(self, record: Record, seat: SeatId) -> Figures:
        """Return the rounds in which the seat gained most Starfalls, alone or with others."""
        return Figures(rounds_won=sum(seat in leading(past.gains) for past in record.state.past))
