"""What the marshal screen shows: the evidence as a time line beside the facts that were made of it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.base import Moment
from companion.gestures import Settings
from companion.views import Level


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """One thing the board said: entry `n`, the channel and what it did (`trigger down`, `hit, peak 212, below
    threshold`), when, and which facts or answers rest on it (numbers of entries); none: nothing was made of it."""

    n: int
    channel: str
    text: str
    at: Moment | None
    read_in: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RulingLine:
    """One fact, or evidence that was not counted (`kind` is `ignored`), in fold order.

    `problem` is the clause it breaks and why, where it makes no sense any more; `why` and `who` say why it was taken
    back or put in, and who did it. `body` is what an amendment starts from. `original` is the fact it stands in for.
    """

    n: int
    kind: str
    body: Mapping[str, Any]
    text: str
    at: Moment | None
    causes: tuple[int, ...]
    stands: bool
    problem: str | None = None
    who: str = ""
    why: str = ""
    original: int | None = None


@dataclass(frozen=True, slots=True)
class MarshalView:
    """The evidence in the board's order, the rulings in fold order, how the evidence is read now, and how each kind of
    step (by its name) is done."""

    evidence: tuple[EvidenceLine, ...]
    rulings: tuple[RulingLine, ...]
    settings: Settings
    levels: Mapping[str, Level]
