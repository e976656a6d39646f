"""A record as it is shown after a delay: what was undone within the delay is not in it.

What is left out depends on the entries and their wall times alone, so every run and every reader leaves out the same.
An entry without content takes the place of each.
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
"""Additional seconds until an entry is shown, for earlier ones that are still being written to the disk."""
_SAYS_WHY: Final = (Control.REMARK, Control.CONSENT)


class HeldRecord:
    """The part of `source` that may be shown, `delay_s` after it happened. One thread at a time uses it."""

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
        self._due: list[float] = []  # when each entry seen may be shown
        self._walls: list[float] = []
        # folds the entries within the delay after the one that is shown next
        self._ahead = FoldOrder()
        self._looked = 0
        # entry left out -> the entry whose undoing began it
        self._held: dict[int, int] = {}
        self.entries: list[Entry] = []
        """Entries shown so far; entry `n` is at index `n - 1`."""

    def take(self) -> Iterator[bool]:
        """Add the entries that may be shown now, step by step. After each step, yield whether it restored entries that
        were left out, which replaces older ones in `entries`."""
        self._see()
        now = self._clock_s()
        for step in steps_of(self._source[at] for at in range(len(self.entries), len(self._due))):
            if step[0].n > 1 and self._due[step[0].n - 1] > now:
                return
            restored = [self._tell(entry) for entry in step]
            yield any(restored)

    @property
    def wait_s(self) -> float | None:
        """Seconds until the next entry seen may be shown, or None if there is none."""
        shown = len(self.entries)
        if shown == len(self._due):
            return None
        return max(0.0, self._due[shown] - self._clock_s())

    def _see(self) -> None:
        """Note when each new entry may be shown: its age comes from the wall clock, and from now on the monotonic clock
        counts, which nobody can set."""
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
        """Leave the entry out if it is undone within the delay; return whether it restores entries left out before."""
        if is_control(entry, *_SAYS_WHY):
            # a remark about an entry that was left out is left out with it
            for n in (entry.body.get("entry"), *entry.body.get("entries", ())):
                if n in self._held:
                    self._held[entry.n] = self._held[n]
                    break
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
        left_out = [n for n, began in self._held.items() if began == root]
        for n in left_out:
            del self._held[n]
            self.entries[n - 1] = self._source[n - 1]
        return True


def _nothing(entry: Entry) -> Entry:
    """Return a remark about no entry, to take the place of one that was left out."""
    empty = Draft(
        Layer.CONTROL, Control.REMARK, {"entries": (), "why": "", "who": ""}, joined=entry.joined
    )
    return as_entry(empty, entry.n)._replace(wall=entry.wall, digest=entry.digest, salt=entry.salt)


class HeldProjection:
    """The projection of a `HeldRecord`. One thread at a time uses it."""

    def __init__(self, game: Game[Any], setup: Setup, held: HeldRecord) -> None:
        self._game, self._setup, self.held = game, setup, held
        self.record = self._read()
        """The projection at that time; replaced when a `look` restores entries that had been left out."""
        self.look()

    def look(self) -> None:
        """Add the entries that may be shown now."""
        shown = len(self.held.entries)
        # a list, not a generator: every step is taken, also after the first that restores something
        if any([*self.held.take()]):
            self.record = self._read()
        else:
            self.record.extend(self.held.entries[shown:])

    def _read(self) -> SessionProjection:
        return SessionProjection(self._game, self._setup, self.held.entries)
