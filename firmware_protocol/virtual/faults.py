"""Seeded faults of a link: bytes in; out the pieces that arrive, with their times. Pure; no I/O and no clock."""

import re
from collections import deque
from dataclasses import asdict, dataclass, fields
from random import Random

# 115200 baud, eight data bits, one start and one stop bit: the slowest link a board is used with.
BYTE_US = 87
_FRAME = re.compile(rb"\0*[^\0]+\0?|\0+")


@dataclass(frozen=True)
class FaultRates:
    """The probability of each fault per frame (0 to 1), the longest delay in ms, and whether each byte travels
    alone."""

    drop: float = 0.0
    corrupt: float = 0.0
    truncate: float = 0.0
    duplicate: float = 0.0
    delay: float = 0.0
    delay_ms: float = 20.0
    one_byte: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name not in ("delay_ms", "one_byte") and not 0.0 <= value <= 1.0:
                raise ValueError(f"{field.name} is a probability from 0 to 1, not {value}")
        if self.delay_ms < 0:
            raise ValueError(f"delay_ms is not negative, but was {self.delay_ms}")

    @property
    def perfect(self) -> bool:
        """True if nothing can happen to a frame."""
        rates = (self.drop, self.corrupt, self.truncate, self.duplicate, self.delay)
        return not any(rates) and not self.one_byte

    def as_json(self) -> dict[str, float | bool]:
        """Return the rates by name, as the control connection carries them."""
        return asdict(self)


class Faults:
    """Applies `rates` to frames; the same seed and the same chunks give the same damage."""

    def __init__(self, rates: FaultRates, random: Random) -> None:
        self.rates = rates
        self.damaged = 0
        self._random = random

    def apply(self, chunk: bytes) -> list[tuple[int, bytes]]:
        """Return what arrives of `chunk`: pieces in order, each with its delay in us."""
        if self.rates.perfect:
            return [(0, chunk)] if chunk else []
        pieces: list[tuple[int, bytes]] = []
        for frame in _FRAME.findall(chunk):
            pieces += self._with_faults(frame)
        return pieces

    def _with_faults(self, frame: bytes) -> list[tuple[int, bytes]]:
        rates = self.rates
        data = self._damage(frame)
        self.damaged += data != frame
        delay_us = 0
        if self._hit(rates.delay):
            delay_us = round(self._random.uniform(0, rates.delay_ms * 1000))
        if rates.one_byte:
            return [(delay_us + BYTE_US * at, data[at : at + 1]) for at in range(len(data))]
        if not data:
            return []
        return [(delay_us, data)]

    def _damage(self, frame: bytes) -> bytes:
        rates = self.rates
        if self._hit(rates.drop):
            return b""
        if self._hit(rates.corrupt):
            frame = self._flip(frame)
        if self._hit(rates.truncate):
            frame = frame[: self._random.randrange(len(frame))]
        if self._hit(rates.duplicate):
            frame *= 2
        return frame

    def _hit(self, probability: float) -> bool:
        return probability > 0 and self._random.random() < probability

    def _flip(self, frame: bytes) -> bytes:
        at = self._random.randrange(len(frame))
        flipped = bytearray(frame)
        flipped[at] ^= 1 << self._random.randrange(8)
        return bytes(flipped)


class Line:
    """One direction of the cable; keeps the order of bytes whatever their delay, as a serial line does."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.waiting = 0
        self._queue: deque[tuple[int, bytes]] = deque()

    def feed(self, chunk: bytes, now_us: int) -> None:
        """Take `chunk` in at `now_us`."""
        start_us = self._queue[-1][0] if self._queue else now_us
        for delay_us, piece in self.faults.apply(chunk):
            self._queue.append((max(start_us, now_us + delay_us), piece))
            start_us = self._queue[-1][0]
            self.waiting += len(piece)

    def due(self, now_us: int) -> bytes | None:
        """Remove and return the next piece that has arrived by `now_us`; None if there is none."""
        if not self._queue or self._queue[0][0] > now_us:
            return None
        piece = self._queue.popleft()[1]
        self.waiting -= len(piece)
        return piece

    def put_back(self, rest: bytes, due_us: int) -> None:
        """Put back what the far end did not take; it stays first and is due at `due_us`."""
        self._queue.appendleft((due_us, rest))
        self.waiting += len(rest)

    def next_due_us(self) -> int | None:
        """Return when the next piece arrives, in us; None while the line is empty."""
        return self._queue[0][0] if self._queue else None

    def clear(self) -> None:
        """Lose everything on the way, as an unplugged cable does."""
        self._queue.clear()
        self.waiting = 0
