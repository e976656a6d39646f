"""Up to when the host may say that nothing else happened."""

from __future__ import annotations

from collections import deque

# Six seconds of PONGs at the armed pace; beyond that only the newest counts.
_LIMIT = 64


class Watermarks:
    """What PONGs promised, held back until everything they count on is durable."""

    def __init__(self) -> None:
        self._promised: deque[tuple[int, int]] = deque()
        self._settled_us = -1

    def promise(self, next_seq: int, settled_us: int) -> None:
        """Every event stamped up to `settled_us` has a number below `next_seq`."""
        if len(self._promised) == _LIMIT:
            self._promised.pop()
        self._promised.append((next_seq, settled_us))

    def advance(self, durable: int) -> int | None:
        """Everything up to `durable` is durable; return how far that settles the board's time, None if no further."""
        settled_us = self._settled_us
        while self._promised and self._promised[0][0] <= durable + 1:
            settled_us = max(settled_us, self._promised.popleft()[1])
        if settled_us == self._settled_us:
            return None
        self._settled_us = settled_us
        return settled_us
