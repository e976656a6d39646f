"""How a game of one's own goes on after its record was lost: by its rounds, turns and scores as last shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from companion.games.own.rules import facts as f, fold
from companion.games.own.rules.model import State
from companion.rules.continuing import Continuation, LastShown
from companion.rules.facts import Fact, Refused

_MOST_STEPS = 1000  # a file may have rounds that neither of these ends can close


def _rounds(state: State, shown: LastShown) -> Iterator[Fact]:
    """Yield the ends of turns and rounds that lead to the round last shown."""
    for _ in range(_MOST_STEPS):
        if len(state.closed) >= shown.rounds:
            return
        step = _next_step(state)
        if step is None:
            return
        fact, state = step
        yield fact


def _now(state: State, shown: LastShown) -> Iterator[Fact]:
    """Yield the ends of turns that lead to the turn last shown, unless they would end the round."""
    rounds = len(state.closed)
    for _ in state.setup.seats:
        if state.turn in shown.turn or not shown.turn or not state.turn:
            return
        try:
            state = fold.apply(state, f.TurnEnds(), 1)
        except Refused:
            return
        if len(state.closed) != rounds:
            return
        yield f.TurnEnds()


def _next_step(state: State) -> tuple[Fact, State] | None:
    """Return the end of a round if the table may end it, else that of a turn, with the state after
    it; None if neither can be."""
    known = f.facts_of(state.says)
    steps: tuple[Fact, ...] = (f.RoundEnds(), f.TurnEnds())
    for fact in steps:
        if fact.kind in known:
            with suppress(Refused):
                return fact, fold.apply(state, fact, 1)
    return None


CONTINUATION = Continuation(
    rounds=_rounds,
    now=_now,
    lost="Lost: what the scores were counted from, secret numbers, and the clock. Where the end of the game asks for a "
    "count, enter that again.",
)
