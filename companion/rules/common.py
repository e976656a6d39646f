"""What every game has beside its rules: people who come and go, scores set by hand, a clock that can be stopped.

A game keeps a `Common` in its state, lists `COMMON_FACTS` among its facts, and answers them through `apply_common`,
before or after what its own rules make of somebody leaving or joining.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import Field

from companion.rules.columns import either, listed
from companion.rules.facts import Fact, Moment, Refused, Seat, SeatId, Setup
from companion.rules.pauses import GO_ON_FIRST, Pauses, ended, stands_still
from companion.rules.replacing import replace
from companion.rules.seats import as_seated, join, new_name, onward, rename

SEATS: Final = "SEATS"
PAUSE: Final = "PAUSE"


class SeatLeaves(Fact, kind="seat_leaves", called="somebody leaves"):
    """A seat plays no more."""

    seat: SeatId
    reason: str = ""


class SeatJoins(Fact, kind="seat_joins", called="somebody joins, or comes back"):
    """Somebody called `name` sits down late, to the left of the seat `left_of` (None: last), or comes back to the seat
    of that name that was left."""

    name: str = Field(min_length=1, examples=["Zoe"])
    left_of: SeatId | None = Field(default=None, title="sits left of")

    @classmethod
    def entered(cls, body: dict[str, Any], setup: Setup) -> dict[str, Any]:
        """Return the body with a name that may be given now: who has a seat is called as there; raise `Refused`."""
        return {**body, "name": as_seated(new_name(body["name"]), setup.seats)}


class SeatChanges(Fact, kind="seat_changes", called="another person or another name"):
    """Another person, or another name, at the same seat; its score stays."""

    seat: SeatId
    name: str = Field(title="new name", min_length=1, examples=["Zoe"])

    @classmethod
    def entered(cls, body: dict[str, Any], setup: Setup) -> dict[str, Any]:
        """Return the body with a name that may be given now, as another seat has it if one does; raise `Refused`."""
        others = [seat for seat in setup.seats if seat.id != body["seat"]]
        return {**body, "name": as_seated(new_name(body["name"]), others)}


class ScoreSet(Fact, kind="score_set", called="score is set by hand"):
    """The table sets the score of a seat to `score` as of here, for a reason; what is scored later adds to it."""

    seat: SeatId
    score: int = Field(title="new score", ge=-100_000, le=100_000)
    reason: str = Field(min_length=1)


class Override(Fact, kind="override", called="somebody is in or out"):
    """The table eliminates a seat or takes it back into the round, whatever the rules say. Of games that eliminate: it
    is none of `COMMON_FACTS`."""

    seat: SeatId
    status: Literal["in", "out"] = Field(title="in or out")
    reason: str = ""


class Pause(Fact, kind="pause", called="game is paused", told_as="pause"):
    """The game's clock stands still from `at`; what the hands do meanwhile does not count."""


class Unpause(Fact, kind="unpause", called="game goes on", told_as="pause"):
    """The game's clock runs on."""


class Abandon(Fact, kind="abandon", called="game ends early, nobody wins"):
    """The table ends the game before its end: nobody wins it, and nothing counts any more until this is taken back."""

    reason: str = ""


COMMON_FACTS: tuple[type[Fact], ...] = (
    SeatLeaves,
    SeatJoins,
    SeatChanges,
    ScoreSet,
    Pause,
    Unpause,
    Abandon,
)


@dataclass(frozen=True, slots=True)
class Common:
    """The people and the table's own word about the scores.

    `setup` holds the seats as they are now, those who `left` among them; `by_hand` is what the table added to a seat's
    score; `pauses` are the intervals in which the clock stood still, the last one without an end while it is `paused`.
    `abandoned` is why the table ended the game early, empty for no reason given; None while it has not.
    """

    setup: Setup
    left: frozenset[SeatId] = frozenset()
    by_hand: tuple[tuple[SeatId, int], ...] = ()
    pauses: Pauses = ()
    paused: bool = False
    abandoned: str | None = None

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that have not left, in order."""
        return tuple(seat for seat in self.setup.seats if seat.id not in self.left)

    def added(self, seat: SeatId) -> int:
        """What the table added to that seat's score by hand."""
        return dict(self.by_hand).get(seat, 0)


