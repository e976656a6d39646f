"""What every game has beside its rules: people who come and go, scores set by hand, a clock that can be stopped.

A game keeps a `Common` in its state, lists `COMMON_FACTS` among its facts, and answers them through `apply_common`,
before or after what its own rules make of somebody leaving or joining.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import Field

from companion.games.base import Fact, Moment, Refused, Seat, SeatId, Setup
from companion.games.seats import join, refuse_twins


class SeatLeaves(Fact):
    """A seat plays no more."""

    kind: Literal["seat_leaves"] = "seat_leaves"
    seat: SeatId
    reason: str = ""


class SeatJoins(Fact):
    """Somebody called `name` sits down late, to the left of the seat `after` (None: last), or comes back to a seat."""

    kind: Literal["seat_joins"] = "seat_joins"
    name: str = Field(min_length=1)
    after: SeatId | None = None


class SeatChanges(Fact):
    """Another person, or another name, at the same seat; its score stays."""

    kind: Literal["seat_changes"] = "seat_changes"
    seat: SeatId
    name: str = Field(min_length=1)


class ScoreSet(Fact):
    """The table sets the score of a seat to `score` as of here, for a reason; what is scored later adds to it."""

    kind: Literal["score_set"] = "score_set"
    seat: SeatId
    score: int = Field(ge=-100_000, le=100_000)
    reason: str = Field(min_length=1)


class Pause(Fact):
    """The game's clock stands still from `at`; what the hands do meanwhile does not count."""

    kind: Literal["pause"] = "pause"


class Unpause(Fact):
    """The game's clock runs on."""

    kind: Literal["unpause"] = "unpause"


COMMON_FACTS: tuple[type[Fact], ...] = (SeatLeaves, SeatJoins, SeatChanges, ScoreSet, Pause, Unpause)


@dataclass(frozen=True, slots=True)
class Common:
    """The people and the table's own word about the scores.

    `setup` holds the seats as they are now, those who `left` among them; `by_hand` is what the table added to a seat's
    score; `pauses` are the intervals in which the clock stood still, the last one open (`None`) while it does.
    """

    setup: Setup
    left: frozenset[SeatId] = frozenset()
    by_hand: tuple[tuple[SeatId, int], ...] = ()
    pauses: tuple[tuple[Moment | None, Moment | None], ...] = ()
    paused: bool = False

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that have not left, in order."""
        return tuple(seat for seat in self.setup.seats if seat.id not in self.left)

    def added(self, seat: SeatId) -> int:
        """What the table added to that seat's score by hand."""
        return dict(self.by_hand).get(seat, 0)


def apply_common(common: Common, fact: Fact, standings: Mapping[SeatId, int]) -> Common:
    """Return what `fact`, one of `COMMON_FACTS`, makes of it; `standings` are the scores so far, those set by hand
    included. Raise `Refused`; whether a game lets somebody leave or join now is for its own rules to say before."""
    match fact:
        case SeatLeaves():
            return _leave(common, fact)
        case SeatJoins():
            return _join(common, fact)
        case SeatChanges():
            return _change(common, fact)
        case ScoreSet():
            _require(common, fact.seat)
            added = dict(common.by_hand) | {fact.seat: common.added(fact.seat) + fact.score - standings[fact.seat]}
            return replace(common, by_hand=tuple(sorted(added.items())))
        case Pause() if not common.paused:
            return replace(common, paused=True, pauses=(*common.pauses, (fact.at, None)))
        case Unpause() if common.paused:
            begun, _ = common.pauses[-1]
            return replace(common, paused=False, pauses=(*common.pauses[:-1], (begun, fact.at)))
        case Pause():
            raise Refused("PAUSE", "the clock stands still already", "the game to go on first")
    raise Refused("PAUSE", "the clock runs already", "a pause first")


def describe_common(common: Common, fact: Fact) -> str:
    """Return the sentence for one of `COMMON_FACTS`; `common` is the one before it."""
    name = {seat.id: seat.name for seat in common.setup.seats}
    match fact:
        case SeatLeaves(seat=seat, reason=reason):
            return f"{name.get(seat, seat)} leaves the game{_because(reason)}"
        case SeatJoins(name=joins):
            back = any(seat.name.casefold() == joins.casefold() for seat in common.setup.seats)
            return f"{joins} {'is back' if back else 'joins the game'}"
        case SeatChanges(seat=seat, name=new):
            return f"{name.get(seat, seat)}'s seat is {new}'s from now on"
        case ScoreSet(seat=seat, score=score, reason=reason):
            return f"{name.get(seat, seat)}'s score is set to {score} by hand{_because(reason)}"
        case Pause():
            return "pause: the clock stands still, and what the hands do does not count"
    return "the game goes on, the clock runs"


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


def _require(common: Common, seat: SeatId) -> None:
    if seat not in {known.id for known in common.setup.seats}:
        known = ", ".join(each.id for each in common.setup.seats)
        raise Refused("SEATS", f"there is no seat {seat!r}", f"one of {known}")


def _leave(common: Common, fact: SeatLeaves) -> Common:
    _require(common, fact.seat)
    if fact.seat in common.left:
        raise Refused("SEATS", f"{fact.seat} has left already", "a seat that is in the game")
    return replace(common, left=common.left | {fact.seat})


def _join(common: Common, fact: SeatJoins) -> Common:
    for seat in common.setup.seats:
        if seat.name.casefold() == fact.name.strip().casefold() and seat.id in common.left:
            return replace(common, left=common.left - {seat.id})
    if fact.after is not None:
        _require(common, fact.after)
    seats = join(common.setup.seats, fact.name, fact.after)
    return replace(common, setup=replace(common.setup, seats=seats))


def _change(common: Common, fact: SeatChanges) -> Common:
    _require(common, fact.seat)
    names = [fact.name.strip() if seat.id == fact.seat else seat.name for seat in common.setup.seats]
    refuse_twins(names)
    seats = tuple(replace(seat, name=name) for seat, name in zip(common.setup.seats, names, strict=True))
    return replace(common, setup=replace(common.setup, seats=seats))
