"""What is wrong at the tables, as each said with its last request. It is of now, so it is kept in memory alone."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Final

from companion.outbound.table_trouble import BOARD, CLOCKS_APART_S, DISK, FIELD, MUTED, apart
from firmware_protocol.channels import called, kind_named

STALE_S: Final = 60.0
"""Seconds after which what a table said last is not shown any more: its row says that it is silent."""
_SENTENCES: Final[Mapping[str, str]] = {
    BOARD: "Its board does not answer: the keyboard does everything.",
    DISK: "Its disk saves nothing: free some space there, or what is played next can be lost.",
}


class TableTroubles:
    """The last word of each table, by the hub's number of it. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._said: dict[int, tuple[float, tuple[str, ...]]] = {}

    def note(self, table: int, fields: Mapping[str, str], now: float) -> None:
        """Keep what the fields of a request say of a table; `now` is Unix time."""
        codes = {code.strip() for code in fields.get(FIELD, "").split(",")}
        said = [sentence for code, sentence in _SENTENCES.items() if code in codes]
        said += map(_muted, sorted(filter(_names_input, codes)))
        off_s = _clock_off_s(fields.get("date", ""), now)
        if abs(off_s) > CLOCKS_APART_S:
            way = "ahead of" if off_s > 0 else "behind"
            said.append(f"Its clock is {apart(off_s)} {way} the hub's: set the wrong one.")
        with self._lock:
            self._said[table] = now, tuple(said)

    def at(self, now: float) -> dict[int, tuple[str, ...]]:
        """Return the sentences on each table that has trouble."""
        with self._lock:
            return {
                table: said
                for table, (then, said) in self._said.items()
                if said and now - then <= STALE_S
            }


def _names_input(code: str) -> bool:
    # A table may send any text; only what a board's input can be called is shown.
    return code.startswith(MUTED) and kind_named(code.removeprefix(MUTED)) is not None


def _muted(code: str) -> str:
    return f"Muted there because it is noisy: {called(code.removeprefix(MUTED))}. Check its wire."


def _clock_off_s(date: str, now: float) -> float:
    """How many seconds the clock of who sent this `date` is ahead; 0 where it says nothing."""
    try:
        then: datetime = parsedate_to_datetime(date)
        return then.timestamp() - now
    except (ValueError, TypeError, OverflowError, IndexError):
        return 0.0
