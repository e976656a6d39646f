"""Which jumps of the clocks are told: a clock that runs wrong jumps at every PING, and must not fill the record."""

from __future__ import annotations

EVERY_NS = 60_000_000_000
JUMPED = "The clocks of board and computer jumped against each other; they are matched anew."


class Jumps:
    """The jumps of one connection; all of them stand in the link's counts."""

    def __init__(self) -> None:
        self._told_ns: int | None = None
        self._untold = 0

    def take(self, now_ns: int) -> str | None:
        """Return what is to be said of this jump; None when the last was told less than a minute ago."""
        if self._told_ns is not None and now_ns - self._told_ns < EVERY_NS:
            self._untold += 1
            return None
        often, self._told_ns, self._untold = self._untold + 1, now_ns, 0
        if often == 1:
            return JUMPED
        return f"The clocks of board and computer jumped {often} times in a minute: one of them runs wrong."
