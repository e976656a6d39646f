"""Views of a whole record, for a table in play and for one that is only watched."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from companion.rules.gestures import GestureSettings
from companion.session.projection import SessionProjection

if TYPE_CHECKING:
    from companion.session.marshal_view import MarshalView
    from companion.session.rereading import Rereading
    from companion.session.score_history import ScoreHistory


class Inspection:
    """Each method works on a snapshot, takes a while on a long record, and may be called in any
    thread; `lock` is held while the record grows."""

    def __init__(self, record: SessionProjection, lock: threading.Lock | threading.RLock) -> None:
        self._record = record
        self._lock = lock

    def marshal(self) -> MarshalView:
        """Return the evidence beside what was made of it."""
        # Imported late, like the others here: the first screen does not need it.
        from companion.session.marshal_view import marshal_view

        return marshal_view(self._record, self._lock)

    def score_history(self) -> ScoreHistory:
        """Return how the scores changed."""
        from companion.session.score_history import score_history_of

        with self._lock:
            count = len(self._record.entries)
        return score_history_of(self._record.game, self._record.setup, self._record.entries[:count])

    def reread(self, settings: GestureSettings) -> Rereading:
        """Return what reading all evidence with `settings` would change."""
        from companion.session.rereading import reread

        with self._lock:
            count = len(self._record.entries)
        return reread(self._record.game, self._record.setup, self._record.entries[:count], settings)
