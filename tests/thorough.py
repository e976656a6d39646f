"""How many examples the property tests try: enough for every run, many more with COMPANION_THOROUGH=1."""

from __future__ import annotations

import os

THOROUGH = os.environ.get("COMPANION_THOROUGH") == "1"


def examples(usual: int, thorough: int) -> int:
    """Return how many examples, steps or seeds to try now."""
    return thorough if THOROUGH else usual
