"""What may be possible now, for whoever plays at random; what `apply` refuses is left out elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.drills.rules import facts as f
from companion.games.drills.rules.model import State
from companion.rules.game import Fact


def candidates(state: State) -> Iterator[Fact]:
    """Yield the facts of a string, in the order in which they come."""
    string = state.current
    if string is None:
        yield f.DryPull()
        yield from (f.Ready(seat=seat) for seat in state.still_to_come)
        return
    yield f.Stop()
    if string.delay_ms is None:
        yield f.Delay(ms=state.options.numbers["least_delay_ms"])
    elif not string.by:
        yield f.Signal(by="lamp")
    yield f.Shot()
    yield from (f.Plate(seat=seat) for seat in string.players)
