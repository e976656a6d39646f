"""A hub whose database is full or must not be written: it says so everywhere, and goes on when that is over."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import pytest
from sqlalchemy import event

from companion.hub.database import Database
from tests.hub.parts import RunningHub, running
from tests.hub.test_table_door import Speaker

pytestmark = pytest.mark.waits

# What SQLite is told, so that it refuses as on a full disk and on one that is write-protected; and what people read.
TROUBLES = {
    "full": (
        "PRAGMA max_page_count = 1",
        "PRAGMA max_page_count = 1073741823",
        "the disk is full: free some space",
    ),
    "read-only": (
        "PRAGMA query_only = ON",
        "PRAGMA query_only = OFF",
        "the file is write-protected",
    ),
}


class Meeting:
    """An attribute that gives another thread time to read the same value, and no longer than it takes that thread."""

    def __init__(self) -> None:
        self._value = ""
        self._both = threading.Barrier(2)

    def __get__(self, _owner: object, _kind: type) -> str:
        value = self._value
        with suppress(threading.BrokenBarrierError):
            self._both.wait(0.2)
        return value

    def __set__(self, _owner: object, value: str) -> None:
        self._value = value


@pytest.fixture
def hub(on_sqlite: Database) -> Iterator[RunningHub]:
    with running(on_sqlite) as hub:
        yield hub


@contextmanager
def troubled(database: Database, statement: str, undone: str) -> Iterator[None]:
    """Make each connection refuse to write."""

    def checked_out(connection: sqlite3.Connection, _record: object, _proxy: object) -> None:
        connection.execute(statement)

    def checked_in(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(undone)

    engine = database._engine
    event.listen(engine, "checkout", checked_out)
    event.listen(engine, "checkin", checked_in)
    try:
        yield
    finally:
        event.remove(engine, "checkout", checked_out)
        event.remove(engine, "checkin", checked_in)


@pytest.mark.parametrize("name", TROUBLES)
def test_a_database_that_cannot_be_written_is_logged_and_shown_and_gets_well_again(
    name: str, hub: RunningHub, caplog: pytest.LogCaptureFixture
) -> None:
    statement, undone, why = TROUBLES[name]
    organiser, table = hub.organiser(), Speaker(hub, length=400)
    caplog.set_level(logging.WARNING, "companion.hub")
    logging.getLogger("companion.hub").propagate = True
    with troubled(hub.database, statement, undone):
        status, reply = table.send(table.chain.batch(0, 200))
        assert (status, why in str(reply["refused"])) == (503, True)
        health = hub.browser().get("/healthz")
        assert (health.status, health.json["database"]) == (503, "cannot be written")
        assert why in health.json["why"]
        for page in (
            hub.browser().get("/"),
            hub.browser().get("/hall"),
            organiser.get("/organiser"),
        ):
            assert f"The hub saves nothing: {why}" in page.text
        assert caplog.text.count("The database cannot be written") == 1
    assert table.send(table.chain.batch(0, 200))[0] == 200
    assert hub.browser().get("/healthz").json == {"database": "here"}
    assert "saves nothing" not in hub.browser().get("/").text
    assert "can be written again" in caplog.text


def test_a_trouble_that_two_threads_meet_at_once_is_logged_once(
    on_sqlite: Database, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("companion.hub"), "propagate", True)
    meeting = Meeting()
    monkeypatch.setattr(on_sqlite, "__class__", type("Watched", (Database,), {"trouble": meeting}))
    with ThreadPoolExecutor(2) as threads:
        for met in [threads.submit(on_sqlite._set_trouble, "no room") for _ in range(2)]:
            met.result()
    assert caplog.text.count("The database cannot be written") == 1


def test_a_monitor_finds_trouble_that_no_table_met(hub: RunningHub) -> None:
    statement, undone, why = TROUBLES["read-only"]
    with troubled(hub.database, statement, undone):
        assert why in hub.browser().get("/healthz").json["why"]
