"""What reports show of SkyFire."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.skyfire.rules.model import State
from companion.games.skyfire.rules.standings import ended
from companion.reports.games import Figures, GameReport, winners_of
from companion.reports.record import Record
from companion.rules.game import SeatId


class SkyFireReport(GameReport):
    """Rounds, launches and misfires of SkyFire."""

    no_rulings = frozenset({"place", "backs", "hand_noted", "place_noted"})

    def figures(self, record: Record) -> Mapping[SeatId, Figures]:
        """Return the rounds each seat won, a wrong misfire of somebody else among them, and the games."""
        state: State = record.state
        first, results = winners_of(record), [played.result for played in ended(state) if played.result is not None]
        return {
            seat.id: Figures(sum(seat.id in result.winners for result in results), int(seat.id in first))
            for seat in state.setup.seats
        }
