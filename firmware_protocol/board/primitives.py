"""The counter and the memory that the hardware writes, for type checkers only; never loaded on the board."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol, overload

Ticks = Callable[[], int]


class Words(Protocol):
    """A memoryview of unsigned words, as the hardware writes them."""

    @overload
    def __getitem__(self, at: int, /) -> int:
        """Return a word."""

    @overload
    def __getitem__(self, at: slice, /) -> "Words":
        """Return a part, which shares the memory of the whole."""

    def __iter__(self) -> "Iterator[int]":
        """Yield each word."""

    def __setitem__(self, at: Any, value: Any, /) -> None:
        """Write a word, or a part."""
