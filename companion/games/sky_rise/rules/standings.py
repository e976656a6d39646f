"""Points, revealed goals, and the winner (SR-14 to SR-17).

Stamps of a Tower Showdown are compared only on one clock; those too close are a tie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from companion.games.sky_rise.rules.facts import ShowdownStop
from companion.games.sky_rise.rules.model import OPAQUE_PYRAMIDS, State, TowerLevel
from companion.games.sky_rise.rules.scoring import (
    COLUMN_POINTS,
    UNPLACED_POINTS,
    color_total,
    columns,
    placed_points,
)
from companion.games.sky_rise.rules.setting import opaque_left
from companion.rules.comparing import is_known_before, is_tie, unbeaten
from companion.rules.ending import GameResult, leading, scores_after
from companion.rules.facts import SeatId
from companion.rules.once import once
from companion.rules.pauses import Span, between


def building_time(state: State, stop: ShowdownStop) -> Span | None:
    """Return how long a contender built without pauses, or None if unknown."""
    begun = state.showdown.begun if state.showdown is not None else None
    return between(begun, stop.at, state.common.pauses, state.common.paused)


def in_order(stops: Sequence[ShowdownStop]) -> tuple[ShowdownStop, ...]:
    """Return the stops by their stamps if these can be compared, else as recorded."""
    stamps = [stop.at for stop in stops if stop.at is not None]
    # One stamp of another clock, and no order can be trusted.
    if len(stamps) < len(stops) or len({at.clock for at in stamps}) > 1:
        return tuple(stops)
    return tuple(
        stop for _, stop in sorted(zip(stamps, stops, strict=True), key=lambda pair: pair[0].us)
    )


def photo_finish(state: State) -> tuple[SeatId, ...]:
    """Return the contenders that nobody is known to have beaten; empty before anybody is done."""
    stops = () if state.showdown is None else state.showdown.stops
    before = _was_before_by_version_2 if state.setup.rules_version == 2 else _was_before
    return tuple(stop.seat for stop in unbeaten(stops, partial(before, state)))


def _was_before(state: State, stop: ShowdownStop, other: ShowdownStop) -> bool:
    return is_known_before(stop.at, other.at, state.options.numbers["stamp_error_us"])


def _was_before_by_version_2(state: State, stop: ShowdownStop, other: ShowdownStop) -> bool:
    """Return `_was_before` by version 2 of the rules, where a key press has no error."""
    difference = between(stop.at, other.at)
    if difference is None or difference.us <= 0:
        return False
    return not is_tie(difference, state.options.numbers["stamp_error_us"])


_SHOWDOWN_CARDS = 7  # SR-17, for each contender


@dataclass(frozen=True, slots=True)
class Score:
    """A seat's points by source; `nest`, `columns` and `unplaced` are None while they are secret."""

    placed: int
    nest: int | None
    columns: int | None
    unplaced: int | None
    by_hand: int

    @property
    def by_goals(self) -> int:
        """The points of the end of the game, as far as known."""
        return (self.nest or 0) + (self.columns or 0) + (self.unplaced or 0)

    @property
    def total(self) -> int:
        """The sum of all points known."""
        return self.placed + self.by_goals + self.by_hand


@once
def scores(state: State) -> Mapping[SeatId, Score]:
    """Return the seats' scores in order: placement points, and the goals' once revealed; seats that left score no
    goals."""
    placed: Counter[SeatId] = Counter()
    for level in state.levels:
        placed.update(placed_points(state.plan, level))
    added = dict(state.common.by_hand)
    return {
        seat.id: _score(state, seat.id, placed[seat.id], added.get(seat.id, 0))
        for seat in state.setup.seats
    }


def _score(state: State, seat: SeatId, placed: int, by_hand: int) -> Score:
    goals = state.goals_of(seat) if state.revealed else None
    if goals is None or seat not in state.playing:
        return Score(placed, None, None, None, by_hand)
    nest = color_total(state, goals.nest)  # SR-14
    tree = COLUMN_POINTS * len(columns(state, goals.tree))  # SR-15
    return Score(placed, nest, tree, UNPLACED_POINTS * opaque_left(state, seat), by_hand)


