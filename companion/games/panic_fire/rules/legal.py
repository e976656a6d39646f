"""The facts the rules allow in a state, for random play and for checks."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.panic_fire.rules import facts as f
from companion.games.panic_fire.rules.model import Pull, State
from companion.games.panic_fire.rules.standings import outcome
from companion.rules.common import Pause, Unpause
from companion.rules.game import Fact


def candidates(state: State) -> Iterator[Fact]:
    """Yield facts that the rules may allow now.

    The table's own words (`override`, `round_end` outside PF-R5, `score_set`, who comes, goes or changes) are always
    possible and so not among them.
    """
    yield from (f.Fire(), f.Shot(), f.DryPull(), f.Knock(), f.Illegal(), f.Legal())
    yield from (f.ShieldHand(), f.StalemateDraw(), f.Reshuffle(), Pause(), Unpause())
    yield from (f.Match(basis=basis) for basis in ("shooter", "target", "both", "unknown"))
    yield from (f.TieBreak(order=order) for order in ("as_stamped", "swapped", "both"))
    for seat in state.setup.seats:
        yield from (f.Draw(seat=seat.id), f.Target(seat=seat.id), f.Shooter(seat=seat.id))
        yield from (f.ShieldInPlay(seat=seat.id, present=present) for present in (True, False))
    if state.current is not None:
        pulls = [item for item in state.current.happenings if isinstance(item, Pull) and item.cause != "shot"]
        yield from (f.Promote(entry=pull.entry) for pull in pulls)
        if outcome(state.current, state.options).status == "table":
            yield from (f.RoundEnd(seat=seat) for seat in (None, *state.current.players))
