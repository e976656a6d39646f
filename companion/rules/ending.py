"""How a game came out, for everybody at the table: who won, what decided it, the scores after each round. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from companion.rules.columns import listed, plural

if TYPE_CHECKING:
    from companion.rules.game import Game

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
    under them (`rows`), and all times of each player in order (`each`), by the ids of the players."""

    heads: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]
    each: Mapping[str, str]


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


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game: the ids of its `winners` (nobody: it was `abandoned`), a `headline` and what `decided` it in a
    sentence each, the scores `after` each round, what the end brought to light of players (`revealed`), whether the
    fewest points are the best (`lowest_wins`), and the `times` of a timed game, whose headline counts no points."""

    winners: tuple[str, ...]
    headline: str
    decided: str
    after: ScoresAfter = ()
    abandoned: bool = False
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


def ending_of(game: Game[Any], state: Any, unit: str) -> Ending | None:
    """Return how the game ended, its scores counted in `unit` (`points`); None while it goes on."""
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
    """Who won, with how much where that is the same for all of them; of a lone player how much it is, and to whom they
    lost. How much is left out without `scores`."""
    if not winners:
        return "The game is over"
    won = listed(names[player] for player in winners)
    verb = "share the victory" if len(winners) > 1 else "wins" if len(names) > 1 else "finished"
    if not scores:
        return f"{won} {verb}"
    held = _counted(scores[winners[0]], unit)
    if len(seats) == 1 and seats[0] not in winners:
        return f"{names[seats[0]]} lost to {won}, {scores[seats[0]]} to {held}"
    same = len({scores[player] for player in winners}) == 1
    return f"{won} {verb}{f' with {held}' if same else ''}"


def result_of(game: Game[Any], state: Any) -> GameResult:
    """Return the result of a game; of one that says nothing of it, whoever has the highest score and has not left
    wins."""
    if game.result is not None:
        return game.result(state)
    left = game.common(state).left
    scores = {seat: score for seat, score in game.standings(state).items() if seat not in left}
    return GameResult(leading(scores) if game.over(state) else ())


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
    ahead, name = f"{_counted(margin, unit)} ahead of {second}", names[first]
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


def _counted(number: int, unit: str) -> str:
    return plural(number, unit.removesuffix("s"), unit)
