"""After a reset by the watchdog: the link and nothing else, until ARM comes.

What hung may hang again as soon as it starts. Here the board answers who it is and obeys MAINTENANCE, so its firmware
can be replaced; a host that plays says ARM at once, and the rest starts under the same boot id.
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
    """`armed` and `maintenance` say what ended it; neither yet: go on with `step`."""

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
        """Whether it was told what to do."""
        return self.armed or self.maintenance

    def step(self) -> None:
        """One turn: answer who is there, and hear what to do."""
        self._link.stalled = False
        if self._link.rest or self._wire.wait(LOOP_MS):
            self._link.receive(self._take)

    def _take(self, kind: int, boot_id: int, data: bytearray, end: int) -> None:
        try:
            message = decode(Frame(kind, boot_id, 0, bytes(data[HEADER_SIZE:end])))
        except FrameError:
            return  # nobody here is told of what cannot be read
        if isinstance(message, Who):
            self._hello.who_id = message.id
            self._link.send(self._hello)
        elif isinstance(message, Ping):
            self._link.send_pong(message.id, self._clock.look())
        elif boot_id == self._link.boot_id:
            self.armed = isinstance(message, Arm)
            self.maintenance = isinstance(message, Maintenance)


def waiting_hello(uid: int, firmware: str, board: str, pins: "PinMap", ring_size: int) -> Hello:
    """Return what a board says of itself that waits; the ring is the one that it will have."""
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
