"""Standings from the results of games: points, ranks, and the reasons for each line.

No game's rules run here. A result has the winners and scores of the table's last report; a judge's ruling overrides it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from companion.hub.points import Criterion, PointsRules, Worth
from companion.rules import ending
from companion.rules.columns import plural
from companion.rules.names import person_key


@dataclass(frozen=True, slots=True)
class PlacedPlayer:
    """A player in a result: the name (empty if it was taken out), the place from 1 on (equal if shared), and the score,
    None if unknown; for an event in a league, the points."""

    name: str
    place: int
    score: int | Fraction | None


@dataclass(frozen=True, slots=True)
class TableResult:
    """The result of a game; `key` is the id of its record. `changed` says how it was corrected since it was first
    reported, `ruled` which judge ruled what and why; both may be empty. A `disputed` result counts, and says by whom or
    why; `doubts` is what players said of it, for judges. If the `lowest_wins`, fewer points are better. `parts` says
    that the game has several, and what was lost. For an event in a league, `key` is its id, and `table` is 0."""

    key: int
    table: int
    title: str
    players: tuple[PlacedPlayer, ...]
    changed: str = ""
    ruled: str = ""
    disputed: str = ""
    doubts: tuple[str, ...] = ()
    lowest_wins: bool = False
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CountedGame:
    """The points of a game for a player, and their reasons in words."""

    result: TableResult
    placed: PlacedPlayer
    points: Fraction
    why: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the standings: rank (equal if shared), player, points, the games `counted` and `dropped`, and what put
    the player ahead of the next one with equal points."""

    rank: int
    name: str
    points: Fraction
    counted: tuple[CountedGame, ...]
    dropped: tuple[CountedGame, ...] = ()
    ahead: str = ""

    @property
    def games(self) -> tuple[CountedGame, ...]:
        """All games of the player."""
        return (*self.counted, *self.dropped)

    @property
    def doubtful(self) -> bool:
        """Whether a counted result is disputed."""
        return any(game.result.disputed for game in self.counted)


@dataclass(frozen=True, slots=True)
class Award:
    """An award: its title, who got it, and for what."""

    title: str
    names: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Standings:
    """The lines in order, and the awards."""

    lines: tuple[Line, ...] = ()
    awards: tuple[Award, ...] = field(default=(), repr=False)

    def for_everybody(self, *, released: bool) -> Standings:
        """Return the standings without awards that are not released."""
        if released:
            return self
        return Standings(self.lines)


def places_of(
    winners: Iterable[str], scores: Mapping[str, int | None], *, lowest_wins: bool = False
) -> tuple[PlacedPlayer, ...]:
    """Return each player's place: winners first, the others by score, unknown scores last."""
    places = ending.places_of(winners, scores, lowest_wins=lowest_wins)
    return tuple(PlacedPlayer(name, place, scores[name]) for name, place in places.items())


def standings_of(results: Iterable[TableResult], rules: Worth) -> Standings:
    """Return the standings, with awards if `rules` are those of an event; the order of results makes no difference. All
    spellings of a name are one person, unless two of them played in one game: then each spelling is a person. Players
    without a name have no line, as several of them would share it."""
    # by record, so that the order of a query, or of what tables sent, changes no line
    in_order = sorted(results, key=lambda result: result.key)
    several = _met_themselves(in_order)
    games: dict[str, list[CountedGame]] = {}
    for result in in_order:
        for placed in result.players:
            if not placed.name:
                continue
            person = person_key(placed.name)
            if person in several:
                person = placed.name
            games.setdefault(person, []).append(_game(result, placed, rules))
    lines = [_line(played[0].placed.name, played, rules) for played in games.values()]
    lines.sort(
        key=lambda line: (-line.points, _breaks(line, rules), person_key(line.name), line.name)
    )
    awards = _awards(lines, rules) if isinstance(rules, PointsRules) else ()
    return Standings(_ranked(lines, rules), tuple(awards))


def _met_themselves(results: Iterable[TableResult]) -> set[str]:
    """Return the keys of names that two players of one game had, as older tables allowed: they are not one person."""
    keys: set[str] = set()
    for result in results:
        counts = Counter(person_key(placed.name) for placed in result.players if placed.name)
        keys.update(key for key, count in counts.items() if count > 1)
    return keys


def _game(result: TableResult, placed: PlacedPlayer, rules: Worth) -> CountedGame:
    sharing = sum(other.place == placed.place for other in result.players)
    place = f"place {placed.place}"
    if sharing > 1:
        place += " shared"
    parts = [(rules.for_placing(placed.place, sharing), place), (rules.taking_part, "taking part")]
    if placed.place == 1:
        parts.append((rules.win, "win"))
    if placed.score is not None:
        score = points_text(Fraction(placed.score))
        reason = f"score {score}"
        if not result.table:  # an event, in the league
            unit = "point" if placed.score == 1 else "points"
            reason = f"{score} {unit} there"
        parts.append((rules.score * placed.score, reason))
    total = sum((points for points, _ in parts), Fraction(0))
    reasons = [f"{points_text(points)} for {reason}" for points, reason in parts if points]
    return CountedGame(result, placed, total, ", ".join(reasons) or "nothing")


