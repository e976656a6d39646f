"""The host's clocks, which the parts of the companion are handed, and the names of boards' clocks."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from companion.journal.entries import Entry
from companion.journal.wall_clock import instant_of, time_text


def wall() -> str:
    """Return the time of day, UTC, as entries have it (ISO 8601)."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def unix_time_of(entry: Entry) -> float:
    """Return the wall clock of an entry in seconds since 1970."""
    return instant_of(entry.wall).timestamp()


def time_of_day(unix_time: float) -> str:
    """Return the time of day on this machine as `14:02`; see `time_text`."""
    return time_text(datetime.fromtimestamp(unix_time, UTC))


def host_us() -> int:
    """Return the host's monotonic clock in microseconds."""
    return time.monotonic_ns() // 1000


def clock_name(boot_id: int) -> str:
    """Return the name of one boot's clock in moments: `board-5f3a`."""
    return f"board-{boot_id:04x}"
