"""How a game came out, for everybody at the table: who won, what decided it, the scores after each round. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from companion.rules.columns import listed, plural

if TYPE_CHECKING:
    pass

Who = TypeVar("Who")
ScoresAfter = tuple[tuple[str, Mapping[str, int]], ...]
"""The name of each round (`3`, `roof`) with the scores after it, by the ids of the players."""
BY_HAND = "by hand"
"""Names what the table set by hand after all rounds."""
NOW = "now"
"""Names how it stands in the round that is played."""


@dataclass(frozen=True, slots=True)
class TimesAtEnd:
    """The times that the end of a timed game shows in place of scores: the `heads` of a table, the cells of each player
    under them (`rows`), and all times of each player in order (`all_times`), by the ids of the players."""

    heads: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]
    all_times: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class GameResult:
    """What a game says of its result so far: the ids of its `winners`, several where they share the victory; the scores
    `after` each round; what it calls a `round`; how equal scores were settled, or else what decided, in a sentence
    (`tie_break`); the names of players who have no seat (`others`); what the end brought to light of a player, in a few
    words (`revealed`); whether the fewest points are the best (`lowest_wins`); and the `times` of a timed game."""

    winners: tuple[str, ...]
    after: ScoresAfter = ()
    round: str = "round"
    tie_break: str = ""
    others: Mapping[str, str] = field(default_factory=dict)
    revealed: Mapping[str, str] = field(default_factory=dict)
    lowest_wins: bool = False
    times: TimesAtEnd | None = None


def leading(scores: Mapping[Who, Any]) -> tuple[Who, ...]:
    """Return whose scores are the highest; nobody's where nobody has one."""
    best = max(scores.values(), default=0)
    return tuple(player for player, score in scores.items() if score == best)


def places_of(
    winners: Iterable[Who],
    scores: Mapping[Who, int | None],
    *,
    lowest_wins: bool = False,
    last: Collection[Who] = (),
) -> dict[Who, int]:
    """Return the place of each, in the order of the places: the winners share the first, whatever broke a tie, then the
    others by their scores, then those whose score is None; whoever is among `last` comes after all of these."""
    won, sign = set(winners), -1 if lowest_wins else 1

    def strength(who: Who) -> tuple[bool, bool, bool, int]:
        score = scores[who]
        if who in won:
            return who not in last, True, True, 0
        return who not in last, False, score is not None, sign * (score or 0)

    places: dict[Who, int] = {}
    for _, group in groupby(sorted(scores, key=strength, reverse=True), key=strength):
        places |= dict.fromkeys(group, len(places) + 1)
    return places


def scores_after(
    gains: Iterable[tuple[str, Mapping[str, int]]], scores: Mapping[str, int]
) -> ScoresAfter:
    """Return the scores that grow by `gains`, round by round; where they come to other than `scores`, the difference
    was set by hand, behind all rounds."""
    return with_by_hand(scores_by_round(gains, scores), scores)


def scores_by_round(
    gains: Iterable[tuple[str, Mapping[str, int]]], players: Iterable[str]
) -> ScoresAfter:
    """Return the scores of these players, which grow by `gains`, after each round."""
    held, rows = dict.fromkeys(players, 0), []
    for name, gained in gains:
        held = {player: score + gained.get(player, 0) for player, score in held.items()}
        rows.append((name, held))
    return tuple(rows)


def with_by_hand(rows: ScoresAfter, scores: Mapping[str, int]) -> ScoresAfter:
    """Return the scores after each round, and behind them `scores` where these are others: set by hand."""
    held = rows[-1][1] if rows else dict.fromkeys(scores, 0)
    return rows if held == scores else (*rows, (BY_HAND, dict(scores)))


def decided_by(
    result: GameResult, rivals: Mapping[str, int], names: Mapping[str, str], unit: str
) -> str:
    """Return what made the difference in a sentence, by the scores after each round: `rivals` are the last ones of who
    stayed. Empty where these do not say."""
    if len(result.winners) != 1:
        return "They have the same score." if result.winners else ""
    first = result.winners[0]
    others = {player: score for player, score in rivals.items() if player != first}
    margin = rivals.get(first, 0) - max(others.values(), default=0)
    if not others or margin <= 0:
        return ""
    second = listed(names[player] for player in leading(others))
    ahead, name = f"{counted(margin, unit)} ahead of {second}", names[first]
    held = [{player: scores.get(player, 0) for player in rivals} for _, scores in result.after]
    fronts = [leading(each) for each in held]
    if len(fronts) < 2 or fronts[-1] != (first,):
        return f"{name} is {ahead}."
    turn = (
        next((place for place in reversed(range(len(fronts))) if fronts[place] != (first,)), -1) + 1
    )
    where = name_of_round(result.round, result.after[turn][0])
    if turn == 0:
        return f"{name} led from {where} on and finished {ahead}."
    if turn < len(fronts) - 1:
        return f"{name} took the lead in {where} and finished {ahead}."
    before = listed(names[player] for player in fronts[turn - 1])
    stood = "was in front" if len(fronts[turn - 1]) == 1 else "were level"
    return f"{where[0].upper()}{where[1:]} decided it: {before} {stood} before; {name} finished {ahead}."


def name_of_round(round_: str, name: str) -> str:
    """Return what a round is called in a sentence: `round 3`, `the roof`."""
    if name == BY_HAND:
        return "the score set by hand"
    return f"{round_} {name}" if name.isdecimal() else f"the {name}"


def counted(number: int, unit: str) -> str:
    """Return a score with its unit: `1 point`, `3 points`."""
    return plural(number, unit.removesuffix("s"), unit)
