"""What a link did, in the order in which it did it, and a link done again from that: the same session, storing and
passing on, without a port, a thread or a clock."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from companion.link.dispatcher import EventDispatcher, Listener
from companion.link.evidence import Evidence, EvidenceQueue, LastEvidence, NotDurable
from companion.link.order import Inbox
from companion.link.session import Session
from companion.link.status import Counters
from companion.link.sync import SyncWatch
from firmware_protocol.messages import Config


class Did(StrEnum):
    """What one line of a tape is; the character is what stands in a file."""

    OPENED = "o"  # a port was opened; the text is its name
    HEARD = "<"  # bytes were read
    SAID = ">"  # bytes were written
    STORED = "s"  # what was received is durable
    UNSAVED = "!"  # the journal could not store it
    POLLED = "."  # time passed, and something came of it
    SLEPT = "w"  # the computer woke up
    CONFIGURED = "k"  # from here on the session has these settings for its board; the text is their numbers
    CUED = "c"  # a cue was asked for; the text is output and ms
    NOTED = "n"  # something about the port was noticed; the text says what
    CLOSING = "l"  # the end began: the board is asked for its last word
    STANDBY = "z"  # the clean end was asked for
    ENDED = "x"  # the port is of no more use; the text says why


Tape = Callable[[Did, int, bytes], object]
"""Takes a mark, the host's monotonic time in ns, and bytes: those of the wire, or a text in UTF-8."""


class TapePlayer:
    """Takes a tape's lines in order; the listener is told what the live one was told, in the same order.

    `last` is what the session had stored before; `jitter` gives the numbers the live link's gave.
    """

    def __init__(self, listener: Listener, last: LastEvidence | None, jitter: Callable[[], float]) -> None:
        self._counters = Counters()
        self._listener = listener
        self._failing = False
        self._jitter = jitter
        self._inbox = None if last is None else Inbox.resumed(last)
        self._storing = EvidenceQueue(self._keep)
        self._sync = SyncWatch()
        self._session: Session | None = None
        self._passing: EventDispatcher | None = None
        self._now_ns = 0
        self._config: Config | None = None

    def play(self, mark: Did, now_ns: int, data: bytes) -> None:
        """Do what a line says; raise `ValueError` for a line that no link wrote there."""
        self._now_ns = now_ns
        if mark is Did.OPENED:
            self._open(now_ns)
        elif mark is Did.CONFIGURED:
            self._config = Config(*map(int, data.split()))
            if self._session is not None:
                self._session.settings.change(self._config, now_ns)
        elif self._session is None or self._passing is None:
            raise ValueError("something is done while no port is open")
        elif mark in (Did.STORED, Did.UNSAVED):
            self._failing = self._failing or mark is Did.UNSAVED
            # Now, as the live link did: a line stands behind what it says, its time is no measure.
            self._storing.retry.hasten(now_ns)
            self._passing.store()
        elif mark is Did.ENDED:
            self._session = self._passing = None
        else:
            self._work(self._session, self._passing, mark, now_ns, data)
        if self._session is not None:
            self._inbox = self._session.inbox

    def _keep(self, evidence: list[Evidence]) -> None:
        """Pass evidence on; refuse it behind that where it was refused then."""
        self._listener.store(evidence)
        if self._failing:
            self._failing = False
            raise NotDurable("it was not saved then")

    def _work(self, session: Session, passing: EventDispatcher, mark: Did, now_ns: int, data: bytes) -> None:
        match mark:
            case Did.HEARD:
                passing.receive(data, now_ns)
            case Did.SAID:
                session.outgoing(now_ns)
            case Did.POLLED:
                passing.handle(session.poll(now_ns))
            case Did.NOTED:
                passing.note(data.decode())
            case Did.SLEPT:
                passing.slept(now_ns)
            case Did.CLOSING:
                session.await_last_word(now_ns)
            case Did.STANDBY:
                session.standby(now_ns)
            case Did.CUED:
                output, ms = data.split()
                session.cue(int(output), int(ms))

    def _open(self, now_ns: int) -> None:
        self._session = Session(
            now_ns,
            config=self._config,
            armed=True,
            previous=self._inbox,
            counters=self._counters,
            jitter=self._jitter,
        )
        self._passing = EventDispatcher(self._session, self._storing, self._sync, self._listener, lambda: self._now_ns)
