"""The public events of a growing record, taken as they come, at once or after a delay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from companion.journal.entries import Entry
from companion.rules.game import Game, Setup
from companion.session.feed import Feed
from companion.session.feed_events import PLACES, Event
from companion.session.held_record import HeldRecord


class FeedReading:
    """Gives each event of a record once, as far as its entries are on the disk. Used by one thread at a time."""

    def __init__(
        self,
        game: Game[Any],
        setup: Setup,
        entries: Sequence[Entry],
        saved: Callable[[], int] | None = None,
        delay_s: float = 0.0,
        *,
        hold: Callable[..., HeldRecord] = HeldRecord,
    ) -> None:
        """`saved` returns how many of `entries` are on the disk; None: all are. Nothing is read before `take`. `hold`
        makes what delays, where there is a delay."""
        self._game, self._setup = game, setup
        self._saved = saved or (lambda: len(entries))
        self._held = hold(entries, self._saved, delay_s) if delay_s else None
        self._entries = entries if self._held is None else self._held.entries
        self._feed: Feed | None = None
        self._given = 0

    def take(self) -> Iterator[Event]:
        """Yield what came since the last time. The first reads the whole record, and so does the one after a record
        that could not be read; that raises `JournalError`."""
        if self._held is None:
            yield from self._take(self._saved())
            return
        told = len(self._entries)
        for brought_back in self._held.take():
            if brought_back:  # what is older is read anew, and not told
                self._feed, self._given = None, max(self._given, (told + 1) * PLACES - 1)
            told = len(self._entries)
            yield from self._take(told)

    @property
    def wait_s(self) -> float | None:
        """Seconds until something may come that has happened already; None where nothing is held back."""
        return None if self._held is None else self._held.wait_s

    @property
    def closed(self) -> bool:
        """Whether what was told ends with the end of the session."""
        return self._feed is not None and self._feed.closed

    def _take(self, up_to: int) -> Iterator[Event]:
        feed = self._feed or Feed(self._game, self._setup, self._entries)
        self._feed = None
        for event in feed.take(up_to):
            if event.number > self._given:
                self._given = event.number
                yield event
        self._feed = feed
