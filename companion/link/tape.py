"""Replay of a link from its tape: the same session, storing and dispatch, without a port, a thread or a clock."""

from __future__ import annotations

from collections.abc import Callable

from companion.link.dispatcher import EventDispatcher, LinkMemory, Listener, TapeEvent
from companion.link.evidence import Evidence, EvidenceQueue, LastEvidence, NotDurable
from firmware_protocol.messages import Config


class TapePlayer:
    """Takes a tape's lines in order; its listener gets the same calls as the live one, in the same order.

    `last` is the last evidence the session had stored before; `jitter` returns the numbers that the live link drew.
    """

    def __init__(
        self, listener: Listener, last: LastEvidence | None, jitter: Callable[[], float]
    ) -> None:
        self._memory = LinkMemory(
            listener, last, clock_ns=lambda: self._now_ns, armed=True, jitter=jitter
        )
        self._memory.storing = EvidenceQueue(self._keep)
        self._fails_next = False
        self._dispatcher: EventDispatcher | None = None
        self._now_ns = 0

    def play(self, mark: TapeEvent, now_ns: int, data: bytes) -> None:
        """Do what a line says; raise `ValueError` for a line that no link wrote there."""
        self._now_ns = now_ns
        memory = self._memory
        if mark in (TapeEvent.OPENED, TapeEvent.CONFIGURED, TapeEvent.ADOPTED):
            self._prepare(mark, now_ns, data)
        elif self._dispatcher is None:
            raise ValueError("something is done while no port is open")
        elif mark in (TapeEvent.STORED, TapeEvent.UNSAVED):
            self._fails_next = self._fails_next or mark is TapeEvent.UNSAVED
            # A line is written after what it reports, so its time may be too early for the retry: store now.
            memory.storing.retry.hasten(now_ns)
            self._dispatcher.store()
        elif mark is TapeEvent.ENDED:
            memory.ended(self._dispatcher.session)
            self._dispatcher = None
        elif mark is TapeEvent.WRITTEN:
            self._dispatcher.session.outgoing(now_ns)
        elif mark is TapeEvent.POLLED:
            self._dispatcher.handle(self._dispatcher.session.poll(now_ns))
        else:
            self._dispatcher.perform(mark, now_ns, data)
        if self._dispatcher is not None:
            memory.inbox = self._dispatcher.session.inbox

    def _prepare(self, mark: TapeEvent, now_ns: int, data: bytes) -> None:
        """Do what needs no open port."""
        memory = self._memory
        if mark is TapeEvent.OPENED:
            self._dispatcher = EventDispatcher(memory.session(now_ns), memory)
        elif mark is TapeEvent.ADOPTED:
            memory.adopted = int(data, 16)
        else:
            memory.config = Config(*map(int, data.split()))
            if self._dispatcher is not None:
                self._dispatcher.session.settings.change(memory.config, now_ns)

    def _keep(self, evidence: list[Evidence]) -> None:
        """Pass evidence on, then refuse it where it was refused then."""
        self._memory.listener.store(evidence)
        if self._fails_next:
            self._fails_next = False
            raise NotDurable("it was not saved then")
