"""A session and a board joined by simulated wires, in simulated time."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from random import Random

from companion.link.events import SessionEvent
from companion.link.evidence import Evidence
from companion.link.session import Session
from tests.link.fake_board import FakeBoard

US = 1_000
MS = 1_000_000
S = 1_000_000_000
BOARD_TICK = 2 * MS


@dataclass(frozen=True, slots=True)
class Shape:
    """How a wire treats bytes: delays in ns each way, the share of damaged frames, and how reads are cut."""

    to_board: Callable[[Random], float]
    to_host: Callable[[Random], float]
    loss: float = 0.0
    byte_by_byte: bool = False


def always(delay_ns: int) -> Callable[[Random], float]:
    """Return a constant delay."""
    return lambda _: delay_ns


def usb(frame_ns: int) -> Shape:
    """Return the delays of polling each `frame_ns` by a host that wakes up late and sometimes stalls."""

    def to_board(rng: Random) -> float:
        return 20 * US + rng.expovariate(1 / (20 * US)) + rng.uniform(0, frame_ns)

    def to_host(rng: Random) -> float:
        stall = rng.uniform(2 * MS, 25 * MS) if rng.random() < 0.015 else 0
        return rng.uniform(0, frame_ns) + 60 * US + rng.expovariate(1 / (80 * US)) + stall

    return Shape(to_board, to_host)


PERFECT = Shape(always(0), always(50 * US))  # to the host no less than the board takes to answer
ONE_BYTE = Shape(always(100 * US), always(100 * US), byte_by_byte=True)
LOSSY = Shape(usb(MS).to_board, usb(MS).to_host, loss=0.2)
SLOW = Shape(lambda rng: rng.uniform(20 * MS, 60 * MS), lambda rng: rng.uniform(20 * MS, 120 * MS))


class World:
    """Runs both sides; evidence is acknowledged as soon as it comes, unless `keeping` is False."""

    def __init__(
        self,
        board: FakeBoard,
        session: Session,
        shape: Shape,
        *,
        seed: int = 1,
        skew_ppm: float = 35,
        at_ns: int = 0,
    ) -> None:
        self.board = board
        self.session = session
        self.shape = shape
        self.rng = Random(seed)
        self.now_ns = at_ns
        self.skew_ppm = skew_ppm
        self.base_us = board.now_us
        self.began_ns = at_ns
        self.events: list[SessionEvent] = []
        self.keeping = True
        self._order = count()
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._arrival = {"board": at_ns, "host": at_ns}
        self._tick_ns = -1
        self.at(at_ns, self._board_tick)
        self._host_turn()

    def device_us(self, host_ns: float) -> float:
        """Return the true board counter at a host time."""
        return self.base_us + (host_ns - self.began_ns) * (1 + self.skew_ppm / 1e6) / US

    def at(self, when_ns: int, action: Callable[[], None]) -> None:
        heapq.heappush(self._queue, (when_ns, next(self._order), action))

    def run(self, duration_ns: int) -> None:
        until_ns = self.now_ns + duration_ns
        while self._queue and self._queue[0][0] <= until_ns:
            self.now_ns, _, action = heapq.heappop(self._queue)
            self.board.now_us = int(self.device_us(self.now_ns))
            action()
        self.now_ns = until_ns

    def press_every(self, period_ns: int, times: int) -> None:
        for turn in range(times):
            self.at(self.now_ns + turn * period_ns + self.rng.randrange(MS), self.board.press)

    @property
    def evidence(self) -> list[Evidence]:
        return [event for event in self.events if isinstance(event, Evidence)]

    def _board_tick(self) -> None:
        self.board.poll()
        self._carry_to_host()
        self.at(self.now_ns + BOARD_TICK, self._board_tick)

    def _carry_to_host(self) -> None:
        for frame in self._survivors(self.board.take()):
            when_ns = self._arrive("host", self.shape.to_host)
            for piece in self._pieces(frame):
                self.at(when_ns, lambda piece=piece: self._host_reads(piece))  # type: ignore[misc]

    def _host_reads(self, data: bytes) -> None:
        self._take(self.session.receive(data, self.now_ns))
        self._host_turn()

    def _host_turn(self) -> None:
        for frame in self._survivors(self.session.outgoing(self.now_ns)):
            when_ns = self._arrive("board", self.shape.to_board)
            for piece in self._pieces(frame):
                self.at(when_ns, lambda piece=piece: self._board_reads(piece))  # type: ignore[misc]
        self._take(self.session.poll(self.now_ns))
        deadline_ns = max(self.session.next_deadline(), self.now_ns + 1)
        if self._tick_ns <= self.now_ns or deadline_ns < self._tick_ns:
            self._tick_ns = deadline_ns
            self.at(deadline_ns, self._host_turn)

    def _board_reads(self, data: bytes) -> None:
        self.board.receive(data)
        self._carry_to_host()

    def _take(self, events: list[SessionEvent]) -> None:
        self.events += events
        for event in events:
            if isinstance(event, Evidence) and self.keeping:
                self.session.acknowledge(event.boot_id, event.seq)

    def _arrive(self, side: str, delay: Callable[[Random], float]) -> int:
        self._arrival[side] = max(self._arrival[side], self.now_ns + round(delay(self.rng)))
        return self._arrival[side]

    def _survivors(self, data: bytes) -> list[bytes]:
        frames = re.findall(rb"\0[^\0]+\0", data)
        return [
            self._damage(frame) if self.rng.random() < self.shape.loss else frame
            for frame in frames
        ]

    def _damage(self, frame: bytes) -> bytes:
        if self.rng.random() < 0.5:
            return b""
        at = self.rng.randrange(1, len(frame) - 1)
        return frame[:at] + bytes([frame[at] ^ 1 << self.rng.randrange(8)]) + frame[at + 1 :]

    def _pieces(self, frame: bytes) -> list[bytes]:
        return (
            [frame[at : at + 1] for at in range(len(frame))] if self.shape.byte_by_byte else [frame]
        )
