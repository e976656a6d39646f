"""The face of a game of one's own: what any game shows, and the clock where it has one."""

from __future__ import annotations

from typing import ClassVar

from companion.dashboard.game_screen import GameScreen, SecretPart
from companion.dashboard.notes_part import NotesPart
from companion.games.own.panels import PANELS


class OwnScreen(GameScreen):
    """The players and their counters; the header counts from the start of the clock, or of the turn."""

    counts_from: ClassVar[frozenset[str]] = frozenset({"clock_starts", "turn_ends", "time_up"})
    since: ClassVar[str] = "gone"


class SecretsScreen(OwnScreen):
    """The same for a game in which players note something for themselves."""

    def secret(self) -> SecretPart:
        return NotesPart(PANELS)
