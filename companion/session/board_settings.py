"""The board's settings in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SETTINGS: Final[Mapping[str, tuple[str, str]]] = {
    "hit_threshold": ("hit threshold", "weakest hit that counts"),
    "hit_scan_us": ("hit scan, us", "how long the board looks for the peak of a hit"),
    "hit_mask_us": ("hit mask, us", "how long another hit counts as an echo"),
    "lock_us": ("contact lock, us", "how long a contact may bounce"),
    "glitch_us": ("glitch, us", "shortest press that counts"),
}
"""The label and the hint of each setting, by its name in `Config`, the hit sensor's first."""
