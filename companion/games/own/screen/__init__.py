"""The face of a game of one's own: what any game shows, and the clock where it has one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.content import Content

from companion.dashboard.game_screen import GameScreen, SecretPart
from companion.dashboard.notes_part import NotesPart
from companion.games.own.rules.view import SheetView, note_lines
from companion.rules.game import Seat


class OwnScreen(GameScreen):
    """The players and their counters; the header counts from the start of the clock, or of the turn."""

    counts_from: ClassVar[frozenset[str]] = frozenset({"clock_starts", "turn_ends", "time_up"})
    since: ClassVar[str] = "gone"


class SecretsScreen(OwnScreen):
    """The same for a game in which players note something for themselves."""

    def secret(self) -> SecretPart:
        return OwnSecrets(note_lines)


class OwnSecrets(NotesPart):
    """What a player's secret counters stand at, and a line for each."""

    def above(self, secrets: SheetView, seat: Seat, _width: int) -> Sequence[Content]:
        own = next(player for player in secrets.players if player.id == seat.id)
        titles = {secret.title for secret in secrets.secrets.values()}
        return [Content(f"{title}: {value}") for title, value in own.counters if title in titles]
