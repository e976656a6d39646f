"""A host made of frames and a port: asks, acknowledges, remembers what it was told; no clock mapping, no journal."""

import time
from collections.abc import Callable
from typing import TypeVar

import serial

from firmware_protocol.frames import FrameDecoder
from firmware_protocol.messages import (
    ARMED,
    Ack,
    Arm,
    Event,
    Hello,
    Message,
    State,
    Who,
    decode,
    encode,
)

M = TypeVar("M", bound=Message)
DEADLINE_S = 15.0
ASK_AGAIN_S = 0.2


def close_port(port: serial.SerialBase) -> None:
    """Close a port and its socket: pyserial's `socket://` leaves it open when the far end was faster to close."""
    sock = getattr(port, "_socket", None)
    port.close()
    if sock is not None:
        sock.close()


class RawHost:
    """Reads one port; `numbered` holds each numbered message by (boot id, seq) and counts how often it came."""

    def __init__(self, url: str) -> None:
        self.port: serial.SerialBase = serial.serial_for_url(url, timeout=0.01)
        self.boot_id = 0
        self.hello: Hello | None = None
        self.numbered: dict[tuple[int, int], Message] = {}
        self.times_seen: dict[tuple[int, int], int] = {}
        self.clashes = 0
        self._decoder = FrameDecoder()
        self._durable: dict[int, int] = {}

    def close(self) -> None:
        close_port(self.port)

    def send(self, message: Message) -> None:
        self.port.write(encode(message, self.boot_id))

    def until(self, true: Callable[[], bool], ask: Message | None = None) -> None:
        """Read until `true`; send `ask` first and repeat it, because a damaged frame is lost."""
        deadline = time.monotonic() + DEADLINE_S
        ask_at = 0.0
        while not true():
            now = time.monotonic()
            assert now < deadline, (
                f"not within {DEADLINE_S} s; {len(self.numbered)} numbered messages came"
            )
            if now >= ask_at:
                ask_at = now + ASK_AGAIN_S
                self.send(ask or Who())
            self._take(self.port.read(4096))

    def meet(self) -> Hello:
        """Ask until the board identifies itself."""
        self.hello = None
        self.until(lambda: self.hello is not None)
        assert self.hello is not None
        return self.hello

    def arm(self) -> None:
        """Begin a session; return when the board has answered with a STATE."""
        before = self._times_armed()
        self.until(lambda: self._times_armed() > before, Arm())

    def _times_armed(self) -> int:
        states = [message for message in self.numbered.values() if isinstance(message, State)]
        return len([state for state in states if state.flags & ARMED])

    def presses(self, channel: str) -> list[int]:
        """Return the stamps in us of all presses of a channel, in order of their numbers."""
        assert self.hello is not None
        number = next(row.id for row in self.hello.channels if row.name == channel)
        events = [message for _, message in sorted(self.numbered.items(), key=lambda item: item[0])]
        return [
            e.t_us for e in events if isinstance(e, Event) and e.channel == number and e.flags & 1
        ]

    def _take(self, data: bytes) -> None:
        for frame in self._decoder.feed(data):
            message = decode(frame)
            if isinstance(message, Hello):
                self.hello = message
                self.boot_id = frame.boot_id
            elif message is not None and message.NUMBERED:
                key = (frame.boot_id, frame.seq)
                self.clashes += self.numbered.get(key, message) != message
                self.numbered[key] = message
                self.times_seen[key] = self.times_seen.get(key, 0) + 1
                self._acknowledge(frame.boot_id)

    def _acknowledge(self, boot_id: int) -> None:
        seq = self._durable.get(boot_id, 0)
        while (boot_id, seq + 1) in self.numbered:
            seq += 1
        self._durable[boot_id] = seq
        if boot_id == self.boot_id:
            self.send(Ack(seq))
