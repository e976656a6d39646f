"""A simulated board: the far side of the wire in a few lines, driven by the test's time."""

from __future__ import annotations

from binascii import crc32
from collections.abc import Callable

from firmware_protocol.frames import FrameDecoder
from firmware_protocol.messages import (
    ARMED,
    CAN_CUE,
    PRESSED,
    Ack,
    Arm,
    Channel,
    Config,
    Cue,
    CueDone,
    Event,
    Gap,
    Hello,
    Message,
    Ping,
    Pong,
    Replay,
    Standby,
    State,
    Who,
    decode,
    encode,
)

UID = 0x0123456789ABCDEF
CREDIT = 8


class FakeBoard:
    """Numbers, keeps, resends and answers; the test sets `now_us`, its counter. `queued` collects whole frames."""

    def __init__(
        self,
        *,
        uid: int = UID,
        boot_id: int = 7,
        ring_size: int = 512,
        major: int = 1,
        minor: int = 0,
    ) -> None:
        self.uid = uid
        self.boot_id = boot_id
        self.ring_size = ring_size
        self.major = major
        self.minor = minor
        self.capabilities = CAN_CUE
        self.now_us = 1_000
        self.ring: dict[int, Message] = {}
        self.log: dict[int, Message] = {}
        self.next_seq = 1
        self.config_crc = 0
        self.takes_config = True
        self.deaf = False
        self.withheld: set[int] = set()  # numbers that it says it has, and never sends
        self.heard: list[Message] = []
        self.queued: list[bytes] = []
        self.turn_round: Callable[[], int] = lambda: 30
        self._decoder = FrameDecoder()
        self._sent: dict[int, tuple[int, int]] = {}
        self._gap: tuple[int, int, int] | None = None

    def hello(self) -> Hello:
        return Hello(
            self.major, self.minor, self.uid, 0, self.capabilities, self.config_crc, self.ring_size,
            min(self.ring, default=self.next_seq), self.next_seq, 25, "fake 1", "Pico", (Channel(0, 1, 0, 0),),
        )  # fmt: skip

    def say(self, message: Message, seq: int = 0) -> None:
        self.queued.append(encode(message, self.boot_id, seq))

    def keep(self, message: Message) -> None:
        if len(self.ring) >= self.ring_size:
            first, count, first_us = self._gap or (self.next_seq, 0, self.now_us)
            self._gap = (first, count + 1, first_us)
            self.next_seq += 1
            return
        self.ring[self.next_seq] = self.log[self.next_seq] = message
        self.next_seq += 1

    def press(self, channel: int = 2, flags: int = PRESSED) -> None:
        self.keep(Event(channel, flags, self.now_us))

    def power_cycle(self, boot_id: int) -> None:
        fresh = FakeBoard(uid=self.uid, boot_id=boot_id, ring_size=self.ring_size)
        fresh.now_us, fresh.queued = 1_000, self.queued
        self.__dict__.update(fresh.__dict__)

    def receive(self, data: bytes) -> None:
        for frame in self._decoder.feed(data):
            message = decode(frame)
            assert message is not None
            self.heard.append(message)
            if not self.deaf:
                self._answer(message, frame.boot_id)

    def _answer(self, message: Message, boot_id: int) -> None:
        if isinstance(message, Who):
            self.say(self.hello())
        if boot_id != self.boot_id:
            return
        if isinstance(message, Ack):
            self._forget(message.seq)
        elif isinstance(message, Replay):
            self._sent.clear()
        elif isinstance(message, Ping):
            received_us = self.now_us
            sent_us = received_us + self.turn_round()
            self.say(Pong(message.id, received_us, sent_us, received_us - 1, self.next_seq))
        elif isinstance(message, Arm):
            self.keep(State(ARMED, 0, self.now_us))
        elif isinstance(message, Cue):
            self.say(CueDone(message.id, self.now_us))
        else:
            self._settle(message)

    def _settle(self, message: Message) -> None:
        if isinstance(message, Config) and self.takes_config:
            self.config_crc = crc32(message.body())
        if isinstance(message, Standby):
            self._forget(self.next_seq)
        if isinstance(message, Config | Standby):
            self.say(self.hello())

    def _forget(self, seq: int) -> None:
        self.ring = {kept: message for kept, message in self.ring.items() if kept > seq}
        if self._gap is not None and len(self.ring) < self.ring_size:
            first, count, first_us = self._gap
            self._gap = None
            self.keep(Gap(first, count, first_us, self.now_us))

    def poll(self) -> None:
        """Queue what is due: new frames, and unacknowledged ones again."""
        for seq in sorted(self.ring)[:CREDIT]:
            due_us, delay_us = self._sent.get(seq, (0, 100_000))
            if self.now_us >= due_us and seq not in self.withheld:
                self.say(self.ring[seq], seq)
                self._sent[seq] = (self.now_us + delay_us, min(2 * delay_us, 2_000_000))

    def take(self) -> bytes:
        """Return everything queued so far."""
        queued, self.queued[:] = b"".join(self.queued), []
        return queued
