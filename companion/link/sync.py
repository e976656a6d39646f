"""What the record keeps of the matching of clocks, so that mapped times can be computed again from it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.link.session import Session

_MS = 1_000_000
EVERY_NS = 60_000 * _MS
# A clock that runs wrong begins an epoch with every PING.
LEAST_NS = 1_000 * _MS
# Below this, a record of hours would be mostly clocks: two crystals 30 ppm apart drift so far in 17 s.
MOVED_NS = 500_000


@dataclass(frozen=True, slots=True)
class SyncPoint:
    """The board's clock minus the host's lay surely in [`low_ns`, `high_ns`] at `host_ns`, the host's monotonic time.

    `device_us` is the board's counter then. An `epoch`, counted from 1, ends where one mapping cannot be continued by
    the next: at another boot, at a jump of a clock, when the computer slept.
    """

    boot_id: int
    epoch: int
    host_ns: int
    device_us: int
    low_ns: int
    high_ns: int
    rtt_us: int | None


class SyncWatch:
    """Says when a point is worth an entry; outlives connections, for an epoch does too."""

    def __init__(self) -> None:
        self._last: SyncPoint | None = None
        self._clock: tuple[int, int, int] | None = None
        self._epoch = 0

    def look(self, session: Session, now_ns: int) -> SyncPoint | None:
        """Return the point to record now, if one is due: while armed, the first of an epoch, then one a minute, or when
        the interval has moved by more than its width; of one boot at most one a second."""
        offset = session.clock.offset_at(now_ns) if session.armed and session.synced else None
        if offset is None:
            return None
        low_ns, high_ns = offset
        self._count_epoch(session)
        last = self._last
        if (
            last is not None
            and last.boot_id == session.boot_id
            and now_ns - last.host_ns < LEAST_NS
        ):
            return None
        if (
            last is not None
            and last.epoch == self._epoch
            and not _news(last, now_ns, low_ns, high_ns)
        ):
            return None
        device_us = (now_ns + (low_ns + high_ns) // 2) // 1_000
        self._last = SyncPoint(
            session.boot_id, self._epoch, now_ns, device_us, low_ns, high_ns, session.clock.rtt_us
        )
        return self._last

    def _count_epoch(self, session: Session) -> None:
        """A connection to the same boot goes on with its epoch, unless its own clock had to start over."""
        before, restarts = self._clock, session.clock.restarts
        self._clock = (session.boot_id, id(session), restarts)
        goes_on = before is not None and before[0] == session.boot_id
        if (
            before is None
            or not goes_on
            or restarts > (before[2] if before[1] == id(session) else 0)
        ):
            self._epoch += 1


def _news(last: SyncPoint, now_ns: int, low_ns: int, high_ns: int) -> bool:
    moved_ns = abs(low_ns + high_ns - last.low_ns - last.high_ns) // 2
    return now_ns - last.host_ns >= EVERY_NS or moved_ns > max(MOVED_NS, high_ns - low_ns)
