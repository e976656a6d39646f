"""A record assembled from rows of any origin: which entry follows which, and where entries are lost
between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set as AbstractSet
from itertools import groupby

from companion.journal.mark import HighWater
from companion.journal.record import (
    FIRST_DIGEST,
    MOST_LOST,
    LostEntries,
    Row,
    StoredEntry,
    chain,
    unseal,
)

Place = tuple[int, bytes]
"""The number and the digest of an entry."""


class Pieces:
    """Rows that verify: the digest of each is that of its record chained to a known digest.

    `own` are the rows of the session's own file, `others` those of files beside it, `loose` digests
    whose records are damaged, `known` the gaps that the record already has. Rows of another file
    count only if it shares an entry with the own file, or the own file has none; and if the other
    file differs from the `mark`, only up to the last shared entry.
    """

    def __init__(
        self,
        own: Iterable[StoredEntry],
        others: Iterable[Iterable[StoredEntry]],
        loose: AbstractSet[bytes],
        known: Iterable[LostEntries],
        mark: HighWater | None,
    ) -> None:
        self._mark = mark
        self._known = {(gap.first, gap.last): gap for gap in known}
        marked = set() if mark is None else {mark.digest}
        loose = loose | marked | {gap.digest for gap in self._known.values()}
        rows = list(own)
        self._own = {(row.n, row.digest) for row in rows}
        for other in others:
            rows += self._usable(list(other))
        digests: dict[int, set[bytes]] = {0: {FIRST_DIGEST}}
        for row in rows:
            digests.setdefault(row.n, set()).add(row.digest)
        self._parents: dict[Place, bytes] = {}  # entry -> the digest of the one before
        self._rows: dict[Place, StoredEntry] = {}
        for row in rows:
            place = row.n, row.digest
            if place not in self._rows:
                parent = _parent(row, digests.get(row.n - 1, set()), loose)
                if parent is not None:
                    self._rows[place], self._parents[place] = row, parent

    def _usable(self, other: Sequence[StoredEntry]) -> list[StoredEntry]:
        """Return the rows of a file beside the session that count; see the class."""
        shared = max((row.n for row in other if (row.n, row.digest) in self._own), default=0)
        if self._own and not shared:
            return []
        mark = self._mark
        for row in other:
            if mark is not None and row.n == mark.n and row.digest != mark.digest:
                return [row for row in other if row.n <= shared]
        return list(other)

    def record(self, why: str) -> tuple[Row, ...]:
        """Return the record with its gaps; `why` is the reason given for new gaps.

        First comes the piece that contains the mark, then those of the session's own file, then
        what the others have between and after them, longer pieces first, as far as nothing
        contradicts what was taken before. The mark may add a gap at the end.
        """
        taken: dict[int, Place] = {}
        pieces = self._pieces(self._rows.keys())
        own = self._pieces(self._rows.keys() & self._own)
        for piece in (*(piece for piece in pieces if self._mark in piece), *own, *pieces):
            self._take(piece, taken)
        return tuple(self._with_gaps([self._rows[taken[n]] for n in sorted(taken)], why))

    def from_others(self, rows: Iterable[Row]) -> int:
        """Return how many of `rows` the session's own file does not have."""
        return sum(
            isinstance(row, StoredEntry) and (row.n, row.digest) not in self._own for row in rows
        )

    def _pieces(self, places: AbstractSet[Place]) -> list[list[Place]]:
        """Return the chains of these entries, the longest first, each from its last entry to its
        first."""
        chains = list[list[Place]]()
        followed = {self._before(place) for place in places}
        for tip in places - followed:
            piece, place = list[Place](), tip
            while place in places:
                piece.append(place)
                place = self._before(place)
            chains.append(piece)
        return sorted(chains, key=lambda piece: (len(piece), piece[0]), reverse=True)

    def _before(self, place: Place) -> Place:
        """Return the entry before one that verifies."""
        return place[0] - 1, self._parents[place]

    def _take(self, piece: Sequence[Place], taken: dict[int, Place]) -> None:
        """Take each run of `piece` whose numbers are free, if it follows from the entry before it,
        and the entry after it follows from it."""
        for is_free, places in groupby(piece, key=lambda place: place[0] not in taken):
            run = list(places)
            after, before = taken.get(run[0][0] + 1), taken.get(run[-1][0] - 1)
            follows = before is None or before == self._before(run[-1])
            if is_free and follows and (after is None or self._before(after) == run[0]):
                taken.update((place[0], place) for place in run)

    def _with_gaps(self, rows: Sequence[StoredEntry], why: str) -> Iterator[Row]:
        last = 0
        wall = unseal(rows[0].record, b"").wall if rows else ""
        for row in rows:
            if row.n > last + 1:
                gap = LostEntries(last + 1, row.n - 1, self._parents[row.n, row.digest], wall, why)
                yield self._known.get((gap.first, gap.last), gap)
            yield row
            last = row.n
            wall = unseal(row.record, b"").wall
        if rows and self._mark is not None and last < self._mark.n <= last + MOST_LOST:
            yield LostEntries(last + 1, self._mark.n, self._mark.digest, wall, why)


def _parent(
    row: StoredEntry, digests: AbstractSet[bytes], loose: AbstractSet[bytes]
) -> bytes | None:
    # Entry 1 follows nothing, so no loose digest can be its predecessor.
    for known in (digests, loose if row.n > 1 else ()):
        for digest in known:
            if chain(digest, row.record) == row.digest:
                return digest
    return None
