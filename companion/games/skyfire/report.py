"""What reports show of SkyFire."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.skyfire.rules.model import State
from companion.games.skyfire.rules.standings import ended, result, winners
from companion.reports.games import Figures, GameReport, Scores
from companion.reports.record import Record
from companion.rules.game import SeatId


class SkyFireReport(GameReport):
    """Rounds, launches and misfires of SkyFire."""

    def winners(self, state: State) -> tuple[SeatId, ...]:
        """Return who won (SF-18); a victory may be shared."""
        return winners(state)

    def scores(self, state: State) -> Scores:
        """Return the points after each round that is over, then with those that the table set by hand (SF-T4)."""
        return Scores.of("points", state.setup.seats, result(state).after)

    def figures(self, record: Record) -> Mapping[SeatId, Figures]:
        """Return the rounds each seat won, a wrong misfire of somebody else among them, and the games."""
        state: State = record.state
        results = [played.result for played in ended(state) if played.result is not None]
        return {
            seat.id: Figures(
                rounds_won=sum(seat.id in result.winners for result in results),
                games_won=int(seat.id in winners(state)),
            )
            for seat in state.setup.seats
        }

    def is_ruling(self, kind: str) -> bool:
        """Return whether it is more than a card placed, or noted."""
        return kind not in ("place", "backs", "hand_noted", "place_noted")
