"""What players of a demo are made of: steps of hands, and what they then wait to see."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from companion.guard import GUARD_US, TOO_SOON
from companion.table import Table
from firmware_protocol.virtual.client import VirtualBoard

HOLD_MS = 700  # longer than the hold time of 600 ms, as a person holds
TAP_MS = 80
TRIES = 5
LIFT_S = 0.03  # until the finger is off and the contact has settled

See = Callable[[Any], bool]
"""Whether a view of the game shows what was done."""


@dataclass(frozen=True, slots=True)
class Step:
    """What the players do next and how long their hands need for it, what they then wait to see on the screen, and how
    long they rest after it."""

    do: Callable[[], object]
    until: See
    wanted: str
    rest_s: float
    takes_s: float = 0.2


@dataclass(slots=True)
class Troupe:
    """People at a table with a board: a script of steps for a whole game, another one for each seed."""

    board: VirtualBoard
    table: Table
    random: Random

    game: ClassVar[str]
    seats: ClassVar[tuple[str, ...]]
    options: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def components(cls) -> Mapping[str, Any]:
        """Return the box they play with, see `Setup`; the packaged one."""
        return {}

    def steps(self) -> Iterator[Step]:
        """Yield steps until the game is over."""
        raise NotImplementedError

    def look(self) -> Any:
        """The game's view, as everybody at the table sees it."""
        return self.table.view().game

    def hold(self, channel: str, until: See, wanted: str) -> Step:
        """Hold a button."""
        rest_s = self.random.uniform(0.4, 1.5)
        return Step(lambda: self.board.press(channel, HOLD_MS), until, wanted, rest_s, HOLD_MS / 1000 + LIFT_S)

    def tap(self, channel: str, until: See, wanted: str, hold_ms: float = TAP_MS, rest_s: float = 0.6) -> Step:
        """Tap a button."""
        takes_s = hold_ms / 1000 + LIFT_S
        return Step(lambda: self.board.press(channel, hold_ms), until, wanted, rest_s, takes_s)

    def key(self, word: str, until: See, wanted: str) -> Step:
        """Press the key of an action of the game, and again where its meaning had only just changed."""
        action = f"{self.game}.{word}"
        return Step(lambda: self._press(action), until, wanted, self.random.uniform(0.3, 0.8))

    def _press(self, action: str) -> None:
        for _ in range(TRIES):
            before = self.table.view().notice
            self.table.do(action)
            notice = self.table.view().notice
            if notice is None or notice == before or not notice.text.startswith(TOO_SOON):
                return
            time.sleep(GUARD_US / 1e6)

    def enter(self, kind: str, body: Mapping[str, Any], until: See, wanted: str) -> Step:
        """Enter a fact on the screen."""
        return Step(lambda: self.table.enter(kind, body), until, wanted, self.random.uniform(0.2, 0.5))


def zone(place: int) -> str:
    """Return the channel of zone button number `place`, from 0."""
    return f"zone-{place + 1}"
