"""A hook at work: a queue, and a thread that delivers its events in order.

The progress of each hook is kept in a file beside the session's. It is not part of the record, so no copy or export has
it: whoever gets one does not deliver old events again.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from companion.config.outlets import Hook
from companion.feed.events import Event
from companion.journal.disk import read_json, write_private
from companion.outbound.exchange import UndeliveredError
from companion.rules.columns import plural

MOST = 1000
"""Events that wait at most; beyond that the oldest are dropped and counted."""
PAUSES_S: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0)
"""Seconds between tries of one event; after the last, the hook is given up."""
TRIES: Final = len(PAUSES_S) + 1


@dataclass(frozen=True, slots=True)
class Delivered:
    """The progress of one hook: `number` is its last event delivered or dropped."""

    number: int
    sent: int = 0
    dropped: int = 0
    trouble: str = ""
    """Why the last try failed; empty if it did not."""
    off: bool = False
    """Whether the hook was given up."""


def delivered_at(session: Path) -> Path:
    """Return the path of a session's file of hooks."""
    return session.with_name(f"{session.name}.hooks")


def read_delivered(session: Path) -> dict[str, Delivered]:
    """Return each hook's progress by its name, without rows that cannot be read."""
    try:
        rows = [(name, _read(row)) for name, row in read_json(delivered_at(session)).items()]
    except (OSError, ValueError, AttributeError):
        return {}
    return {name: delivered for name, delivered in rows if delivered is not None}


def _read(row: object) -> Delivered | None:
    kinds = {"number": int, "sent": int, "dropped": int, "trouble": str, "off": bool}
    if not isinstance(row, dict):
        return None
    for name, kind in kinds.items():
        if type(row.get(name)) is not kind:
            return None
    return Delivered(**{name: row[name] for name in kinds})


class ProgressFile:
    """The file of hooks' progress, written by several threads. If it cannot be written, a restart may repeat events."""

    def __init__(self, session: Path) -> None:
        self._path = delivered_at(session)
        self._lock = threading.Lock()
        self._rows = read_delivered(session)

    def of(self, name: str, before: int) -> Delivered:
        """Return the progress to continue from: the hook's own, or event number `before` for a new hook."""
        # a restart tries again what failed, so the trouble of the last run is dropped
        return replace(self._rows.get(name, Delivered(before)), trouble="", off=False)

    def write(self, name: str, delivered: Delivered) -> None:
        """Save a hook's progress."""
        with self._lock:
            self._rows[name] = delivered
            rows = {hook: asdict(row) for hook, row in self._rows.items()}
            with suppress(OSError):
                write_private(self._path, json.dumps(rows).encode())


class HookRunner:
    """Delivers events by `deliver`, which raises `UndeliveredError` and is interrupted by `stop` from another thread.
    `put` never waits. `tell` gets a sentence when the hook is given up, `keep` each change of its progress. `pause`
    waits some seconds or until the end, and returns whether the end has come."""

    def __init__(
        self,
        hook: Hook,
        deliver: Callable[[Event], object],
        at: Delivered,
        *,
        keep: Callable[[Delivered], object],
        tell: Callable[[str], object],
        stop: Callable[[], object] = lambda: None,
        pause: Callable[[float], bool] | None = None,
    ) -> None:
        self.hook = hook
        self._deliver, self._stop, self._keep, self._tell = deliver, stop, keep, tell
        self._more = threading.Condition()
        self._waiting: deque[Event] = deque()
        self._at = at
        self._put = at.number
        self._leaving = False
        self._left = threading.Event()
        self._pause = self._left.wait if pause is None else pause
        # A daemon: nothing can end a thread that waits for a name to be resolved.
        self._thread = threading.Thread(target=self._run, name=f"hook {hook.name}", daemon=True)
        self._thread.start()

    def put(self, event: Event) -> None:
        """Queue the event, unless it was queued before or the hook does not want its kind."""
        with self._more:
            if event.number <= self._put or event.kind not in self.hook.on:
                return
            self._put = event.number
            if len(self._waiting) == MOST:
                dropped = self._waiting.popleft()
                self._at = replace(self._at, number=dropped.number, dropped=self._at.dropped + 1)
            self._waiting.append(event)
            self._more.notify_all()

    @property
    def label(self) -> str:
        """The hook's name and target, for people."""
        return f"{self.hook.name} ({self.hook.place})"

    @property
    def at(self) -> Delivered:
        """The hook's progress."""
        with self._more:
            return self._at

    @property
    def state(self) -> str:
        """The hook's progress in a sentence, for people."""
        with self._more:
            at, waiting = self._at, len(self._waiting)
        state = "on"
        if at.trouble:
            state = "failing: "
        if at.off:
            state = "off until the next start: "
        state += f"{at.trouble}; {at.sent} delivered"
        if waiting:
            state += f", {waiting} waiting"
        if at.dropped:
            state += f", {at.dropped} dropped"
        return state

    def leave(self) -> None:
        """Deliver what waits as long as deliveries succeed, and retry nothing."""
        with self._more:
            self._leaving = True
            self._more.notify_all()
        self._left.set()

    def join(self, within_s: float) -> None:
        """Wait up to `within_s` seconds for the thread to end, then interrupt it."""
        self._thread.join(within_s)
        if self._thread.is_alive():
            with self._more:
                self._waiting.clear()
            self._stop()
        self._keep(self.at)

    def _run(self) -> None:
        while (event := self._next()) is not None:
            if not self._delivered(event):
                # The next start tries it again, unless later events were dropped, and it with them.
                with self._more:
                    if event.number <= self._at.number:
                        self._at = replace(self._at, dropped=self._at.dropped + 1)
                return

    def _next(self) -> Event | None:
        with self._more:
            self._more.wait_for(lambda: self._waiting or self._leaving)
            return self._waiting.popleft() if self._waiting else None

    def _delivered(self, event: Event) -> bool:
        """Deliver an event, with retries; return False if the hook was given up or is leaving."""
        for pause_s in (*PAUSES_S, None):
            # a last round without a pause: None means give up
            try:
                self._deliver(event)
            except UndeliveredError as problem:
                self._note(partial(replace, trouble=str(problem)))
            else:
                self._note(partial(_counted, event.number))
                return True
            if pause_s is None:
                self._note(partial(replace, off=True))
                self._tell(
                    f"Hook {self.hook.name} is off: {plural(TRIES, 'try', 'tries')} failed, {self._at.trouble}."
                )
            elif self._pause(pause_s):
                break
        return False

    def _note(self, change: Callable[[Delivered], Delivered]) -> None:
        with self._more:
            self._at = at = change(self._at)
        self._keep(at)


def _counted(number: int, at: Delivered) -> Delivered:
    # events dropped meanwhile may have a higher number
    return replace(at, number=max(number, at.number), sent=at.sent + 1, trouble="")
