from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.journal import schema
from companion.journal.entries import Entry
from companion.journal.errors import SessionDamagedError
from companion.journal.mark import mark_path
from companion.journal.store import read_entries
from tests.journal.support import contents, fact, recorded, resume

KEPT = Path(__file__).parents[1] / "fixtures" / "journal"
CREATE_NOTES = "CREATE TABLE notes (n INTEGER PRIMARY KEY, note TEXT)"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "sessions" / "evening.sqlite"
    path.parent.mkdir()
    return path


def as_json(entry: Entry) -> dict[str, Any]:
    names = ("n", "layer", "kind", "body", "actor", "after", "t_us", "key", "wall", "joined")
    fields = {name: getattr(entry, name) for name in names}
    return {**fields, "causes": list(entry.causes), "digest": entry.digest.hex()}


def version_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def schema_of(path: Path) -> set[tuple[str, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return set(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"))


def next_formats(monkeypatch: pytest.MonkeyPatch, *steps: tuple[str, ...]) -> None:
    """Pretend that so many formats exist after the current one."""
    first = schema.SCHEMA_VERSION
    monkeypatch.setattr(schema, "STEPS", schema.STEPS | dict(enumerate(steps, start=first)))
    monkeypatch.setattr(schema, "SCHEMA_VERSION", first + len(steps))


def test_a_file_of_each_format_is_kept() -> None:
    kept = {path.name for path in KEPT.glob("*.sqlite")}
    assert kept == {f"v{version}.sqlite" for version in range(1, schema.SCHEMA_VERSION + 1)}
    assert set(schema.STEPS) == set(range(1, schema.SCHEMA_VERSION))


@pytest.mark.parametrize("kept", sorted(KEPT.glob("*.sqlite")), ids=lambda kept: kept.stem)
def test_a_kept_file_gives_the_entries_it_was_made_of_and_goes_on(kept: Path, path: Path) -> None:
    shutil.copyfile(kept, path)
    shutil.copyfile(mark_path(kept), mark_path(path))
    expected = json.loads(kept.with_suffix(".json").read_text("utf-8"))
    assert [as_json(entry) for entry in read_entries(path)] == expected
    with resume(path) as journal:
        assert journal.warnings == ()
        assert [as_json(entry) for entry in journal.entries] == expected
        journal.append(fact())
    assert len(read_entries(path)) == len(expected) + 1
    assert version_of(path) == schema.SCHEMA_VERSION


@pytest.mark.parametrize("kept", sorted(KEPT.glob("*.sqlite")), ids=lambda kept: kept.stem)
def test_a_kill_before_the_new_format_has_reached_the_file_itself_costs_nothing(
    kept: Path, path: Path
) -> None:
    shutil.copyfile(kept, path)
    shutil.copyfile(mark_path(kept), mark_path(path))
    killed = path.parent.parent / "killed"
    killed.mkdir()
    with resume(path) as journal:
        journal.wait(journal.append(fact()).last_n)
        entries = list(journal.entries)
        for name, data in contents(path.parent).items():
            if not name.endswith("-shm"):
                (killed / name).write_bytes(data)
    assert read_entries(killed / path.name) == entries
    with resume(killed / path.name) as journal:
        assert journal.warnings == ()
        assert list(journal.entries) == entries


@pytest.mark.parametrize("kept", sorted(KEPT.glob("*.sqlite")), ids=lambda kept: kept.stem)
def test_a_file_of_any_format_holds_what_a_new_one_does_once_it_was_written(
    kept: Path, path: Path
) -> None:
    shutil.copyfile(kept, path)
    resume(path).close()
    recorded(path.with_name("new.sqlite"), 1)
    assert schema_of(path) == schema_of(path.with_name("new.sqlite"))
    with closing(sqlite3.connect(path)) as connection:
        (spare,) = connection.execute("SELECT * FROM spare").fetchall()
        assert (spare,) == tuple(connection.execute("SELECT * FROM entries WHERE n = 1"))


def test_an_older_file_is_read_without_being_changed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = recorded(path, 5)
    before = contents(path.parent)
    next_formats(monkeypatch, (CREATE_NOTES,))
    assert tuple(read_entries(path)) == entries
    assert contents(path.parent) == before


def test_an_older_file_becomes_the_newest_when_it_is_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = recorded(path, 5)
    next_formats(monkeypatch, (CREATE_NOTES,), ("INSERT INTO notes VALUES (1, 'from format 2')",))
    with resume(path) as journal:
        assert tuple(journal.entries) == entries
        assert journal.warnings == ()
        journal.append(fact())
    assert version_of(path) == schema.SCHEMA_VERSION
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT note FROM notes").fetchall() == [("from format 2",)]
    assert len(read_entries(path)) == 7


@pytest.mark.parametrize(
    "step",
    [
        ("DROP TRIGGER entries_stay", "UPDATE entries SET record = '{}' WHERE n = 3"),
        ("DROP TRIGGER entries_remain", "DELETE FROM entries WHERE n = 6"),
    ],
)
def test_a_step_that_would_change_an_entry_is_taken_back(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: tuple[str, ...]
) -> None:
    recorded(path, 5)
    before = contents(path.parent)
    with monkeypatch.context() as patch:
        next_formats(patch, step)
        with pytest.raises(SessionDamagedError, match="would not survive"):
            resume(path)
    assert contents(path.parent) == before


def test_a_step_that_fails_half_way_leaves_the_file_in_its_format(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = recorded(path, 5)
    version = version_of(path)
    monkeypatch.setattr(
        schema, "STEPS", schema.STEPS | {version: (CREATE_NOTES, "no statement at all")}
    )
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError, match="syntax error"):
            schema.upgrade(connection, version + 1)
        assert not connection.in_transaction
        assert connection.execute(
            "SELECT count(*) FROM sqlite_schema WHERE name = 'notes'"
        ).fetchone() == (0,)
    assert version_of(path) == version
    assert tuple(read_entries(path)) == entries


def test_a_format_that_no_step_leads_on_from_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(path, 1)
    monkeypatch.setattr(schema, "SCHEMA_VERSION", schema.SCHEMA_VERSION + 1)
    with pytest.raises(SessionDamagedError, match="was never in use"):
        resume(path)
