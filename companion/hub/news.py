"""Notifications of commits for pages, and between several hubs that share one PostgreSQL.

A notification is no record: whoever misses one reads what was committed all the same, at most a second later.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import ExitStack, suppress
from typing import Any, Final

from sqlalchemy.exc import SQLAlchemyError

from companion.hub.database import Database

# seconds between notifications of pages; a hundred tables send something in each
LEAST_S: Final = 0.25
EACH_S: Final = 0.000_25
"""Additional seconds for each listener: with 2,000 of them a notification every half second leaves time for tables."""
BEAT_S: Final = 20.0  # seconds until pages are asked to look although nothing was committed
CHANNEL: Final = "companion_hub"
PAUSE_S: Final = 1.0  # seconds until a database that is away is tried again


class News:
    """A rising number. `tell` may be called from any thread; everything else runs in the event loop."""

    def __init__(self) -> None:
        self.number = 0
        self.listeners = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._committed = asyncio.Event()
        self._next = asyncio.Event()  # the next notification
        self._lock = threading.Lock()

    def tell(self) -> None:
        """Report a commit."""
        # `+=` on an attribute is not atomic
        with self._lock:
            self.number += 1
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has closed
                self._loop.call_soon_threadsafe(self._committed.set)

    async def keep_waking(self) -> None:
        """Wake the listeners after a commit, at a rate they can follow, until cancelled."""
        self._loop = asyncio.get_running_loop()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_S):
                    await self._committed.wait()
            self._committed.clear()
            waiting, self._next = self._next, asyncio.Event()
            waiting.set()
            await asyncio.sleep(max(LEAST_S, EACH_S * self.listeners))

    async def listen(self) -> AsyncGenerator[int]:
        """Yield the number now, and again after each commit, or after `BEAT_S` without one."""
        self.listeners += 1
        try:
            while True:
                # taken before the yield, so that a slow listener misses nothing
                waiting = self._next
                yield self.number
                await waiting.wait()
        finally:
            self.listeners -= 1


def hear_other_hubs(database: Database, news: News, ending: ExitStack) -> None:
    """Exchange notifications with other hubs over one PostgreSQL, in a thread until `ending` ends: theirs are passed to
    `news`, and commits of this one are sent to them."""
    ended, last_sent = threading.Event(), news.number

    def listen(connection: Any) -> None:
        nonlocal last_sent
        connection.execute(f"LISTEN {CHANNEL}")
        own = connection.info.backend_pid
        while not ended.is_set():
            notifications = connection.notifies(timeout=LEAST_S, stop_after=1)
            if any(notification.pid != own for notification in notifications):
                news.tell()
                last_sent = news.number
            elif news.number != last_sent:
                last_sent = news.number
                connection.execute(f"NOTIFY {CHANNEL}")

    def run() -> None:
        import psycopg  # here, because SQLite does not need it

        while not ended.is_set():
            with (
                suppress(SQLAlchemyError, OSError, psycopg.Error),
                database.unpooled() as connection,
            ):
                listen(connection)
            ended.wait(PAUSE_S)

    thread = threading.Thread(target=run, name="other hubs", daemon=True)
    thread.start()
    ending.callback(thread.join, PAUSE_S + LEAST_S)
    ending.callback(ended.set)
