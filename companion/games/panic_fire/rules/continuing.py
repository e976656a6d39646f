"""Continue a game of Panic Fire whose record is lost: the Bullet cards tell which round it is (PF-17)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.panic_fire.rules import facts as f
from companion.rules.continuing import REASON, Continuation, LastShown
from companion.rules.facts import Fact


def _now(_state: Any, shown: LastShown) -> Iterator[Fact]:
    """Yield facts that reopen the current round: it began at an unknown time, and these seats are out."""
    if not shown.playing:
        return
    yield f.Fire()
    for seat in shown.out:
        if seat not in shown.left:
            yield f.Override(seat=seat, status="out", reason=REASON)


CONTINUATION = Continuation(
    now=_now,
    lost="Lost: the draws, shots and Shields of this round, the cards left in the piles, and who dealt.",
)
