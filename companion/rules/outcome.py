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
    """

    winners: tuple[str, ...]
    headline: str
    decided: str
    after: ScoresAfter = ()
    abandoned: bool = False
    revealed: Mapping[str, str] = field(default_factory=dict)
    lowest_wins: bool = False
    times: TimesAtEnd | None = None


def ending_of(game: Game[Any], state: Any, unit: str) -> Ending | None:
    """Return how the game ended, with scores counted in `unit` (`points`); None while it goes on."""
    common = game.common(state)
    if not game.ended(state):
        return None
    result = result_of(game, state)
    if common.abandoned is not None:
        why = f": {common.abandoned}" if common.abandoned else ""
        told = f"Nobody has won{why}."
        return Ending(
            (), "The game was ended early", told, result.after, abandoned=True, times=result.times
        )
    names = {seat.id: seat.name for seat in common.setup.seats} | dict(result.others)
    scores = {**game.standings(state), **(result.after[-1][1] if result.after else {})}
    rivals = {player: score for player, score in scores.items() if player not in common.left}
    counted = {} if result.times is not None else scores
    headline = _headline(result.winners, [seat.id for seat in common.playing], counted, names, unit)
    decided = result.tie_break or decided_by(result, rivals, names, unit)
    return Ending(
        result.winners, headline, decided, result.after,
        revealed=result.revealed, lowest_wins=result.lowest_wins, times=result.times,
    )  # fmt: skip


def _headline(
    winners: tuple[str, ...],
    seats: list[str],
    scores: Mapping[str, int],
    names: Mapping[str, str],
    unit: str,
) -> str:
    """Return who won, with their score if it is the same for all winners; for a lone player who lost, to whom."""
    if not winners:
        return "The game is over"
    won = listed(names[player] for player in winners)
    verb = "share the victory" if len(winners) > 1 else "wins" if len(names) > 1 else "finished"
    if not scores:
        return f"{won} {verb}"
    held = counted(scores[winners[0]], unit)
    if len(seats) == 1 and seats[0] not in winners:
        return f"{names[seats[0]]} lost to {won}, {scores[seats[0]]} to {held}"
    same = len({scores[player] for player in winners}) == 1
    return f"{won} {verb}{f' with {held}' if same else ''}"


def result_of(game: Game[Any], state: Any) -> GameResult:
    """Return the result of a game; if it declares none, the highest score of the players who stayed wins."""
    if game.result is not None:
        return game.result(state)
    left = game.common(state).left
    scores = {seat: score for seat, score in game.standings(state).items() if seat not in left}
    return GameResult(leading(scores) if game.over(state) else ())