@dataclass(frozen=True, slots=True)
class GameState:
    """What the state of a game says of its people; the game's own adds the rest."""

    common: Common

    @property
    def setup(self) -> Setup:
        """The seats as they are now, those who left among them, and the house rules."""
        return self.common.setup

    @property
    def playing(self) -> tuple[SeatId, ...]:
        """The seats that have not left, in order."""
        common = self.common  # asked for many times in each fact: no second tuple is made for it
        return tuple([seat.id for seat in common.setup.seats if seat.id not in common.left])

    def onward_from(self, seat: SeatId) -> tuple[SeatId, ...]:
        """The players to the left of a seat in the order of turns, it last if it still plays."""
        seats, playing = [one.id for one in self.setup.seats], self.playing
        return tuple(one for one in onward(seats, seat) if one in playing)

    def seat(self, seat: SeatId) -> Seat:
        """The seat with that id."""
        return next(found for found in self.setup.seats if found.id == seat)

    def seat_at(self, channel: str) -> SeatId | None:
        """The seat whose zone that channel is; None for any other channel."""
        zones = {
            f"zone-{place}": seat.id for place, seat in enumerate(self.setup.by_column, start=1)
        }
        return zones.get(channel)

    def name(self, seat: SeatId) -> str:
        """What the table calls that seat; what is no seat is called as it is."""
        return self.common.setup.name_of(seat)

    def names(self, seats: Collection[SeatId]) -> str:
        """What the table calls these seats: `Ada, Bo and Cleo`, or `nobody`."""
        return listed(map(self.name, seats)) if seats else "nobody"


ABANDONED: Final = "The table ended the game early."
"""What is awaited in a game that the table ended."""


def when_it_runs(common: Common, do: str) -> str:
    """Return what to do next, where hands do it: in a pause, that the game has to go on first."""
    return GO_ON_FIRST if common.paused else do


def not_finished(common: Common, awaiting: str) -> str:
    """Return the line of a summary for a game without a result: that the table ended it, else what it waits for."""
    return ABANDONED if common.abandoned is not None else f"not finished: {awaiting}"


def apply_common(common: Common, fact: Fact, standings: Mapping[SeatId, int]) -> Common:
    """Return what `fact`, one of `COMMON_FACTS`, makes of it; `standings` are the scores so far, those set by hand
    included. Raise `Refused`; whether a game lets somebody leave or join now is for its own rules to say before."""
    match fact:
        case SeatLeaves():
            require_playing(common, fact.seat)
            return replace(common, left=common.left | {fact.seat})
        case SeatJoins():
            return _join(common, fact)
        case SeatChanges():
            return _change(common, fact)
        case ScoreSet():
            return _set(common, fact, standings)
        case Pause() if not common.paused:
            return replace(common, paused=True, pauses=(*common.pauses, (fact.at, None)))
        case Unpause() if common.paused:
            return replace(common, paused=False, pauses=ended(common.pauses, fact.at))
        case Pause():
            raise Refused(
                PAUSE, "the clock stands still already", "the game to go on first", GO_ON_FIRST
            )
        case Unpause():
            raise Refused(PAUSE, "the clock runs already", do="Pause it first.")
        case Abandon(reason=reason):
            return replace(common, abandoned=reason.strip())
    raise Refused("FORMAT", f"{fact.kind} is no fact of this game", "one of its facts")


def require_room(common: Common, fact: SeatJoins, counts: range) -> None:
    """Raise `Refused` when no seat of so many is free for somebody new; who comes back has one."""
    if back_to(common, fact.name) is None and len(common.setup.seats) + 1 not in counts:
        reason = f"all {counts.stop - 1} seats are given, those that were left among them"
        raise Refused(SEATS, reason, do="Join as the player who left, or rename that seat first.")


def require_running(common: Common, at: Moment | None) -> None:
    """Raise `Refused` for what a hand did at `at` (None: now) while the clock stood still."""
    if stands_still(common.pauses, common.paused, at):
        reason = "the game is paused, so what the hands do does not count"
        raise Refused(PAUSE, reason, "the game to go on first", GO_ON_FIRST)


