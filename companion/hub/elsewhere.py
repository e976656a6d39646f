"""Several hubs over one PostgreSQL: what one commits wakes the pages of the others.

A notification is no record: who misses one reads what was committed all the same, a second later at most.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from companion.hub.database import Database
from companion.hub.news import LEAST_S, News

CHANNEL: Final = "companion_hub"
PAUSE_S: Final = 1.0
"""Seconds until a database that is away is asked again."""


class Elsewhere:
    """Tells other hubs when this one has committed, and `news` when others have. With SQLite it does nothing: a file
    has one hub."""

    def __init__(self, database: Database, news: News) -> None:
        self._database, self._news = database, news
        self._ending = threading.Event()
        self._told = news.number
        self._thread: threading.Thread | None = None
        if not database.is_sqlite:
            self._thread = threading.Thread(target=self._run, name="other hubs", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End it."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join(PAUSE_S + LEAST_S)

    def _run(self) -> None:
        while not self._ending.is_set():
            with suppress(SQLAlchemyError, OSError):
                self._listen()
            self._ending.wait(PAUSE_S)

    def _listen(self) -> None:
        import psycopg  # SQLite does without

        with suppress(psycopg.Error), self._database.alone() as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            own = connection.info.backend_pid
            while not self._ending.is_set():
                if any(each.pid != own for each in connection.notifies(timeout=LEAST_S, stop_after=1)):
                    self._news.tell()
                    self._told = self._news.number
                elif self._news.number != self._told:
                    self._told = self._news.number
                    connection.execute(f"NOTIFY {CHANNEL}")
