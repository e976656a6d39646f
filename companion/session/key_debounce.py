"""The guard of the keys: a key whose meaning just changed without the keyboard's doing waits a moment. Pure.

Somebody decides for a key by what is on the screen, and presses it a quarter of a second later. What the board, the
clock or a question put there in between is not what they meant.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.rules.actions import PRESS

S = TypeVar("S")

GUARD_US = 300_000  # as long as a person needs from seeing to pressing
TOO_SOON = "What this key means changed just now, so nothing was done; "
AGAIN = f"{PRESS} again for: "


@dataclass(frozen=True, slots=True)
class _Turn(Generic[S]):
    at_us: int
    before: S
    after: S


class KeyDebounce(Generic[S]):
    """Remembers for `guard_us` what turned by itself: `S` is all that a key's meaning is found from. Time is passed in,
    in microseconds of one clock that never goes back."""

    def __init__(self, guard_us: int = GUARD_US) -> None:
        self._guard_us = guard_us
        self._turns: deque[_Turn[S]] = deque()

    def turned(self, at_us: int, before: S, after: S) -> None:
        """Note a change that no key made."""
        self._forget(at_us)
        self._turns.append(_Turn(at_us, before, after))

    def holds(self, now_us: int, now: S, meaning: Callable[[S], object]) -> bool:
        """Return whether the key with this `meaning` (None: nothing) is to wait: what it means now came to be less than
        `guard_us` ago, and by no key. What a key changed since then is meant."""
        self._forget(now_us)
        if not self._turns:
            return False
        means = meaning(now)
        return means is not None and any(meaning(turn.before) != means == meaning(turn.after) for turn in self._turns)

    def _forget(self, now_us: int) -> None:
        while self._turns and now_us - self._turns[0].at_us >= self._guard_us:
            self._turns.popleft()
