"""The rules of Whirl: on your turn you turn the top, a point each; after ten turns the game is over.

Each function loops where a test wants it to, once the top was turned three times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from companion.rules.actions import PRESS, Action, named
from companion.rules.common import (
    COMMON_FACTS,
    Common,
    GameState,
    apply_common,
    describe_common,
    require_playing,
)
from companion.rules.game import (
    Due,
    Fact,
    Game,
    Moment,
    Refused,
    SeatId,
    Setup,
    by_kind,
    score_lines,
)
from companion.rules.gestures import Gesture

from .loops import loops_in, whirl

SEATS, TURNS = range(2, 7), 10


class Turn(Fact, kind="turn"):
    """A seat turns the top."""

    seat: SeatId


@dataclass(frozen=True)
class State(GameState):
    """The people, and who turned the top, in order."""

    turned: tuple[SeatId, ...] = ()

    @property
    def turns(self) -> int:
        """How often the top was turned."""
        return len(self.turned)

    @property
    def next(self) -> SeatId:
        """Whose turn it is."""
        return self.setup.seats[self.turns % len(self.setup.seats)].id


def start(setup: Setup) -> State:
    whirl("start", 3)
    return State(Common(setup))


def apply(state: State, fact: Fact, _entry: int) -> State:
    match fact:
        case Turn(seat=seat):
            whirl("apply", state.turns)
            require_playing(state.common, seat)
            if over(state):
                raise Refused("WH-1", "the top has stopped", "a new game")
            return replace(state, turned=(*state.turned, seat))
    return replace(state, common=apply_common(state.common, fact, standings(state)))


def candidates(state: State) -> Iterator[Fact]:
    whirl("candidates", state.turns)
    yield Turn(seat=state.next)
    if loops_in("candidates without end", state.turns):
        for _ in count():
            yield Turn(seat=state.next)


def sentence(before: State, after: State, fact: Fact, _viewer: SeatId) -> str:
    whirl("sentence", after.turns)
    return (
        f"{before.name(fact.seat)} turns"
        if isinstance(fact, Turn)
        else describe_common(before.common, fact)
    )


def reveals(before: State, _fact: Fact) -> str | None:
    whirl("reveals", before.turns)
    return None


def follows(before: State, after: State) -> str:
    whirl("follows", max(before.turns, after.turns))
    return ""


def awaiting(state: State) -> str:
    whirl("awaiting", state.turns)
    return f"{state.name(state.next)}, turn the top: {PRESS} {named('whirl.turn', '1')}"


def actions(_setup: Setup) -> tuple[Action, ...]:
    return (Action("whirl.turn", ("1",), "turn", "Turn the top.", "your turn", footer=True),)


def act(state: State, action_id: str) -> Fact:
    whirl("act", state.turns)
    if action_id != "whirl.turn":
        raise Refused("KEY", "that key does nothing", do="Press 1.")
    return Turn(seat=state.next)


def hold_means(state: State, _channel: str) -> bool:
    whirl("hold_means", state.turns)
    return False


def interpret(state: State, gesture: Gesture) -> Fact:
    whirl("interpret", state.turns)
    at = Moment(us=gesture.t_us, pm=gesture.pm_us, clock=gesture.clock)
    return Turn(seat=state.next, at=at)


def due(state: State) -> Due | None:
    whirl("due", state.turns)
    return None


def view(state: State, _viewer: SeatId) -> Any:
    whirl("view", state.turns)
    return {"turns": state.turns, "next": state.next}


def over(state: State) -> bool:
    whirl("over", state.turns)
    return state.turns >= TURNS


def standings(state: State) -> dict[SeatId, int]:
    whirl("standings", state.turns)
    return {
        seat.id: state.turned.count(seat.id) + state.common.added(seat.id)
        for seat in state.setup.seats
    }


def summary(state: State) -> tuple[str, ...]:
    whirl("summary", state.turns)
    return (f"the top was turned {state.turns} times", *score_lines(state.setup, standings(state)))


GAME: Game[State] = Game(
    id="whirl",
    title="Whirl (example)",
    rules_version=1,
    seat_counts=SEATS,
    facts=by_kind(Turn, *COMMON_FACTS),
    start=start,
    apply=apply,
    candidates=candidates,
    sentence=sentence,
    reveals=reveals,
    follows=follows,
    awaiting=awaiting,
    hold_means=hold_means,
    interpret=interpret,
    actions=actions,
    act=act,
    due=due,
    view=view,
    over=over,
    standings=standings,
    summary=summary,
)
