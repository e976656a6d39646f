"""How the scores came about: after which fact each seat had how much. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.journal.entries import Entry
from companion.rules.game import Game, SeatId, Setup
from companion.session.readings import timeline_of


@dataclass(frozen=True, slots=True)
class ScoreStep:
    """A fact, entry `n`, after which scores differ from those before; `changed` has each seat's score before and after,
    `scores` all of them after it, in the order of `ScoreHistory.seats`."""

    n: int
    text: str
    changed: tuple[tuple[SeatId, int, int], ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScoreHistory:
    """The seats that ever sat at the table, and each change of their scores in fold order."""

    seats: tuple[SeatId, ...]
    steps: tuple[ScoreStep, ...]


def score_history_of(game: Game[Any], setup: Setup, entries: Sequence[Entry]) -> ScoreHistory:
    """Fold the record and return where its scores changed. What stands now is the last step; who has not sat down yet
    has 0 points. A long record takes a while."""
    timeline = timeline_of(game, setup)
    timeline.extend(entries)
    states = [*timeline.history()]
    after = [*(before for _, before in states), timeline.state][1:]
    known: dict[SeatId, int] = dict(game.standings(game.start(setup)))
    found: list[tuple[Entry, Any, dict[SeatId, int], dict[SeatId, int]]] = []
    for (entry, before), state in zip(states, after, strict=True):
        scores = known if state is before else known | dict(game.standings(state))
        if scores != known:
            found.append((entry, before, known, scores))
        known = scores
    return ScoreHistory(tuple(known), tuple(_step(game, tuple(known), *each) for each in found))


def _step(
    game: Game[Any], seats: Sequence[SeatId], entry: Entry, before: Any, old: dict[SeatId, int], new: dict[SeatId, int]
) -> ScoreStep:
    changed = tuple((seat, old.get(seat, 0), new[seat]) for seat in new if old.get(seat, 0) != new[seat])
    text = game.describe(before, game.parse(entry.kind, entry.body))
    return ScoreStep(entry.n, text, changed, tuple(new.get(seat, 0) for seat in seats))
