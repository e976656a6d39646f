"""Facts that wait for somebody's yes, one at a time, each for ten seconds. Pure: the time is passed in.

Nothing of them is in the record: after a crash the evidence is read again, and the fact proposed again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from companion.rules.game import Fact
from companion.session.views import Proposal

PROPOSAL_US = 10_000_000  # long enough to look up from the cards and read a line


@dataclass(frozen=True, slots=True)
class Proposed:
    """A fact that would be recorded, the evidence it rests on, and its public sentence; no two share a number."""

    number: int
    fact: Fact
    causes: tuple[int, ...]
    text: str


class Proposals:
    """First come, first asked. The ten seconds of a proposal begin when it is the one that is shown."""

    def __init__(self) -> None:
        self._waiting: deque[Proposed] = deque()
        self._shown_us = 0
        self._count = 0

    @property
    def shown(self) -> Proposed | None:
        """The proposal that can be answered now."""
        return self._waiting[0] if self._waiting else None

    def put(self, fact: Fact, causes: tuple[int, ...], text: str, now_us: int) -> None:
        """Propose one more."""
        if not self._waiting:
            self._shown_us = now_us
        self._count += 1
        self._waiting.append(Proposed(self._count, fact, causes, text))

    def take(self, now_us: int) -> Proposed:
        """Remove the one that is shown, answered or not, and return it; raise `IndexError` when there is none."""
        self._shown_us = now_us
        return self._waiting.popleft()

    def expired(self, now_us: int) -> bool:
        """Return whether the time of the one that is shown is up."""
        return bool(self._waiting) and self._left_us(now_us) == 0

    def view(self, now_us: int) -> Proposal | None:
        """Return what a screen shows of them."""
        if not self._waiting:
            return None
        return Proposal(self._waiting[0].text, self._left_us(now_us) / 1e6, len(self._waiting) - 1)

    def _left_us(self, now_us: int) -> int:
        return max(0, self._shown_us + PROPOSAL_US - now_us)
