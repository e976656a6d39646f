"""What every game has beside its rules: people who come and go, scores set by hand, a clock that can be stopped.

A game keeps a `Common` in its state, lists `COMMON_FACTS` among its facts, and applies them through `apply_common`,
before or after its own rules for somebody leaving or joining.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from pydantic import Field
from typing_extensions import override

from companion.rules.columns import either, listed
from companion.rules.facts import Fact, Moment, Refused, Seat, SeatId, Setup
from companion.rules.pauses import GO_ON_FIRST, Pauses, end_pause, is_paused_at
from companion.rules.replacing import replace
from companion.rules.seats import as_seated, join, new_name, onward, rename, swap

SEATS: Final = "SEATS"
PAUSE: Final = "PAUSE"


class CommonFact(Fact):
    """A kind of fact that every game has.

    The class is complete: its fields, what it does to the people and their scores, and its sentence. A new kind is a
    class here and a place in `COMMON_FACTS`.
    """

    of_players: ClassVar[bool] = False
    """Whether it can only name seats of people who have not left; a form offers no others."""

    def apply(self, common: Common, standings: Mapping[SeatId, int]) -> Common:
        """Return the people after this fact; `standings` are the scores before it. Raise `Refused` if the rules forbid
        it."""
        raise NotImplementedError

    def sentence(self, common: Common) -> str:
        """Return the sentence for the log; `common` is the people before this fact."""
        raise NotImplementedError


class SeatLeaves(CommonFact, kind="seat_leaves", called="somebody leaves"):
    """A player leaves; the seat stays in the game's order."""

    of_players = True
    seat: SeatId
    reason: str = ""

    @override
    def apply(self, common: Common, standings: Mapping[SeatId, int]) -> Common:
        require_playing(common, self.seat)
        return replace(common, left=common.left | {self.seat})

    @override
    def sentence(self, common: Common) -> str:
        return f"{common.setup.name_of(self.seat)} leaves the game{_because(self.reason)}"


class SeatJoins(CommonFact, kind="seat_joins", called="somebody joins, or comes back"):
    """Somebody sits down late, to the left of the seat `left_of` (None: last).

    If a seat that was left has their `name`, they come back to it, and `left_of` is ignored.
    """

    name: str = Field(min_length=1, examples=["Zoe"])
    left_of: SeatId | None = Field(default=None, title="sits left of")

    @classmethod
    @override
    def entered(cls, body: dict[str, Any], setup: Setup) -> dict[str, Any]:
        # Somebody who comes back may spell the name in another way; `back_to` only ignores letter case.
        return {**body, "name": as_seated(new_name(body["name"]), setup.seats)}

    @override
    def apply(self, common: Common, standings: Mapping[SeatId, int]) -> Common:
        back = back_to(common, self.name)
        if back is not None:
            return replace(common, left=common.left - {back.id})
        if self.left_of is not None:
            require_seat(common, self.left_of)
        # The newcomer may sit between others but gets the last zone button and key: nobody's button changes.
        columns = [seat.id for seat in common.setup.by_column]
        seats = join(common.setup.seats, self.name, self.left_of)
        newcomer = next(seat.id for seat in seats if seat.id not in columns)
        setup = replace(common.setup, seats=seats, columns=(*columns, newcomer))
        return replace(common, setup=setup)

    @override
    def sentence(self, common: Common) -> str:
        returns = back_to(common, self.name) is not None
        return f"{self.name.strip()} {'is back' if returns else 'joins the game'}"


class SeatChanges(CommonFact, kind="seat_changes", called="another person or another name"):
    """A seat gets another person or another name; its score stays."""

    seat: SeatId
    name: str = Field(title="new name", min_length=1, examples=["Zoe"])

    @classmethod
    @override
    def entered(cls, body: dict[str, Any], setup: Setup) -> dict[str, Any]:
        # With the spelling of a person who has another seat, `rename` refuses it.
        others = [seat for seat in setup.seats if seat.id != body["seat"]]
        return {**body, "name": as_seated(new_name(body["name"]), others)}

    @override
    def apply(self, common: Common, standings: Mapping[SeatId, int]) -> Common:
        require_seat(common, self.seat)
        seats = rename(common.setup.seats, self.seat, self.name)
        if seats == common.setup.seats:
            raise Refused(SEATS, f"{self.name.strip()} sits there already", "another name")
        return replace(common, setup=replace(common.setup, seats=seats))

    @override
    def sentence(self, common: Common) -> str:
        return f"{common.setup.name_of(self.seat)}'s seat is now {self.name.strip()}'s"


