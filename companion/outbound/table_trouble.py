"""A table's troubles as words for its hub, which makes sentences of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    # only for the type: the hub reads these words too and must not import a table
    from companion.session.table import Table

BOARD: Final = "board"
DISK: Final = "disk"
MUTED: Final = "muted-"
"""Prefix for an input that the board muted for noise; the name of its channel follows."""
FIELD: Final = "x-trouble"
"""Request header with the words, separated by commas."""
CLOCKS_APART_S: Final = 120.0
"""Seconds that the clocks of a table and its hub may differ; to people, times of day are still the same."""


def troubles_of(table: Table) -> tuple[str, ...]:
    """Return the troubles of a table that its players cannot fix by playing on. It makes no view, so it delays
    nobody."""
    words, link = [], table.board.view
    if not link.healthy:
        words.append(BOARD)
    if not table.is_saving:
        words.append(DISK)
    words += [f"{MUTED}{muted.channel}" for muted in link.muted]
    return tuple(words)


def apart(seconds: float) -> str:
    """Return a difference of clocks in words: `3 years`, `5 hours`, `4 minutes`."""
    for unit, length in (
        ("year", 365.25 * 86400),
        ("day", 86400.0),
        ("hour", 3600.0),
        ("minute", 60.0),
    ):
        if (count := round(abs(seconds) / length)) >= 1:
            return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
    return "less than a minute"
