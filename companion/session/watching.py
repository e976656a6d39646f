"""Watching a session that another companion writes, without changing it or getting in its way."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from companion.errors import CommandError, ErrorKind
from companion.journal.entries import Entry
from companion.journal.errors import JournalError
from companion.journal.follow import Follower
from companion.rules.actions import Action, with_keys
from companion.rules.facts import TABLE, Refused, SeatId, Setup
from companion.rules.game import Game
from companion.rules.header import game_of
from companion.session.inspection import Inspection
from companion.session.projection import SessionProjection
from companion.session.publisher import Publisher
from companion.session.views import UNREADABLE, LinkView, Notice, SavedView, TableView, Unsaved
from companion.system.signals import join_if_started

Made = TypeVar("Made")
LOOK_S = 0.1  # between two looks; people cannot tell apart changes in quicker succession
ONLY_WATCHED = "you only watch this session: change it where it is played"
WATCHING = LinkView(
    "watching", "Watching a session that is played in another window.", healthy=True
)


def made_of(
    path: Path, make: Callable[[Game[Any], Setup, Sequence[Entry]], Made], *, anyway: bool = False
) -> tuple[Follower, Made]:
    """Return a follower of the session at `path`, and what `make` makes of it. Raise
    `CommandError`, also for a record that has lost entries once saved, unless it is to be followed
    `anyway`."""
    follower = Follower(path)
    try:
        lacking = follower.begin()
        if lacking is not None and not anyway:
            raise CommandError(f"{lacking}. To watch without it add --anyway.", ErrorKind.DATA)
        return follower, make(*game_of(follower.entries[0].body), follower.entries)
    except (ValueError, IndexError) as problem:
        raise CommandError(f"{path.name}: {problem}.", ErrorKind.DATA) from problem


class Watcher(Publisher):
    """A table to watch: the public view of a session that grows elsewhere. All methods may be
    called from any thread; whatever would change the record is refused."""

    def __init__(self, path: Path, *, anyway: bool = False) -> None:
        """Read the record so far; raise `CommandError` if it cannot be read, see `made_of`."""
        super().__init__()
        self._follower, self._record = made_of(path, SessionProjection, anyway=anyway)
        self._lock = threading.Lock()
        self.inspection = Inspection(self._record, self._lock)
        """Views of the whole record."""
        self._trouble = ""
        self._notice: Notice | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watching", daemon=True)

    @property
    def over(self) -> bool:
        """Whether the session has ended."""
        with self._lock:
            return self._record.closed

    @property
    def actions(self) -> tuple[Action, ...]:
        """Nothing can be done here."""
        return ()

    def start(self) -> None:
        """Look for new entries from now on, until `close`."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._closing.set()
        join_if_started(self._thread)

    def look(self) -> bool:
        """Read the entries saved since the last look; return whether anything changed."""
        with self._lock:
            try:
                entries, trouble = self._follower.poll(), ""
            except JournalError as problem:
                entries, trouble = (), str(problem)
            changed = bool(entries) or trouble != self._trouble
            self._trouble = trouble
            self._record.extend(entries)
        if changed:
            self.publish()
        return changed

    def _run(self) -> None:
        while not self._closing.wait(LOOK_S):
            self.look()

    def view(self) -> TableView:
        """Return what everybody at the table may see."""
        with self._lock:
            read = self._record.number(len(self._record.entries))
            text = UNREADABLE if self._trouble else "read"
            saved = SavedView(text, ok=not self._trouble, problem=self._trouble, entries=read)
            muted = () if self._record.closed else self._record.muted.now
            return self._record.view(replace(WATCHING, muted=muted), saved, self._notice, with_keys)

    def seat_view(self, seat: SeatId) -> Any:
        """Return the public view: a watcher sees nobody's secrets."""
        with self._lock:
            return self._record.game.view(self._record.state, TABLE)

    def take_note_back(self, seat: SeatId) -> str:
        """Return why nothing can be taken back here."""
        return ONLY_WATCHED

    def refuse(self, why: Refused) -> None:
        """Do nothing: no screen enters anything here."""

    def cue(self, output: int, ms: int) -> bool:
        """Return False: the board is connected to another companion."""
        return False

    def unsaved(self, timeout_s: float = 0.0) -> Unsaved:
        """Return nothing: the companion that plays saves the record."""
        return Unsaved()

    def tick(self) -> None:
        """Do nothing: no proposal waits here."""

    def next_look_s(self) -> float | None:
        """Return None: nothing waits for a time here."""
        return None

    # -- what would change the record

    def _refuse(self, *_: object, **__: object) -> None:
        with self._lock:
            number = 1 if self._notice is None else self._notice.number + 1
            self._notice = Notice(number, ONLY_WATCHED, refused=True)
        self.publish()

    do = take_back = enter = amend = insert = correct = set_level = set_board = _refuse
    take_proposals = allow_entries = accept = _refuse
