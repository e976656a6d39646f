"""How SkyFire goes on where its record is lost: so many rounds are over, and it is somebody's turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.skyfire.rules import facts as f
from companion.rules.continuing import REASON, Continuation, LastShown
from companion.rules.facts import Fact


def _rounds(_state: Any, shown: LastShown) -> Iterator[Fact]:
    """The rounds that are over, without points: the scores come after them."""
    for _ in range(shown.rounds):
        yield f.Deal()
        yield f.RoundEnd(seats=(), reason=REASON)


def _now(_state: Any, shown: LastShown) -> Iterator[Fact]:
    if not shown.playing:
        return
    yield f.Deal()
    for seat in shown.out:
        if seat not in shown.left:
            yield f.Override(seat=seat, status="out", reason=REASON)
    for seat in shown.turn:
        yield f.Turn(seat=seat, reason=REASON)


CONTINUATION = Continuation(
    rounds=_rounds,
    now=_now,
    lost="Lost: who won the rounds before, the cards that lie in the zones, the target, and private notes. Enter the "
    "cards of this round again, or end it by the table's word.",
)
