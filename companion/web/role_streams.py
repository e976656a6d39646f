"""The places for streams of pages of roles, beside those of everybody else, who takes none of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from companion.web.codes import MOST_ROLES

MOST_STREAMS = MOST_ROLES
"""One for each role that can be given out."""


@dataclass(slots=True, eq=False)
class Place:
    """A place that a stream has; it ends when the place `is_lost`."""

    code: str
    is_lost: bool = False


class RolePlaces:
    """Gives places to streams, so that each code can have one. The event loop alone uses it, apart from `codes`.

    If all are taken, a stream gets the oldest place of the code that has the most, and `lost` is called; a code that
    has several and the most gets no other. If each has one, it is the place of the same code: its device lost the
    connection, and the server has not noticed yet.
    """

    def __init__(self, lost: Callable[[], object]) -> None:
        self._lost = lost
        self._taken: list[Place] = []  # the oldest first
        self.codes: frozenset[str] = frozenset()
        """The codes that have one."""

    @property
    def open(self) -> int:
        """How many are taken."""
        return len(self._taken)

    def is_full_for(self, code: str) -> bool:
        """Return whether this code gets no place now."""
        counts = Counter(place.code for place in self._taken)
        is_full = len(self._taken) >= MOST_STREAMS
        return is_full and counts[code] > 1 and counts[code] == max(counts.values())

    @contextmanager
    def taken_by(self, place: Place) -> Iterator[None]:
        """Take a place meanwhile."""
        if len(self._taken) >= MOST_STREAMS:
            counts = Counter(other.code for other in self._taken)
            most = max(counts, key=lambda code: (counts[code], code == place.code))
            oldest = next(other for other in self._taken if other.code == most)
            oldest.is_lost = True
            self._taken.remove(oldest)
            self._lost()
        self._taken.append(place)
        self._note_codes()
        try:
            yield
        finally:
            if place in self._taken:
                self._taken.remove(place)
            self._note_codes()

    def _note_codes(self) -> None:
        self.codes = frozenset(place.code for place in self._taken)
