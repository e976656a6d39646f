"""A game that goes on from what everybody could see: the record of its first part is lost, and a hub showed who plays,
the scores, the rounds that are over and whose turn it is. What that comes to are facts, for the table to confirm."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from companion.rules.common import ScoreSet, SeatLeaves
from companion.rules.facts import Fact, Refused, SeatId, Setup
from companion.rules.game import Game

REASON: Final = "as the hub showed it last"
ONLY_SCORES: Final = (
    "This game does not say how it goes on in the middle, so only the scores go on."
)


@dataclass(frozen=True, slots=True)
class LastShown:
    """How a game stood: the scores that were known, who has left, who is out of the round, whose turn it is, how many
    rounds are over, and whether one is being played."""

    scores: tuple[tuple[SeatId, int], ...]
    left: tuple[SeatId, ...] = ()
    out: tuple[SeatId, ...] = ()
    turn: tuple[SeatId, ...] = ()
    rounds: int = 0
    playing: bool = False


Told = Callable[[Any, LastShown], Iterable[Fact]]


def _nothing(_state: object, _shown: LastShown) -> Iterable[Fact]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Continuation:
    """How a game goes on. `rounds` returns the facts of the rounds that are over, `now` those of the one that is
    played, each by the state before; the scores and who left come between. `lost` says in one sentence what nobody can
    know any more, and what to do about it. One that is not `whole` goes on as scores alone. `unseated` are names of
    players who have no seat."""

    lost: str
    rounds: Told = _nothing
    now: Told = _nothing
    whole: bool = True
    unseated: tuple[str, ...] = ()


SCORES_ALONE: Final = Continuation(lost=ONLY_SCORES, whole=False)


@dataclass(frozen=True, slots=True)
class Planned:
    """A fact with which the game goes on, and its sentence."""

    fact: Fact
    sentence: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The facts with which a game goes on, in their order, the state that they lead to, and a sentence for each that
    the rules refuse."""

    facts: tuple[Planned, ...]
    state: Any
    refused: tuple[str, ...]


def continuation_of(game: Game[Any]) -> Continuation:
    """Return how that game goes on: as scores alone where it does not say."""
    return game.continuation or SCORES_ALONE


def planned(game: Game[Any], setup: Setup, shown: LastShown) -> Plan:
    """Return what a game that stood like that goes on with; raise `Refused` for a setup that it does not allow."""
    how = continuation_of(game)
    state, facts, refused = game.start(setup), list[Planned](), list[str]()
    for told in (how.rounds, _left, _scores(game), how.now):
        for fact in told(state, shown):
            try:
                after = game.advance(state, fact, len(facts) + 2)  # behind the header
            except Refused as why:
                refused.append(f"{game.describe(state, fact).partition(':')[0]}: {why.spoken()}")
                continue
            facts.append(Planned(fact, game.sentence(state, after, fact, "table")))
            state = after
    return Plan(tuple(facts), state, tuple(refused))


def _left(_state: object, shown: LastShown) -> Iterator[Fact]:
    for seat in shown.left:
        yield SeatLeaves(seat=seat, reason=REASON)


def _scores(game: Game[Any]) -> Told:
    def set_by_hand(state: Any, shown: LastShown) -> Iterator[Fact]:
        stands = game.standings(state)
        for seat, score in shown.scores:
            if stands.get(seat) != score:
                yield ScoreSet(seat=seat, score=score, reason=REASON)

    return set_by_hand