class SeatsSwap(CommonFact, kind="seats_swap", called="two players swap seats"):
    """Two players take each other's seats; scores stay with the seats.

    Two `SeatChanges` cannot do it: between them both seats would have the same name.
    """

    of_players = True
    seat: SeatId
    other: SeatId = Field(title="swaps with")

    @override
    def apply(self, common: Common, standings: Mapping[SeatId, int]) -> Common:
        require_playing(common, self.seat)
        require_playing(common, self.other)
        if self.seat == self.other:
            name = common.setup.name_of(self.seat)
            raise Refused(SEATS, f"{name} sits there already", do="Name two different players.")
        seats = swap(common.setup.seats, self.seat, self.other)
        return replace(common, setup=replace(common.setup, seats=seats))

    @override
    def sentence(self, common: Common) -> str:
        names = common.setup.name_of(self.seat), common.setup.name_of(self.other)
        return f"{names[0]} and {names[1]} swap seats; scores stay with the seats"


class ScoreSet(CommonFact, kind="score_set", called="score is set by hand"):
    """The table sets the score of a seat, for a reason; later scores add to it."""

    seat: SeatId
    score: int = Field(title="new score", ge=-100_000, le=100_000)
    reason: str = Field(min_length=1)

    @override
    def apply(self, common: Common, standings: Mapping[SeatId, int]) -> Common:
        require_seat(common, self.seat)
        if not self.reason.strip():
            raise Refused("FORMAT", "a reason is missing", "a reason in words")
        # `standings` include what was added by hand before, so the new total of that is:
        added = common.added(self.seat) + self.score - standings[self.seat]
        by_hand = dict(common.by_hand) | {self.seat: added}
        # Sorted, and without zeros: equal corrections make equal states, in whatever order they came.
        changed = sorted((seat, points) for seat, points in by_hand.items() if points)
        return replace(common, by_hand=tuple(changed))

    @override
    def sentence(self, common: Common) -> str:
        name = common.setup.name_of(self.seat)
        return f"{name}'s score is set to {self.score} by hand{_because(self.reason)}"


class Pause(CommonFact, kind="pause", called="game is paused", told_as="pause"):
    """The game's clock stops at `at`; moves do not count until it runs again."""

    @override
    def apply(self, common: Common, standings: Mapping[SeatId, int]) -> Common:
        if common.paused:
            reason = "the game is paused already"
            raise Refused(PAUSE, reason, "the game to continue first", GO_ON_FIRST)
        return replace(common, paused=True, pauses=(*common.pauses, (self.at, None)))

    @override
    def sentence(self, common: Common) -> str:
        return "paused: the clock is stopped, moves do not count"


class Unpause(CommonFact, kind="unpause", called="game continues", told_as="pause"):
    """The game's clock runs again from `at`."""

    @override
    def apply(self, common: Common, standings: Mapping[SeatId, int]) -> Common:
        if not common.paused:
            raise Refused(PAUSE, "the game is running already", do="Pause it first.")
        return replace(common, paused=False, pauses=end_pause(common.pauses, self.at))

    @override
    def sentence(self, common: Common) -> str:
        return "the game continues, the clock runs"


class Abandon(CommonFact, kind="abandon", called="game ends early, nobody wins"):
    """The table ends the game early: nobody wins, and nothing counts until this is undone."""

    reason: str = ""

    @override
    def apply(self, common: Common, standings: Mapping[SeatId, int]) -> Common:
        return replace(common, abandoned=self.reason.strip())

    @override
    def sentence(self, common: Common) -> str:
        return f"the table ends the game early{_because(self.reason)}"


class Override(Fact, kind="override", called="somebody is in or out"):
    """The table eliminates a seat or takes it back into the round, whatever the rules say.

    It is not among `COMMON_FACTS`: only games that eliminate players list it.
    """

    seat: SeatId
    status: Literal["in", "out"] = Field(title="in or out")
    reason: str = ""


COMMON_FACTS: tuple[type[CommonFact], ...] = (
    SeatLeaves,
    SeatJoins,
    SeatChanges,
    SeatsSwap,
    Abandon,
    ScoreSet,
    Pause,
    Unpause,
)


@dataclass(frozen=True, slots=True)
class Common:
    """The people, the scores set by hand, and the game's clock.

    `setup` has the seats as they are now, also those who `left`; `by_hand` is what the table added to each seat's
    score, without zeros; `pauses` are the intervals in which the clock was stopped, the last one without an end while
    it is `paused`. `abandoned` is the reason why the table ended the game early, empty if none was given; None while
    the game continues.
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
        """Return what the table added to that seat's score by hand."""
        return dict(self.by_hand).get(seat, 0)


