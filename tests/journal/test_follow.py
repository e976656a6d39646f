from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from companion.journal import follow as following
from companion.journal.copy import keep_copy
from companion.journal.entries import Entry
from companion.journal.errors import SessionDamagedError, SessionMissingError
from companion.journal.follow import Follower
from companion.journal.mark import mark_path
from companion.journal.store import read_entries
from tests.journal.support import begin, contents, evidence, fact, follow, numbers, recorded, resume

ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder / "evening.sqlite"


def never() -> bool:
    return False


def checkpoint(path: Path) -> None:
    """Empty the write-ahead log, as SQLite does when it is long."""
    with closing(sqlite3.connect(path)) as connection:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert not busy


def test_each_look_gives_what_was_saved_since_the_last(path: Path) -> None:
    with begin(path) as journal:
        follower = Follower(path)
        assert numbers(follower.poll()) == [1]
        assert follower.poll() == ()
        journal.wait(journal.append(fact(1), evidence(2)).last_n)
        assert list(follower.poll()) == journal.entries[1:]
        assert follower.poll() == ()


def test_entries_keep_coming_through_checkpoint_copy_end_and_resume(path: Path) -> None:
    follower = Follower(path)
    seen: list[Entry] = []
    with begin(path) as journal:
        for with_checkpoint in (False, True):
            journal.wait(journal.append(fact(1)).last_n)
            if with_checkpoint:
                checkpoint(path)
            seen += follower.poll()
            journal.wait(journal.append(fact(2)).last_n)
            seen += follower.poll()
        journal.append(fact(3))
    seen += follower.poll()
    assert set(contents(path.parent)) == {path.name, mark_path(path).name}, (
        "the watcher kept the writer from its end"
    )
    keep_copy(path)
    assert follower.poll() == ()
    with resume(path) as journal:
        journal.wait(journal.append(fact(4)).last_n)
        seen += follower.poll()
    assert seen == read_entries(path)


def test_a_look_without_news_does_not_open_the_session(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(path, 2)
    follower = Follower(path)
    assert follower.news
    assert len(follower.poll()) == 3
    assert not follower.news

    def refuse(_: Path) -> None:
        raise AssertionError("the session was opened")

    monkeypatch.setattr(following, "reading", refuse)
    assert follower.poll() == ()


@pytest.mark.parametrize("mark", [None, b"", b"0000000000000002 torn"])
def test_without_a_mark_the_session_itself_tells_the_news(path: Path, mark: bytes | None) -> None:
    recorded(path, 1)
    follower = Follower(path)
    follower.poll()
    with resume(path) as journal:
        journal.append(fact(2))
    mark_path(path).unlink()
    if mark is not None:
        mark_path(path).write_bytes(mark)
    assert follower.news
    assert numbers(follower.poll()) == [3]
    assert follower.poll() == ()


def test_a_look_that_meets_a_vanishing_log_is_taken_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(path, 2)
    failures = [SessionDamagedError("the log went away"), SessionDamagedError("and again")]
    read = Follower._read

    def flaky(self: Follower) -> tuple[Entry, ...]:
        if failures:
            raise failures.pop()
        return read(self)

    monkeypatch.setattr(Follower, "_read", flaky)
    assert len(Follower(path).poll()) == 3


def test_another_record_under_the_same_name_is_told(path: Path, tmp_path: Path) -> None:
    recorded(path, 3)
    follower = Follower(path)
    follower.poll()
    other = tmp_path / "other.sqlite"
    with begin(other) as journal:
        journal.append(*(fact(number + 100) for number in range(8)))
    path.write_bytes(other.read_bytes())
    mark_path(path).write_bytes(mark_path(other).read_bytes())
    with pytest.raises(SessionDamagedError, match="entry 4 is no longer the one that was seen"):
        follower.poll()


def test_a_session_that_is_not_there_cannot_be_watched(path: Path) -> None:
    with pytest.raises(SessionMissingError):
        next(follow(path, never))


def test_watching_ends_when_there_is_nothing_to_wait_for(path: Path) -> None:
    entries = recorded(path, 4)
    assert tuple(follow(path, never)) == entries


def test_the_next_entry_is_waited_for(path: Path) -> None:
    with begin(path) as journal:
        waits: list[Callable[[], object]] = [
            lambda: None,
            lambda: journal.wait(journal.append(fact(7)).last_n),
        ]

        def wait() -> bool:
            waits.pop(0)()
            return True

        assert numbers(list(islice(follow(path, wait), 2))) == [1, 2]
        assert waits == []


def test_a_process_that_writes_fast_is_watched_in_order_until_it_is_killed(path: Path) -> None:
    command = [sys.executable, "-m", "tests.journal.writer", "flood", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        out = process.stdout
        out.readline()

        def wait() -> bool:
            return bool(out.readline())  # a line of it says that something was saved

        seen = list(islice(follow(path, wait), 1500))
        process.kill()
        out.read()
    assert numbers(seen) == list(range(1, 1501))
    assert seen == read_entries(path)[:1500]
