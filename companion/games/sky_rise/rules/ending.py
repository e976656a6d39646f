"""Goals, their revelation, and the Tower Showdown (SR-3, SR-14, SR-17)."""

from __future__ import annotations

from companion.games.sky_rise.rules import facts as f
from companion.games.sky_rise.rules.model import State, TowerShowdown
from companion.games.sky_rise.rules.setting import color_missing
from companion.games.sky_rise.rules.standings import contenders, may_share, photo_finish
from companion.rules.actions import either as pressed_or_typed
from companion.rules.columns import either
from companion.rules.common import require_playing, require_since
from companion.rules.facts import Refused, SeatId, after_the_end
from companion.rules.replacing import replace


def goal_noted(state: State, fact: f.GoalNoted, _entry: int) -> State:
    """Return the state after a seat noted its goals. Others' notes never cause a refusal, which would reveal
    them."""
    require_playing(state.common, fact.seat)
    require_hidden_goals(state)
    for color in (fact.nest, fact.tree):
        if color not in state.plan.colors:
            why = f"there is no goal for {color}: {color_missing(state, color)}"
            raise Refused("SR-3", why, either(state.plan.colors))
    if state.undealt is not None and state.goals_of(fact.seat) is not None:
        raise Refused("SR-T9", "the companion dealt the goals", do="Take the deal back first.")
    others = tuple(goals for goals in state.goals if goals.seat != fact.seat)
    return replace(state, goals=tuple(sorted((*others, fact), key=lambda goals: goals.seat)))


def require_hidden_goals(state: State) -> None:
    """Raise `Refused` once the goals are turned up."""
    if state.revealed:
        raise Refused("SR-14", "the goals are turned up already", do="Take that back first.")


def deal_goals(state: State, fact: f.GoalsDealt, _entry: int) -> State:
    """Return the state after the companion dealt a Nest and a Tree to everybody."""
    require_hidden_goals(state)
    if state.goals:
        done = "noted" if state.undealt is None else "dealt"
        raise Refused("SR-T9", f"goals are {done} already", do="Take these back first.")
    if not sorted(fact.nests) == sorted(fact.trees) == sorted(state.plan.colors):
        cards = "one of each for every color in play"
        raise Refused("SR-3", "these are not the Nest and Tree cards", do=f"Name {cards}.")
    return dealt_on(replace(state, undealt=tuple(zip(fact.nests, fact.trees, strict=True))))


def dealt_on(state: State) -> State:
    """Return the state with the next undealt goals given to seats without any, as far as they go."""
    if state.undealt is None:
        return state
    dealt = [
        f.GoalNoted(seat=seat, nest=nest, tree=tree)
        for seat, (nest, tree) in zip(goals_missing(state), state.undealt, strict=False)
    ]
    goals = sorted((*state.goals, *dealt), key=lambda noted: noted.seat)
    return replace(state, goals=tuple(goals), undealt=state.undealt[len(dealt) :])


def reveal(state: State, fact: f.Reveal, _entry: int) -> State:
    """Return the state after all goals were turned up; only now may it show that two players noted the same one."""
    if state.revealed:
        raise Refused("SR-14", "the goals are turned up already", do="Read off the points.")
    _require_built(state, "the goals are turned up once the tower is built")
    if missing := goals_missing(state):
        why = f"the goals of {', '.join(map(state.name, missing))} are not noted"
        raise Refused("SR-14", why, do="Note every Nest and Tree first.")
    # Not refused when it was noted: that would have told one player the other's goal.
    clash = _shared_goal(state)
    if clash and not fact.reason:
        raise Refused(
            "SR-3", clash, do="Note each player's goals as dealt, or give a reason.", hidden=True
        )
    return replace(state, revealed=True)


def _require_built(state: State, why: str) -> None:
    """Raise `Refused` with that reason, and the next thing to do, while the tower is not finished."""
    if state.level.stage == "cards":
        do = pressed_or_typed(
            "To lay a card press its suit's key", "To lay a card type card CELL SUIT"
        )
    elif state.level.stage != "done" or not state.level.is_roof:
        by_key = "To place a pyramid press its color's key"
        do = pressed_or_typed(by_key, "To place a pyramid type pyramid CORNER COLOR")
    else:
        return
    raise Refused("SR-14", why, do=f"{do}.")


def goals_missing(state: State) -> tuple[SeatId, ...]:
    """Return the seats that have not noted goals yet."""
    return tuple(seat for seat in state.playing if state.goals_of(seat) is None)


def _shared_goal(state: State) -> str:
    """Return which two players noted one goal, in words; empty if all differ."""
    all_goals = [noted for noted in state.goals if noted.seat in state.playing]
    for place, noted in enumerate(all_goals):
        for other in all_goals[:place]:
            names = f"{state.name(other.seat)} and {state.name(noted.seat)}"
            if noted.nest == other.nest:
                return f"{names} noted the Nest of {noted.nest}"
            if noted.tree == other.tree:
                return f"{names} noted the Tree of {noted.tree}"
    return ""


def begin_showdown(state: State, fact: f.Showdown, _entry: int) -> State:
    """Return the state with the Tower Showdown's clock running."""
    tied = _require_tie(state)
    if state.showdown is not None:
        raise Refused(
            "SR-17",
            "the Tower Showdown runs already",
            do="Whoever lays the seventh card taps their button.",
        )
    return replace(state, showdown=TowerShowdown(tied, fact.at))


def stop(state: State, fact: f.ShowdownStop, _entry: int) -> State:
    """Return the state after a contender laid the seventh card."""
    _require_tie(state)
    running = state.showdown
    # A ruling can stand without a clock; then there is nothing to stop.
    if running is None or (running.begun is None and running.ruling is not None):
        raise Refused("SR-17", "the Tower Showdown has not begun", do="Start it on three first.")
    _require_contender(state, fact.seat, running.contenders)
    require_since(running.begun, fact.at, "SR-17", "the Tower Showdown began")
    if fact.seat in [stopped.seat for stopped in running.stops]:
        raise Refused("SR-17", f"{state.name(fact.seat)} is done already", "another contender")
    return replace(state, showdown=replace(running, stops=(*running.stops, fact)))


def rule(state: State, fact: f.ShowdownRuling, _entry: int) -> State:
    """Return the state after a ruling on the tie.

    The players name the winner of a photo finish, or anybody with a reason, or share the victory.
    """
    tied = _require_tie(state)
    if fact.seat is not None:
        _require_contender(state, fact.seat, tied)
    close = photo_finish(state)
    in_photo_finish = len(close) > 1 and (fact.seat is None or fact.seat in close)
    shared = fact.seat is None and may_share(state)
    if not (fact.reason or shared or in_photo_finish):
        do = "To name the winner anyway give a reason."
        raise Refused("SR-17", "the stamps leave nothing to decide", do=do)
    running = state.showdown or TowerShowdown(tied, None)
    ruling = () if fact.seat is None else (fact.seat,)
    return replace(state, showdown=replace(running, ruling=ruling))


def _require_tie(state: State) -> tuple[SeatId, ...]:
    tied = contenders(state)
    if not state.revealed:
        _require_built(state, "a Tower Showdown only settles a tie at the end")
        raise Refused("SR-17", "the goals are not turned up yet", do="Turn them up first.")
    if not tied:
        raise after_the_end("SR-17")
    return tied


def _require_contender(state: State, seat: SeatId, contenders: tuple[SeatId, ...]) -> None:
    if seat not in contenders:
        why = f"{state.name(seat)} is no contender of the Tower Showdown"
        raise Refused("SR-17", why, either(map(state.name, contenders)))
