"""The journal's tests use folders on a real disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.journal.support import ON_DISK


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Return a folder on the disk, deleted after the test."""
    with TemporaryDirectory(dir=ON_DISK) as folder:
        yield Path(folder)
