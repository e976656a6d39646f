"""The end of a game as everybody at the table reads it: who won, by how much, and what decided it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.rules.columns import listed
from companion.rules.ending import GameResult, ScoresAfter, TimesAtEnd, counted, decided_by, leading
from companion.rules.game import Game


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game.

    `winners` are ids, none if it was `abandoned`; `headline` and `decided` are a sentence each: who won, and what
    decided it. `after` are the scores after each round, `revealed` says what the end revealed of players,
    `lowest_wins` that the fewest points are the best. `times` are those of a timed game, whose headline has no points.
    `round` is the game's word for one.
    """

    winners: tuple[str, ...]
    headline: str
    decided: str
    after: ScoresAfter = ()
    abandoned: bool = False
    revealed: Mapping[str, str] = field(default_factory=dict)
    lowest_wins: bool = False
    times: TimesAtEnd | None = None
    round: str = "round"


def ending_of(game: Game[Any], state: Any, unit: str) -> Ending | None:
    """Return how the game ended, with scores counted in `unit` (`points`); None while it goes on."""
    common = game.common(state)
    if not game.ended(state):
        return None
    result = result_of(game, state)
    if common.abandoned is not None:
        why = f": {common.abandoned}" if common.abandoned else ""
        return Ending(
            (),
            "The game was ended early",
            f"Nobody has won{why}.",
            result.after,
            abandoned=True,
            times=result.times,
            round=result.round,
        )
    names = {seat.id: seat.name for seat in common.setup.seats} | dict(result.others)
    scores = dict(game.standings(state))
    if result.after:  # it may also have players without a seat
        scores.update(result.after[-1][1])
    playing = [seat.id for seat in common.playing]
    headline = _headline(result, playing, scores, names, unit)
    rivals = {player: score for player, score in scores.items() if player not in common.left}
    return Ending(
        result.winners,
        headline,
        result.tie_break or decided_by(result, rivals, names, unit),
        result.after,
        revealed=result.revealed,
        lowest_wins=result.lowest_wins,
        times=result.times,
        round=result.round,
    )


def _headline(
    result: GameResult,
    playing: list[str],
    scores: Mapping[str, int],
    names: Mapping[str, str],
    unit: str,
) -> str:
    """Return who won, with their score if it is the same for all winners; for a lone player who lost, to whom."""
    winners = result.winners
    if not winners:
        return "The game is over"
    won = listed(names[player] for player in winners)
    if len(winners) > 1:
        verb = "share the victory"
    elif len(names) > 1:
        verb = "wins"
    else:  # nobody to win against
        verb = "finished"
    if result.times is not None or not scores:
        return f"{won} {verb}"
    score = counted(scores[winners[0]], unit)
    if len(playing) == 1 and playing[0] not in winners:
        loser = playing[0]
        return f"{names[loser]} lost to {won}, {scores[loser]} to {score}"
    if len({scores[player] for player in winners}) > 1:
        return f"{won} {verb}"
    return f"{won} {verb} with {score}"


def result_of(game: Game[Any], state: Any) -> GameResult:
    """Return the result of a game; if it declares none, the highest score of the players who stayed wins."""
    if game.result is not None:
        return game.result(state)
    if not game.over(state):
        return GameResult(())
    left = game.common(state).left
    scores = {seat: score for seat, score in game.standings(state).items() if seat not in left}
    return GameResult(leading(scores))
