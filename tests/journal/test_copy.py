from __future__ import annotations

import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal import copy
from companion.journal.copy import backup_path, keep_copy
from companion.journal.errors import (
    NotWritten,
    SessionBusy,
    SessionDamagedError,
    SessionMissingError,
)
from companion.journal.mark import HighWater, mark_path
from companion.journal.store import read_entries
from tests.journal.support import contents, fact, recorded, resume


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder / "evening.sqlite"


def grow(path: Path, count: int) -> None:
    with resume(path) as journal:
        journal.append(*(fact(number) for number in range(count)))


def cut_off(path: Path, n: int) -> None:
    """Remove the entries after number `n`."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER entries_remain")
        connection.execute("DELETE FROM entries WHERE n > ?", (n,))
        connection.commit()


def test_a_copy_lies_beside_the_session_with_the_same_entries(path: Path) -> None:
    entries = recorded(path, 20)
    session = path.read_bytes()
    assert keep_copy(path) == HighWater(21, entries[-1].digest)
    assert tuple(read_entries(backup_path(path))) == entries
    assert path.read_bytes() == session
    assert set(contents(path.parent)) == {path.name, mark_path(path).name, backup_path(path).name}


def test_a_copy_can_be_played_on_like_any_session(path: Path, tmp_path: Path) -> None:
    entries = recorded(path, 3)
    keep_copy(path)
    other = tmp_path / "other.sqlite"
    shutil.copyfile(backup_path(path), other)
    with resume(other) as journal:
        assert tuple(journal.entries) == entries
        journal.append(fact(9))
    assert len(read_entries(other)) == 5


def test_a_longer_record_takes_the_place_of_its_older_copy(path: Path) -> None:
    recorded(path, 3)
    keep_copy(path)
    grow(path, 4)
    assert keep_copy(path).n == 8
    assert len(read_entries(backup_path(path))) == 8
    assert len(contents(path.parent)) == 3


def test_a_copy_that_holds_what_the_session_lost_is_kept_beside_the_new_one(path: Path) -> None:
    recorded(path, 5)
    keep_copy(path)
    older = backup_path(path).read_bytes()
    cut_off(path, 4)
    assert keep_copy(path).n == 4
    assert len(read_entries(backup_path(path))) == 4
    assert path.with_name("evening.sqlite.backup-older").read_bytes() == older


def test_a_damaged_session_leaves_its_copy_as_it_was(path: Path) -> None:
    recorded(path, 100)
    keep_copy(path)
    path.write_bytes(path.read_bytes()[:-4096])
    before = contents(path.parent)
    with pytest.raises(SessionDamagedError, match="is damaged"):
        keep_copy(path)
    assert contents(path.parent) == before


def test_an_altered_record_is_not_copied_over_a_sound_one(path: Path) -> None:
    recorded(path, 5)
    keep_copy(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER entries_stay")
        connection.execute("UPDATE entries SET record = replace(record, '\"i\":2', '\"i\":3')")
        connection.commit()
    before = contents(path.parent)
    with pytest.raises(SessionDamagedError):
        keep_copy(path)
    assert contents(path.parent) == before


def test_a_copy_that_reads_differently_than_the_session_is_thrown_away(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(path, 5)
    keep_copy(path)
    grow(path, 1)
    before = contents(path.parent)
    monkeypatch.setattr(copy, "read_entries", lambda new: read_entries(new)[:-1])
    with pytest.raises(SessionDamagedError, match="does not end like it"):
        keep_copy(path)
    assert contents(path.parent) == before


def test_a_damaged_copy_is_replaced(path: Path) -> None:
    recorded(path, 5)
    backup_path(path).write_text("notes")
    assert keep_copy(path).n == 6
    assert len(read_entries(backup_path(path))) == 6


def test_what_a_copy_that_was_killed_left_behind_is_cleared_away(path: Path) -> None:
    recorded(path, 5)
    path.with_name("evening.sqlite.backup-new").write_text("half a copy")
    keep_copy(path)
    assert len(contents(path.parent)) == 3


def test_no_copy_is_made_while_somebody_writes(path: Path) -> None:
    recorded(path, 2)
    with resume(path), pytest.raises(SessionBusy):
        keep_copy(path)
    assert not backup_path(path).exists()


def test_a_session_that_is_not_there_has_no_copy(path: Path) -> None:
    with pytest.raises(SessionMissingError):
        keep_copy(path)
    assert contents(path.parent) == {}


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no limit on the size of files")
def test_a_disk_without_room_leaves_the_copy_before(path: Path) -> None:
    import resource

    recorded(path, 5)
    keep_copy(path)
    grow(path, 1000)
    before = contents(path.parent)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    try:
        with pytest.raises(NotWritten, match="the session itself is saved"):
            keep_copy(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert contents(path.parent) == before
    assert keep_copy(path).n == 1006


def test_what_cannot_be_removed_does_not_hide_why_no_copy_was_made(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(path, 20)

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def hold(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(copy, "_copy", refuse)
    monkeypatch.setattr(Path, "unlink", hold)
    with pytest.raises(NotWritten, match="the disk is full"):
        keep_copy(path)
    monkeypatch.undo()
    resume(path).close()
