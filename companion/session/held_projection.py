"""What those are shown who see a game with a delay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.journal.entries import Entry
from companion.rules.game import Game, Setup
from companion.session.held_record import HeldRecord
from companion.session.projection import SessionProjection


class HeldProjection:
    """What the record of a session came to a while ago, see `HeldRecord`. It is used by one thread at a time."""

    def __init__(
        self,
        game: Game[Any],
        setup: Setup,
        entries: Sequence[Entry],
        saved: Callable[[], int],
        delay_s: float,
        *,
        hold: Callable[..., HeldRecord] = HeldRecord,
    ) -> None:
        self._game, self._setup = game, setup
        self._held = hold(entries, saved, delay_s)
        for _ in self._held.take():
            pass
        self.record = self._read()
        """What stood then; another one after a `look` that brought back what had been left out."""

    def look(self) -> bool:
        """Take in what may be shown by now; return whether that is anything."""
        told, again = len(self._held.entries), False
        for brought_back in self._held.take():
            again |= brought_back
        new = self._held.entries[told:]
        if again:
            self.record = self._read()
        else:
            self.record.extend(new)
        return bool(new)

    @property
    def wait_s(self) -> float | None:
        """Seconds until more may be shown; None while there is nothing more."""
        return self._held.wait_s

    def _read(self) -> SessionProjection:
        return SessionProjection(self._game, self._setup, self._held.entries)
