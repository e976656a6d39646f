"""The clock that runs on while the computer sleeps."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def since_boot_ns() -> Callable[[], int] | None:
    """Return a clock of the time since the computer started, sleep included, in nanoseconds; None where the system has
    none, as on macOS and Windows."""
    if sys.platform != "linux":
        return None
    return lambda: time.clock_gettime_ns(time.CLOCK_BOOTTIME)
