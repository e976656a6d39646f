"""The databases that a hub's tests run on: SQLite on the disk, and a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from companion.hub.database import Database
from companion.hub.schema import METADATA
from tests.hub.postgres import Server, why_not


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    if missing := why_not():
        pytest.skip(missing)
    server = Server()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty database of the hub, on each engine."""
    if request.param == "sqlite":
        database = Database(f"sqlite:///{tmp_path / 'hub.sqlite'}")
    else:
        database = Database(request.getfixturevalue("postgres").url)
        with database.writing() as connection:
            connection.execute(text(f"TRUNCATE {', '.join(METADATA.tables)} RESTART IDENTITY CASCADE"))
    yield database
    database.close()
