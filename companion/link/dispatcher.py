"""The link's listener, the tape of what the link does, and the dispatch of a session's events: evidence is stored,
everything else reported."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import KW_ONLY, InitVar, dataclass, field
from enum import StrEnum
from typing import Protocol

from companion.link.events import (
    Clash,
    Configured,
    CueGiven,
    Identified,
    Replaced,
    SessionEvent,
    TakeOver,
    Watermark,
)
from companion.link.evidence import Evidence, EvidenceQueue, LastEvidence
from companion.link.order import Inbox
from companion.link.session import Session
from companion.link.status import Counters, LinkStatus
from companion.link.sync import SyncPoint, SyncWatch
from firmware_protocol.messages import Config, Hello


class Listener(Protocol):
    """The link's owner, called from the link's thread, one call at a time.

    Only `store` may take long, and only it may raise (`NotDurable`).
    """

    def on_status(self, status: LinkStatus) -> None:
        """Take a new status: the state, its sentence or a count changed."""

    def on_identified(self, hello: Hello, boot_id: int, replaced: Replaced | None = None) -> None:
        """Take the identity of a board, at each connection and after each boot of it.

        What happened between two boots is unknown. `replaced` is the previous board, if this one takes its place.
        """

    def store(self, evidence: list[Evidence]) -> None:
        """Return once all of it is durable; raise `NotDurable` if it cannot be, and it will be offered again.

        Evidence stored by an earlier run of the companion can arrive once more: compare (uid, boot_id, seq). The same
        identity with another stamp or body is a clash, and both must be kept.
        """

    def on_watermark(self, boot_id: int, settled_us: int) -> None:
        """Take the board time up to which everything that happened has been stored."""

    def on_configured(self, configured: Configured) -> None:
        """Take the board's settings, at each connection and whenever they change."""

    def on_sync(self, point: SyncPoint) -> None:
        """Take a point of the mapping between the board's clock and the computer's, now and then."""

    def on_cue(self, cue: CueGiven, boot_id: int) -> None:
        """Take the time at which the board switched a lamp or a buzzer on."""

    def on_note(self, sentence: str) -> None:
        """Take a sentence to show and to keep: noise, a clash, a clock fault, a line the firmware logged."""


SLEPT = "The computer slept: the clocks of board and computer are matched anew; the board kept what happened."


class TapeEvent(StrEnum):
    """The kind of a tape's line; the value is the character in the file."""

    OPENED = "o"  # a port was opened; the text is its name
    READ = "<"  # bytes were read
    WRITTEN = ">"  # bytes were written
    STORED = "s"  # what was received is durable
    UNSAVED = "!"  # the journal could not store it
    POLLED = "."  # time passed, and something came of it
    SLEPT = "w"  # the computer woke up
    ADOPTED = "b"  # another board may take the session board's place; the text is its number
    CONFIGURED = "k"  # the session's settings for its board changed; the text is their numbers
    CUED = "c"  # a cue was requested; the text is its output and its length in ms
    NOTED = "n"  # something about the port was noticed; the text is the sentence
    CLOSING = "l"  # the end began: the board is asked what it still has
    STANDBY = "z"  # the clean end was requested
    ENDED = "x"  # the port is of no more use; the text is the reason


Tape = Callable[[TapeEvent, int, bytes], object]
"""Called with the kind, the host's monotonic time in ns, and bytes: those of the wire, or text in UTF-8."""