@dataclass(frozen=True, slots=True)
class GameState:
    """Base of the states of games: what each of them knows of its people."""

    common: Common

    @property
    def setup(self) -> Setup:
        """The house rules, and the seats as they are now, also those who left."""
        return self.common.setup

    @property
    def playing(self) -> tuple[SeatId, ...]:
        """The seats that have not left, in order."""
        # Read many times per fact. A list comprehension is faster than a generator here, and going through
        # `Common.playing` would build a second tuple.
        common = self.common
        return tuple([seat.id for seat in common.setup.seats if seat.id not in common.left])

    def onward_from(self, seat: SeatId) -> tuple[SeatId, ...]:
        """Return the players to the left of a seat in the order of turns, itself last if it still plays."""
        seats, playing = [other.id for other in self.setup.seats], self.playing
        return tuple(other for other in onward(seats, seat) if other in playing)

    def seat(self, seat: SeatId) -> Seat:
        """Return the seat with that id."""
        return next(known for known in self.setup.seats if known.id == seat)

    def seat_at(self, channel: str) -> SeatId | None:
        """Return the seat whose zone button that channel is, or None for any other channel."""
        for place, seat in enumerate(self.setup.by_column, start=1):
            if channel == f"zone-{place}":
                return seat.id
        return None

    def name(self, seat: SeatId) -> str:
        """Return the name of a seat; an id that is not a seat's is returned as it is."""
        return self.common.setup.name_of(seat)

    def names(self, seats: Collection[SeatId]) -> str:
        """Return the names of these seats: `Ada, Bo and Cleo`, or `nobody`."""
        return listed(map(self.name, seats)) if seats else "nobody"


ABANDONED: Final = "The table ended the game early."
"""The prompt of a game that the table ended early."""


def when_it_runs(common: Common, do: str) -> str:
    """Return `do`, the next thing that a hand does; during a pause, that the game has to go on first."""
    return GO_ON_FIRST if common.paused else do


def not_finished(common: Common, awaiting: str) -> str:
    """Return the summary's line for a game without a result: that the table ended it, or what it waits for."""
    return ABANDONED if common.abandoned is not None else f"not finished: {awaiting}"


def apply_common(common: Common, fact: Fact, standings: Mapping[SeatId, int]) -> Common:
    """Return the people after `fact`; `standings` are the scores before it, including what was set by hand.

    Raise `Refused` if it is not among `COMMON_FACTS`, or is not possible. Whether somebody may leave or join now is for
    the game's own rules, which decide before this.
    """
    if not isinstance(fact, CommonFact):
        raise Refused("FORMAT", f"{fact.kind} is no fact of this game", "one of its facts")
    return fact.apply(common, standings)


def require_room(common: Common, fact: SeatJoins, counts: range) -> None:
    """Raise `Refused` if one seat more is too many; `counts` are the numbers of seats that the game allows.

    Somebody who comes back has a seat already.
    """
    if back_to(common, fact.name) is None and len(common.setup.seats) + 1 not in counts:
        reason = f"all {counts.stop - 1} seats are taken, even those of players who left"
        raise Refused(SEATS, reason, do="Join as the player who left, or rename that seat first.")


def require_running(common: Common, at: Moment | None) -> None:
    """Raise `Refused` for a press at `at` (None: now) while the clock was stopped."""
    if is_paused_at(common.pauses, common.paused, at):
        reason = "the game is paused"
        raise Refused(PAUSE, reason, "the game to continue first", GO_ON_FIRST)


def require_since(begun: Moment | None, at: Moment | None, clause: str, what: str) -> None:
    """Raise `Refused` for a press stamped before `what` (`fire!`), which began at `begun`, even if it arrives later.

    Stamps of different clocks cannot be compared, so they pass.
    """
    if begun is None or at is None or begun.clock != at.clock or at.us >= begun.us:
        return
    early = f"that was {(begun.us - at.us) / 1_000_000:.3f} s before {what}"
    raise Refused(clause, early, do="Enter only what happened after it.")


def back_to(common: Common, name: str) -> Seat | None:
    """Return the seat of that name whose player has left, or None."""
    wanted = name.strip().casefold()
    for seat in common.setup.seats:
        if seat.id in common.left and seat.name.casefold() == wanted:
            return seat
    return None


def describe_common(common: Common, fact: Fact) -> str:
    """Return the sentence for one of `COMMON_FACTS`; `common` is the people before it."""
    return fact.sentence(common) if isinstance(fact, CommonFact) else fact.kind


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


def require_seat(common: Common, seat: SeatId) -> None:
    """Raise `Refused` for a seat that is not at the table."""
    seats = common.setup.seats
    if seat not in {known.id for known in seats}:
        names = either(known.name for known in seats)
        raise Refused(SEATS, f"{seat or 'nobody'} has no seat here", names)


def require_playing(common: Common, seat: SeatId) -> None:
    """Raise `Refused` for a seat that is not at the table or has left."""
    require_seat(common, seat)
    require_not_left(common, seat, SEATS)


def require_not_left(common: Common, seat: SeatId, clause: str) -> None:
    """Raise `Refused` with that clause for a seat that has left the game."""
    if seat in common.left:
        raise Refused(
            clause,
            f"{common.setup.name_of(seat)} has left the game",
            do="Name a player who is in the game.",
        )
