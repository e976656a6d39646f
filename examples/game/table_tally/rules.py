"""The rules of Tally: whoever scores presses their number; five points win."""

from dataclasses import dataclass, replace

from companion.rules.actions import Action
from companion.rules.common import (
    COMMON_FACTS,
    Common,
    GameState,
    apply_common,
    describe_common,
    require_playing,
)
from companion.rules.game import Fact, Game, Refused, SeatId, Setup, by_kind, score_lines

WINS = 5


class Point(Fact, kind="point"):
    """Somebody scores."""

    seat: SeatId


@dataclass(frozen=True)
class State(GameState):
    """The people, who come with `GameState`, and who scored, in order."""

    points: tuple[SeatId, ...] = ()


def scores(state: State) -> dict[SeatId, int]:
    """Return the points of each seat, with those set by hand."""
    seats = [seat.id for seat in state.setup.seats]
    return {seat: state.common.added(seat) + state.points.count(seat) for seat in seats}


def over(state: State) -> bool:
    """Return whether somebody has won."""
    return max(scores(state).values()) >= WINS


def apply(state: State, fact: Fact, _entry: int) -> State:
    """Return the state after a fact; raise `Refused` for what the rules forbid."""
    if not isinstance(fact, Point):
        return replace(state, common=apply_common(state.common, fact, scores(state)))
    require_playing(state.common, fact.seat)
    if over(state):
        raise Refused("TA-1", "somebody has won", do="Begin a new game.")
    return replace(state, points=(*state.points, fact.seat))


def sentence(before: State, _after: State, fact: Fact, _viewer: SeatId) -> str:
    """Return what the log says of a fact."""
    if isinstance(fact, Point):
        return f"{before.name(fact.seat)} scores"
    return describe_common(before.common, fact)


def actions(setup: Setup) -> tuple[Action, ...]:
    """Return one key per seat."""
    return tuple(
        Action(f"tally.{seat.id}", (str(n),), seat.name, f"A point for {seat.name}.", "play")
        for n, seat in enumerate(setup.seats, start=1)
    )


GAME = Game(
    id="tally",
    title="Tally (example)",
    rules_version=1,
    seat_counts=range(2, 7),
    facts=by_kind(Point, *COMMON_FACTS),
    start=lambda setup: State(Common(setup)),
    apply=apply,
    candidates=lambda state: [Point(seat=seat) for seat in state.playing],
    sentence=sentence,
    awaiting=lambda state: (
        "Somebody has won." if over(state) else "Who scores? Press their number."
    ),
    actions=actions,
    act=lambda _state, action_id: Point(seat=action_id.removeprefix("tally.")),
    view=lambda state, _viewer: scores(state),  # nothing is hidden here
    over=over,
    standings=scores,
    summary=lambda state: score_lines(state.setup, scores(state)),
)
