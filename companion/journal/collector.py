"""The garbage collector, paused while very many entries are created at once, and while the first
screen is prepared."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_frozen() -> Iterator[None]:
    """Disable the garbage collector in the block: entries form no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def collect_again() -> None:
    """End `collector_frozen` before its block does. Existing objects are frozen, so that no
    collection goes through them again and delays the screen."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
