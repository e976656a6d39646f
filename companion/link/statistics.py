"""The link once a second: the last minute in memory, and lines of a bounded file where one is wanted."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

from companion.link.status import LinkState, LinkStatus, Minute

EVERY_NS = 1_000_000_000
KEPT = 60
UNTOLD = ("sentence", "last_minute")
# A line has some 500 bytes: two files of this size hold the last two hours or more.
LIMIT = 4_000_000
ENVIRONMENT = "COMPANION_LINK_LOG"


class LinkLog:
    """A file of JSON lines that never grows beyond `limit` bytes: full, it becomes `<name>.1` and a new one begins.

    A log that cannot be written is given up: it must not cost an event.
    """

    def __init__(self, path: Path, limit: int = LIMIT) -> None:
        self.path = path
        self.problem: str | None = None
        self._limit = limit

    def write(self, line: str) -> None:
        """Append a line."""
        if self.problem is not None:
            return
        try:
            if self.path.exists() and self.path.stat().st_size + len(line) > self._limit:
                self.path.replace(self.path.with_name(f"{self.path.name}.1"))
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        except OSError as problem:
            self.problem = f"The log of the link, {self.path}, cannot be written ({problem.strerror})."


def log_of_environment() -> LinkLog | None:
    """Return the log that COMPANION_LINK_LOG names; None without one."""
    named = os.environ.get(ENVIRONMENT)
    return LinkLog(Path(named)) if named else None


class Statistics:
    """Takes the link's state in once a second."""

    def __init__(self, log: LinkLog | None = None) -> None:
        self._log = log
        self._kept: deque[LinkStatus] = deque(maxlen=KEPT)
        self._minute: Minute | None = None
        self._due_ns: int | None = None

    def look(self, status: LinkStatus, now_ns: int) -> LinkStatus:
        """Keep the state if a second has passed since the last; return it with what the last minute brought."""
        if self._due_ns is None or now_ns >= self._due_ns:
            on_time_ns = now_ns if self._due_ns is None else self._due_ns
            self._due_ns = max(on_time_ns, now_ns - EVERY_NS // 2) + EVERY_NS
            self._kept.append(status)
            self._minute = minute(self._kept)
            if self._log is not None:
                self._log.write(line(status))
        return replace(status, last_minute=self._minute)


def minute(states: Iterable[LinkStatus]) -> Minute:
    """Return what states a second apart, of which there is at least one, say of their time."""
    kept = tuple(states)
    first, last = kept[0], kept[-1]
    return Minute(
        last.bad_frames - first.bad_frames,
        last.duplicates - first.duplicates,
        last.gap_events - first.gap_events,
        max((one.rtt_us for one in kept if one.rtt_us is not None), default=None),
        max((one.uncertainty_us for one in kept if one.uncertainty_us is not None), default=None),
        sum(one.state is not LinkState.LIVE for one in kept),
    )


def line(status: LinkStatus) -> str:
    """Return the state as a line of JSON, with the time of day; without what says nothing more."""
    counts = {name: value for name, value in asdict(status).items() if name not in UNTOLD and value is not None}
    if status.uid is not None:
        counts["uid"] = f"{status.uid:016x}"
    return json.dumps({"wall": datetime.now(UTC).isoformat(timespec="milliseconds"), **counts})
