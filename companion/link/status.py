"""The state of the link in the field's words, with the sentence a person reads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class LinkState(StrEnum):
    """Where the link stands; `LinkStatus.sentence` says what to do about it."""

    NONE = "none"  # no board asked for
    SEARCHING = "searching"  # `auto`: asking the listed ports
    ABSENT = "absent"  # the named port does not exist
    OPENING = "opening"
    IDENTIFYING = "identifying"  # open, no HELLO yet
    SYNCING = "syncing"  # fetching what the board kept, matching clocks
    LIVE = "live"
    UNSAVED = "unsaved"  # the journal cannot write; the board keeps the events
    SILENT = "silent"  # open, but no valid frame for 2 s
    STALLED = "stalled"  # live, but a number is missing, and everything after it is held back
    LOST = "lost"  # was open, is not; trying again
    BUSY = "busy"
    NO_PERMISSION = "no-permission"
    REFUSED = "refused"  # no board, another board, or another major version
    FAILED = "failed"  # a fault in the companion itself
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Minute:
    """What the last minute brought, or so much of it as there was: frames damaged and frames sent twice, events a full
    ring refused, the longest round trip, the largest published +-, and for how many seconds the link was not live."""

    bad_frames: int
    duplicates: int
    gap_events: int
    rtt_us: int | None
    uncertainty_us: int | None
    away_s: int


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """What the screen shows of the link.

    `uncertainty_us` is the published +- of mapped times, `rtt_us` the last round trip. The counts are of this run of
    the link: `bad_frames` were damaged, `skipped_bytes` were in no whole frame, `foreign_frames` were none of a board,
    `stale_frames` of another boot or before its HELLO; `gap_events` are events a full ring refused; of the board's LOG
    lines `logs` were kept and `unkept_logs` were too many. The board counts
    since its boot: `resends`, `board_bad_frames` (host frames it could not read), `ring_high_water` of `ring_size`, and
    `longest_turn_us`; None before its first STATS. `waiting` is what is received and not yet on disk.
    `settings_in_force` is whether the board has the session's settings, None before it said; `silent_s` for how long it
    has been silent. `last_cue` is the (id, t_us) of the board's last answer to a cue; `last_minute` is renewed once a
    second.
    """

    state: LinkState
    sentence: str
    port: str = ""
    board: str = ""
    uid: int | None = None
    boot_id: int | None = None
    armed: bool = False
    uncertainty_us: int | None = None
    rtt_us: int | None = None
    bad_frames: int = 0
    skipped_bytes: int = 0
    foreign_frames: int = 0
    stale_frames: int = 0
    duplicates: int = 0
    resends: int = 0
    board_bad_frames: int | None = None
    ring_high_water: int | None = None
    ring_size: int | None = None
    longest_turn_us: int | None = None
    waiting: int = 0
    clashes: int = 0
    gaps: int = 0
    gap_events: int = 0
    clock_faults: int = 0
    settings_in_force: bool | None = None
    silent_s: int = 0
    logs: int = 0
    unkept_logs: int = 0
    last_cue: tuple[int, int] | None = None
    last_minute: Minute | None = None


NO_LINK = LinkStatus(LinkState.NONE, "No board: the keyboard does everything.")
