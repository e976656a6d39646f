"""Games that a test registers are unknown to the next one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.rules import registry


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    yield
    vars(registry.GAMES)["learned"].clear()