def _line(name: str, games: Sequence[CountedGame], rules: Worth) -> Line:
    best = sorted(games, key=lambda game: (-game.points, game.result.key))
    count = rules.best or len(best)
    # back in the order of the games, as people remember the evening
    counted = tuple(sorted(best[:count], key=lambda game: game.result.key))
    dropped = tuple(sorted(best[count:], key=lambda game: game.result.key))
    return Line(0, name, sum((game.points for game in counted), Fraction(0)), counted, dropped)


def _breaks(line: Line, rules: Worth) -> tuple[int | Fraction, ...]:
    """Return the sort key of a line among equal points, the best least."""
    breaks = []
    for criterion in rules.tie_breaks:
        measure = _measure(line, criterion)
        breaks.append(measure if criterion == "best placing" else -measure)
    return tuple(breaks)


def _measure(line: Line, criterion: Criterion) -> int | Fraction:
    match criterion:
        case "wins":
            return sum(game.placed.place == 1 for game in line.counted)
        case "best placing":
            return min(game.placed.place for game in line.counted)
        case "score":
            # an average: a sum would favor whoever played more games
            return Fraction(sum(_strength(game) for game in line.counted)) / len(line.counted)
        case "games":
            return len(line.games)


def _strength(game: CountedGame) -> int | Fraction:
    """Return a score such that more is better, negated if the lowest wins. An unknown one is the worst of its game."""
    result = game.result
    sign = -1 if result.lowest_wins else 1
    if game.placed.score is not None:
        return sign * game.placed.score
    known = (sign * player.score for player in result.players if player.score is not None)
    # the worst known score and not 0, which would win among scores below 0
    return min(known, default=0)


def _ranked(lines: Sequence[Line], rules: Worth) -> tuple[Line, ...]:
    first: dict[tuple[Any, ...], int] = {}
    ranked = []
    for rank, (line, following) in enumerate(zip_longest(lines, lines[1:]), start=1):
        # equal lines share the rank of the first of them, and the next rank is skipped
        shared = first.setdefault((line.points, _breaks(line, rules)), rank)
        ranked.append(replace(line, rank=shared, ahead=_ahead(line, following, rules)))
    return tuple(ranked)


def _ahead(line: Line, following: Line | None, rules: Worth) -> str:
    if following is None or following.points != line.points:
        return ""
    for criterion in rules.tie_breaks:
        own, other = _measure(line, criterion), _measure(following, criterion)
        if own == other:
            continue
        by: str = criterion
        sign = 1
        if criterion == "score":
            by = "the average score"
            if all(game.result.lowest_wins for game in (*line.counted, *following.counted)):
                by, sign = "the lower average score", -1
        own_said, other_said = (
            points_text(Fraction(sign * own)),
            points_text(Fraction(sign * other)),
        )
        return f"ahead of {following.name} by {by}, {own_said} to {other_said}"
    return ""


def _awards(lines: Sequence[Line], rules: PointsRules) -> Iterable[Award]:
    for title in rules.awards:
        if title == "best score":
            yield from _best_scores(lines)
            continue
        wins = title == "most wins"
        counts = {}
        for line in lines:
            counts[line.name] = len(line.games)
            if wins:
                counts[line.name] = sum(game.placed.place == 1 for game in line.games)
        first = ending.leading(counts)
        if first and counts[first[0]] > 0:
            amount = plural(counts[first[0]], "win" if wins else "game")
            yield Award(title, tuple(sorted(first)), amount)


def _best_scores(lines: Sequence[Line]) -> Iterable[Award]:
    """Yield the best score of games in which most points win, and that of games in which the fewest do."""
    for best, lowest, note in ((max, False, ""), (min, True, ", the lowest")):
        scores = []
        for line in lines:
            for game in line.games:
                if game.result.lowest_wins is lowest and game.placed.score is not None:
                    scores.append((line.name, int(game.placed.score)))
        if not scores:
            continue
        best_score = best(score for _, score in scores)
        names = {name for name, score in scores if score == best_score}
        yield Award("best score", tuple(sorted(names)), plural(best_score, "point") + note)


def points_text(points: Fraction) -> str:
    """Return points in words: `3`, `2 1/2`."""
    whole, fraction = divmod(abs(points), 1)
    text = " ".join(str(part) for part in (whole, fraction) if part) or "0"
    return f"-{text}" if points < 0 else text
