"""How far a connection has come, and what was counted on it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

_MS = 1_000_000
# Boards behind a USB bridge restart when the port is opened and are deaf for up to 3 s.
IDENTIFY_NS = 5_000 * _MS
# The board counts the host as gone after the same time.
SILENT_NS = 3_000 * _MS
# Some systems never report an unplugged port: after this long only opening it again can help.
DEAD_NS = 10_000 * _MS


class Phase(StrEnum):
    """How far a connection has come."""

    IDENTIFYING = "identifying"
    SYNCING = "syncing"
    LIVE = "live"
    SILENT = "silent"
    REFUSED = "refused"


@dataclass(slots=True)
class Counters:
    """What was counted over all connections of a link; `gap_events` are the events GAPs stand for."""

    bad_frames: int = 0
    foreign_frames: int = 0
    stale_frames: int = 0
    duplicates: int = 0
    clashes: int = 0
    gaps: int = 0
    gap_events: int = 0
    clock_faults: int = 0
