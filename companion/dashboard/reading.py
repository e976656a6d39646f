"""Reads a long record in the background: what is known of it before, the progress, and the table."""

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
    """What a session shows before it is read; of a new one only the game is known.

    `title` is the game's, `seats` are glyph with name, and color, of those who began it.
    """

    title: str
    seats: tuple[tuple[str, str], ...] = ()
    entries: int = 0


class SessionReading(Generic[T]):
    """Reads a session in a thread. `read` returns its table and reports its progress."""

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
        """Begin; `done` is called from the thread at the end, also after a failure."""
        self._thread = Thread(target=self._run, args=(done,), name="reading")
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait at most `seconds` for the end; return whether it has come."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self._thread is not None and not self._thread.is_alive()

    def leave(self) -> None:
        """Ask the reading to stop."""
        self._unwanted.set()

    def stop(self) -> None:
        """Ask the reading to stop, and wait for its end."""
        self.leave()
        if self._thread is not None:
            self._thread.join()

    def end(self) -> T | None:
        """Stop, and return the table, None without one; raise what the reading failed with."""
        self.stop()
        if self._problem is not None and not self._stopped:
            raise self._problem
        return self.table

    def _run(self, done: Callable[[], object]) -> None:
        try:
            with collector_frozen():  # thousands of modules and entries, none of them garbage
                self.table = self._read(self._has_read)
                # They stay: a collection that scans them would hold up the screen.
                gc.freeze()
        except Exception as problem:
            self._problem = problem
        done()

    def _has_read(self, entries: int) -> None:
        if self._unwanted.is_set():
            self._stopped = True
            raise ReadingStopped("The session was closed before its table was ready.")
        self.entries_read = entries
