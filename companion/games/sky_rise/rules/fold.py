"""The fold: a state and a fact give the next state, or a refusal with its clause. Pure; no points are stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.games.sky_rise.rules import building, ending, people
from companion.games.sky_rise.rules import facts as f
from companion.games.sky_rise.rules.box import kit_of
from companion.games.sky_rise.rules.model import EACH, SIZES, Closed, State, TowerLevel
from companion.games.sky_rise.rules.options import HOUSE_RULES, NUMBERS
from companion.games.sky_rise.rules.people import SEAT_COUNTS
from companion.games.sky_rise.rules.setting import (
    color_missing,
    deal,
    plan_of,
    reassign,
    share,
    suit_missing,
    suits_of,
    used_opaque,
)
from companion.games.sky_rise.rules.standings import over
from companion.games.sky_rise.rules.turns import can_act, left_of, room, settle
from companion.rules.columns import either
from companion.rules.common import COMMON_FACTS, Common, require_playing, require_running, require_seat
from companion.rules.components import box_of
from companion.rules.game import Fact, Refused, Setup
from companion.rules.house_rules import read_options
from companion.rules.seats import require_setup

RULES_VERSION = 2


def start(setup: Setup) -> State:
    """Return the state before the first card; raise `Refused` for seats, options or a version not known."""
    require_setup(setup, "Sky Rise", RULES_VERSION, SEAT_COUNTS, "SR-1")
    seats = len(setup.seats)
    options, kit = read_options(setup.options, HOUSE_RULES, NUMBERS), kit_of(box_of(setup))
    plan = plan_of(seats, options, kit, ())
    hands, pile = deal(plan, [seat.id for seat in setup.seats])
    first = setup.seats[0].id
    return State(Common(setup), options, kit, plan, (TowerLevel(1, first, first),), hands=hands, pile=pile)


def apply(state: State, fact: Fact, entry: int) -> State:
    """Return the state after `fact`, entry number `entry`; raise `Refused` when the rules do not allow it."""
    if isinstance(fact, COMMON_FACTS):
        return people.apply(state, fact)
    handler = _HANDLERS.get(type(fact))
    if handler is None:
        raise Refused("FORMAT", f"{fact.kind} is no fact of Sky Rise", "a fact of Sky Rise")
    if isinstance(fact, _OF_THE_HANDS):
        require_running(state.common, fact.at)
    if over(state) and not isinstance(fact, f.ShowdownStop):
        raise Refused(
            "SR-17", "the game is over", "a new game, or the end taken back", "Begin a new game, or take the end back."
        )
    after = handler(state, fact, entry)
    return _noted(after, state.level.number, entry) if isinstance(fact, _OF_A_ROUND) else after


def _noted(state: State, number: int, entry: int) -> State:
    """The state in which that level, or the roof, rests on that entry too."""
    rests = (replace(one, entries=(*one.entries, entry)) if one.number == number else one for one in state.levels)
    return replace(state, levels=tuple(rests))


def is_ready(state: State) -> bool:
    """Whether nothing has been laid yet, so that the setup may still change."""
    return not state.seated and not state.level.closed


def _refuse_unless_ready(state: State, clause: str, what: str) -> None:
    if not is_ready(state):
        raise Refused(
            clause, f"the first turn is over, {what}", "that turn taken back first", "Take that turn back first."
        )


def _start_token(state: State, fact: f.StartToken, _entry: int) -> State:
    _refuse_unless_ready(state, "SR-4", "and with it the Start token of the first round is where it is")
    require_playing(state.common, fact.seat)
    if fact.seat == state.level.starter:
        raise Refused(
            "SR-4",
            f"{state.name(fact.seat)} has the Start token already",
            "another seat, or the first card",
            "Name another player, or lay the first card.",
        )
    return replace(state, levels=(TowerLevel(1, fact.seat, fact.seat),))


def _assign(state: State, fact: f.Assign, _entry: int) -> State:
    _refuse_unless_ready(state, "SR-2", "and each suit has its color")
    suits, colors = suits_of(state.options, len(state.plan.suits)), [color for color, _, _ in state.kit.colors]
    if fact.suit not in suits:
        raise Refused("SR-2", suit_missing(state, fact.suit), either(suits))
    if fact.color not in colors:
        raise Refused("SR-1", color_missing(state, fact.color), either(colors))
    if state.plan.color_of(fact.suit) == fact.color:
        raise Refused("SR-2", f"{fact.suit} belongs to {fact.color} already", "another suit or color")
    pairs = reassign(state.plan.suits, fact.suit, fact.color)
    assigned = (*state.assigned, (fact.suit, fact.color))
    return replace(state.replanned(replace(state.plan, suits=pairs)), assigned=assigned)


def _opaque(state: State, fact: f.Opaque, _entry: int) -> State:
    require_seat(state.common, fact.seat)
    now, name = (fact.large, fact.medium, fact.small), state.name(fact.seat)
    given = dict(state.given) | {fact.seat: now}
    if sum(now) != share(state, fact.seat) and not fact.reason:
        expected = f"{share(state, fact.seat)} in all, or the table's word with its reason"
        raise Refused(
            "SR-1",
            f"{name} would have {sum(now)} opaque pyramids",
            expected,
            f"Choose {share(state, fact.seat)} in all, or give a reason.",
        )
    for place, size in enumerate(SIZES):
        if sum(sizes[place] for sizes in given.values()) > EACH:
            raise Refused(
                "SR-1",
                f"there would be more than {EACH} {size} opaque pyramids",
                "three opaque Trios in all",
                "There are three opaque Trios in all.",
            )
        if now[place] < used_opaque(state, fact.seat)[place]:
            raise Refused("SR-1", f"{name} has placed more {size} ones already", "as many as are placed, or more")
    return settle(replace(state, given=tuple(sorted(given.items()))))


def _turn_over(state: State, fact: f.TurnOver, _entry: int) -> State:
    require_playing(state.common, fact.seat)
    level = state.level
    if level.stage == "done":
        raise Refused("SR-T6", "no turn runs, the tower is built", state.after_the_tower, "Answer what is asked first.")
    if room(state) <= 0:
        raise Refused("SR-T6", *_nobodys_turn(level), "Enter these first.")
    if fact.seat != level.turn:
        turn = state.name(level.turn)
        raise Refused(
            "SR-T6",
            f"it is {turn}'s turn, not {state.name(fact.seat)}'s",
            f"{turn}'s button",
            f"Wait for {turn}'s button.",
        )
    closed = replace(level, closed=(*level.closed, Closed(fact.seat, fact.at)))
    state = replace(state, levels=(*state.levels[:-1], closed))
    turn = left_of(state, fact.seat, lambda seat: can_act(state, seat)) or fact.seat
    return settle(replace(state, levels=(*state.levels[:-1], replace(closed, turn=turn))))


def _nobodys_turn(level: TowerLevel) -> tuple[str, str]:
    """Why no turn can end: what waits to be entered takes all the room there is."""
    if level.stage == "cards":
        return "all cells are taken by turns whose cards are not entered yet", "these cards first"
    if level.is_roof:
        return "everybody has had a turn on the roof", "the antennas and passes that are not entered yet"
    return "all corners are taken by turns whose pyramids are not entered yet", "these pyramids first"


def _turn(state: State, fact: f.Turn, _entry: int) -> State:
    require_playing(state.common, fact.seat)
    level = state.level
    if level.stage == "done":
        raise Refused("SR-7", "the tower is built", state.after_the_tower, "Answer what is asked first.")
    tried = tuple(seat for seat in level.tried if seat != fact.seat)
    return settle(replace(state, levels=(*state.levels[:-1], replace(level, turn=fact.seat, closed=(), tried=tried))))


_OF_A_ROUND = (f.Card, f.Pyramid, f.Pass, f.TurnOver, f.Turn)
_OF_THE_HANDS = (f.Card, f.Pyramid, f.Pass, f.TurnOver, f.Showdown, f.ShowdownStop)
_HANDLERS: dict[type[Fact], Callable[[State, Any, int], State]] = {
    f.StartToken: _start_token,
    f.Assign: _assign,
    f.Opaque: _opaque,
    f.Card: building.card,
    f.Pyramid: building.pyramid,
    f.Pass: building.no_pyramid,
    f.TurnOver: _turn_over,
    f.Turn: _turn,
    f.GoalNoted: ending.goal_noted,
    f.GoalsDealt: ending.deal_goals,
    f.Reveal: ending.reveal,
    f.Showdown: ending.begin_showdown,
    f.ShowdownStop: ending.stop,
    f.ShowdownRuling: ending.rule,
}
