"""What reports show of Fractured Sky."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.fractured_sky.rules.model import State
from companion.reports.games import Figures, GameReport, winners_of
from companion.reports.record import Record
from companion.rules.ending import leading
from companion.rules.game import SeatId


class FracturedSkyReport(GameReport):
    """Starfalls by round; an AI that wins leaves no seat the winner (FS-30)."""

    no_rulings = frozenset({"shuffle", "ai_turn", "saw", "deal"})

    def figures(self, record: Record) -> Mapping[SeatId, Figures]:
        """Return the rounds in which each seat gained most Starfalls, alone or with others, and the games."""
        state: State = record.state
        best = [leading(past.gains) for past in state.past]
        won = {seat.id: sum(seat.id in players for players in best) for seat in state.setup.seats}
        winners = winners_of(record)
        return {seat: Figures(rounds_won=won[seat], games_won=int(seat in winners)) for seat in won}
