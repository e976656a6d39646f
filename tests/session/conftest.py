"""Fixtures: a table on a real journal, and a board that it knows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal.journal import Journal
from companion.rules.header import header
from companion.session.table import Table
from tests.session.parts import (
    BOOT,
    WALL,
    Board,
    hello,
    setup,
    table_on,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    opened = Journal.create(path, header(setup(), "evening"), wall=lambda: WALL, retry_s=0.001)
    yield opened
    opened.close()


@pytest.fixture
def table(journal: Journal) -> Table:
    return table_on(journal)


@pytest.fixture
def board(table: Table) -> Board:
    """Return a board that the table knows and has armed."""
    made = Board()
    table.board.on_identified(hello(), BOOT)
    table.board.store([made.armed(0)])
    return made
