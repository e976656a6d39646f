"""The public events of a growing record, taken as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from companion.journal.entries import Entry
from companion.journal.errors import JournalError
from companion.rules.game import Game, Setup
from companion.session.feed import Feed
from companion.session.feed_events import Event


class FeedReading:
    """Gives each event of a record once, as far as its entries are on the disk. Used by one thread at a time."""

    def __init__(
        self, game: Game[Any], setup: Setup, entries: Sequence[Entry], saved: Callable[[], int] | None = None
    ) -> None:
        """`saved` returns how many of `entries` are on the disk; None: all are. Nothing is read before `take`."""
        self._game, self._setup, self._entries = game, setup, entries
        self._saved = saved or (lambda: len(entries))
        self._feed: Feed | None = None
        self._given = 0

    def take(self) -> Iterator[Event]:
        """Yield what was saved since the last time. The first reads the whole record, and so does the one after a
        record that could not be read; then nothing more comes now."""
        feed = self._feed or Feed(self._game, self._setup, self._entries)
        self._feed = None
        try:
            for event in feed.take(self._saved()):
                if event.number > self._given:
                    self._given = event.number
                    yield event
        except JournalError:
            return
        self._feed = feed
