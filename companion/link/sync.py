"""Points of the clock mapping for the record, from which mapped times can be computed again."""

from __future__ import annotations

from dataclasses import dataclass

from companion.link.session import Session

_MS = 1_000_000
EVERY_NS = 60_000 * _MS
# A faulty clock begins an epoch with every PING: at most one point a second.
LEAST_NS = 1_000 * _MS
# Two crystals 30 ppm apart drift this far in 17 s; with a smaller limit, a record of hours would be mostly points.
MOVED_NS = 500_000


@dataclass(frozen=True, slots=True)
class SyncPoint:
    """The board's clock minus the host's surely lay in [`low_ns`, `high_ns`] at `host_ns`, the host's monotonic time.

    `device_us` is the board's counter then. An `epoch`, counted from 1, is a stretch that one mapping covers: it ends
    at another boot, at a jump of a clock, and when the computer slept.
    """

    boot_id: int
    epoch: int
    host_ns: int
    device_us: int
    low_ns: int
    high_ns: int
    rtt_us: int | None


class SyncWatch:
    """Decides when a point is worth an entry; outlives connections, as an epoch can."""

    def __init__(self) -> None:
        self._last: SyncPoint | None = None
        self._clock: tuple[int, int, int] | None = None
        self._epoch = 0

    def look(self, session: Session, now_ns: int) -> SyncPoint | None:
        """Return the point to record now, or None.

        While armed: the first of an epoch, then one a minute, or when the interval moved by more than its width; at
        most one a second of one boot.
        """
        if not session.armed or not session.synced:
            return None
        offset = session.clock.offset_at(now_ns)
        if offset is None:
            return None
        low_ns, high_ns = offset
        self._count_epoch(session)
        last = self._last
        if last is not None:
            is_soon = last.boot_id == session.boot_id and now_ns - last.host_ns < LEAST_NS
            is_new = last.epoch != self._epoch or _has_moved(last, now_ns, low_ns, high_ns)
            if is_soon or not is_new:
                return None
        device_us = (now_ns + (low_ns + high_ns) // 2) // 1_000
        self._last = SyncPoint(
            session.boot_id, self._epoch, now_ns, device_us, low_ns, high_ns, session.clock.rtt_us
        )
        return self._last

    def _count_epoch(self, session: Session) -> None:
        """Begin an epoch, unless this is the same boot and its clock did not start over."""
        before, restarts = self._clock, session.clock.restarts
        self._clock = (session.boot_id, id(session), restarts)
        if before is None or before[0] != session.boot_id:
            self._epoch += 1
            return
        restarts_before = 0  # a new connection's clock counts its restarts from zero
        if before[1] == id(session):
            restarts_before = before[2]
        if restarts > restarts_before:
            self._epoch += 1


def _has_moved(last: SyncPoint, now_ns: int, low_ns: int, high_ns: int) -> bool:
    moved_ns = abs(low_ns + high_ns - last.low_ns - last.high_ns) // 2
    return now_ns - last.host_ns >= EVERY_NS or moved_ns > max(MOVED_NS, high_ns - low_ns)
