"""Programs that the system starts by itself."""

from __future__ import annotations

import sys


def has_systemd() -> bool:
    """Return whether the system may have systemd, which starts programs by a unit."""
    return sys.platform == "linux"
