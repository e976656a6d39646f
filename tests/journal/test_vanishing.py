"""A session file or its log that is removed, truncated or replaced during writing: nothing is
reported as saved that a kill would lose, and all of it is saved again."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from companion.journal.entries import Entry, is_lost
from companion.journal.errors import JournalError
from companion.journal.journal import Appended, Journal, SaveStatus
from companion.journal.log import log_path
from companion.journal.salvage import find_saving
from companion.journal.store import Store, read_entries
from tests.journal.damage import lose
from tests.journal.support import (
    DEADLINE_S,
    begin,
    contents,
    evidence,
    fact,
    is_saved,
    resume,
    small_pages,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder / "evening.sqlite"


def removed_log(path: Path) -> None:
    log_path(path).unlink()


def log_cut_to_nothing(path: Path) -> None:
    log_path(path).write_bytes(b"")


def log_cut_to_half(path: Path) -> None:
    data = log_path(path).read_bytes()
    with log_path(path).open("r+b") as file:
        file.truncate(len(data) // 2)


def log_replaced(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(bytes(1_000_000))
    other.replace(log_path(path))


def removed_file(path: Path) -> None:
    path.unlink()


def file_moved_away(path: Path) -> None:
    path.rename(path.with_name("away"))


def older_copy_put_back(path: Path) -> None:
    other = path.with_name("other")
    shutil.copyfile(path, other)
    other.replace(path)


def both_removed(path: Path) -> None:
    path.unlink()
    log_path(path).unlink()


ACCIDENTS = [
    removed_log,
    log_cut_to_nothing,
    log_cut_to_half,
    log_replaced,
    removed_file,
    file_moved_away,
    older_copy_put_back,
    both_removed,
]


def after_a_kill(path: Path, folder: Path) -> list[Entry]:
    """Return what a second run of the companion finds of the session as it is on the disk now."""
    folder.mkdir()
    for name, data in contents(path.parent).items():
        if name.startswith(path.name) and not name.endswith("-shm"):
            (folder / name).write_bytes(data)
    return read_entries(folder / path.name)


def play(journal: Journal, count: int) -> None:
    for number in range(count):
        journal.wait(journal.append(evidence(number), fact(number)).last_n, DEADLINE_S)


@pytest.mark.parametrize("accident", ACCIDENTS)
def test_all_entries_that_were_reported_are_there_after_a_kill(
    path: Path, tmp_path: Path, accident: Callable[[Path], None]
) -> None:
    seen: list[SaveStatus] = []
    with begin(path, on_status=seen.append) as journal:
        play(journal, 40)
        accident(path)
        play(journal, 20)
        entries = list(journal.entries)
        assert after_a_kill(path, tmp_path / "killed") == entries
        assert any(status.problem for status in seen)
        assert journal.saved.problem is None
        event, where = journal.saved.note.split(": ")
        assert path.name in event
        assert "while it was written" in event
        assert "all 81 entries are in a new file" in where
    assert read_entries(path) == entries
    with resume(path) as journal:
        assert journal.warnings == ()
        assert list(journal.entries) == entries


@pytest.mark.parametrize("accident", ACCIDENTS)
def test_an_event_that_comes_again_is_not_acknowledged_into_a_log_that_is_gone(
    path: Path, tmp_path: Path, accident: Callable[[Path], None]
) -> None:
    with begin(path) as journal:
        journal.wait(journal.append(evidence(1, key="board/1")).last_n, DEADLINE_S)
        accident(path)
        with suppress(JournalError):  # then it is not acknowledged, and comes again
            journal.wait(journal.append(evidence(1, key="board/1")).last_n, DEADLINE_S)
            assert after_a_kill(path, tmp_path / "at once") == list(journal.entries)
        while True:
            with suppress(JournalError):
                journal.wait(journal.append(evidence(1, key="board/1")).last_n, DEADLINE_S)
                break
        assert after_a_kill(path, tmp_path / "killed") == list(journal.entries)


def test_while_no_new_file_can_be_begun_nothing_is_reported_as_saved(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with begin(path, retry_s=0.01) as journal:
        play(journal, 5)
        removed_log(path)

        def refuse(*_: object) -> None:
            raise PermissionError(13, "Permission denied")

        with monkeypatch.context() as patch:
            patch.setattr(Store, "begin_anew", refuse)
            appended = journal.append(fact())
            # at first that the log was removed
            while "does not permit" not in _refused(journal, appended):
                pass
            assert journal.saved.durable_n == 11
            assert not is_saved(journal, appended)
        journal.wait(appended.last_n, DEADLINE_S)
        assert after_a_kill(path, tmp_path / "killed") == list(journal.entries)


def _refused(journal: Journal, appended: Appended) -> str:
    with pytest.raises(JournalError) as why:
        journal.wait(appended.last_n, 0.3)
    return str(why.value)


@pytest.mark.parametrize("accident", ACCIDENTS)
def test_of_a_session_longer_than_memory_all_is_saved_again_that_the_open_handles_still_read(
    path: Path, tmp_path: Path, accident: Callable[[Path], None]
) -> None:
    with small_pages(), begin(path) as journal:
        play(journal, 60)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        play(journal, 60)
        entries = list(journal.entries)
        accident(path)
        play(journal, 5)
        recovered = after_a_kill(path, tmp_path / "killed")
        assert [entry.n for entry in recovered] == list(range(1, len(entries) + 11))
        readable = [entry for entry in recovered if not is_lost(entry)]
        assert readable[:100] == entries[:100], "these stood in the file itself"
        if accident not in (log_cut_to_half, log_cut_to_nothing):
            assert recovered[: len(entries)] == entries
    assert find_saving(path) is None


def test_a_session_with_gaps_keeps_them_and_what_is_said_of_them(path: Path) -> None:
    with begin(path) as journal:
        play(journal, 5)
    lose(path, 4, 5, 9)
    before = read_entries(path)
    with resume(path) as journal:
        play(journal, 1)
        removed_log(path)
        play(journal, 1)
        assert "in a new file" in journal.saved.note
    assert read_entries(path)[: len(before)] == before


def test_what_is_left_of_the_old_file_is_kept(path: Path) -> None:
    with begin(path) as journal:
        play(journal, 5)
        file = path.read_bytes()
        removed_log(path)
        play(journal, 5)
    assert path.with_name("evening.sqlite.damaged").read_bytes() == file


def test_a_log_that_another_program_had_brought_into_the_file_is_no_accident(path: Path) -> None:
    with begin(path) as journal:
        for _ in range(3):
            play(journal, 5)
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        play(journal, 5)
        assert journal.saved.note == ""
    assert set(contents(path.parent)) == {path.name, f"{path.name}.mark"}
