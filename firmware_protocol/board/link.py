"""The board's side of the protocol's transport: who listens, what is sent, sent again and acknowledged."""

from firmware_protocol.board.clock import Clock
from firmware_protocol.board.ring import EventRing
from firmware_protocol.frames import Frame, FrameDecoder, encode_frame
from firmware_protocol.messages import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_protocol.board.hardware import Wire

# Nothing but credit keeps a write from blocking: USB says "ready" even without a reader.
CREDIT = 8
RESEND_US = 100_000
RESEND_LIMIT_US = 2_000_000
ATTACHED_US = 3_000_000
FROM_BOARD_KINDS = 0x80
# A write that took longer met a host that does not read. The Pico's waits for half a second: many in one turn, and the
# watchdog would bite and the ring be lost.
STALL_US = 50_000


class Link:
    """Sends the ring's frames in order, at most `CREDIT` of them unacknowledged, and again when no ACK comes.

    The host counts as attached while a valid frame came within 3 s; without one nothing of the ring is written.
    """

    def __init__(self, wire: "Wire", clock: Clock, ring: EventRing, boot_id: int) -> None:
        self.boot_id = boot_id
        self.resends = 0
        self.received_us = 0
        self.heard_us = -1
        self._wire = wire
        self._clock = clock
        self._ring = ring
        self._decoder = FrameDecoder()
        self._stalled = False
        self._in_flight = 0
        self._fresh_seq = 1
        self._resend_after_us = RESEND_US
        self._resend_at_us = 0

    @property
    def bad_frames(self) -> int:
        """Runs of bytes between delimiters that were no frame."""
        return self._decoder.bad_frames

    def receive(self) -> "list[Frame]":
        """Begin a turn: return the frames that came in; `received_us` is taken after the last of their bytes."""
        self._stalled = False
        data = self._wire.read()
        if not data:
            return []
        self.received_us = self._clock.now_us()
        # A frame of the board's own kinds is an echo, and an echo is no host.
        frames = [frame for frame in self._decoder.feed(data) if frame.kind < FROM_BOARD_KINDS]
        if frames:
            if not self.attached(self.received_us):
                self.rewind()
            self.heard_us = self.received_us
        return frames

    def attached(self, now_us: int) -> bool:
        """Whether a host shows life."""
        return self.heard_us >= 0 and now_us - self.heard_us <= ATTACHED_US

    def send(self, message: Message) -> bool:
        """Send a message without a number; False after a write of this turn that met a host that does not read."""
        if self._stalled:
            return False
        self._write(encode_frame(message.KIND, self.boot_id, 0, message.body()))
        return True

    def acknowledge(self, seq: int) -> None:
        """Forget what the host has on disk: everything up to and including `seq`."""
        dropped = self._ring.drop_through(seq)
        if dropped:
            self._in_flight = max(0, self._in_flight - dropped)
            self._restart_timer()

    def replay(self, seq: int) -> None:
        """Send again from `seq`, or from the oldest held."""
        self._in_flight = min(self._in_flight, self._ring.count_before(seq))
        self._restart_timer()

    def rewind(self) -> None:
        """Start over with the oldest: nothing that was written before is sure to have been read."""
        self._in_flight = 0
        self._restart_timer()

    def pump(self, now_us: int) -> None:
        """Send what credit allows, and send again what was not acknowledged in time."""
        if not self.attached(now_us):
            return
        if self._in_flight and now_us >= self._resend_at_us:
            self._in_flight = 0
            self._resend_after_us = min(2 * self._resend_after_us, RESEND_LIMIT_US)
        if self._stalled:
            return
        if self._in_flight == 0:
            self._resend_at_us = now_us + self._resend_after_us
        # In one write: the host reads them at once, and has to force the disk once for all of them.
        frames: list[bytes] = []
        while self._in_flight < min(CREDIT, self._ring.held):
            frames.append(self._next())
        if frames:
            self._write(b"".join(frames))

    def _next(self) -> bytes:
        kind, seq, body = self._ring.frame(self._in_flight)
        self._in_flight += 1
        if seq < self._fresh_seq:
            self.resends += 1
        else:
            self._fresh_seq = seq + 1
        return encode_frame(kind, self.boot_id, seq, body)

    def _write(self, data: bytes) -> None:
        begun_us = self._clock.now_us()
        self._wire.write(data)
        self._stalled = self._clock.now_us() - begun_us > STALL_US

    def _restart_timer(self) -> None:
        self._resend_after_us = RESEND_US
        self._resend_at_us = self._clock.now_us() + RESEND_US
