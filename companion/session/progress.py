"""How far a long record is on its way to a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Progress(NamedTuple):
    """Told now and then how many entries of a record have been read, and how many folded. Both raise `ReadingStopped`
    when no more are wanted."""

    read: Callable[[int], None]
    folded: Callable[[int], None]


UNSEEN = Progress(lambda _: None, lambda _: None)
"""Nobody waits and sees."""
