"""The newest events of a session's public feed, for whoever reads them over the network."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from companion.feed.events import Event, line_of
from companion.feed.feed import FeedReading
from companion.journal.errors import JournalError
from companion.session.views import LinkView
from companion.session.watching import WATCHING

KEPT = 1000
"""Events for a reader that was away; who needs older ones reads the session with `companion feed`."""


class FeedTail:
    """The events of a growing record, as far as its entries are on the disk. Any thread may look; of a session that
    nobody reads so, none are made."""

    def __init__(
        self,
        reading: FeedReading,
        delay_s: float = 0.0,
        link: Callable[[], LinkView] = lambda: WATCHING,
    ) -> None:
        """`reading` reads the record `delay_s` later; `link` says how the board is."""
        self._reading, self._delay_s, self._link = reading, delay_s, link
        self._lock = threading.Lock()
        self._kept: deque[Event] = deque(maxlen=KEPT)

    def now_ms(self) -> int:
        """Return the time that is shown to the public now, in milliseconds since 1970: it lies as far back as what is
        told."""
        return round((time.time() - self._delay_s) * 1000)

    def link(self) -> str:
        """Return how the board is, as JSON. It is no event: it has no number, is in no record, and is not held back."""
        view = self._link()
        return json.dumps({"state": view.words, "healthy": view.well})

    def news(self, last: str, last_link: str) -> tuple[bytes, str, str]:
        """Return what a stream sends next: the time, how the board is where that is not what `last_link` says, and the
        events behind `last`, see `behind`. Then what names the last of them, and how the board is."""
        link_now = self.link()
        parts = [f"event: now\ndata: {self.now_ms()}\n\n"]
        if link_now != last_link:
            parts.append(f"event: link\ndata: {link_now}\n\n")
        events = events_after(self.look(), last)
        parts += [f"id: {id_of(event)}\ndata: {line_of(event)}\n\n" for event in events]
        return "".join(parts).encode(), id_of(events[-1]) if events else last, link_now

    def look(self) -> tuple[Event, ...]:
        """Take in what was saved since the last look; return the newest events, the oldest first."""
        with self._lock:
            with suppress(JournalError):
                self._kept.extend(self._reading.take())
            return tuple(self._kept)


def events_after(events: Sequence[Event], last: str) -> Sequence[Event]:
    """Return the events after the one that `last` (the `id` of an event) names; of a reader that has none of this
    session, the newest alone, which says how the table stands."""
    session, _, number = last.partition(":")
    if not events or session != events[-1].session or not (number.isascii() and number.isdecimal()):
        return events[-1:]
    had = int(number[:20])
    return [event for event in events if event.number > had]


def id_of(event: Event) -> str:
    """Return what names an event in a stream of them."""
    return f"{event.session}:{event.number}"
