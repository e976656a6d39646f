"""The garbage collector, held still while very many entries are made at once."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_frozen() -> Iterator[None]:
    """Run the block without collections: entries form no cycles to be found."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
