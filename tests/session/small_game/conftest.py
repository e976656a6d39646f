"""A table on a real journal that plays the counting game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal.journal import Journal
from companion.session.table import Table
from tests.session.counting_game import Clock, small_header, small_table
from tests.session.parts import WALL


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.create(
        tmp_path / "counting.sqlite", small_header(), wall=lambda: WALL, retry_s=0.001
    ) as opened:
        yield opened


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(journal: Journal, clock: Clock) -> Table:
    return small_table(journal, clock)
