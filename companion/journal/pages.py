"""The entries of a record that may be longer than memory: the newest are kept, older ones are read
again when needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import overload

from companion.journal.entries import Entry

PAGE = 256  # entries per read
PAGES = 8  # pages of old entries that are cached
# Newest entries kept in memory: at least so many, and once they are saved at most twice as many.
IN_MEMORY = 32 * PAGE

Read = Callable[[int, int], Sequence[Entry]]
"""Reads entries by their first and last number; raises `JournalError`."""


class Entries(Sequence[Entry]):
    """All entries of a record, entry `n` at index `n - 1`.

    It grows at its end, by one thread at a time. Any thread may read; reading old entries raises
    `JournalError` if the disk cannot provide them.
    """

    def __init__(self, read: Read, entries: Iterable[Entry] = ()) -> None:
        self.read = read
        """Reads old entries."""
        # The index of the first one in memory, and those in memory. One tuple, so that a reader in
        # another thread sees both values of the same moment.
        self._newest = 0, list(entries)
        self._page = lru_cache(PAGES)(
            lambda number: self.read(number * PAGE + 1, (number + 1) * PAGE)
        )

    def extend(self, entries: Iterable[Entry]) -> None:
        """Add the next entries of the record."""
        self._newest[1].extend(entries)

    def saved(self, n: int) -> None:
        """Note that entries 1 to `n` can be read again, so that the older of them need not stay in
        memory."""
        start, newest = self._newest
        spare = (min(n, len(self) - IN_MEMORY) - start) // PAGE * PAGE
        if spare >= IN_MEMORY:
            self._newest = (start + spare, newest[spare:])

    def in_memory(self, n: int) -> list[Entry]:
        """Return the newest entries up to number `n` that are in memory."""
        start, newest = self._newest
        return newest[: max(n - start, 0)]

    def __len__(self) -> int:
        start, newest = self._newest
        return start + len(newest)

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> list[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                return self._between(start, stop)
            return [self[at] for at in range(start, stop, step)]
        start, newest = self._newest
        at = index if index >= 0 else index + start + len(newest)
        if at >= start:
            return newest[at - start]
        if at < 0:
            raise IndexError(index)
        return self._page(at // PAGE)[at % PAGE]

    def __iter__(self) -> Iterator[Entry]:
        index = 0
        while page := self[index : index + PAGE]:
            yield from page
            index += len(page)

    def _between(self, index: int, stop: int) -> list[Entry]:
        entries: list[Entry] = []
        start, newest = self._newest
        while index < min(stop, start):
            page, offset = divmod(index, PAGE)
            entries += self._page(page)[offset : offset + stop - index]
            index = (page + 1) * PAGE
        return entries + newest[max(index - start, 0) : max(stop - start, 0)]
