"""A second copy of the session in play, in a folder from the settings, for another laptop to continue if this one
breaks. A thread makes it, so that the game never waits for that folder's disk."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Final

from companion.journal.copy import second_copy_path, write_second_copy
from companion.journal.errors import JournalError
from companion.journal.mark import HighWater
from companion.rules.columns import plural
from companion.session.clocks import time_of_day
from companion.session.table import Table

OLDEST_S: Final = 30.0
"""Seconds that the copy may lag behind the record, as the docs promise."""
PAUSE_S: Final = 20.0
"""Seconds between copies; the rest of `OLDEST_S` is for a slow disk."""
LEAVE_S: Final = 5.0
"""Seconds for the last copy when people leave."""
ITSELF: Final = (
    "The session itself lies in the folder for second copies, so there is no second one. "
    "Copy it to this laptop first."
)


class SecondCopy:
    """Keeps a second copy of a table's session in `folder`. The caller closes it after the table."""

    def __init__(
        self, table: Table, folder: Path, *, pause_s: float = PAUSE_S, leave_s: float = LEAVE_S
    ) -> None:
        self._table, self._pause_s, self._leave_s = table, pause_s, leave_s
        first = table.look(lambda record: record.entries[0].digest)
        self.path = second_copy_path(folder, table.path, first)
        """Path of the copy."""
        self._last: HighWater | None = None  # last entry in the copy
        # The state in words, and why no copy is made. The thread replaces both; any thread may read them.
        self._state, self._trouble = "not made yet", ""
        # by the monotonic clock; needed because a disk that hangs raises nothing
        self._copying_since: float | None = None
        self._news, self._ending = threading.Event(), threading.Event()
        others = table.readers
        table.readers = lambda: (*others(), self.row)
        self._unsubscribe = table.subscribe(self._news.set)
        self._news.set()
        self._thread = threading.Thread(target=self._run, name="second copy", daemon=True)
        self._thread.start()

    @property
    def row(self) -> tuple[str, str]:
        """The copy's folder and its state, for people."""
        state = self._trouble or self._state
        since = self._copying_since
        if since is not None and (waited_s := time.monotonic() - since) > OLDEST_S:
            state = (
                f"the folder has not answered for {waited_s:.0f} s; the copy before: {self._state}"
            )
        return f"second copy ({self.path.parent})", state

    def close(self) -> None:
        """Copy the rest, within a bound, and end."""
        self._unsubscribe()
        self._ending.set()
        self._news.set()
        self._thread.join(self._leave_s)

    def _run(self) -> None:
        while True:
            self._news.wait()
            self._news.clear()
            ending = self._ending.is_set()
            self._make()
            if ending:
                return
            self._ending.wait(self._pause_s)
            if self._trouble:
                self._news.set()  # the folder may be back although nobody played

    def _make(self) -> None:
        self._copying_since = time.monotonic()
        try:
            self._copy()
        except (JournalError, OSError) as problem:
            self._fail(str(problem))
            return
        finally:
            self._copying_since = None
        if self._trouble:
            self._trouble = ""
            self._table.tell("The second copy is kept again.")

    def _copy(self) -> None:
        if self._is_itself():
            raise JournalError(ITSELF)
        # without this check, a copy for a stick that was pulled out would go to a folder on this disk
        if not self.path.parent.is_dir():
            raise JournalError(
                f"No second copy is kept: the folder {self.path.parent} is not there. Put it back."
            )
        if self._last is not None and self._last.n == self._table.durable_n and self.path.exists():
            return
        content, last = self._table.image()
        # the content is in memory by now, so a slow folder delays only this thread
        write_second_copy(content, last, self.path)
        self._last = last
        self._state = f"{plural(last.n, 'entry', 'entries')} at {time_of_day(time.time())}"

    def _is_itself(self) -> bool:
        """Return whether the session is played from that folder, where the copy would be the session or lie beside
        it."""
        folder = self.path.parent
        return folder.is_dir() and folder.samefile(self._table.path.parent)

    def _fail(self, sentence: str) -> None:
        """Note why no copy is made, and show it if it is new."""
        before, self._trouble = self._trouble, sentence
        if before != sentence:
            self._table.tell(sentence)
