"""A table in play as its own pages show it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from companion.journal.errors import JournalError
from companion.serve.feed_tail import FeedTail
from companion.serve.showing import Painter, Showing, Still, still_of
from companion.session.held_record import HeldProjection
from companion.session.table import Table
from companion.session.views import SavedView

# A disk in trouble is told on the table's own screen, where somebody can do something about it.
_SAVED = SavedView("", ok=True)


class TableLooker:
    """Says what the pages of a table in play show, and lets each seat note on its own. Used by one thread at a time;
    the caller closes it."""

    def __init__(self, table: Table, delay_s: float = 0.0) -> None:
        """Everybody's page and the feed come `delay_s` later; the seats' own pages are for who sits at the table."""
        self._table = table
        self._painter = Painter(table.game, notes=True)
        self._fresh = threading.Event()
        self._unsubscribe = table.subscribe(self._fresh.set)
        self.tail: FeedTail = table.look(
            lambda record: FeedTail(
                record.game, record.setup, record.entries, self._saved, delay_s, link=lambda: table.board.view
            )
        )
        """The public feed."""
        self._held = (
            None
            if not delay_s
            else table.look(
                lambda record: HeldProjection(record.game, record.setup, record.entries, self._saved, delay_s)
            )
        )
        self.showing: Showing = self._painter.showing(self._still(), {}, self._told())

    @property
    def news(self) -> bool:
        """Whether the table changed since the last look."""
        return self._fresh.is_set() or (self._held is not None and self._held.wait_s == 0)

    def look(self) -> bool:
        """Take in the news; return whether the pages changed."""
        self._fresh.clear()
        before = self.showing
        self.showing = self._painter.showing(self._still(), before.blocks, self._told())
        return self.showing != before

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have `callback` called at each change of the table; return what ends that."""
        return self._table.subscribe(callback)  # behind what makes it `news`

    def close(self) -> None:
        """Hear of the table no more."""
        self._unsubscribe()

    def _saved(self) -> int:
        return self._table.durable_n

    def _told(self) -> Still | None:
        """What everybody is shown, where that is held back."""
        if self._held is None:
            return None
        with suppress(JournalError):  # old entries cannot be read just now: what was shown stays
            self._held.look()
        return still_of(self._held.record, _SAVED)

    def _still(self) -> Still:
        return self._table.look(partial(still_of, saved=_SAVED))
