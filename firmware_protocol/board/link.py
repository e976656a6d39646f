"""The board's side of the transport: whether a host listens, what is sent, resent and acknowledged."""

from firmware_protocol.board.clock import TICKS_HALF, TICKS_MASK, Clock, ticks_diff
from firmware_protocol.board.packing import MAX_FRAME, Packer
from firmware_protocol.board.quick import CRC_TABLE, copy, unframe
from firmware_protocol.board.ring import SLOT_SIZE, EventRing
from firmware_protocol.frames import HEADER_SIZE, MAX_ENCODED
from firmware_protocol.messages import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.hardware import Wire

    Taker = Callable[[int, int, bytearray, int], None]

# Only credit keeps a write from blocking: USB reports "ready" even without a reader.
CREDIT = 8
RESEND_US = 100_000
RESEND_LIMIT_US = 2_000_000
ATTACHED_US = 3_000_000
FROM_BOARD_KINDS = 0x80
# A longer write met a host that does not read. The Pico's write waits for half a second: with many in one turn the
# watchdog would reset the chip, and the ring would be lost.
STALL_US = 50_000
# A few frames of the usual size; the rest is read in the next turn, because a byte takes 30 us.
READ_LIMIT = 64
DELIMITER = b"\0"


class Link:
    """Sends the ring's frames in order, at most `CREDIT` of them unacknowledged, and again if no ACK comes.

    The host is `attached` while a valid frame came within 3 s; without one nothing of the ring is written. `host_came`
    is called with the first one, before it is answered. `received` is the arrival of the frame being processed. Times
    are ticks of the clock. `stalled` is set by a write to a host that does not read: until it is cleared, once a turn,
    nothing more is written. `asked` means that this host has said from which number on. `in_flight` of the ring's
    frames were sent. While `rest` is not 0, more bytes were read than processed.
    """

    def __init__(
        self,
        wire: "Wire",
        clock: Clock,
        ring: EventRing,
        packer: Packer,
        boot_id: int,
        host_came: "Callable[[], object] | None" = None,
    ) -> None:
        self.boot_id = boot_id
        self.attached = False
        self.asked = False
        self.bad_frames = 0
        self.resends = 0
        self.received = 0
        self._heard = 0
        self._wire = wire
        self._read = wire.read
        self._clock = clock
        self._source = clock.source
        self._ring = ring
        self._host_came = host_came
        self._packer = packer
        self._data = bytearray(READ_LIMIT)
        # The bytes read and not yet processed are those from `_start` to `rest`.
        self._start = self.rest = 0
        self._coming = bytearray(MAX_ENCODED)
        self._come = 0
        self._overlong = False
        self._going = bytearray(CREDIT * SLOT_SIZE + 2 * MAX_FRAME)
        # Views of it by length: there are few, and a new one would allocate memory in each write.
        self._views: dict[int, memoryview] = {}
        self._gone = 0
        self.stalled = False
        self.in_flight = 0
        self._fresh_seq = 1
        self._resend_after_us = RESEND_US
        self._resent = clock.ticks()

    def receive(self, take: "Taker") -> bool:
        """Pass the next frame to `take(kind, boot_id, data, end)`; return False if nothing came.

        The body is `data[HEADER_SIZE:end]`. A turn takes one frame only, to stay short: while `rest` is not 0, call
        again.
        """
        data = self._data
        start, count = self._start, self.rest
        if not count:
            start, count = 0, self._read(data)
            if not count:
                return False
            self.received = self._clock.look()
        self.rest = 0
        while True:
            end = data.find(DELIMITER, start, count)
            if end < 0:
                break
            if end > start:
                self._collect(data, start, end)
            start = end + 1
            if self._come or self._overlong:
                self._take(take)
                # A stalled host gets no answers, so its frames can all be processed in this turn.
                if start < count and not self.stalled:
                    self._start, self.rest = start, count
                    return True
        self._collect(data, start, count)
        return True

    def _collect(self, data: bytearray, start: int, end: int) -> None:
        come = self._come
        if self._overlong or come + end - start > MAX_ENCODED:
            self._overlong = True
            return
        self._come = copy(data, start, end, self._coming, come)

    def _take(self, take: "Taker") -> None:
        encoded = self._come
        overlong = self._overlong
        self._come = 0
        self._overlong = False
        coming = self._coming
        size = -1 if overlong else unframe(coming, encoded, CRC_TABLE)
        if size < HEADER_SIZE:
            # Without a host, damaged bytes may be an old buffer's and say nothing about the cable.
            self.bad_frames += self.attached
            return
        kind = coming[0]
        # A frame of the board's own kinds is an echo, not a host.
        if kind < FROM_BOARD_KINDS:
            if not self.attached:
                if self._host_came is not None:
                    self._host_came()
                self.rewind()
                self.attached = True
                self.asked = False
            self._heard = self.received
            take(kind, coming[1] | coming[2] << 8, coming, size)

    def look(self, ticks: int) -> bool:
        """Return whether the host is still attached."""
        if self.attached and ATTACHED_US < (ticks - self._heard) & TICKS_MASK < TICKS_HALF:
            self.attached = False
        return self.attached

    def send(self, message: Message) -> bool:
        """Send a message without a number; return False while the host is `stalled`."""
        return self.send_body(message.KIND, message.body())

    def send_body(self, kind: int, body: "bytes | bytearray") -> bool:
        """Send a body that the caller keeps; return False while the host is `stalled`."""
        if self.stalled:
            return False
        self._write(self._packer.body(kind, 0, body, self._going, 0))
        return True

    def send_pong(self, ping_id: int, settled: int) -> None:
        """Answer the PING that is being processed."""
        if not self.stalled:
            now, next_seq = self._clock.look(), self._ring.next_seq
            self._write(
                self._packer.pong(ping_id, self.received, now, settled, next_seq, self._going, 0)
            )

    def send_settled(self, settled: int) -> None:
        """Send SETTLED: everything up to there has a number."""
        if not self.stalled:
            self._write(self._packer.settled(settled, self._ring.next_seq, self._going, 0))

    def acknowledge(self, seq: int) -> None:
        """Drop what the host has on disk: everything up to and including `seq`."""
        dropped = self._ring.drop_through(seq)
        if dropped:
            self.in_flight = max(0, self.in_flight - dropped)
            self._restart_timer()

    def replay(self, seq: int) -> None:
        """Send again from `seq`, or from the oldest held."""
        self.asked = True
        self.in_flight = min(self.in_flight, self._ring.count_before(seq))
        self._restart_timer()

    def rewind(self) -> None:
        """Start over with the oldest: frames written before may never have been read."""
        self.in_flight = 0
        self._restart_timer()

    def pump(self, ticks: int) -> bool:
        """Send what credit allows, and again what was not acknowledged in time; return whether anything was sent."""
        if not self.attached:
            return False
        if self.in_flight and ticks_diff(ticks, self._resent) >= self._resend_after_us:
            self.in_flight = 0
            self._resend_after_us = min(2 * self._resend_after_us, RESEND_LIMIT_US)
        if self.stalled or self.in_flight >= CREDIT or self.in_flight >= self._ring.held:
            return False
        if self.in_flight == 0:
            self._resent = ticks
        # In one write: the host reads them together and syncs its disk once for all of them.
        ring, first = self._ring, self.in_flight
        last = min(CREDIT, ring.held)
        if ring.seq(first) < self._fresh_seq:
            self.resends += min(last, ring.count_before(self._fresh_seq)) - first
        self.in_flight = last
        self._fresh_seq = max(self._fresh_seq, ring.seq(last - 1) + 1)
        self._write(ring.gather(first, last - first, self._going))
        return True

    def _write(self, end: int) -> None:
        view = self._views.get(end)
        if view is None:
            view = self._views[end] = memoryview(self._going)[:end]
        source = self._source
        begun = source()
        self._wire.write(view)
        self.stalled = (source() - begun) & TICKS_MASK > STALL_US

    def _restart_timer(self) -> None:
        self._resend_after_us = RESEND_US
        self._resent = self._clock.ticks()
