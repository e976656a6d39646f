"""A cursor on a list of numbered entries that grows while it is read."""

from __future__ import annotations

from collections.abc import Sequence


class Cursor:
    """Stays on its entry while others come and go; at the end of the list it follows the newest.

    `chosen` is the number of its entry, None while the list is empty.
    """

    def __init__(self) -> None:
        self.chosen: int | None = None
        self.following = True
        self._numbers: Sequence[int] = ()

    @property
    def place(self) -> int:
        """The index of the cursor's entry in the list, 0 while that is empty."""
        return 0 if self.chosen is None else self._numbers.index(self.chosen)

    def take(self, numbers: Sequence[int]) -> bool:
        """Set the present list; return whether the cursor is now on another entry."""
        before, old_place = self.chosen, self.place
        self._numbers = numbers
        if not numbers:
            self.chosen = None
        elif self.following:
            self.chosen = numbers[-1]
        elif self.chosen not in numbers:
            self.chosen = numbers[min(old_place, len(numbers) - 1)]
        return self.chosen != before

    def go(self, place: int) -> None:
        """Move to an index, clamped to the list; at the last entry the cursor follows from now on."""
        if self._numbers:
            place = max(0, min(place, len(self._numbers) - 1))
            self.chosen = self._numbers[place]
            self.following = place == len(self._numbers) - 1


def window(place: int, count: int, height: int, top: int) -> int:
    """Return the first of `height` rows of `count` to show, so that row `place` is visible.

    It moves as little from `top` as possible.
    """
    top = min(max(top, place - height + 1), place)
    return max(0, min(top, count - height))
