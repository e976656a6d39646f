"""Who owns byte 0x03 on stdin: a frame may contain it, a person at a terminal means "stop" by it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_protocol.board.hardware import KeyboardInterrupts

NEVER = -1
CTRL_C = 3
QUIET_US = 5_000_000


class KeyboardGuard:
    """Forbids the keyboard interrupt while valid frames come; allows it again after 5 s without any.

    One guard for all restarts: an exception neither cuts off a host that talks nor locks out a person.
    """

    def __init__(self, kbd_intr: "KeyboardInterrupts") -> None:
        self._kbd_intr = kbd_intr
        self._kept = False
        self._forbidden = False
        self._heard_us = 0
        kbd_intr(CTRL_C)

    def keep(self) -> None:
        """Leave it allowed for good."""
        self._kept = True

    def heard(self, now_us: int) -> None:
        """A valid frame came."""
        self._heard_us = now_us
        if not self._forbidden and not self._kept:
            self._forbidden = True
            self._kbd_intr(NEVER)

    def step(self, now_us: int) -> None:
        """Allow it again when the time has come."""
        if self._forbidden and now_us - self._heard_us >= QUIET_US:
            self.release()

    def release(self) -> None:
        """Allow it."""
        self._forbidden = False
        self._kbd_intr(CTRL_C)
