"""The link's own session against the emulated Pico, both in emulated time: every figure is exact."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from companion.link.events import Identified, SessionEvent, Watermark
from companion.link.evidence import Evidence
from companion.link.session import Session
from firmware_protocol.messages import Config, Event, Gap, Overrun, Wave
from tests.pico.emulator.emulated import MS, EmulatedPico

STEP_US = 50


class Lockstep:
    """A host with its port open at `pico`; what it says reaches the port `answer_us` after it made up its mind.

    `events`, `gaps`, `overruns`, `watermarks`, `waves` and `logs` keep what came, with the time it was read. Evidence
    counts as durable at once unless `stores` is off.
    """

    def __init__(
        self, pico: EmulatedPico, answer_us: int = 0, config: Config | None = None
    ) -> None:
        self.pico = pico
        self.stores = True
        self.answer_us = answer_us
        self.events: list[tuple[int, Event]] = []
        self.gaps: list[tuple[int, Gap]] = []
        self.overruns: list[Overrun] = []
        self.watermarks: list[tuple[int, int]] = []
        self.waves: list[Wave] = []
        self.logs: list[tuple[int, str]] = []
        self.boots: list[tuple[int, int]] = []
        self._config = config
        self._going: deque[tuple[int, bytes]] = deque()
        self.session = self._open(None)

    def _open(self, before: Session | None) -> Session:
        self.pico.order("open")
        inbox = None if before is None else before.inbox
        return Session(self.pico.ns, config=self._config, previous=inbox, jitter=lambda: 0.5)

    def reopen(self) -> None:
        """The port was closed, or the board was away: begin a new connection."""
        self._going.clear()
        self.session = self._open(self.session)

    def turn(self, limit_us: int = 1000) -> None:
        """Let the host say what is due and time pass until it hears something, at most so long."""
        now_ns = self.pico.ns
        if out := self.session.outgoing(now_ns):
            self._going.append((now_ns + self.answer_us * 1000, out))
        ready = b""
        while self._going and self._going[0][0] <= now_ns:
            ready += self._going.popleft()[1]
        if self._going:
            limit_us = min(limit_us, max(STEP_US, (self._going[0][0] - now_ns) // 1000))
        for packet in self.pico.run(limit_us, ready, STEP_US):
            self._take(self.session.receive(packet.data, packet.ns), packet.ns)
        self._take(self.session.poll(self.pico.ns), self.pico.ns)

    def until(self, test: Callable[[], bool], limit_us: int = 10_000_000) -> bool:
        """Take turns until the test holds; False when it does not in time."""
        end_ns = self.pico.ns + limit_us * 1000
        while not test() and self.pico.ns < end_ns:
            self.turn()
        return test()

    def spend(self, us: int) -> None:
        """Take turns for so long."""
        self.until(lambda: False, us)

    def connect(self, limit_us: int = 15_000_000) -> bool:
        """Take turns until the board is identified and in step; return true if it was in time."""
        return self.until(lambda: self.session.synced, limit_us)

    def arm(self) -> bool:
        """Begin the session's events."""
        self.session.arm()
        return self.until(lambda: self.session.armed, 3_000_000)

    @property
    def ms(self) -> float:
        """Return the emulated time, in ms."""
        return self.pico.ns / MS

    def _take(self, happened: list[SessionEvent], at_ns: int) -> None:
        for event in happened:
            if isinstance(event, Evidence):
                self._take_evidence(event, at_ns)
            elif isinstance(event, Watermark):
                self.watermarks.append((at_ns, event.settled_us))
            elif isinstance(event, Wave):
                self.waves.append(event)
            elif isinstance(event, str):
                self.logs.append((at_ns, event.removeprefix("The board says: ")))
            elif isinstance(event, Identified):
                self.boots.append((at_ns, event.boot_id))

    def _take_evidence(self, event: Evidence, at_ns: int) -> None:
        message = event.message
        if isinstance(message, Event):
            self.events.append((at_ns, message))
        elif isinstance(message, Gap):
            self.gaps.append((at_ns, message))
        elif isinstance(message, Overrun):
            self.overruns.append(message)
        if self.stores:
            self.session.acknowledge(event.boot_id, event.seq)
