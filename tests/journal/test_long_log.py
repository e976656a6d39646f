"""What delays an append beside the disk: a long log, repeated queries, other threads."""

from __future__ import annotations

import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal import journal as journals, store as stores
from companion.journal.store import Store, read_entries
from tests.journal.support import begin, fact

DEADLINE_S = 20.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions" / "evening.sqlite"


class Watch:
    """Notes each time the log is shortened, and what the file alone contains after that."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
        self.held = list[int]()
        self.done = threading.Semaphore(0)
        shorten = Store.shorten_log

        def shorten_log(store: Store) -> None:
            shorten(store)
            self.held.append(entries_of_the_file_alone(path))
            self.done.release()

        monkeypatch.setattr(Store, "shorten_log", shorten_log)


def entries_of_the_file_alone(path: Path) -> int:
    """Return how many entries the file contains without its log."""
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        try:
            (count,) = connection.execute("SELECT count(*) FROM entries").fetchone()
        except sqlite3.OperationalError:  # the log has the tables too
            return 0
        return int(count)


def test_a_long_log_is_brought_into_its_file_once_nothing_is_to_be_saved(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "LONG_LOG", 5)
    monkeypatch.setattr(journals, "QUIET_S", 0.0)
    watch = Watch(monkeypatch, path)
    with begin(path) as journal:
        for _ in range(5):
            journal.wait(journal.append(fact()).last_n)
        assert watch.done.acquire(timeout=DEADLINE_S)
        assert watch.held == [6]
        journal.wait(journal.append(fact()).last_n)
        assert watch.held == [6], "the next log is a short one"
    assert [entry.n for entry in read_entries(path)] == list(range(1, 8))


def test_a_log_that_cannot_be_shortened_keeps_nobody_from_writing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "LONG_LOG", 2)
    monkeypatch.setattr(journals, "QUIET_S", 0.0)
    watch = Watch(monkeypatch, path)
    with begin(path) as journal:
        journal.wait(journal.append(fact()).last_n)
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute(
                "SELECT count(*) FROM entries"
            ).fetchone()  # its snapshot holds the log back
            journal.wait(journal.append(fact()).last_n)
            assert watch.done.acquire(timeout=DEADLINE_S)
            journal.wait(journal.append(fact()).last_n)
            reader.execute("ROLLBACK")
        assert journal.saved.problem is None
    assert len(read_entries(path)) == 4


def test_a_commit_asks_for_no_number_that_the_one_before_it_wrote(path: Path) -> None:
    statements = list[str]()
    with begin(path) as journal:
        journal.wait(journal.append(fact()).last_n)
        journal._store._connection.set_trace_callback(statements.append)
        journal.wait(journal.append(fact(), fact()).last_n)
        journal._store._connection.set_trace_callback(None)
    assert {statement.split()[0] for statement in statements if not statement.startswith("--")} == {
        "BEGIN",
        "INSERT",
        "COMMIT",
    }


def test_who_writes_a_session_gets_the_interpreter_sooner_than_python_gives_it(path: Path) -> None:
    before = sys.getswitchinterval()
    try:
        sys.setswitchinterval(0.005)
        with begin(path):
            assert sys.getswitchinterval() <= journals.SWITCH_S
    finally:
        sys.setswitchinterval(before)


def test_after_a_write_that_failed_the_file_is_asked_how_far_it_goes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begin(path) as journal:
        store = journal._store
        journal.wait(journal.append(fact()).last_n)
        rows = list[object]()
        write = Store.write

        def keeping(store: Store, batch: object) -> None:
            rows.append(batch)
            write(store, batch)  # type: ignore[arg-type]
            if len(rows) == 1:
                raise sqlite3.OperationalError("disk I/O error")  # the commit was made all the same

        monkeypatch.setattr(Store, "write", keeping)
        monkeypatch.setattr(journal, "_retry_s", 0.001)
        journal.wait(journal.append(fact()).last_n)
        assert len(rows) >= 2
        assert store._last == 3
    assert len(read_entries(path)) == 3
