"""A record put together from rows of any origin: what follows from what, and where something is lost between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from companion.journal.mark import HighWater
from companion.journal.record import FIRST_DIGEST, MOST_LOST, Gap, Row, chain, unseal

Place = tuple[int, bytes]
"""The number and the digest of an entry."""


class Pieces:
    """Rows that verify: the digest of each is that of its record behind a digest that was found.

    `loose` are digests whose records are damaged; `own` are rows of the session's own file, `others` those of files
    beside it, which count only if they have an entry with it in common, or it has none.
    """

    def __init__(self, own: Iterable[Row], others: Iterable[Iterable[Row]], loose: AbstractSet[bytes]) -> None:
        rows = list(own)
        self._own = {(row.n, row.digest) for row in rows}
        for other in others:
            found = list(other)
            if not rows or any((row.n, row.digest) in self._own for row in found):
                rows += found
        digests: dict[int, set[bytes]] = {0: {FIRST_DIGEST}}
        for row in rows:
            digests.setdefault(row.n, set()).add(row.digest)
        self._parents: dict[Place, bytes] = {}  # the digest of the entry before
        self._rows: dict[Place, Row] = {}
        for row in rows:
            place = row.n, row.digest
            if place not in self._rows:
                parent = _parent(row, digests.get(row.n - 1, set()), loose)
                if parent is not None:
                    self._rows[place], self._parents[place] = row, parent

    def record(self, mark: HighWater | None, why: str) -> tuple[Row | Gap, ...]:
        """Return the record: the pieces that do not contradict each other, the one that the mark knows first, then what
        the session's own file has most of, then the longest; with the gaps between them, and the one behind them that
        the mark tells of. `why` is what is said of new gaps."""
        taken: dict[int, Place] = {}
        marked = None if mark is None else (mark.n, mark.digest)
        pieces = sorted(self._pieces(), key=lambda piece: self._rank(piece, marked), reverse=True)
        for piece in pieces:
            self._take(piece, taken)
        return tuple(self._with_gaps([self._rows[taken[n]] for n in sorted(taken)], mark, why))

    def from_others(self, rows: Iterable[Row | Gap]) -> int:
        """Return how many of `rows` the session's own file does not have."""
        return sum(isinstance(row, Row) and (row.n, row.digest) not in self._own for row in rows)

    def _pieces(self) -> Iterator[list[Place]]:
        """Each longest chain of entries, its last entry first."""
        followed = {(n - 1, parent) for (n, _), parent in self._parents.items()}
        for tip in self._rows.keys() - followed:
            piece, place = [], tip
            while place in self._rows:
                piece.append(place)
                place = place[0] - 1, self._parents[place]
            yield piece

    def _rank(self, piece: Sequence[Place], marked: Place | None) -> tuple[bool, int, int]:
        return marked in piece, sum(place in self._own for place in piece), len(piece)

    def _take(self, piece: Sequence[Place], taken: dict[int, Place]) -> None:
        following = taken.get(piece[0][0] + 1)
        if following is not None and self._parents[following] != piece[0][1]:
            return
        new = []
        for place in piece:
            standing = taken.get(place[0])
            if standing == place:
                break
            if standing is not None:
                return
            new.append(place)
        else:
            before = taken.get(piece[-1][0] - 1)
            if before is not None:  # it has that number, and yet this does not follow from it
                return
        taken.update((place[0], place) for place in new)

    def _with_gaps(self, rows: Sequence[Row], mark: HighWater | None, why: str) -> Iterator[Row | Gap]:
        last = 0
        wall = unseal(rows[0].record, b"").wall if rows else ""
        for row in rows:
            if row.n > last + 1:
                yield Gap(last + 1, row.n - 1, self._parents[row.n, row.digest], wall, why)
            yield row
            last = row.n
            wall = unseal(row.record, b"").wall
        if rows and mark is not None and last < mark.n <= last + MOST_LOST:
            yield Gap(last + 1, mark.n, mark.digest, wall, why)


def _parent(row: Row, digests: AbstractSet[bytes], loose: AbstractSet[bytes]) -> bytes | None:
    for known in (digests, loose if row.n > 1 else ()):
        for digest in known:
            if chain(digest, row.record) == row.digest:
                return digest
    return None
