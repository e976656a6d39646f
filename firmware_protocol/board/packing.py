"""Frames written into buffers that are kept: frequent frames cost no memory and no copy."""

import struct

from firmware_protocol.board.quick import CRC_TABLE, frame, put_event, put_time
from firmware_protocol.frames import (
    CRC_SIZE,
    HEADER,
    HEADER_SIZE,
    MAX_BODY,
    MAX_ENCODED,
    FrameError,
)
from firmware_protocol.messages import Event, Message, Pong, Settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_protocol.board.clock import Clock

# Both delimiters.
MAX_FRAME = MAX_ENCODED + 2
EVENT_SIZE = HEADER_SIZE + struct.calcsize(Event.LAYOUT)
EVENT_TIME = HEADER_SIZE + 2
PONG_SIZE = HEADER_SIZE + struct.calcsize(Pong.LAYOUT)
PONG_HEAD, PONG_TIMES, PONG_TAIL = HEADER + "H", HEADER_SIZE + 2, HEADER_SIZE + 26
SETTLED_SIZE = HEADER_SIZE + struct.calcsize(Settled.LAYOUT)
SETTLED_TAIL = HEADER_SIZE + 8


class Packer:
    """Writes frames of one boot to `target[at:]` and returns where they end; `target` has room for `MAX_FRAME`.

    Times are ticks of the clock, at most 2^29 us from its last look: 64-bit numbers would be allocated on the chip's
    heap.
    """

    def __init__(self, boot_id: int, clock: "Clock") -> None:
        self._boot_id = boot_id
        self._clock = clock
        self._plain = bytearray(HEADER_SIZE + MAX_BODY + CRC_SIZE)
        self._event = bytearray(EVENT_SIZE + CRC_SIZE)
        struct.pack_into(HEADER, self._event, 0, Event.KIND, boot_id, 0)

    def message(self, message: Message, seq: int, target: bytearray, at: int) -> int:
        """Write any message; raise `FrameError` for a body over `MAX_BODY`."""
        return self.body(message.KIND, seq, message.body(), target, at)

    def body(
        self, kind: int, seq: int, body: "bytes | bytearray", target: bytearray, at: int
    ) -> int:
        """Write a body of any kind; raise `FrameError` if it is over `MAX_BODY`."""
        size = HEADER_SIZE + len(body)
        if len(body) > MAX_BODY:
            raise FrameError(f"a body of {len(body)} bytes is over the limit of {MAX_BODY}")
        struct.pack_into(HEADER, self._plain, 0, kind, self._boot_id, seq)
        self._plain[HEADER_SIZE:size] = body
        return self._finish(size, target, at)

    def event(
        self,
        seq: int,
        channel: int,
        flags: int,
        ticks: int,
        bounces: int,
        peak: int,
        target: bytearray,
        at: int,
    ) -> int:
        """Write an EVENT."""
        plain, clock = self._event, self._clock
        put_event(plain, seq, channel, flags, bounces, peak)
        put_time(plain, EVENT_TIME, ticks, clock.last, clock.epoch)
        end: int = frame(plain, EVENT_SIZE, CRC_TABLE, target, at)
        return end

    def pong(
        self,
        ping_id: int,
        received: int,
        sent: int,
        settled: int,
        next_seq: int,
        target: bytearray,
        at: int,
    ) -> int:
        """Write a PONG."""
        plain, clock = self._plain, self._clock
        struct.pack_into(PONG_HEAD, plain, 0, Pong.KIND, self._boot_id, 0, ping_id)
        put_time(plain, PONG_TIMES, received, clock.last, clock.epoch)
        put_time(plain, PONG_TIMES + 8, sent, clock.last, clock.epoch)
        put_time(plain, PONG_TIMES + 16, settled, clock.last, clock.epoch)
        struct.pack_into("<I", plain, PONG_TAIL, next_seq)
        return self._finish(PONG_SIZE, target, at)

    def settled(self, settled: int, next_seq: int, target: bytearray, at: int) -> int:
        """Write a SETTLED."""
        plain, clock = self._plain, self._clock
        struct.pack_into(HEADER, plain, 0, Settled.KIND, self._boot_id, 0)
        put_time(plain, HEADER_SIZE, settled, clock.last, clock.epoch)
        struct.pack_into("<I", plain, SETTLED_TAIL, next_seq)
        return self._finish(SETTLED_SIZE, target, at)

    def _finish(self, size: int, target: bytearray, at: int) -> int:
        end: int = frame(self._plain, size, CRC_TABLE, target, at)
        return end
