"""What a table tells its hub of its own trouble, in words of the program alone: the hub makes the sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    # the hub knows no table, and reads these words all the same
    from companion.session.table import Table

BOARD: Final = "board"
DISK: Final = "disk"
MUTED: Final = "muted-"
"""Begins the word for an input that the board has muted for noise; the name of its channel follows."""
FIELD: Final = "x-trouble"
"""The field of a request that has them, with a comma between."""
CLOCKS_APART_S: Final = 120.0
"""Seconds that the clocks of a table and its hub may differ: times of day on both are still the same to people."""


def troubles_of(table: Table) -> tuple[str, ...]:
    """Return what is wrong at a table whose people cannot put it right by playing on. It holds up nobody at the table:
    no view is made for it."""
    words, link = [], table.board.view
    if not link.healthy:
        words.append(BOARD)
    if not table.is_saving:
        words.append(DISK)
    words += [f"{MUTED}{input_.channel}" for input_ in link.muted]
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
