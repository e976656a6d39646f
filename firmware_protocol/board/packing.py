"""Frames written into buffers that stay: what is sent often costs no memory and no copy."""

import struct

from firmware_protocol.board.quick import CRC_TABLE, seal, stuff
from firmware_protocol.frames import CRC_SIZE, HEADER, HEADER_SIZE, MAX_BODY, MAX_ENCODED, FrameError
from firmware_protocol.messages import Event, Message, Pong, Settled

# Both delimiters.
MAX_FRAME = MAX_ENCODED + 2
EVENT = HEADER + Event.LAYOUT[1:]
PONG = HEADER + Pong.LAYOUT[1:]
SETTLED = HEADER + Settled.LAYOUT[1:]
EVENT_SIZE = struct.calcsize(EVENT)
PONG_SIZE = struct.calcsize(PONG)
SETTLED_SIZE = struct.calcsize(SETTLED)


class Packer:
    """Writes frames of one boot to `target[at:]` and returns where they end; `target` has room for `MAX_FRAME`."""

    def __init__(self, boot_id: int) -> None:
        self._boot_id = boot_id
        self._plain = bytearray(HEADER_SIZE + MAX_BODY + CRC_SIZE)

    def message(self, message: Message, seq: int, target: bytearray, at: int) -> int:
        """Any message; `FrameError` for a body over `MAX_BODY`."""
        return self.body(message.KIND, seq, message.body(), target, at)

    def body(self, kind: int, seq: int, body: "bytes | bytearray", target: bytearray, at: int) -> int:
        """A body of any kind; `FrameError` when it is over `MAX_BODY`."""
        size = HEADER_SIZE + len(body)
        if len(body) > MAX_BODY:
            raise FrameError(f"a body of {len(body)} bytes is over the limit of {MAX_BODY}")
        struct.pack_into(HEADER, self._plain, 0, kind, self._boot_id, seq)
        self._plain[HEADER_SIZE:size] = body
        return self._finish(size, target, at)

    def event(
        self, seq: int, channel: int, flags: int, t_us: int, bounces: int, peak: int, target: bytearray, at: int
    ) -> int:
        """An EVENT."""
        plain = self._plain
        struct.pack_into(EVENT, plain, 0, Event.KIND, self._boot_id, seq, channel, flags, t_us, bounces, peak)
        return self._finish(EVENT_SIZE, target, at)

    def pong(
        self, ping_id: int, t_rx_us: int, t_tx_us: int, settled_us: int, next_seq: int, target: bytearray, at: int
    ) -> int:
        """A PONG."""
        plain = self._plain
        struct.pack_into(PONG, plain, 0, Pong.KIND, self._boot_id, 0, ping_id, t_rx_us, t_tx_us, settled_us, next_seq)
        return self._finish(PONG_SIZE, target, at)

    def settled(self, settled_us: int, next_seq: int, target: bytearray, at: int) -> int:
        """A SETTLED."""
        struct.pack_into(SETTLED, self._plain, 0, Settled.KIND, self._boot_id, 0, settled_us, next_seq)
        return self._finish(SETTLED_SIZE, target, at)

    def _finish(self, size: int, target: bytearray, at: int) -> int:
        seal(self._plain, size, CRC_TABLE)
        end: int = stuff(self._plain, size + CRC_SIZE, target, at)
        return end
