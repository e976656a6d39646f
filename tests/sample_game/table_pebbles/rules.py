"""The rules of Pebbles: twelve in a bowl; on your turn take one to three. A point for each that you have.

Before your first turn you may guess, for yourself alone, who will take the last one: three points if you are right.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from companion.rules.actions import PRESS, Action, named
from companion.rules.common import COMMON_FACTS, Common, GameState, apply_common, describe_common, require_playing
from companion.rules.game import Fact, Game, Refused, SeatId, Setup, by_kind, score_lines

PEBBLES, MOST, RIGHT = 12, 3, 3
SEATS = range(2, 7)


class Take(Fact, kind="take"):
    """A seat takes pebbles out of the bowl."""

    seat: SeatId
    count: int


class Guess(Fact, kind="guess", secret=True):
    """A seat guesses who takes the last pebble; `secret` keeps it to the seat until the game is over."""

    seat: SeatId
    last: SeatId


@dataclass(frozen=True)
class State(GameState):
    """The people, what each seat took, in order, and what each guessed."""

    takes: tuple[tuple[SeatId, int], ...] = ()
    guesses: dict[SeatId, SeatId] = field(default_factory=dict)

    @property
    def bowl(self) -> int:
        """The pebbles that are left."""
        return PEBBLES - sum(count for _, count in self.takes)

    @property
    def next(self) -> SeatId:
        """Whose turn it is: the seat after the one that took last, of those that play."""
        order = [seat.id for seat in self.setup.seats]
        if not self.takes or not self.playing:
            return next(iter(self.playing), "")
        place = order.index(self.takes[-1][0]) + 1
        return next(seat for seat in order[place:] + order[:place] if seat in self.playing)


def start(setup: Setup) -> State:
    if len(setup.seats) not in SEATS:
        raise Refused("SEATS", f"{len(setup.seats)} sit here", "2 to 6 players")
    return State(Common(setup))


def apply(state: State, fact: Fact, _entry: int) -> State:
    match fact:
        case Take(seat=seat, count=count):
            _require_turn(state, seat)
            if not 1 <= count <= min(MOST, state.bowl):
                raise Refused("PB-1", f"{count} pebbles cannot be taken", f"1 to {min(MOST, state.bowl)}")
            return replace(state, takes=(*state.takes, (seat, count)))
        case Guess(seat=seat, last=last):
            require_playing(state.common, seat)
            require_playing(state.common, last)
            if over(state) or seat in dict(state.takes) or seat in state.guesses:
                raise Refused("PB-2", f"{state.name(seat)} cannot guess any more", "a guess before the first turn")
            return replace(state, guesses={**state.guesses, seat: last})
    return replace(state, common=apply_common(state.common, fact, standings(state)))


def _require_turn(state: State, seat: SeatId) -> None:
    require_playing(state.common, seat)
    if over(state):
        raise Refused("PB-3", "the bowl is empty", "a new game")
    if seat != state.next:
        raise Refused("PB-3", f"it is not {state.name(seat)}'s turn", state.name(state.next))


def candidates(state: State) -> tuple[Fact, ...]:
    guesses = [Guess(seat=seat, last=last) for seat in state.playing for last in state.playing]
    return (*guesses, *(Take(seat=state.next, count=count) for count in range(1, MOST + 1)))


def sentence(before: State, _after: State, fact: Fact, viewer: SeatId) -> str:
    match fact:
        case Take(seat=seat, count=count):
            return f"{before.name(seat)} takes {count}"
        case Guess(seat=seat, last=last):
            return f"{before.name(seat)} guesses{f' {before.name(last)}' if viewer == seat else ''}"
    return describe_common(before.common, fact)


def reveals(before: State, fact: Fact) -> str | None:
    last = isinstance(fact, Take) and fact.count == before.bowl
    return "what everybody guessed, to everybody" if last and before.guesses else None


def awaiting(state: State) -> str:
    if over(state):
        return "The bowl is empty."
    *first, last = (named(f"pebbles.take.{n}", str(n)) for n in range(1, min(MOST, state.bowl) + 1))
    keys = f"{', '.join(first)} or {last}" if first else last
    return f"{state.name(state.next)}, how many do you take? {PRESS} {keys}"


def actions(_setup: Setup) -> tuple[Action, ...]:
    words = ("one pebble", "two pebbles", "three pebbles")
    return tuple(
        Action(f"pebbles.take.{n}", (str(n),), f"take {n}", f"Take {said}.", "your turn", footer=True)
        for n, said in enumerate(words, start=1)
    )


def act(state: State, action_id: str) -> Fact:
    return Take(seat=state.next, count=int(action_id.rpartition(".")[2]))


def view(state: State, viewer: SeatId) -> Any:
    guesses = state.guesses if over(state) else {}
    own = {viewer: state.guesses[viewer]} if viewer in state.guesses else {}
    return {
        "bowl": state.bowl,
        "next": state.next,
        "takes": tuple((state.name(seat), count) for seat, count in state.takes),
        "guesses": {**guesses, **own},
    }


def over(state: State) -> bool:
    return state.bowl == 0


def standings(state: State) -> dict[SeatId, int]:
    scores = {seat.id: state.common.added(seat.id) for seat in state.setup.seats}
    for seat, count in state.takes:
        scores[seat] += count
    if over(state):
        for seat, last in state.guesses.items():
            scores[seat] += RIGHT if last == state.takes[-1][0] else 0
    return scores


def summary(state: State) -> tuple[str, ...]:
    return (f"{state.bowl} pebbles are in the bowl", *score_lines(state.setup, standings(state)))


# The game as the companion asks for it. What is not said here has a plain default.
GAME: Game[State] = Game(
    id="pebbles",
    title="Pebbles (example)",
    rules_version=1,
    seat_counts=SEATS,
    facts=by_kind(Take, Guess, *COMMON_FACTS),
    start=start,
    apply=apply,
    candidates=candidates,
    sentence=sentence,
    reveals=reveals,
    awaiting=awaiting,
    actions=actions,
    act=act,
    view=view,
    over=over,
    standings=standings,
    summary=summary,
)
