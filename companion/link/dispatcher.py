"""Who the link talks to, what it does, step by step, and what a session says on its way there: evidence to be stored,
all else to be told."""

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
    """Called from the link's thread, one call at a time; only `store` may take long, or raise: `NotDurable`."""

    def on_status(self, status: LinkStatus) -> None:
        """The state, its sentence or a count changed."""

    def on_identified(self, hello: Hello, boot_id: int, replaced: Replaced | None = None) -> None:
        """A board said who it is: at each connection, and after each boot of the board; what was between two boots is
        unknown. `replaced` is the board before, where another one takes its place here."""

    def store(self, evidence: list[Evidence]) -> None:
        """Return once all of it is durable; raise `NotDurable` when it cannot be, then it comes again.

        What was stored by an earlier run of the companion can come once more: (uid, boot_id, seq) tells. The same
        identity with another stamp or body is a clash, and both are to be kept.
        """

    def on_watermark(self, boot_id: int, settled_us: int) -> None:
        """Everything that happened up to `settled_us` has been stored."""

    def on_configured(self, configured: Configured) -> None:
        """What settings the board has: at each connection, and whenever that changes."""

    def on_sync(self, point: SyncPoint) -> None:
        """How the clocks of board and computer lie to each other, now and then."""

    def on_cue(self, cue: CueGiven, boot_id: int) -> None:
        """The board switched a lamp or a buzzer on, and when."""

    def on_note(self, sentence: str) -> None:
        """Something to show and to keep: noise, a clash, a clock fault, what the firmware logged."""


SLEPT = "The computer slept: the clocks of board and computer are matched anew; the board kept what happened."


class TapeEvent(StrEnum):
    """What one line of a tape is; the character is what stands in a file."""

    OPENED = "o"  # a port was opened; the text is its name
    READ = "<"  # bytes were read
    WRITTEN = ">"  # bytes were written
    STORED = "s"  # what was received is durable
    UNSAVED = "!"  # the journal could not store it
    POLLED = "."  # time passed, and something came of it
    SLEPT = "w"  # the computer woke up
    ADOPTED = "b"  # from here on another board may take the place of the session's; the text is its number
    # from here on the session has these settings for its board; the text is their numbers
    CONFIGURED = "k"
    CUED = "c"  # a cue was asked for; the text is output and ms
    NOTED = "n"  # something about the port was noticed; the text says what
    CLOSING = "l"  # the end began: the board is asked for its last word
    STANDBY = "z"  # the clean end was asked for
    ENDED = "x"  # the port is of no more use; the text says why


Tape = Callable[[TapeEvent, int, bytes], object]
"""Takes a mark, the host's monotonic time in ns, and bytes: those of the wire, or a text in UTF-8."""


@dataclass(slots=True, eq=False)
class LinkMemory:
    """What a link keeps from one connection to the next, and who it talks to; the same for one that is replayed.

    `last` is what an earlier run of the session stored last; `jitter` returns a number in [0, 1). `adopted` is the
    board that the table wants in the place of the session's, until one of the two is there. `last_word`: see
    `Session.last_word`; None too where the computer slept since.
    """

    listener: Listener
    last: InitVar[LastEvidence | None] = None
    _: KW_ONLY
    clock_ns: Callable[[], int]
    config: Config | None = None
    armed: bool = False
    jitter: Callable[[], float] = random.random
    tape: Tape = lambda _mark, _now_ns, _data: None
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
        """Return the session of a connection that begins, which goes on where the one before ended."""
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
        """Return which board was replaced, and how long nothing was heard from the one or the other."""
        before = taking_over.uid, taking_over.boot_id, taking_over.first_seq
        if self.last_word is None:
            return Replaced(*before, None, None)
        from_ns, to_ns = self.last_word
        least_ns, most_ns = taking_over.asked_ns - to_ns, taking_over.read_ns - from_ns
        away_us = (least_ns + most_ns) // 2_000
        return Replaced(*before, away_us, most_ns // 1_000 - away_us + 1)


class EventDispatcher:
    """One session's words on their way; the same for a live connection and for one that is replayed."""

    def __init__(self, session: Session, memory: LinkMemory) -> None:
        self.session = session
        self._memory = memory
        self._listener = memory.listener

    def perform(self, mark: TapeEvent, now_ns: int, data: bytes = b"") -> None:
        """Do what a line of the tape says, which is written before."""
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
        """Store what waits, if it is time to; return whether anything is durable now that was not before."""
        stored = self._memory.storing.store(self._memory.clock_ns())
        for evidence in stored:
            self.session.acknowledge(evidence.boot_id, evidence.seq)
        return bool(stored)

    def handle(self, events: list[SessionEvent]) -> None:
        """Pass on what a session said."""
        for event in events:
            match event:
                case Evidence():
                    self._memory.storing.add(event, self._memory.clock_ns())
                case Clash(other=other):
                    self._memory.storing.add(other, self._memory.clock_ns())
                case Watermark():
                    self._listener.on_watermark(event.boot_id, event.settled_us)
                case Identified(hello=hello, boot_id=boot_id, taking_over=taking_over):
                    self.store()  # what the board said before comes before its new boot
                    replaced = None if taking_over is None else self._memory.replaced(taking_over)
                    self._memory.adopted = None
                    self._listener.on_identified(hello, boot_id, replaced)
                case Configured():
                    self._listener.on_configured(event)
                case CueGiven():
                    self._listener.on_cue(event, self.session.boot_id)
                case str():
                    self._listener.on_note(event)
