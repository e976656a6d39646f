"""How the scores changed: the score of each seat after each fact that changed one. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.journal.entries import Entry
from companion.journal.hidden_entries import HiddenEntries
from companion.rules.facts import SeatId, Setup, private_kinds
from companion.rules.game import Game
from companion.session.readings import timeline_of


@dataclass(frozen=True, slots=True)
class ScoreStep:
    """A fact, entry `n`, that changed scores. `changed` has (seat, before, after) for each changed
    score, `scores` all scores after the fact, including those of people who left. `number` is the
    one shown for the entry, which does not count private entries."""

    n: int
    text: str
    changed: tuple[tuple[SeatId, int, int], ...]
    scores: Mapping[SeatId, int]
    number: int


ScoreHistory = tuple[ScoreStep, ...]
"""Each change of the scores, in fold order."""


def score_history_of(game: Game[Any], setup: Setup, entries: Sequence[Entry]) -> ScoreHistory:
    """Fold the record and return where its scores changed; the last step has the current ones. A
    seat that has not joined yet has 0 points. A long record takes a while."""
    timeline = timeline_of(game, setup)
    timeline.extend(entries)
    hidden = HiddenEntries(private_kinds(game.facts), lost=False)
    private = [entry.n for entry in entries if hidden.add(entry)]
    states = [*timeline.history()]
    after = [*(before for _, before in states), timeline.state][1:]
    last_scores: dict[SeatId, int] = dict(game.standings(game.start(setup)))
    steps: list[ScoreStep] = []
    for (entry, before), state in zip(states, after, strict=True):
        scores = last_scores if state is before else last_scores | dict(game.standings(state))
        if scores != last_scores:
            scores_by_seat = (
                (seat, last_scores.get(seat, 0), score) for seat, score in scores.items()
            )
            changed = tuple(step for step in scores_by_seat if step[1] != step[2])
            text = game.describe(before, game.parse(entry.kind, entry.body))
            number = entry.n - bisect_right(private, entry.n)
            steps.append(ScoreStep(entry.n, text, changed, scores, number))
        last_scores = scores
    return tuple(steps)
