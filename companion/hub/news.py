"""Word that something was committed, for whoever shows it; where several hubs share one PostgreSQL, for theirs too.

A notification is no record: who misses one reads what was committed all the same, a second later at most.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import ExitStack, suppress
from typing import Any, Final

from sqlalchemy.exc import SQLAlchemyError

from companion.hub.database import Database

# seconds between two words to the pages: a hundred tables say something in each
LEAST_S: Final = 0.25
EACH_S: Final = 0.000_25
"""Of these seconds for each who listens: with 2,000 of them a word every half second, so that the hub has time for
tables."""
BEAT_S: Final = 20.0  # seconds without a word until pages are told to ask all the same
CHANNEL: Final = "companion_hub"
PAUSE_S: Final = 1.0  # seconds until a database that is away is asked again


class News:
    """A number that rises. `tell` may be called from any thread, all else by those in the loop alone."""

    def __init__(self) -> None:
        self.number = 0
        self.listeners = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._committed = asyncio.Event()
        self._next = asyncio.Event()  # the next one
        self._lock = threading.Lock()

    def tell(self) -> None:
        """Say that something was committed."""
        with self._lock:
            self.number += 1
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._committed.set)

    async def keep_waking(self) -> None:
        """Wake those who listen, not more often than they can be, until cancelled."""
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
        """Yield the number as it is, and again when something was committed, or when nothing was for `BEAT_S`."""
        self.listeners += 1
        try:
            while True:
                # taken before: what is said while somebody is slow to hear is not missed
                waiting = self._next
                yield self.number
                await waiting.wait()
        finally:
            self.listeners -= 1


def hear_other_hubs(database: Database, news: News, ending: ExitStack) -> None:
    """Tell other hubs over one PostgreSQL when this one has committed, and `news` when others have, in a thread of its
    own until `ending` ends."""
    ended, last_sent = threading.Event(), news.number

    def listen(connection: Any) -> None:
        nonlocal last_sent
        connection.execute(f"LISTEN {CHANNEL}")
        own = connection.info.backend_pid
        while not ended.is_set():
            if any(
                notification.pid != own
                for notification in connection.notifies(timeout=LEAST_S, stop_after=1)
            ):
                news.tell()
                last_sent = news.number
            elif news.number != last_sent:
                last_sent = news.number
                connection.execute(f"NOTIFY {CHANNEL}")

    def run() -> None:
        import psycopg  # SQLite does without

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
