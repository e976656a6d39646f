"""The face of a game of one's own: what any game shows, and the clock where it has one."""

from __future__ import annotations

from typing import ClassVar

from companion.dashboard.game_screen import GameScreen
from companion.games.own.rules.view import OwnView
from companion.rules.game import Moment
from companion.rules.pauses import Pauses


class OwnScreen(GameScreen):
    """The players and their counters; the header counts from the start of the clock, or of the turn."""

    counts_from: ClassVar[frozenset[str]] = frozenset({"clock_starts", "turn_ends", "time_up"})
    since: ClassVar[str] = "on the clock"

    def started(self, game: OwnView) -> Moment | None:
        """Return when the clock started, while it runs."""
        return game.since

    def pauses(self, game: OwnView) -> Pauses:
        """Return the pauses."""
        return game.pauses
