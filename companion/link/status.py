"""The state of the link, with the sentence a person reads; its last minute; and its log.

`Statistics` takes the status once a second: for the last minute in memory, and for the lines of a bounded file if one
is wanted.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from companion.link.hit_input import HitInput


class LinkState(StrEnum):
    """The state of the link; `LinkStatus.sentence` says what to do about it."""

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
    """The last minute, or as much of it as there was.

    Damaged frames, frames sent twice, events refused by a full ring, the longest round trip, the largest published +-,
    and the number of seconds in which the link was not live.
    """

    bad_frames: int
    duplicates: int
    gap_events: int
    rtt_us: int | None
    uncertainty_us: int | None
    away_s: int


@dataclass(slots=True)
class Counters:
    """Counts over all connections of a link.

    `skipped_bytes` were in no whole frame, `foreign_frames` are none of a board's, `stale_frames` of another boot or
    before its HELLO; `gap_events` are events refused by a full ring. Of the board's LOG lines `logs` were kept and
    `unkept_logs` were too many.
    """

    bad_frames: int = 0
    skipped_bytes: int = 0
    foreign_frames: int = 0
    stale_frames: int = 0
    duplicates: int = 0
    clashes: int = 0
    gaps: int = 0
    gap_events: int = 0
    clock_faults: int = 0
    logs: int = 0
    unkept_logs: int = 0


@dataclass(frozen=True, slots=True)
class OtherBoard:
    """Board `uid` is at `port`; the session's board, `own`, is not there."""

    uid: int
    port: str
    own: int


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """The link as a screen shows it.

    `uncertainty_us` is the published +- of mapped times, `rtt_us` the last round trip. `counters` cover this run of the
    link. The board counts since its boot: `resends`, `board_bad_frames` (host frames it could not read),
    `ring_high_water` of `ring_size`, and `longest_turn_us`; None before its first STATS. `hit_input` is its test of the
    hit sensor's pin, None if it did not test. `waiting` is evidence received and not yet on disk. `settings_in_force`
    is whether the board has the session's settings, None before it said; `silent_s` is for how long it has been silent.
    `last_cue` is the (id, t_us) of the board's last answer to a cue; `last_minute` is renewed once a second. `others`
    are boards that could take the place of the session's, once that has been away for a while.
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
    resends: int = 0
    board_bad_frames: int | None = None
    ring_high_water: int | None = None
    ring_size: int | None = None
    longest_turn_us: int | None = None
    hit_input: HitInput | None = None
    waiting: int = 0
    settings_in_force: bool | None = None
    silent_s: int = 0
    last_cue: tuple[int, int] | None = None
    last_minute: Minute | None = None
    others: tuple[OtherBoard, ...] = ()
    counters: Counters = field(default_factory=Counters)


NO_LINK = LinkStatus(LinkState.NONE, "No board: the keyboard does everything.")


EVERY_NS = 1_000_000_000
SECONDS_KEPT = 60
NOT_LOGGED = ("sentence", "last_minute", "others")
# A line is some 500 bytes: two files of this size hold two hours or more.
LIMIT = 4_000_000
ENVIRONMENT = "COMPANION_LINK_LOG"


class LinkLog:
    """A file of JSON lines that never grows beyond `limit` bytes: when full it becomes `<name>.1` and a new one begins.

    A log that cannot be written is given up: it must not cost an event.
    """

    def __init__(self, path: Path, limit: int = LIMIT) -> None:
        self.path = path
        self._given_up = False
        self._limit = limit

    def write(self, line: str) -> None:
        """Append a line."""
        if self._given_up:
            return
        try:
            if self.path.exists() and self.path.stat().st_size + len(line) > self._limit:
                self.path.replace(self.path.with_name(f"{self.path.name}.1"))
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        except OSError:
            self._given_up = True


def log_of_environment() -> LinkLog | None:
    """Return the log at the path in COMPANION_LINK_LOG; None if that is not set."""
    path = os.environ.get(ENVIRONMENT)
    return LinkLog(Path(path)) if path else None


class Statistics:
    """The link's status, sampled once a second."""

    def __init__(self, log: LinkLog | None = None) -> None:
        self._log = log
        self._seconds: deque[LinkStatus] = deque(maxlen=SECONDS_KEPT)
        self._minute: Minute | None = None
        self._due_ns: int | None = None

    def look(self, status: LinkStatus, now_ns: int) -> LinkStatus:
        """Return the status with the last minute in it; sample it if a second has passed."""
        if self._due_ns is None or now_ns >= self._due_ns:
            # Samples keep to their seconds; after a pause of more than half of one they start a new rhythm.
            on_time_ns = now_ns if self._due_ns is None else self._due_ns
            self._due_ns = max(on_time_ns, now_ns - EVERY_NS // 2) + EVERY_NS
            self._seconds.append(status)
            self._minute = minute(self._seconds)
            if self._log is not None:
                self._log.write(line(status))
        return replace(status, last_minute=self._minute)


def minute(states: Iterable[LinkStatus]) -> Minute:
    """Return the figures of statuses taken a second apart, of which there must be at least one."""
    seconds = tuple(states)
    first, last = seconds[0], seconds[-1]
    return Minute(
        last.counters.bad_frames - first.counters.bad_frames,
        last.counters.duplicates - first.counters.duplicates,
        last.counters.gap_events - first.counters.gap_events,
        max((second.rtt_us for second in seconds if second.rtt_us is not None), default=None),
        max(
            (second.uncertainty_us for second in seconds if second.uncertainty_us is not None),
            default=None,
        ),
        sum(second.state is not LinkState.LIVE for second in seconds),
    )


def line(status: LinkStatus) -> str:
    """Return the status as a line of JSON with the time of day, without fields that add nothing."""
    fields = asdict(status)
    counts = {
        name: value
        for name, value in fields.items()
        if name not in NOT_LOGGED and value is not None
    }
    counts |= counts.pop("counters")
    if status.uid is not None:
        counts["uid"] = f"{status.uid:016x}"
    return json.dumps({"wall": datetime.now(UTC).isoformat(timespec="milliseconds"), **counts})
