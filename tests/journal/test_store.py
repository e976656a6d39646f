from __future__ import annotations

import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal import schema
from companion.journal.errors import (
    JournalError,
    NewerSessionError,
    NotASessionError,
    SessionDamagedError,
    SessionDeniedError,
    SessionMissingError,
)
from companion.journal.journal import Journal
from companion.journal.mark import HighWater, decode, encode, mark_path
from companion.journal.store import read_entries
from tests.journal.support import begin, contents, fact, numbers, recorded, resume


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder / "evening.sqlite"


def refused(path: Path, kind: type[JournalError], words: str) -> None:
    """Assert that opening fails with `words` in one sentence that names the file, and changes
    nothing on the disk."""
    before = contents(path.parent)
    with pytest.raises(kind, match=words) as caught:
        resume(path)
    sentence = str(caught.value)
    assert sentence.startswith(str(path))
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert contents(path.parent) == before


def change(path: Path, *statements: str) -> None:
    """Alter a session as a program would that first drops its triggers."""
    with closing(sqlite3.connect(path)) as connection:
        for trigger in ("entries_follow", "entries_stay", "entries_remain"):
            connection.execute(f"DROP TRIGGER {trigger}")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize("recursive", ["ON", "OFF"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET record = '{}' WHERE n = 2",
        "DELETE FROM entries WHERE n = 3",
        "DELETE FROM entries",
        "INSERT OR REPLACE INTO entries SELECT n, key, digest, '{}' FROM entries WHERE n = 2",
        "INSERT OR REPLACE INTO entries SELECT 4, key, digest, '{}' FROM entries WHERE n = 2",
        "INSERT OR IGNORE INTO entries SELECT n, key, digest, '{}' FROM entries WHERE n = 2",
        "INSERT INTO entries SELECT 9, NULL, digest, record FROM entries WHERE n = 2",
    ],
)
def test_entries_are_only_ever_appended(path: Path, statement: str, recursive: str) -> None:
    with begin(path) as journal:
        journal.append(fact(1, key="k"), fact(2))
    before = read_entries(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA recursive_triggers = {recursive}")
        with pytest.raises(sqlite3.IntegrityError, match="entries are only appended"):
            connection.execute(statement)
        connection.commit()
    assert read_entries(path) == before


def test_the_file_is_marked_as_the_companions_and_written_ahead_with_full_sync(path: Path) -> None:
    with begin(path) as journal:
        connection = journal._store._connection
        settings = [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in (
                "application_id",
                "user_version",
                "journal_mode",
                "synchronous",
                "recursive_triggers",
            )
        ]
    assert settings == [schema.APPLICATION_ID, schema.SCHEMA_VERSION, "wal", 2, 1]


def test_a_closed_session_is_one_file_and_its_mark(path: Path) -> None:
    recorded(path, 3)
    assert set(contents(path.parent)) == {path.name, mark_path(path).name}


def test_opening_goes_on_where_the_record_ended(path: Path) -> None:
    before = recorded(path, 3)
    with resume(path) as journal:
        assert tuple(journal.entries) == before
        assert journal.warnings == ()
        journal.append(fact(9))
    assert numbers(read_entries(path)) == [1, 2, 3, 4, 5]


def test_a_missing_file_is_refused(path: Path) -> None:
    refused(path, SessionMissingError, "does not exist")


def test_a_folder_is_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(NotASessionError, match="is a folder"):
        resume(path)


def test_an_empty_file_is_refused(path: Path) -> None:
    path.touch()
    refused(path, SessionDamagedError, "is empty: delete it, unless `companion journal repair")


@pytest.mark.parametrize("text", [b"{}", b"Dear diary\n" * 40, bytes(200)])
def test_a_file_that_is_no_database_is_refused(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    refused(path, NotASessionError, "not an SQLite file")


def test_the_database_of_another_program_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE entries (n, key, digest, record)")
    refused(path, NotASessionError, "another program")


def test_a_session_of_a_newer_companion_is_refused(path: Path) -> None:
    recorded(path, 1)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")
    refused(path, NewerSessionError, "newer companion")


def test_a_format_that_never_was_is_refused(path: Path) -> None:
    recorded(path, 1)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 0")
    refused(path, SessionDamagedError, "never in use")


@pytest.mark.parametrize(
    "failing", ["companion.journal.store.MarkFile", "pathlib.Path.open", "sqlite3.connect"]
)
def test_a_file_that_is_not_permitted_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    recorded(path, 1)
    unable = sqlite3.OperationalError("unable to open database file")
    unable.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN

    def refuse(*_: object, **__: object) -> None:
        raise unable if failing == "sqlite3.connect" else PermissionError(13, "Permission denied")

    before = contents(path.parent)
    with monkeypatch.context() as patch:
        patch.setattr(failing, refuse)
        with pytest.raises(SessionDeniedError, match="permissions"):
            resume(path)
    assert contents(path.parent) == before


def test_a_write_protected_file_is_refused_at_the_start(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(path, 1)
    connect = sqlite3.connect

    def read_only(name: str | Path, **options: object) -> sqlite3.Connection:
        uri = name if isinstance(name, str) else f"{name.as_uri()}?mode=ro"
        return connect(uri, uri=True, isolation_level=None)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    refused(path, SessionDeniedError, "write-protected")


def test_a_session_without_any_entry_is_refused(path: Path) -> None:
    recorded(path, 1)
    change(path, "DELETE FROM entries")
    refused(path, SessionDamagedError, "holds no entry")


@pytest.mark.parametrize(
    ("statement", "n"),
    [
        ("UPDATE entries SET record = replace(record, '\"i\":2', '\"i\":3') WHERE n = 4", 4),
        ("UPDATE entries SET digest = zeroblob(32) WHERE n = 4", 4),
        ("UPDATE entries SET key = 'other' WHERE n = 4", 4),
        ("UPDATE entries SET record = '[]' WHERE n = 4", 4),
        ("UPDATE entries SET record = 7 WHERE n = 4", 4),
        ("UPDATE entries SET n = 40 WHERE n = 4", 4),
        ("DELETE FROM entries WHERE n = 4", 4),
        ("DELETE FROM entries WHERE n = 1", 1),
    ],
)
def test_an_altered_record_is_refused_at_the_altered_entry(
    path: Path, statement: str, n: int
) -> None:
    recorded(path, 5)
    change(path, statement)
    refused(path, SessionDamagedError, f"entry {n} ")


def test_a_torn_file_is_refused_wherever_it_was_torn(path: Path) -> None:
    recorded(path, 100)
    whole = path.read_bytes()
    random_ = random.Random(1)
    for length in [
        1,
        15,
        16,
        99,
        100,
        4096,
        len(whole) - 4096,
        len(whole) - 1,
        *random_.sample(range(len(whole)), 20),
    ]:
        path.write_bytes(whole[:length])
        refused(path, JournalError, "damaged")


def test_no_flipped_bit_changes_the_record_unnoticed(path: Path) -> None:
    entries = list(recorded(path, 60))
    whole = path.read_bytes()
    noticed = 0
    random_ = random.Random(2)
    for place in random_.sample(range(len(whole) * 8), 250):
        damaged = bytearray(whole)
        damaged[place // 8] ^= 1 << place % 8
        path.write_bytes(damaged)
        try:
            assert read_entries(path) == entries
        except JournalError:
            noticed += 1
    assert noticed > 100


def test_a_lost_tail_is_noticed_and_the_rest_goes_on(path: Path) -> None:
    recorded(path, 5)
    change(path, "DELETE FROM entries WHERE n > 4")
    with resume(path) as journal:
        assert len(journal.entries) == 4
        (warning,) = journal.warnings
        assert "ends at entry 4, but entry 6 was saved once" in warning
        journal.append(fact(9))
    with resume(path) as journal:
        assert journal.warnings == ()


def test_a_write_ahead_log_that_vanished_after_a_crash_is_noticed(path: Path) -> None:
    with begin(path) as journal:
        journal.wait(journal.append(fact(), fact()).last_n)
        crashed = contents(path.parent)
    copy = path.parent / "after-the-crash"
    copy.mkdir()
    for name in (path.name, mark_path(path).name):
        (copy / name).write_bytes(crashed[name])
    with resume(copy / path.name) as journal:
        assert len(journal.entries) == 1
        assert "ends at entry 1, but entry 3 was saved once" in journal.warnings[0]


def test_an_older_copy_of_the_file_under_a_newer_mark_is_noticed(path: Path) -> None:
    recorded(path, 2)
    older = path.read_bytes()
    with resume(path) as journal:
        journal.append(fact(3))
    path.write_bytes(older)
    with resume(path) as journal:
        assert "ends at entry 3, but entry 4 was saved once" in journal.warnings[0]


def test_a_record_that_went_another_way_than_the_mark_is_noticed(path: Path) -> None:
    recorded(path, 2)
    mark_path(path).write_bytes(encode(HighWater(2, bytes(32))))
    with resume(path) as journal:
        assert "differs at entry 2" in journal.warnings[0]


@pytest.mark.parametrize("line", [None, b"", b"garbage", encode(HighWater(3, bytes(32)))[:-3]])
def test_a_mark_that_cannot_be_read_is_a_warning(path: Path, line: bytes | None) -> None:
    recorded(path, 2)
    mark_path(path).unlink()
    if line is not None:
        mark_path(path).write_bytes(line)
    with resume(path) as journal:
        assert "says how far it was saved" in journal.warnings[0]


def test_no_flipped_bit_in_a_mark_is_believed() -> None:
    line = encode(HighWater(12345, bytes(range(32))))
    assert decode(line) == HighWater(12345, bytes(range(32)))
    for place in range(len(line) * 8):
        damaged = bytearray(line)
        damaged[place // 8] ^= 1 << place % 8
        assert decode(bytes(damaged)) is None


def test_reading_a_session_that_is_being_written_disturbs_nobody(path: Path) -> None:
    with begin(path) as journal:
        journal.wait(journal.append(fact(1)).last_n)
        assert read_entries(path) == list(journal.entries)
        journal.wait(journal.append(fact(2)).last_n)
    assert len(read_entries(path)) == 3


def test_a_refused_session_can_be_opened_once_it_is_whole_again(path: Path) -> None:
    recorded(path, 3)
    whole = path.read_bytes()
    path.write_bytes(whole[:5000])
    with pytest.raises(JournalError):
        resume(path)
    path.write_bytes(whole)
    with resume(path) as journal:
        assert isinstance(journal, Journal)
        assert journal.warnings == ()


def test_a_path_with_odd_letters_is_no_different(tmp_path: Path) -> None:
    path = (
        tmp_path / "Zoë's 100% #1?.sqlite"
        if os.name == "posix"
        else tmp_path / "Zoë's 100% #1.sqlite"
    )
    assert read_entries(path) if path.exists() else recorded(path, 2)
    with resume(path) as journal:
        assert len(journal.entries) == 3
