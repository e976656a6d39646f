"""The newest events of a session's public feed, for readers over the network."""

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
"""Events kept for a reader that was away; `companion feed` reads older ones."""


class FeedTail:
    """The newest events of a growing record, as far as its entries are on the disk. Any thread may use it; events are
    made only when somebody reads them."""

    def __init__(
        self,
        reading: FeedReading,
        delay_s: float = 0.0,
        link: Callable[[], LinkView] = lambda: WATCHING,
    ) -> None:
        """`reading` reads the record `delay_s` late; `link` returns the state of the board."""
        self._reading, self._delay_s, self._link = reading, delay_s, link
        self._lock = threading.Lock()
        self._kept: deque[Event] = deque(maxlen=KEPT)

    def now_ms(self) -> int:
        """Return the time that the public sees now, in milliseconds since 1970; it is as late as the events."""
        return round((time.time() - self._delay_s) * 1000)

    def link(self) -> str:
        """Return the state of the board as JSON. It is no event: no number, not in the record, and not delayed."""
        view = self._link()
        return json.dumps({"state": view.words, "healthy": view.well})

    def news(self, last: str, last_link: str) -> tuple[bytes, str, str]:
        """Return what a stream sends next: the time, the board's state if it is not `last_link`, and the events after
        `last`, see `events_after`. Also return the id of the last of them, and the board's state."""
        link_now = self.link()
        parts = [f"event: now\ndata: {self.now_ms()}\n\n"]
        if link_now != last_link:
            parts.append(f"event: link\ndata: {link_now}\n\n")
        events = events_after(self.look(), last)
        parts += [f"id: {id_of(event)}\ndata: {line_of(event)}\n\n" for event in events]
        if events:
            last = id_of(events[-1])
        return "".join(parts).encode(), last, link_now

    def look(self) -> tuple[Event, ...]:
        """Read what was saved since the last call; return the newest events, the oldest first."""
        with self._lock:
            with suppress(JournalError):
                self._kept.extend(self._reading.take())
            return tuple(self._kept)


def events_after(events: Sequence[Event], last: str) -> Sequence[Event]:
    """Return the events after the one whose `id` is `last`. A reader with none of this session gets the newest alone,
    which has the whole table."""
    session, _, number = last.partition(":")
    if not events or session != events[-1].session or not (number.isascii() and number.isdecimal()):
        return events[-1:]
    seen = int(number[:20])  # Python refuses to convert thousands of digits
    return [event for event in events if event.number > seen]


def id_of(event: Event) -> str:
    """Return the id of an event in a stream."""
    return f"{event.session}:{event.number}"
