"""Strings of a drill as a board would stamp them."""

from __future__ import annotations

from typing import Any

from companion.games.drills.rules import facts as f
from companion.games.drills.rules.game import GAME
from companion.games.drills.rules.model import State
from companion.rules.facts import Fact, Moment, Setup
from companion.rules.seats import seats_from_names

CLOCK = "board-5f3a"
LAMP_PM = 100
DELAY_MS = 2500


def at(us: int, pm: int = 2, clock: str = CLOCK) -> Moment:
    return Moment(us=us, pm=pm, clock=clock)


def started(*names: str, **options: str) -> State:
    setup = Setup("drills", GAME.rules_version, seats_from_names(names or ("Ada", "Bo")), options)
    state: State = GAME.start(setup)
    return state


def after(state: State, *facts: Fact) -> State:
    for fact in facts:
        state = GAME.advance(state, fact, len(state.strings) + 2)
    return state


def lit(seat: str, from_us: int) -> tuple[Fact, ...]:
    """Enter a player ready at a moment, the delay, and the lamp at `zero(from_us)`."""
    return (
        f.Ready(seat=seat, at=at(from_us)),
        f.Delay(ms=DELAY_MS, at=at(from_us)),
        f.Signal(by="lamp", at=at(zero(from_us), LAMP_PM)),
    )


def zero(from_us: int) -> int:
    return from_us + DELAY_MS * 1000 + 700


def string(seat: str, from_us: int, *after_us: int) -> tuple[Fact, ...]:
    """Enter a string with shots at these times after the lamp."""
    return (*lit(seat, from_us), *(f.Shot(at=at(zero(from_us) + us)) for us in after_us))


def view(state: State) -> Any:
    return GAME.view(state, "table")
