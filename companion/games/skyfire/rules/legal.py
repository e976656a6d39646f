"""The facts the rules allow in a state, for random play and for checks."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.skyfire.rules import facts as f
from companion.games.skyfire.rules.flow import still_open
from companion.games.skyfire.rules.model import State
from companion.games.skyfire.rules.standings import open_targets
from companion.rules.common import Pause, Unpause
from companion.rules.game import Fact


def candidates(state: State) -> Iterator[Fact]:
    """Yield facts that the rules may allow now.

    What is always possible is not among them: the table's word, people who come and go, and what somebody notes or
    enters of cards seen.
    """
    yield from (f.Deal(), f.Misfire(), f.Satisfied(satisfied=True), f.Satisfied(satisfied=False))
    yield from (f.Direction(clockwise=not state.clockwise), Pause(), Unpause())
    current = still_open(state)
    if current is None:
        return
    for zone in range(1, len(current.zones) + 1):
        yield from (f.Place(zone=zone), f.Launch(zone=zone))
    yield from (f.First(seat=seat) for seat in current.players if seat != current.first)
    if current.target is None:
        yield from (f.Target(card=face.name) for face in open_targets(state) if face.name and face.symbols)
