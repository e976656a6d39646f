"""The cable between a board's wire and the port that a host opens: plugged, unplugged, faulty, never blocking."""

import time
from collections.abc import Callable
from random import Random

from firmware_protocol.virtual.board_process import Wire
from firmware_protocol.virtual.claims import VersionClaim
from firmware_protocol.virtual.faults import FaultRates, Faults, Line
from firmware_protocol.virtual.ports import HostPort

# While the board takes nothing, the host is not read: its writes wait, as with a USB device that answers NAK.
WAITING_LIMIT = 16384
RETRY_US = 20_000


class Cable:
    """Carries bytes between a board's wire and a host's port, and counts those lost on the way."""

    def __init__(self, make_port: Callable[[Callable[[bytes], None]], HostPort], seed: int) -> None:
        self._seed = seed
        self._to_host = Line(Faults(FaultRates(), Random(seed)))
        self._to_board = Line(Faults(FaultRates(), Random(seed + 1)))
        self.port = make_port(lambda data: self._to_board.feed(data, now_us()))
        self.plugged = False
        self.lost_bytes = 0
        self.claim = VersionClaim()
        self._silent_until_us = 0
        self._damaged_before = 0

    @property
    def damaged_frames(self) -> int:
        """Number of frames that faults have dropped, changed, cut or doubled."""
        return self._damaged_before + self._to_host.faults.damaged + self._to_board.faults.damaged

    def set_faults(self, to_host: FaultRates, to_board: FaultRates, seed: int) -> None:
        """Set the faults of both directions."""
        self._damaged_before = self.damaged_frames
        self._to_host.faults = Faults(to_host, Random(seed))
        self._to_board.faults = Faults(to_board, Random(seed + 1))

    def plug(self) -> None:
        """Make the port appear; no effect if it is there."""
        if not self.plugged:
            self.port.plug()
            self.plugged = True

    def unplug(self) -> None:
        """Make the port vanish, and lose the bytes on the way."""
        if self.plugged:
            self.plugged = False
            self.port.unplug()
            self.lose_all()

    def silence(self, seconds: float) -> None:
        """Suppress the board's output for `seconds`: it is lost. Input still arrives."""
        self._silent_until_us = now_us() + round(seconds * 1e6)

    def inject(self, data: bytes) -> None:
        """Send the host bytes that are not the board's, between two of its writes."""
        if self.plugged:
            self._to_host.feed(data, now_us())

    def lose_all(self) -> None:
        """Discard the bytes on the way: nobody is left to receive them."""
        self.claim.clear()
        self.lost_bytes += self._to_host.waiting + self._to_board.waiting
        self._to_host.clear()
        self._to_board.clear()

    def from_board(self, data: bytes) -> None:
        """Take the board's output; it is lost during a silence, and without a host that reads it."""
        is_full = self._to_host.waiting > WAITING_LIMIT
        is_silent = now_us() < self._silent_until_us
        if not self.plugged or is_full or is_silent:
            self.lost_bytes += len(data)
            return
        self._to_host.feed(self.claim.apply(data), now_us())

    def carry(self, board: Wire | None) -> int | None:
        """Deliver what is due; return the us until there is more to do, None if nothing is on the way."""
        now = now_us()
        piece = self._to_host.due(now)
        while piece is not None:
            self.lost_bytes += len(piece) - self.port.write(piece)
            piece = self._to_host.due(now)
        piece = self._to_board.due(now)
        while piece is not None:
            # Without a board the bytes vanish, as on a wire to a chip without power.
            taken = len(piece) if board is None else board.write(piece)
            if taken < len(piece):
                self._to_board.put_back(piece[taken:], now + RETRY_US)
            piece = self._to_board.due(now)
        self.port.listen(self._to_board.waiting < WAITING_LIMIT)
        due = [line.next_due_us() for line in (self._to_host, self._to_board)]
        waits = [max(0, due_us - now) for due_us in due if due_us is not None]
        return min(waits, default=None)


def now_us() -> int:
    """Return this process's monotonic clock in us; used for the cable's pace only, never for a stamp."""
    return time.monotonic_ns() // 1000
