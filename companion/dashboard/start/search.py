"""The search for a board, behind the start screens: begun at once, waited for by nobody."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.link.finder import BoardSearch

DEADLINE_S = 6.0
"""After so long the screens say that the search goes on at the table; a search takes 3.5 s, and 1 s a hung port."""
LET_GO_S = 1.0  # how long the table waits for the ports that the search still holds

Find = Callable[[Callable[[], bool]], "BoardSearch"]
"""Searches until it has found something out, or until its argument says stop."""


def find_board(stopping: Callable[[], bool]) -> BoardSearch:
    """Ask every USB port for a board."""
    from companion.link.finder import (  # in the thread of the search: the first screen waits for nothing
        Finder,
        usb_ports,
    )
    from companion.link.transport import Opener, open_serial

    return Finder(usb_ports, Opener(open_serial), stopping=stopping).find()


class Search:
    """One search in a thread of its own. `found` is None until it is over."""

    def __init__(self, find: Find = find_board, clock: Callable[[], float] = time.monotonic) -> None:
        self._find = find
        self._clock = clock
        self._stop = threading.Event()
        self._begun_s: float | None = None
        self._thread = threading.Thread(target=self._run, name="board search", daemon=True)
        self.found: BoardSearch | None = None

    def start(self) -> None:
        """Begin; a second call does nothing."""
        if self._begun_s is None:
            self._begun_s = self._clock()
            self._thread.start()

    def stop(self) -> None:
        """End the search and wait until its ports are free, for `LET_GO_S` at most."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join(LET_GO_S)

    def _run(self) -> None:
        from companion.link.finder import BoardSearch

        try:
            self.found = self._find(self._stop.is_set)
        except Exception as problem:  # whatever a driver does, people can play
            self.found = BoardSearch(
                None, f"The search for a board failed ({problem}): name its port, or play without."
            )

    @property
    def sentence(self) -> str:
        """What the search has come to."""
        if self.found is not None:
            return self.found.sentence
        if self._begun_s is not None and self._clock() - self._begun_s > DEADLINE_S:
            return "No answer yet: a port keeps us waiting. Begin when you like, the search goes on at the table."
        return "Looking for a board at the USB ports ..."
