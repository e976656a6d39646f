"""The hub's database: made, brought to its newest form, refused in a sentence where it cannot be used."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect, select, text
from sqlalchemy.exc import OperationalError

from companion.errors import CommandError
from companion.exits import Exit, code_of
from companion.hub.database import Database
from companion.hub.only_hub import only_hub
from companion.hub.rounds import Gathering, begin_gathering, gathering_on, gatherings_in, rounds_in
from companion.hub.run import opened
from companion.hub.schema import METADATA, RECORDS
from companion.hub.seating import PodRound
from companion.journal import features
from companion.journal.features import Feature
from companion.journal.folder import sessions_dir
from tests.hub.parts import NOW, joined


def test_a_new_database_has_just_the_tables_that_the_program_uses(database: Database) -> None:
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        assert set(inspect(connection).get_table_names()) == {*METADATA.tables, "alembic_version"}


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_what_is_in_a_database_of_the_first_form_becomes_the_first_event(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path / 'hub.sqlite'}"
    if engine == "postgresql":
        url = request.getfixturevalue("postgres").empty("older")
    _fill_first_form(url)
    with closing(Database(url)) as database, database.reading() as connection:
        assert gatherings_in(connection, "Club night") == (
            Gathering(1, "Club night", awards_shown=True),
        )
        assert rounds_in(connection) == (PodRound((("Ann", "Bo", "Cy"),), ("Di",)),)
        assert connection.execute(select(RECORDS.c.n, RECORDS.c.gathering)).all() == [(3, 1)]
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    with closing(Database(url)) as database, database.writing() as connection:
        begin_gathering(connection, "March", NOW)
        assert gathering_on(connection).id == 2


def _fill_first_form(url: str) -> None:
    settings = Config()
    settings.set_main_option("script_location", str(files("companion.hub") / "migrations"))
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        settings.attributes["connection"] = connection
        METADATA.create_all(connection)
        command.stamp(settings, "0001")
        for words in (
            "ALTER TABLE records DROP COLUMN gathering",
            *(
                f"ALTER TABLE records DROP COLUMN {name}"
                for name in ("continues", "aside", "aside_from", "instead_of")
            ),
            *(f"ALTER TABLE forks DROP COLUMN {name}" for name in ("laptop", "counts", "who")),
            "DROP TABLE gatherings",
            "DROP TABLE rounds",
            "CREATE TABLE rounds (number INTEGER PRIMARY KEY, body TEXT NOT NULL, at FLOAT NOT NULL)",
            "CREATE TABLE released (what TEXT PRIMARY KEY, at FLOAT NOT NULL)",
            "INSERT INTO tables (id, number, code_until, laptop, heard, bytes) VALUES (1, 7, 0, '', 0, 0)",
            "INSERT INTO records (id, session, table_id, n, digest, event, total, title, behind_since) "
            "VALUES (1, :bytes, 1, 3, :bytes, 0, 3, 'SkyFire', 0)",
            "INSERT INTO released (what, at) VALUES ('awards', 5)",
            "INSERT INTO rounds (number, body, at) VALUES (1, :round, 5)",
        ):
            fields = {"bytes": b"x", "round": '{"pods": [["Ann", "Bo", "Cy"]], "byes": ["Di"]}'}
            connection.execute(
                text(words), {name: value for name, value in fields.items() if f":{name}" in words}
            )
    engine.dispose()


def test_a_database_of_another_version_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'hub.sqlite'}"
    with closing(Database(url)) as database, database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for _ in range(2):
        with pytest.raises(CommandError, match="was made by another version") as refused:
            Database(url)
        assert code_of(refused.value.kind) is Exit.DATA


def test_opened_again_it_is_as_it_was(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'hub.sqlite'}"
    first = Database(url)
    joined(first, 7)
    first.close()
    again = Database(url)
    with again.reading() as connection:
        assert connection.execute(text("SELECT number FROM tables")).scalars().all() == [7]
    again.close()


def test_a_second_hub_of_a_file_is_told_who_has_it_until_that_one_has_ended(tmp_path: Path) -> None:
    file, other_name = tmp_path / "hub.sqlite", tmp_path / "link"
    other_name.symlink_to(file)
    with only_hub(None), only_hub(None), only_hub(file) as note:
        note("http://127.0.0.1:8770")
        with pytest.raises(CommandError) as refused, only_hub(other_name):
            raise AssertionError
    said = str(refused.value)
    assert said.startswith(
        f"Another hub has {file} open: http://127.0.0.1:8770, process {os.getpid()} ("
    )
    assert said.endswith("). End that one first, or name another file: --database sqlite:///FILE")
    assert code_of(refused.value.kind) is Exit.BUSY
    with only_hub(other_name):
        pass


@pytest.mark.parametrize("feature", [Feature.LOCKS, Feature.SHARED_MEMORY])
def test_no_hub_is_kept_on_a_disk_where_it_cannot_be_written_safely(
    feature: Feature, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(features._TRIALS, feature, lambda _file, _path: False)
    for url in (None, f"sqlite:///{tmp_path / 'hub.sqlite'}"):
        with (
            pytest.raises(CommandError, match=f"is on a disk without {feature}: ") as refused,
            opened(url),
        ):
            raise AssertionError
        assert code_of(refused.value.kind) is Exit.CANNOT_CREATE
    assert list(tmp_path.iterdir()) == []
    assert not sessions_dir().parent.exists()


def test_a_hub_knows_that_anybody_can_read_its_disk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'hub.sqlite'}"
    with opened(url) as database:
        assert not database.readable_by_anybody
    monkeypatch.setitem(features._TRIALS, Feature.PERMISSIONS, lambda _file, _path: False)
    with opened(url) as database:
        assert database.readable_by_anybody


def test_a_database_that_fails_while_a_command_uses_it_is_said_in_a_sentence(
    tmp_path: Path,
) -> None:
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    file = tmp_path / "hub.sqlite"
    with pytest.raises(CommandError) as refused, opened(f"sqlite:///{file}"):
        raise OperationalError("INSERT", {}, full)
    why = "because the disk is full: free some space."
    assert str(refused.value) == f"The hub's database sqlite:///{file} cannot be used, {why}"
    assert code_of(refused.value.kind) is Exit.UNAVAILABLE


def test_sqlite_forces_what_it_commits_to_the_disk(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'hub.sqlite'}")
    with database.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    database.close()


def test_postgresql_forces_what_it_commits_to_the_disk(database: Database) -> None:
    if database.is_sqlite:
        return
    with database.reading() as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert connection.exec_driver_sql(f"SHOW {setting}").scalar() == "on"


@pytest.mark.parametrize(
    ("url", "words", "code"),
    [
        ("mysql://x/y", "mysql is no database of the hub", Exit.USAGE),
        ("not an address", "That is no address of a database: give sqlite:///FILE or", Exit.USAGE),
        (
            "sqlite://",
            "That database is no file, and would keep nothing: give sqlite:///FILE or",
            Exit.USAGE,
        ),
        ("sqlite:///:memory:", "That database is no file", Exit.USAGE),
        ("sqlite://hub.sqlite", "That is no address of a database", Exit.USAGE),
        (
            "sqlite:////nowhere/at/all/hub.sqlite",
            "because the file cannot be opened: check",
            Exit.UNAVAILABLE,
        ),
        (
            "postgresql://nobody@127.0.0.1:1/nothing",
            "Is its server running, and may you",
            Exit.UNAVAILABLE,
        ),
    ],
)
def test_a_database_that_cannot_be_used_is_said_in_a_sentence(
    url: str, words: str, code: Exit
) -> None:
    with pytest.raises(CommandError, match=words.replace("?", r"\?")) as refused:
        Database(url)
    assert code_of(refused.value.kind) is code
    assert "\n" not in str(refused.value)


def test_a_password_in_the_address_is_not_repeated() -> None:
    with pytest.raises(CommandError) as refused:
        Database("postgresql://me:topsecret@127.0.0.1:1/nothing")
    assert "topsecret" not in str(refused.value)


SECRET = "s3cret"
WRONG_ADDRESSES = [
    f"postgresql://u:{SECRET}@127.0.0.1:1/x",
    f"postgresql://u:a@{SECRET}@127.0.0.1:1/x",
    f"postgresql://127.0.0.1:1/x?password={SECRET}&user=u",
    f"postgresql://u@127.0.0.1:{SECRET}/x",
    f"postgresql://u:{SECRET}@[::1/x",
    f"postgresql://u:b@127.0.0.1:1/x?sslmode={SECRET}",
    f"postgresql://127.0.0.1:1/x?options={SECRET}",
    f"postgresql://{SECRET}:@127.0.0.1:1/x",
    f"postgresql://u:a/{SECRET}@127.0.0.1:1/x",
    f"postgresql://u:{SECRET}#@127.0.0.1:1/x",
    f"postgresql+nope://u:{SECRET}@127.0.0.1:1/x",
    f"postgres://u:{SECRET}@h/x",
    f"mysql://u:{SECRET}@h/x",
    f"u:{SECRET}@h/x",
    f"sqlite://u:{SECRET}@h/x",
]


@pytest.mark.parametrize("address", WRONG_ADDRESSES)
def test_a_wrong_address_is_refused_without_its_password(address: str) -> None:
    with pytest.raises(CommandError) as refused:
        Database(address)
    assert SECRET not in str(refused.value)


def test_a_password_with_an_at_sign_is_answered_how_to_write_it() -> None:
    with pytest.raises(CommandError, match="write %40"):
        Database("postgresql://u:a@b@127.0.0.1:1/x")
