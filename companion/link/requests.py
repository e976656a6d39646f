"""What the host says of its own accord, and when it says it again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from companion.link.pings import Pinger
from companion.link.retry import Retry
from companion.link.settings import BoardSettings
from firmware_protocol.messages import Arm, Config, Cue, Message, Ping, Replay, Show, Standby, Who, encode

_MS = 1_000_000
# The board resends by itself, the first times after 100, 200 and 400 ms: only a hole that outlives these is asked for.
REPLAY_FIRST_NS = 500 * _MS
WHO_IDS = 0xFFFF
NOT_BEFORE_HELLO = frozenset((0x03, 0x04, 0x05))
"""Bytes that MicroPython takes for itself while no firmware listens: 0x03 interrupts a program, 0x04 starts it anew at
its prompt, and 0x05 has it paste what follows until one of these."""


class Requests:
    """The requests of one connection that wait for an answer; `jitter` returns a number in [0, 1)."""

    def __init__(self, config: Config | None, jitter: Callable[[], float], first_who: int) -> None:
        self.settings = BoardSettings(config)
        self.pinger = Pinger(jitter)
        self.once: deque[Cue | Show] = deque()
        self.outputs: dict[int, int] = {}  # of the cues that are not answered yet
        self._cue_id = 0
        self.who = Retry(250 * _MS, 500 * _MS)
        self._who_id = first_who % WHO_IDS
        self._asked: set[int] = set()
        self.arm = Retry(300 * _MS, 2_000 * _MS)
        self.standby = Retry(100 * _MS, 400 * _MS)
        self.replay = Retry(REPLAY_FIRST_NS, 4_000 * _MS)

    @property
    def in_doubt(self) -> bool:
        """Whether it is not sure which firmware listens, and whether one does: nothing but WHO is said then."""
        return self.who.running

    def ask_who(self, now_ns: int) -> None:
        """Be in doubt from now on, until a HELLO echoes a WHO that is asked from now on."""
        if not self.who.running:
            self._asked.clear()
            self.who.start(now_ns)

    def echoed(self, who_id: int) -> bool:
        """Whether this is the answer to a WHO of this doubt."""
        return who_id in self._asked

    def due_who(self, now_ns: int) -> bytes:
        """Return the WHO to send now, as bytes: for boot id 0, and with an id that leaves the frame without
        `NOT_BEFORE_HELLO`, for a board whose firmware does not run yet."""
        if not self.who.take(now_ns):
            return b""
        while True:
            self._who_id = self._who_id % WHO_IDS + 1
            frame = encode(Who(self._who_id), 0)
            if NOT_BEFORE_HELLO.isdisjoint(frame):
                self._asked.add(self._who_id)
                return frame

    def due(self, now_ns: int, *, armed: bool = False, replay_from: int = 1) -> list[Message]:
        """Return what to say now to a board that is known."""
        due: list[Message] = []
        if self.standby.take(now_ns):
            due.append(Standby())
        if self.settings.wanted is not None and self.settings.retry.take(now_ns):
            due.append(self.settings.wanted)
        if self.arm.take(now_ns):
            due.append(Arm())
        if self.replay.take(now_ns):
            self.pinger.spoil()
            due.append(Replay(replay_from))
        while self.once:
            due.append(self.once.popleft())
        ping_id = self.pinger.take(now_ns, armed)
        return due if ping_id is None else [*due, Ping(ping_id)]

    def cue(self, output: int, ms: int) -> int:
        """Put a cue in line; return its id."""
        self._cue_id = self._cue_id % 0xFFFF + 1
        self.once.append(Cue(self._cue_id, output, ms))
        self.outputs[self._cue_id] = output
        return self._cue_id

    def next_due(self) -> list[int]:
        """The times at which something is to be said."""
        if self.who.due_ns is not None:
            return [self.who.due_ns]
        retries = (self.arm, self.settings.retry, self.standby, self.replay)
        times = [retry.due_ns for retry in retries] + [self.pinger.due_ns]
        return [due_ns for due_ns in times if due_ns is not None]
