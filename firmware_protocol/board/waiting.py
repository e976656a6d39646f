"""The link alone, after a reset by the watchdog, until ARM comes.

A firmware that hung may hang again as soon as it starts. Here the board only identifies itself and obeys MAINTENANCE,
so its firmware can be replaced; a host that plays sends ARM at once, and the rest starts under the same boot id.
"""

from firmware_protocol.board.link import Link
from firmware_protocol.board.packing import Packer
from firmware_protocol.board.ring import EventRing
from firmware_protocol.board.settings import Settings
from firmware_protocol.frames import HEADER_SIZE, Frame, FrameError
from firmware_protocol.messages import (
    CAN_MAINTENANCE,
    ECHOES_WHO,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    RESET_WATCHDOG,
    Arm,
    Hello,
    Maintenance,
    Ping,
    Who,
    decode,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.clock import Clock
    from firmware_protocol.board.hardware import Wire
    from firmware_protocol.board.pins import PinMap

LOOP_MS = 1


class Waiting:
    """Call `step` until `armed` or `maintenance`."""

    def __init__(
        self,
        wire: "Wire",
        clock: "Clock",
        boot_id: int,
        hello: Hello,
        host_came: "Callable[[], object] | None" = None,
    ) -> None:
        self.armed = False
        self.maintenance = False
        self._wire = wire
        self._clock = clock
        packer = Packer(boot_id, clock)
        self._link = Link(wire, clock, EventRing(2, packer, clock), packer, boot_id, host_came)
        self._hello = hello
        self._link.send(hello)

    @property
    def over(self) -> bool:
        """True if it was armed, or told to end."""
        return self.armed or self.maintenance

    def step(self) -> None:
        """Run one turn: answer WHO and PING, and take ARM or MAINTENANCE."""
        self._link.stalled = False
        if self._link.rest or self._wire.wait(LOOP_MS):
            self._link.receive(self._take)

    def _take(self, kind: int, boot_id: int, data: bytearray, end: int) -> None:
        try:
            message = decode(Frame(kind, boot_id, 0, bytes(data[HEADER_SIZE:end])))
        except FrameError:
            return  # no LOG here: this start does as little as possible
        if isinstance(message, Who):
            self._hello.who_id = message.id
            self._link.send(self._hello)
        elif isinstance(message, Ping):
            self._link.send_pong(message.id, self._clock.look())
        elif boot_id == self._link.boot_id:
            self.armed = isinstance(message, Arm)
            self.maintenance = isinstance(message, Maintenance)


def waiting_hello(uid: int, firmware: str, board: str, pins: "PinMap", ring_size: int) -> Hello:
    """Return the HELLO of a board that waits; its ring is the one that it will have."""
    return Hello(
        PROTOCOL_MAJOR,
        PROTOCOL_MINOR,
        uid,
        RESET_WATCHDOG,
        CAN_MAINTENANCE | ECHOES_WHO,
        Settings().crc,
        ring_size,
        1,
        1,
        max(pins.stamp_errors_us, default=0),
        firmware,
        board,
        pins.channels,
        pins.stamp_errors_us,
    )
