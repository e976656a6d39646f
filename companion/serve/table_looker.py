"""A table in play as its own pages show it."""

from __future__ import annotations

import threading
from functools import partial

from companion.serve.feed_tail import FeedTail
from companion.serve.showing import Painter, Showing, Still, still_of
from companion.session.table import Table
from companion.session.views import SavedView

# A disk in trouble is told on the table's own screen, where somebody can do something about it.
_SAVED = SavedView("", ok=True)


class TableLooker:
    """Says what the pages of a table in play show, and lets each seat note on its own. Used by one thread at a time;
    the caller closes it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._painter = Painter(table.game, notes=True)
        self._fresh = threading.Event()
        self._unsubscribe = table.subscribe(self._fresh.set)
        self.tail: FeedTail = table.look(
            lambda record: FeedTail(record.game, record.setup, record.entries, self._saved)
        )
        """The public feed."""
        self.showing: Showing = self._painter.showing(self._still(), {})

    @property
    def news(self) -> bool:
        """Whether the table changed since the last look."""
        return self._fresh.is_set()

    def look(self) -> bool:
        """Take in the news; return whether the pages changed."""
        self._fresh.clear()
        before = self.showing
        self.showing = self._painter.showing(self._still(), before.blocks)
        return self.showing != before

    def close(self) -> None:
        """Hear of the table no more."""
        self._unsubscribe()

    def _saved(self) -> int:
        return self._table.durable_n

    def _still(self) -> Still:
        return self._table.look(partial(still_of, saved=_SAVED))
