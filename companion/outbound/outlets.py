"""Hands a table's public events to hooks and the broker, from a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from companion.config.outlets import Hook
from companion.config.schema import Preferences
from companion.feed.events import PLACES
from companion.feed.feed import FeedReading
from companion.journal.entries import Control, Entry, is_control
from companion.journal.errors import JournalError
from companion.outbound.hook_delivery import Post, RunCommand
from companion.outbound.hook_runner import HookRunner, ProgressFile
from companion.outbound.mqtt import MqttOutlet
from companion.session.table import Table

LEAST_S = 0.05
"""Seconds between looks at delayed events: one that is due may not be readable just then."""
LEAVE_S = 2.0
"""Seconds for delivering the rest when people leave."""


class Outlets:
    """Sends events of a table in play to the hooks and the broker in the settings `wanted`. The caller closes it after
    the table, so that the end is sent too."""

    def __init__(self, table: Table, wanted: Preferences, *, leave_s: float = LEAVE_S) -> None:
        self._leave_s = leave_s
        self._news = threading.Event()
        self._ending = False
        delay_s = wanted.broadcast_delay
        reading = table.look(
            lambda record: FeedReading(
                record.game, record.setup, record.entries, lambda: table.durable_n, delay_s
            )
        )
        opened = table.look(lambda record: opened_at(record.entries))
        progress = ProgressFile(table.path)
        self._outlets: list[HookRunner | MqttOutlet] = [
            _runner(hook, progress, opened, table.tell) for hook in wanted.hooks
        ]
        if wanted.mqtt is not None:
            self._outlets.append(MqttOutlet(wanted.mqtt))
        table.readers = self.rows
        self._unsubscribe = table.subscribe(self._news.set)
        self._news.set()
        self._thread = threading.Thread(
            target=self._run, args=(reading,), name="public feed", daemon=True
        )
        self._thread.start()

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return each outlet and its state, for people."""
        return tuple((outlet.label, outlet.state) for outlet in self._outlets)

    def close(self) -> None:
        """Send the rest, within a bound, and end."""
        self._unsubscribe()
        end = time.monotonic() + self._leave_s
        self._ending = True
        self._news.set()
        self._thread.join(self._leave_s)
        for outlet in self._outlets:
            outlet.leave()
        for outlet in self._outlets:
            outlet.join(max(0.0, end - time.monotonic()))

    def _run(self, reading: FeedReading) -> None:
        ending = False
        while not ending:
            wait_s = reading.wait_s
            self._news.wait(wait_s if wait_s is None else max(wait_s, LEAST_S))
            self._news.clear()
            ending = self._ending
            # old entries may not be readable now: the next news read them again
            with suppress(JournalError):
                for event in reading.take():
                    for outlet in self._outlets:
                        outlet.put(event)


def _runner(
    hook: Hook, progress: ProgressFile, opened: int, tell: Callable[[str], object]
) -> HookRunner:
    at = progress.of(hook.name, opened * PLACES - 1)
    keep = partial(progress.write, hook.name)
    if hook.command:
        command = RunCommand(hook.command)
        return HookRunner(hook, command, at, keep=keep, tell=tell, stop=command.stop)
    return HookRunner(hook, Post(hook.url, hook.secret, time.time), at, keep=keep, tell=tell)


def opened_at(entries: Sequence[Entry]) -> int:
    """Return the entry at which the session was last begun or resumed: hooks get nothing from before."""
    # by index from the end, because a long record is partly on the disk
    for n in range(len(entries), 0, -1):
        if is_control(entries[n - 1], Control.SESSION, Control.RESUMED):
            return n
    return 1
