"""Gestures at a table: the fact that each one records, or why it records none."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from companion.rules.facts import Fact, Refused
from companion.rules.game import Game
from companion.rules.gestures import Gesture

S = TypeVar("S")


class Ignored(NamedTuple):
    """The reason why a gesture is no fact, with the clause."""

    reason: str
    clause: str


def meant(game: Game[S], state: S, gesture: Gesture) -> Fact | Ignored:
    """Return the fact that a gesture stands for, if the rules allow it."""
    try:
        fact = game.interpret(state, gesture)
        game.apply(state, fact, 2)
    except Refused as refusal:
        return Ignored(refusal.reason, refusal.clause)
    return fact