@dataclass(slots=True, eq=False)
class LinkMemory:
    """What a link keeps from one connection to the next, live or replayed.

    `last` is the last evidence that an earlier run of the session stored; `jitter` returns a number in [0, 1).
    `adopted` is the board that the table accepts in place of the session's, until one of the two is there. `last_word`
    is that of the last connection that had one (see `Session.last_word`), None if the computer slept since. `overhear`
    gets each event of a session before anybody else.
    """

    listener: Listener
    last: InitVar[LastEvidence | None] = None
    _: KW_ONLY
    clock_ns: Callable[[], int]
    config: Config | None = None
    armed: bool = False
    jitter: Callable[[], float] = random.random
    tape: Tape = lambda _mark, _now_ns, _data: None
    overhear: Callable[[SessionEvent], object] = lambda _event: None
    inbox: Inbox | None = field(default=None, init=False)
    storing: EvidenceQueue = field(init=False)
    sync: SyncWatch = field(default_factory=SyncWatch)
    counters: Counters = field(default_factory=Counters)
    adopted: int | None = None
    last_word: tuple[int, int] | None = None

    def __post_init__(self, last: LastEvidence | None) -> None:
        self.inbox = None if last is None else Inbox.resumed(last)
        self.storing = EvidenceQueue(self.listener.store)

    def session(self, now_ns: int) -> Session:
        """Return the session of a new connection, which continues where the previous one ended."""
        return Session(
            now_ns,
            config=self.config,
            armed=self.armed,
            previous=self.inbox,
            counters=self.counters,
            adopted=self.adopted,
            jitter=self.jitter,
        )

    def ended(self, session: Session) -> None:
        """Remember what matters of a connection that has ended."""
        self.last_word = session.last_word or self.last_word

    def replaced(self, taking_over: TakeOver) -> Replaced:
        """Return which board was replaced, and for how long neither of the two was heard."""
        before = taking_over.uid, taking_over.boot_id, taking_over.first_seq
        if self.last_word is None:
            return Replaced(*before, None, None)
        # Each end is known as an interval: halves of the shortest and the longest silence give the middle and the +-.
        from_ns, to_ns = self.last_word
        least_ns, most_ns = taking_over.asked_ns - to_ns, taking_over.read_ns - from_ns
        away_us = (least_ns + most_ns) // 2_000
        return Replaced(*before, away_us, most_ns // 1_000 - away_us + 1)


class EventDispatcher:
    """Passes one session's events on; the same for a live connection and for a replayed one."""

    def __init__(self, session: Session, memory: LinkMemory) -> None:
        self.session = session
        self._memory = memory
        self._listener = memory.listener

    def perform(self, mark: TapeEvent, now_ns: int, data: bytes = b"") -> None:
        """Write a line of the tape, then do what it says.

        In this order, a tape that ends in a crash has the line that caused it.
        """
        self._memory.tape(mark, now_ns, data)
        match mark:
            case TapeEvent.READ:
                self.handle(self.session.receive(data, now_ns))
                point = self._memory.sync.look(self.session, now_ns)
                if point is not None:
                    self._listener.on_sync(point)
            case TapeEvent.NOTED:
                self._listener.on_note(data.decode())
            case TapeEvent.SLEPT:
                self.session.slept(now_ns)
                self._memory.last_word = None  # the host's clock stood still meanwhile
                self._listener.on_note(SLEPT)
            case TapeEvent.CLOSING:
                self.session.await_last_word(now_ns)
            case TapeEvent.STANDBY:
                self.session.standby(now_ns)
            case TapeEvent.CUED:
                output, ms = map(int, data.split())
                self.session.cue(output, ms)

    def store(self) -> bool:
        """Store what is waiting, if it is time to; return whether anything became durable."""
        stored = self._memory.storing.store(self._memory.clock_ns())
        for evidence in stored:
            self.session.acknowledge(evidence.boot_id, evidence.seq)
        return bool(stored)

    def handle(self, events: list[SessionEvent]) -> None:
        """Pass on the events of a session."""
        for event in events:
            self._memory.overhear(event)
            match event:
                case Evidence():
                    self._memory.storing.add(event, self._memory.clock_ns())
                case Clash(other=other):
                    self._memory.storing.add(other, self._memory.clock_ns())
                case Watermark():
                    self._listener.on_watermark(event.boot_id, event.settled_us)
                case Identified(hello=hello, boot_id=boot_id, taking_over=taking_over):
                    self.store()  # evidence of the ended boot precedes the new boot in the record
                    replaced = None if taking_over is None else self._memory.replaced(taking_over)
                    self._memory.adopted = None
                    self._listener.on_identified(hello, boot_id, replaced)
                case Configured():
                    self._listener.on_configured(event)
                case CueGiven():
                    self._listener.on_cue(event, self.session.boot_id)
                case str():
                    self._listener.on_note(event)
