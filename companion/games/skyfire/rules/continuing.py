"""Continue a game of SkyFire whose record is lost, from the rounds played and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.skyfire.rules import facts as f
from companion.rules.continuing import REASON, Continuation, LastShown
from companion.rules.facts import Fact


def _rounds(_state: Any, last: LastShown) -> Iterator[Fact]:
    """Yield the finished rounds without points; the scores are set afterwards."""
    for _ in range(last.rounds):
        yield f.Deal()
        yield f.RoundEnd(seats=(), reason=REASON)


def _now(_state: Any, last: LastShown) -> Iterator[Fact]:
    if not last.playing:
        return
    yield f.Deal()
    for seat in last.out:
        if seat not in last.left:
            yield f.Override(seat=seat, status="out", reason=REASON)
    for seat in last.turn:
        yield f.Turn(seat=seat, reason=REASON)


CONTINUATION = Continuation(
    rounds=_rounds,
    now=_now,
    lost="Lost: who won the rounds before, the cards that lie in the zones, the target, and private notes. Enter the "
    "cards of this round again, or end it by the table's word.",
)
