"""Current troubles of the tables, by their last requests, in memory alone."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Final

from companion.outbound.table_trouble import BOARD, CLOCKS_APART_S, DISK, FIELD, MUTED, apart
from firmware_protocol.channels import called, kind_named

STALE_S: Final = 60.0
"""Seconds until a table's last report is no longer shown; its row then says that it is silent."""
_SENTENCES: Final[Mapping[str, str]] = {
    BOARD: "Its board does not answer: the keyboard does everything.",
    DISK: "Its disk saves nothing: free some space there, or what is played next can be lost.",
}


class TableTroubles:
    """The last report of each table, by its id. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sentences: dict[int, tuple[float, tuple[str, ...]]] = {}

    def note(self, table: int, headers: Mapping[str, str], now: float) -> None:
        """Store what a request's headers report about a table; `now` is Unix time."""
        codes = {code.strip() for code in headers.get(FIELD, "").split(",")}
        sentences = [sentence for code, sentence in _SENTENCES.items() if code in codes]
        for code in sorted(codes):
            if _names_input(code):
                sentences.append(_muted(code))
        off_s = _clock_off_s(headers.get("date", ""), now)
        if abs(off_s) > CLOCKS_APART_S:
            way = "ahead of" if off_s > 0 else "behind"
            sentences.append(f"Its clock is {apart(off_s)} {way} the hub's: set the wrong one.")
        with self._lock:
            self._sentences[table] = now, tuple(sentences)

    def at(self, now: float) -> dict[int, tuple[str, ...]]:
        """Return the sentences about each table with troubles."""
        with self._lock:
            return {
                table: sentences
                for table, (then, sentences) in self._sentences.items()
                if sentences and now - then <= STALE_S
            }


def _names_input(code: str) -> bool:
    # A table may send any text; only what a board's input can be called is shown.
    return code.startswith(MUTED) and kind_named(code.removeprefix(MUTED)) is not None


def _muted(code: str) -> str:
    return f"Muted there because it is noisy: {called(code.removeprefix(MUTED))}. Check its wire."


def _clock_off_s(date: str, now: float) -> float:
    """Return the seconds that the sender's clock is ahead by its `date` header; 0 if that cannot be read."""
    try:
        then: datetime = parsedate_to_datetime(date)
        return then.timestamp() - now
    except (ValueError, TypeError, OverflowError, IndexError):
        return 0.0