def require_since(begun: Moment | None, at: Moment | None, clause: str, what: str) -> None:
    """Raise `Refused` for what was stamped before `what` (`fire!`) that it belongs to, however late it is told; stamps
    of different clocks say nothing."""
    if begun is None or at is None or begun.clock != at.clock or at.us >= begun.us:
        return
    early = f"that was {(begun.us - at.us) / 1_000_000:.3f} s before {what}"
    raise Refused(clause, early, do="Enter what was done after it.")


def back_to(common: Common, name: str) -> Seat | None:
    """Return the seat of that name that was left."""
    asked = name.strip().casefold()
    return next(
        (
            seat
            for seat in common.setup.seats
            if seat.id in common.left and seat.name.casefold() == asked
        ),
        None,
    )


def describe_common(common: Common, fact: Fact) -> str:
    """Return the sentence for one of `COMMON_FACTS`; `common` is the one before it."""
    name_of = common.setup.name_of
    match fact:
        case SeatLeaves(seat=seat, reason=reason):
            return f"{name_of(seat)} leaves the game{_because(reason)}"
        case SeatJoins(name=joins):
            return f"{joins.strip()} {'joins the game' if back_to(common, joins) is None else 'is back'}"
        case SeatChanges(seat=seat, name=new):
            return f"{name_of(seat)}'s seat is {new.strip()}'s from now on"
        case ScoreSet(seat=seat, score=score, reason=reason):
            return f"{name_of(seat)}'s score is set to {score} by hand{_because(reason)}"
        case Pause():
            return "pause: the clock stands still, and what the hands do does not count"
        case Unpause():
            return "the game goes on, the clock runs"
        case Abandon(reason=reason):
            return f"the table ends the game early{_because(reason)}"
    return fact.kind


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


def require_seat(common: Common, seat: SeatId) -> None:
    """Raise `Refused` for a seat that is not at the table."""
    if seat not in {known.id for known in common.setup.seats}:
        raise Refused(
            SEATS,
            f"{seat or 'nobody'} has no seat here",
            either(each.name for each in common.setup.seats),
        )


def require_playing(common: Common, seat: SeatId) -> None:
    """Raise `Refused` for a seat that is not at the table, or not any more."""
    require_seat(common, seat)
    require_not_left(common, seat, SEATS)


def require_not_left(common: Common, seat: SeatId, clause: str) -> None:
    """Raise `Refused` by that clause for a seat that has left the game."""
    if seat in common.left:
        raise Refused(
            clause,
            f"{common.setup.name_of(seat)} has left the game",
            do="Name a player who is in the game.",
        )


def _join(common: Common, fact: SeatJoins) -> Common:
    back = back_to(common, fact.name)
    if back is not None:
        return replace(common, left=common.left - {back.id})
    if fact.left_of is not None:
        require_seat(common, fact.left_of)
    columns = [seat.id for seat in common.setup.by_column]
    seats = join(common.setup.seats, fact.name, fact.left_of)
    newcomer = next(seat.id for seat in seats if seat.id not in columns)
    return replace(common, setup=replace(common.setup, seats=seats, columns=(*columns, newcomer)))


def _change(common: Common, fact: SeatChanges) -> Common:
    require_seat(common, fact.seat)
    seats = rename(common.setup.seats, fact.seat, fact.name)
    if seats == common.setup.seats:
        raise Refused(SEATS, f"that seat is {fact.name.strip()}'s already", "another name")
    return replace(common, setup=replace(common.setup, seats=seats))


def _set(common: Common, fact: ScoreSet, standings: Mapping[SeatId, int]) -> Common:
    require_seat(common, fact.seat)
    if not fact.reason.strip():
        raise Refused("FORMAT", "the score is set for no reason", "a reason in words")
    added = dict(common.by_hand) | {
        fact.seat: common.added(fact.seat) + fact.score - standings[fact.seat]
    }
    return replace(
        common, by_hand=tuple(sorted((seat, points) for seat, points in added.items() if points))
    )
