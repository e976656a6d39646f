"""The result of a game, for everybody at the table: who won, what decided it, the scores after each round. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, TypeVar

from companion.rules.columns import listed, unit_for

Player = TypeVar("Player")
ScoresAfter = tuple[tuple[str, Mapping[str, int]], ...]
"""The name of each round (`3`, `roof`) with the scores after it, by the ids of the players."""
BY_HAND = "by hand"
"""The name of a last row for what the table set by hand, after all rounds."""
NOW = "now"
"""The name of a last row for the scores in the current round."""


@dataclass(frozen=True, slots=True)
class TimesAtEnd:
    """The times that the end of a timed game shows instead of scores.

    `heads` are the heads of a table and `rows` the cells of each player under them; `all_times` has all times of each
    player in order. Both are by the ids of the players.
    """

    heads: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]
    all_times: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game so far.

    `winners` are ids, several if they share the victory; `after` are the scores after each round; `round` is the game's
    word for one. `tie_break` says in a sentence how equal scores were settled, or else what decided. `others` are the
    names of players without a seat. `revealed` says in a few words what the end revealed of a player. `lowest_wins`:
    the fewest points are the best. `times` are those of a timed game.
    """

    winners: tuple[str, ...]
    after: ScoresAfter = ()
    round: str = "round"
    tie_break: str = ""
    others: Mapping[str, str] = field(default_factory=dict)
    revealed: Mapping[str, str] = field(default_factory=dict)
    lowest_wins: bool = False
    times: TimesAtEnd | None = None


def leading(scores: Mapping[Player, Any]) -> tuple[Player, ...]:
    """Return the players with the highest score; none if nobody has a score."""
    best = max(scores.values(), default=0)
    return tuple(player for player, score in scores.items() if score == best)


def places_of(
    winners: Iterable[Player],
    scores: Mapping[Player, int | None],
    *,
    lowest_wins: bool = False,
    last: Collection[Player] = (),
) -> dict[Player, int]:
    """Return the place of each player, in the order of the places.

    The winners share the first place, whatever broke a tie. The others follow by score, those with a score of None
    after them. Players among `last` come after all of these. Equal players share a place.
    """
    won = set(winners)

    def strength(player: Player) -> tuple[bool, bool, bool, int]:
        score = scores[player]
        if player in won:
            return player not in last, True, True, 0
        points = score or 0
        return player not in last, False, score is not None, -points if lowest_wins else points

    places: dict[Player, int] = {}
    for _, group in groupby(sorted(scores, key=strength, reverse=True), key=strength):
        places |= dict.fromkeys(group, len(places) + 1)
    return places


def scores_after(
    gains: Iterable[tuple[str, Mapping[str, int]]], scores: Mapping[str, int]
) -> ScoresAfter:
    """Return the scores after each round, from the `gains` of each; a difference to the final `scores` was set by hand,
    and is a row after all rounds."""
    return with_by_hand(scores_by_round(gains, scores), scores)


def scores_by_round(
    gains: Iterable[tuple[str, Mapping[str, int]]], players: Iterable[str]
) -> ScoresAfter:
    """Return the scores of these players after each round, from the `gains` of each."""
    scores = dict.fromkeys(players, 0)
    rows: list[tuple[str, Mapping[str, int]]] = []
    for name, gained in gains:
        scores = {player: score + gained.get(player, 0) for player, score in scores.items()}
        rows.append((name, scores))
    return tuple(rows)


def with_by_hand(rows: ScoresAfter, scores: Mapping[str, int]) -> ScoresAfter:
    """Return the scores after each round, then the final `scores` as a row `BY_HAND` if they differ."""
    last = rows[-1][1] if rows else dict.fromkeys(scores, 0)
    if last == scores:
        return rows
    return (*rows, (BY_HAND, dict(scores)))


def decided_by(
    result: GameResult, rivals: Mapping[str, int], names: Mapping[str, str], unit: str
) -> str:
    """Return a sentence that says what made the difference; empty if the scores do not tell.

    `rivals` are the final scores of the players who stayed, and `unit` is what is counted (`points`).
    """
    if not result.winners:
        return ""
    if len(result.winners) > 1:
        return "They have the same score."
    winner = result.winners[0]
    others = {player: score for player, score in rivals.items() if player != winner}
    margin = rivals.get(winner, 0) - max(others.values(), default=0)
    if not others or margin <= 0:
        return ""
    name = names[winner]
    ahead = f"{counted(margin, unit)} ahead of {_names(leading(others), names)}"

    leaders: list[tuple[str, ...]] = []  # after each round, of the rivals alone
    for _, scores in result.after:
        leaders.append(leading({player: scores.get(player, 0) for player in rivals}))
    if len(leaders) < 2 or leaders[-1] != (winner,):
        return f"{name} is {ahead}."
    turning_point = len(leaders) - 1  # the round since which the winner has led alone
    while turning_point > 0 and leaders[turning_point - 1] == (winner,):
        turning_point -= 1
    where = name_of_round(result.round, result.after[turning_point][0])
    if turning_point == 0:
        return f"{name} led from {where} on and finished {ahead}."
    if turning_point < len(leaders) - 1:
        return f"{name} took the lead in {where} and finished {ahead}."
    before = leaders[turning_point - 1]
    verb = "was in front" if len(before) == 1 else "were level"
    if result.after[turning_point][0] == BY_HAND:
        decided = "The table set a score by hand, and that made the difference"
    else:
        decided = f"{where[0].upper()}{where[1:]} decided it"
    return f"{decided}: {_names(before, names)} {verb} before; {name} finished {ahead}."


def _names(players: Iterable[str], names: Mapping[str, str]) -> str:
    return listed(names[player] for player in players)


def name_of_round(round_: str, name: str) -> str:
    """Return the name of a round in a sentence: `round 3`, `the roof`."""
    if name == BY_HAND:
        return "the score set by hand"
    return f"{round_} {name}" if name.isdecimal() else f"the {name}"


def counted(number: int, unit: str) -> str:
    """Return a score with its unit: `1 point`, `3 points`."""
    return f"{number} {unit_for(str(number), unit)}"
