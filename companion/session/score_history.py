"""The history of the scores: the score of each seat after each fact that changed one. Pure."""

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
    history = [*timeline.history()]
    states_after = [before for _, before in history[1:]]
    if history:
        states_after.append(timeline.state)
    last_scores: dict[SeatId, int] = dict(game.standings(game.start(setup)))
    steps: list[ScoreStep] = []
    for (entry, before), after in zip(history, states_after, strict=True):
        if after is before:  # taken back, or a fact that changed nothing
            continue
        scores = last_scores | dict(game.standings(after))
        if scores == last_scores:
            continue
        changed: list[tuple[SeatId, int, int]] = []
        for seat, score in scores.items():
            score_before = last_scores.get(seat, 0)
            if score != score_before:
                changed.append((seat, score_before, score))
        text = game.describe(before, game.parse(entry.kind, entry.body))
        number = entry.n - bisect_right(private, entry.n)
        steps.append(ScoreStep(entry.n, text, tuple(changed), scores, number))
        last_scores = scores
    return tuple(steps)