def totals(state: State) -> dict[SeatId, int]:
    """Return each seat's points so far, in seat order."""
    return {seat: own.total for seat, own in scores(state).items()}


def leaders(state: State) -> tuple[SeatId, ...]:
    """Return the seats with the most points once the goals are revealed, among those still playing (SR-17)."""
    if not state.revealed:
        return ()
    points = totals(state)
    return leading({seat: points[seat] for seat in state.playing})


def most_contenders(state: State) -> int:
    """Return the most contenders that pyramids and deck allow in a Tower Showdown (SR-17)."""
    pyramids = len(state.plan.colors) * OPAQUE_PYRAMIDS + OPAQUE_PYRAMIDS
    by_pyramids = pyramids // int(state.options["showdown_pyramids"])
    if state.plan.deck is None:
        return by_pyramids
    return min(by_pyramids, state.plan.deck // _SHOWDOWN_CARDS)


def contenders(state: State) -> tuple[SeatId, ...]:
    """Return the seats that may settle a tie in a Tower Showdown; none if a tie is shared or too many are tied
    (SR-17)."""
    return _tied(state, leaders(state))


def _tied(state: State, first: tuple[SeatId, ...]) -> tuple[SeatId, ...]:
    settled = state.options["tie"] != "shared" and 1 < len(first) <= most_contenders(state)
    return first if settled else ()


def may_share(state: State) -> bool:
    """Return True if the tied players can choose to share the victory, and have not chosen yet (SR-17)."""
    return state.options["tie"] == "asked" and bool(contenders(state)) and state.showdown is None


def winners(state: State) -> tuple[SeatId, ...]:
    """Return the winner, or those who share the victory; empty while the game goes on (SR-17)."""
    best = leaders(state)
    tied = _tied(state, best)
    if not tied:
        return best
    if state.showdown is None:
        return ()
    if state.showdown.ruling is not None:
        # An empty ruling shares the victory.
        return state.showdown.ruling or tied
    first = photo_finish(state)
    return first if len(first) == 1 else ()


def over(state: State) -> bool:
    """Return True if the game has its result."""
    return bool(winners(state))


def name_of_level(level: TowerLevel) -> str:
    """Return a level's name in a chart: `2`, or `roof`."""
    return "roof" if level.is_roof else str(level.number)


def result(state: State) -> GameResult:
    """Return the winners, how a tie was settled (SR-17), and the points after each complete level (SR-8, SR-9),
    after the goals (SR-14 to SR-16), and in total, with the revealed goals."""
    done = [level for level in state.levels if level.stage == "done"]
    names = list(map(name_of_level, done))
    gains = [dict(placed_points(state.plan, level)) for level in done]
    if state.revealed:
        names.append("goals")
        gains.append({seat: own.by_goals for seat, own in scores(state).items()})
    after = scores_after(zip(names, gains, strict=True), totals(state))
    return GameResult(winners(state), after, "level", _tie_break(state), revealed=_goals(state))


def _goals(state: State) -> dict[SeatId, str]:
    """Return what each seat's goals brought, `Nest red 20, Tree blue 12, opaque left 8`; empty before they are turned
    up."""
    texts = {}
    for seat, own in scores(state).items():
        goals = state.goals_of(seat)
        if own.nest is not None and goals is not None:
            parts = [f"Nest {goals.nest} {own.nest}", f"Tree {goals.tree} {own.columns}"]
            if own.unplaced:
                parts.append(f"opaque left {own.unplaced}")
            texts[seat] = ", ".join(parts)
    return texts


def _tie_break(state: State) -> str:
    """Return how the tie was settled, in a sentence; empty without one."""
    first, tied = winners(state), state.names(leaders(state) or state.playing)
    if contenders(state) and len(first) == 1:
        return f"{tied} had the same points; {state.name(first[0])} won the Tower Showdown."
    if len(first) > 1 and state.options["tie"] != "shared" and not contenders(state):
        return (
            f"{tied} had the same points; a Tower Showdown serves {most_contenders(state)} at most."
        )
    return ""
