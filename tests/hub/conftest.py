"""The databases that a hub's tests run on: SQLite on the disk, and a real PostgreSQL."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, text

from companion.hub import accounts
from companion.hub.database import Database
from companion.hub.schema import GATHERINGS, METADATA
from tests.hub.postgres import Server, why_not


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make passwords cost a moment instead of 50 ms, because most tests have an organiser. A hub started as a program
    keeps its own cost."""
    monkeypatch.setattr(accounts, "_SCRYPT", {**accounts._SCRYPT, "n": 16})


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    if missing := why_not():
        pytest.skip(missing)
    server = Server()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty hub's SQLite file, made once: its migrations take longer than most tests."""
    path = tmp_path_factory.mktemp("made") / "hub.sqlite"
    Database(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def on_sqlite(made: Path, tmp_path: Path) -> Iterator[Database]:
    """Yield an empty database of the hub in a file."""
    path = tmp_path / "hub.sqlite"
    shutil.copyfile(made, path)
    with closing(Database(f"sqlite:///{path}")) as database:
        yield database


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    """Yield an empty database of the hub, on each engine."""
    if request.param == "sqlite":
        yield request.getfixturevalue("on_sqlite")
        return
    with closing(Database(request.getfixturevalue("postgres").url)) as database:
        with database.writing() as connection:
            # a tenth of the time of TRUNCATE, which makes files anew
            for table in reversed(METADATA.sorted_tables):
                connection.execute(delete(table))
            connection.execute(
                text("SELECT setval(sequencename::regclass, 1, false) FROM pg_sequences")
            )
            connection.execute(insert(GATHERINGS).values(title="", begun=0.0, awards_shown=0.0))
        yield database
