"""The number of examples of property tests: enough for every run, many more with COMPANION_THOROUGH=1."""

from __future__ import annotations

import os

THOROUGH = os.environ.get("COMPANION_THOROUGH") == "1"


def examples(usual: int, thorough: int) -> int:
    """Return the number of examples, steps or seeds for this run."""
    return thorough if THOROUGH else usual
