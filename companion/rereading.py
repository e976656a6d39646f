"""The evidence read again with other settings: what would change in facts and score, and what to append. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.base import Game, SeatId, Setup
from companion.gestures import Settings
from companion.journal.entries import Draft, Entry


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: a fact that would be `lost` or `found`, in a sentence, resting on these entries."""

    sign: str
    text: str
    causes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rereading:
    """What another reading would change: facts, scores before and after, and facts that would make no sense any more
    (entry -> why). `drafts` is what to append, as one step; `read_to` is the number of the last entry it knows of."""

    settings: Settings
    changes: tuple[Change, ...]
    before: Mapping[SeatId, int]
    after: Mapping[SeatId, int]
    broken: Mapping[int, str]
    drafts: tuple[Draft, ...]
    read_to: int


def reread(game: Game[Any], setup: Setup, entries: Sequence[Entry], settings: Settings) -> Rereading:
    """Return what reading the evidence of `entries` with `settings` would change. Facts entered by hand, and what
    people took back or amended, stay as they are."""
    raise NotImplementedError
