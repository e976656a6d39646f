"""The conversation that a link has with its board, for somebody who listens in: the link keeps the port, and stores
everything as before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from queue import Empty, SimpleQueue

from companion.link.conversation import TURN_S
from companion.link.events import SessionEvent
from companion.link.session import SILENT_NS, Session
from companion.link.status import Counters

SILENT = "nothing comes from it"


class ListeningIn:
    """What a listener has of one connection of a link, until it is closed.

    The link's thread calls `hear` with each event, and obeys what is given to `give_order`. `is_current` returns
    whether `session` is still the link's. Otherwise this is as `Conversation`.
    """

    def __init__(
        self,
        session: Session,
        clock_ns: Callable[[], int],
        is_current: Callable[[], bool],
        give_order: Callable[[Callable[[Session], object]], object],
        stop: Callable[[], object],
    ) -> None:
        self.session = session
        self.clock_ns = clock_ns
        self.lost: str | None = None
        self._is_current, self._give_order, self._stop = is_current, give_order, stop
        self._heard: SimpleQueue[SessionEvent] = SimpleQueue()
        self._before = _values(session.counters)

    def hear(self, event: SessionEvent) -> None:
        """Take the next event of the session."""
        self._heard.put(event)

    def close(self) -> None:
        """Listen no more."""
        self._stop()

    def do(self, order: Callable[[Session], object]) -> None:
        """Give an order to the session, which the link's thread carries out."""
        self._give_order(order)

    @property
    def counters(self) -> Counters:
        """What happened on the wire since this began."""
        now = _values(self.session.counters)
        return Counters(**{name: now[name] - self._before[name] for name in now})

    @property
    def trouble(self) -> str:
        """Sentence on why the board cannot be talked to; empty if it can."""
        return "" if self.lost is None else f"The board is lost: {self.lost}."

    def turn(self) -> list[SessionEvent]:
        """Wait for up to `TURN_S`; return what happened."""
        events: list[SessionEvent] = []
        try:
            events.append(self._heard.get(timeout=TURN_S))
            while True:
                events.append(self._heard.get_nowait())
        except Empty:
            pass
        if not self._is_current():
            self.lost = "its connection ended"
        elif self.session.silent_ns(self.clock_ns()) >= SILENT_NS:
            self.lost = SILENT
        return events


def _values(counters: Counters) -> dict[str, int]:
    return {each.name: getattr(counters, each.name) for each in fields(counters)}
