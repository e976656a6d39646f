"""How far a connection has come, and what was counted on it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
