"""A move of an AI as data: what it does with which piece where, and how that was decided."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.fractured_sky.rules.board import Card
from companion.games.fractured_sky.rules.public import PlayerId


@dataclass(frozen=True, slots=True)
class Reason:
    """A step of a decision: the clause, what it looked at in words, and the candidates it left."""

    clause: str
    text: str
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """The move of `ai` by `card`.

    `target` is a region's id, a platform's, or the number of a Hidden card; None while the table has to say which it is
    (of `ask`, or any where that is empty), and where the card cannot be done (`impossible` says why). `candidates` are
    all places the card allows; the last of `reasons` decided. `star` is the compass star that settled a tie. `compass`
    is the place, among `compass_cards`, of the card whose stars would settle what is asked; None where none would.
    """

    ai: PlayerId
    card: Card
    candidates: tuple[str, ...] = ()
    target: str | None = None
    ask: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    impossible: str = ""
    star: str = ""
    compass: int | None = None

    @property
    def clause(self) -> str:
        """The clause that decided."""
        return self.reasons[-1].clause if self.reasons else "FS-34"
