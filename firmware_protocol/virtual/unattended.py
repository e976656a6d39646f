"""A board that nobody is connected to any more: when it may end, and how many unsaved events its ring has."""

from collections.abc import Callable

from firmware_protocol.frames import Frame, FrameDecoder, FrameError
from firmware_protocol.messages import Hello, Who, decode, encode
from firmware_protocol.unsaved import unsaved_events

LEAVE_AFTER_S = 45.0
"""Seconds without a control connection: long enough to resume after an interruption, and less than a minute."""
ASK_AGAIN_US = 2_000_000
"""The firmware answers within milliseconds; one that is restarting answers the next time."""


class Unattended:
    """Whether nobody has been connected to a board for long enough; `after_us` None: never."""

    def __init__(self, after_us: int | None, clock_us: Callable[[], int]) -> None:
        self._after_us = after_us
        self._clock_us = clock_us
        self._due_us: int | None = None

    def due_in_us(self, clients: int) -> int | None:
        """Return the us until the board should be checked; None while somebody is connected."""
        if clients or self._after_us is None:
            self._due_us = None
            return None
        now_us = self._clock_us()
        if self._due_us is None:
            self._due_us = now_us + self._after_us
        return max(0, self._due_us - now_us)

    def ask_again_later(self) -> None:
        """Note that the board is being checked: the next check comes a little later."""
        self._due_us = self._clock_us() + ASK_AGAIN_US


class RingInquiry:
    """Asks the firmware, as a host does, which numbers its ring holds; acknowledges nothing."""

    def __init__(self) -> None:
        self._decoder: FrameDecoder | None = None

    def question(self, who_id: int) -> bytes:
        """Return the bytes for the board; `who_id` is 1 to 65535."""
        if self._decoder is None:
            self._decoder = FrameDecoder()
        return encode(Who(who_id), 0)

    def answers(self, data: bytes) -> list[tuple[int, int]]:
        """Return (who_id, number of unsaved events) for each answer in the board's output."""
        if self._decoder is None:
            return []
        answers = []
        for frame in self._decoder.feed(data):
            hello = _hello(frame)
            if hello is not None and hello.who_id:
                answers.append((hello.who_id, unsaved_events(hello)))
        return answers

    def over(self) -> None:
        """Stop reading: nobody waits for an answer."""
        self._decoder = None


def _hello(frame: Frame) -> Hello | None:
    try:
        message = decode(frame)
    except FrameError:
        return None
    return message if isinstance(message, Hello) else None
