"""A growing record as those are told of it who see the game a while later: what was taken back within that while is not
in it.

What is left out depends on the entries and their wall clocks alone, so that every run and every reader leaves out the
same. In the place of each stands an entry that says nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from companion.journal.entries import Control, Draft, Entry, Layer, as_entry, is_control, steps_of
from companion.journal.fold import FoldOrder
from companion.rules.facts import Setup
from companion.rules.game import Game
from companion.session.clocks import unix_time_of
from companion.session.projection import SessionProjection

SETTLE_S: Final = 1.0
"""Seconds more until an entry is told, for those before it that are on their way to the disk."""
_SAYS_WHY: Final = (Control.REMARK, Control.CONSENT)


class HeldRecord:
    """What of `source` may be told, `delay_s` after it happened. It is used by one thread at a time."""

    def __init__(
        self,
        source: Sequence[Entry],
        saved: Callable[[], int],
        delay_s: float,
        *,
        unix_time: Callable[[], float] = time.time,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """`saved` returns how many entries of `source` are on the disk."""
        self._source, self._saved = source, saved
        self._delay_s = delay_s
        self._unix_time, self._clock_s = unix_time, clock_s
        self._due: list[float] = []  # of each entry that was seen, when it may be told
        self._walls: list[float] = []
        # of the entries that came within the delay of the one that is told next
        self._ahead = FoldOrder()
        self._looked = 0
        self._held: dict[
            int, int
        ] = {}  # entry that was left out -> the one whose taking back began it
        self.entries: list[Entry] = []
        """What was told so far; entry `n` at index `n - 1`."""

    def take(self) -> Iterator[bool]:
        """Take in what may be told by now, step by step; yield behind each whether it brings back what was left out:
        then older entries in `entries` are others than before."""
        self._see()
        now = self._clock_s()
        for step in steps_of(self._source[at] for at in range(len(self.entries), len(self._due))):
            if step[0].n > 1 and self._due[step[0].n - 1] > now:
                return
            restored = [self._tell(entry) for entry in step]
            yield any(restored)

    @property
    def wait_s(self) -> float | None:
        """Seconds until the next entry that was seen may be told; None where there is none."""
        shown = len(self.entries)
        return max(0.0, self._due[shown] - self._clock_s()) if shown < len(self._due) else None

    def _see(self) -> None:
        """Note when what came since may be told: by the wall clock how long ago it was, from now on by the monotonic
        one, which nobody sets."""
        clock, now = self._clock_s(), self._unix_time()
        whole = self._delay_s + SETTLE_S
        for at in range(len(self._due), self._saved()):
            wall = unix_time_of(self._source[at])
            self._walls.append(wall)
            self._due.append(clock + min(max(wall + whole - now, 0.0), whole))

    def _tell(self, entry: Entry) -> bool:
        self._look_ahead(self._walls[entry.n - 1] + self._delay_s)
        brought_back = self._brings_back(entry)
        if entry.n in self._held:
            entry = _nothing(entry)
        self.entries.append(entry)
        return brought_back

    def _look_ahead(self, until: float) -> None:
        while self._looked < len(self._walls) and (
            self._looked <= len(self.entries) or self._walls[self._looked] <= until
        ):
            self._ahead.add(self._source[self._looked])
            self._looked += 1

    def _brings_back(self, entry: Entry) -> bool:
        """Leave the entry out if that is its lot; return whether it brings back what was left out before."""
        if is_control(entry, *_SAYS_WHY):
            named = (entry.body.get("entry"), *entry.body.get("entries", ()))
            root_of_named = next((self._held[n] for n in named if n in self._held), None)
            if root_of_named is not None:
                self._held[entry.n] = root_of_named
        void = is_control(entry, Control.VOID)
        if not void and entry.layer is not Layer.FACT:
            return False
        root = self._held.get(entry.body["entry"]) if void else None
        if root is None:
            if not self._ahead.stands(entry.n):
                self._held[entry.n] = entry.n
            return False
        if not (self._ahead.stands(root) and self._ahead.stands(entry.n)):
            self._held[entry.n] = root
            return False
        for n in [n for n, began in self._held.items() if began == root]:
            del self._held[n]
            self.entries[n - 1] = self._source[n - 1]
        return True


def _nothing(entry: Entry) -> Entry:
    """A remark about no entry, in the place of one that was left out."""
    empty = Draft(
        Layer.CONTROL, Control.REMARK, {"entries": (), "why": "", "who": ""}, joined=entry.joined
    )
    return as_entry(empty, entry.n)._replace(wall=entry.wall, digest=entry.digest, salt=entry.salt)


class HeldProjection:
    """What the record of a session came to a while ago, see `HeldRecord`. It is used by one thread at a time."""

    def __init__(self, game: Game[Any], setup: Setup, held: HeldRecord) -> None:
        self._game, self._setup, self.held = game, setup, held
        self.record = self._read()
        """What stood then; another one after a `look` that brought back what had been left out."""
        self.look()

    def look(self) -> None:
        """Take in what may be shown by now."""
        shown = len(self.held.entries)
        # every step is taken, also behind the first that brings something back
        if any([*self.held.take()]):
            self.record = self._read()
        else:
            self.record.extend(self.held.entries[shown:])

    def _read(self) -> SessionProjection:
        return SessionProjection(self._game, self._setup, self.held.entries)
