"""The face of a game of one's own: what any game shows, and the clock where it has one."""

from __future__ import annotations

from typing import ClassVar

from companion.dashboard.game_screen import GameScreen


class OwnScreen(GameScreen):
    """The players and their counters; the header counts from the start of the clock, or of the turn."""

    counts_from: ClassVar[frozenset[str]] = frozenset({"clock_starts", "turn_ends", "time_up"})
    since: ClassVar[str] = "gone"
