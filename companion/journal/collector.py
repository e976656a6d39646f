"""The garbage collector, held still while very many entries are made at once, and while a screen is on its way."""

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


def collect_again() -> None:
    """End what `collector_frozen` began before its block does; what is here by now stays, and is never looked through
    again: a collection that went through it would hold up the screen."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
