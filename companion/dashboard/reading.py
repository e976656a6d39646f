"""A long record that is read behind the screen: what is known of it before, how far it is, and what came of it."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread
from typing import TYPE_CHECKING, Generic, TypeVar

from companion.journal.collector import collector_frozen
from companion.journal.errors import ReadingStopped

if TYPE_CHECKING:
    from companion.dashboard.source import TableLike

T = TypeVar("T", bound="TableLike")


@dataclass(frozen=True, slots=True)
class Outline:
    """What a session says of itself before it is read: the game, who began it, by sign, name and color, and how
    many entries there are; of a new one only the game is known."""

    title: str
    seats: tuple[tuple[str, str], ...] = ()
    entries: int = 0


class SessionReading(Generic[T]):
    """Reads a session in a thread of its own. `read` returns its table, and tells how far it is."""

    def __init__(self, outline: Outline, read: Callable[[Callable[[int], None]], T]) -> None:
        self.outline = outline
        self.entries_read = 0  # how many entries have been read
        self.table: T | None = None  # the table, once it is made
        self._read = read
        self._unwanted = Event()
        self._stopped = False
        self._problem: Exception | None = None
        self._thread: Thread | None = None

    def start(self, done: Callable[[], object]) -> None:
        """Begin; `done` is called from the thread at its end, whatever came of it."""
        self._thread = Thread(target=self._run, args=(done,), name="reading")
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long for the end; return whether it has come."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self._thread is not None and not self._thread.is_alive()

    def leave(self) -> None:
        """Want no more than has been read."""
        self._unwanted.set()

    def stop(self) -> None:
        """Stop what is not done yet, and wait for that."""
        self.leave()
        if self._thread is not None:
            self._thread.join()

    def end(self) -> T | None:
        """Stop, and return the table, None when there is none; raise what the reading failed with."""
        self.stop()
        if self._problem is not None and not self._stopped:
            raise self._problem
        return self.table

    def _run(self, done: Callable[[], object]) -> None:
        try:
            with collector_frozen():  # modules and entries by the thousand, none of them garbage
                self.table = self._read(self._has_read)
                gc.freeze()  # all that is here stays: a collection that went through it would hold up the screen
        except Exception as problem:
            self._problem = problem
        done()

    def _has_read(self, entries: int) -> None:
        if self._unwanted.is_set():
            self._stopped = True
            raise ReadingStopped("The session was left before its table was set.")
        self.entries_read = entries
