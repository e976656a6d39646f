"""What the host says of its own accord, and when it says it again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from companion.link.pings import Pinger
from companion.link.retry import Retry
from companion.link.settings import BoardSettings
from firmware_protocol.messages import Arm, Config, Cue, Message, Ping, Replay, Standby, Who

_MS = 1_000_000
# The board resends by itself, the first times after 100, 200 and 400 ms: only a hole that outlives these is asked for.
REPLAY_FIRST_NS = 500 * _MS


class Requests:
    """The requests of one connection that wait for an answer; `jitter` returns a number in [0, 1)."""

    def __init__(self, config: Config | None, jitter: Callable[[], float]) -> None:
        self.settings = BoardSettings(config)
        self.pinger = Pinger(jitter)
        self.cues: deque[Cue] = deque()
        self.outputs: dict[int, int] = {}  # of the cues that are not answered yet
        self._cue_id = 0
        self.who = Retry(250 * _MS, 500 * _MS)
        self.arm = Retry(300 * _MS, 2_000 * _MS)
        self.standby = Retry(100 * _MS, 400 * _MS)
        self.replay = Retry(REPLAY_FIRST_NS, 4_000 * _MS)

    def due(self, now_ns: int, *, identified: bool, armed: bool = False, replay_from: int = 1) -> list[Message]:
        """Return what to say now; to a board that is not identified, only WHO."""
        due: list[Message] = [Who()] if self.who.take(now_ns) else []
        if not identified:
            return due
        if self.standby.take(now_ns):
            due.append(Standby())
        if self.settings.wanted is not None and self.settings.retry.take(now_ns):
            due.append(self.settings.wanted)
        if self.arm.take(now_ns):
            due.append(Arm())
        if self.replay.take(now_ns):
            self.pinger.spoil()
            due.append(Replay(replay_from))
        while self.cues:
            due.append(self.cues.popleft())
        ping_id = self.pinger.take(now_ns, armed)
        return due if ping_id is None else [*due, Ping(ping_id)]

    def cue(self, output: int, ms: int) -> int:
        """Put a cue in line; return its id."""
        self._cue_id = self._cue_id % 0xFFFF + 1
        self.cues.append(Cue(self._cue_id, output, ms))
        self.outputs[self._cue_id] = output
        return self._cue_id

    def next_due(self, *, identified: bool = True) -> list[int]:
        """The times at which something is to be said; to a board that is not identified, only WHO."""
        if not identified:
            return [self.who.due_ns] if self.who.due_ns is not None else []
        retries = (self.who, self.arm, self.settings.retry, self.standby, self.replay)
        times = [retry.due_ns for retry in retries] + [self.pinger.due_ns]
        return [due_ns for due_ns in times if due_ns is not None]
