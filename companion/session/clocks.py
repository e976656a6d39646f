"""The host's clocks, as the parts of the companion are handed them, and what a board's is called."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def wall() -> str:
    """The time of day, UTC, as entries carry it (ISO 8601)."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def host_us() -> int:
    """The host's monotonic clock in microseconds."""
    return time.monotonic_ns() // 1000


def clock_name(boot_id: int) -> str:
    """The name of one boot's clock in moments: `board-5f3a`."""
    return f"board-{boot_id:04x}"
