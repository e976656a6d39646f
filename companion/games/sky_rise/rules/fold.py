"""Apply a fact to a state of Sky Rise: return the next state, or refuse with the clause. Pure; points are not
stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.sky_rise.rules import building, ending, facts as f, setting
from companion.games.sky_rise.rules.box import kit_of
from companion.games.sky_rise.rules.ending import dealt_on
from companion.games.sky_rise.rules.model import EACH, HAND, SIZES, State, TowerLevel
from companion.games.sky_rise.rules.options import HOUSE_RULES, NUMBERS
from companion.games.sky_rise.rules.standings import over, totals
from companion.games.sky_rise.rules.turns import can_act, left_of, room, settle
from companion.rules import common
from companion.rules.columns import either
from companion.rules.common import COMMON_FACTS, Common, SeatJoins, SeatLeaves
from companion.rules.components import box_of
from companion.rules.facts import Fact, Refused, Setup, after_the_end, by_kind
from companion.rules.house_rules import read_options
from companion.rules.replacing import replace
from companion.rules.seats import require_setup

RULES_VERSION = 3
OLDER_VERSIONS = (2,)
"""Sessions of these versions keep their rules. In version 2, keys decided a Tower Showdown to the microsecond."""
# the number of players that the published rules name; as many buttons and keys there are
SEAT_COUNTS = range(2, 6)


def start(setup: Setup) -> State:
    """Return the state before the first card; raise `Refused` for bad seats, options or an unknown version."""
    require_setup(setup, "Sky Rise", RULES_VERSION, SEAT_COUNTS, "SR-1", OLDER_VERSIONS)
    seats = len(setup.seats)
    options, kit = read_options(setup.options, HOUSE_RULES, NUMBERS), kit_of(box_of(setup))
    plan = setting.plan_of(seats, options, kit, ())
    hands, pile = setting.deal(plan, [seat.id for seat in setup.seats])
    first = setup.seats[0].id
    return State(
        Common(setup), options, kit, plan, (TowerLevel(1, first, first),), hands=hands, pile=pile
    )


def apply(state: State, fact: Fact, entry: int) -> State:
    """Return the state after `fact`, entry number `entry`; raise `Refused` if the rules do not allow it."""
    if isinstance(fact, COMMON_FACTS):
        return _common(state, fact)
    if isinstance(fact, _WHILE_RUNNING):
        common.require_running(state.common, fact.at)
    # Another contender's button may be reported after the one that won.
    if over(state) and not isinstance(fact, f.ShowdownStop):
        raise after_the_end("SR-17")
    after = _HANDLERS[type(fact)](state, fact, entry)
    return _with_entry(after, state.level.number, entry) if isinstance(fact, _OF_A_ROUND) else after


def _common(state: State, fact: Fact) -> State:
    """Return the state after a fact that all games share; raise `Refused`."""
    if isinstance(fact, (SeatLeaves, SeatJoins)) and over(state):
        raise after_the_end("SR-17")
    if isinstance(fact, SeatJoins):
        common.require_room(state.common, fact, SEAT_COUNTS)
    after = replace(state, common=common.apply_common(state.common, fact, totals(state)))
    if isinstance(fact, SeatLeaves):
        return _left(after, fact)
    if isinstance(fact, SeatJoins):
        return _joined(state, after)
    return after


def _left(state: State, fact: SeatLeaves) -> State:
    if len(state.playing) < SEAT_COUNTS.start:
        raise Refused(
            "SR-T1", "one player is no game", do="End the session, or set scores by hand."
        )
    if not state.seated:
        return _replanned(state)
    hands = tuple((seat, 0 if seat == fact.seat else number) for seat, number in state.hands)
    return state if state.revealed else settle(replace(state, hands=hands))


def _joined(before: State, after: State) -> State:
    most = len(before.plan.colors)
    if before.seated and len(after.playing) > most:
        why = f"there is no Nest and no Tree for {len(after.playing)} players"
        raise Refused("SR-3", why, f"{most} at most")
    if before.revealed:
        raise Refused(
            "SR-T2", "the goals are revealed", do="Begin another game with whoever joins."
        )
    if not after.seated:
        return _replanned(after)
    (seat,) = set(after.playing) - set(before.playing)
    cards, pile = HAND, after.pile
    if pile is not None:
        cards = min(HAND, pile)
        pile -= cards
    # Somebody who comes back has an old hand, which went out of play (SR-T1).
    hands = tuple((holder, number) for holder, number in after.hands if holder != seat)
    return replace(dealt_on(after), hands=(*hands, (seat, cards)), pile=pile)


def _replanned(state: State) -> State:
    """Return the state for the present number of players; until the first card everything depends on it."""
    players = len(state.playing)
    if state.options["colors"] not in ("by_seats", str(setting.color_count(players))):
        raise Refused(
            "SR-1",
            f"{players} players do not go with {state.options['colors']} colors",
            "as many as now",
        )
    plan = setting.plan_of(players, state.options, state.kit, state.assigned)
    hands, pile = setting.deal(plan, state.playing)
    first = state.level.starter
    starter = first if first in state.playing else left_of(state, first) or first
    floor = TowerLevel(1, starter, starter, entries=state.level.entries)
    return replace(dealt_on(state.replanned(plan)), hands=hands, pile=pile, levels=(floor,))


def _with_entry(state: State, number: int, entry: int) -> State:
    """Return the state with `entry` recorded as one that this level, or the roof, depends on."""
    levels = (
        replace(level, entries=(*level.entries, entry)) if level.number == number else level
        for level in state.levels
    )
    return replace(state, levels=tuple(levels))


def is_ready(state: State) -> bool:
    """Return True if nothing has been laid yet, so the setup may still change."""
    return not state.seated and not state.level.closed


def _refuse_unless_ready(state: State, clause: str, consequence: str) -> None:
    if not is_ready(state):
        raise Refused(
            clause, f"the first turn is over, {consequence}", do="Take that turn back first."
        )


def _start_token(state: State, fact: f.StartToken, _entry: int) -> State:
    _refuse_unless_ready(state, "SR-4", "so the Start token of the first round stays where it is")
    common.require_playing(state.common, fact.seat)
    if fact.seat == state.level.starter:
        why, do = (
            f"{state.name(fact.seat)} has the Start token already",
            "Name another player, or lay the first card.",
        )
        raise Refused("SR-4", why, do=do)
    return replace(state, levels=(TowerLevel(1, fact.seat, fact.seat),))


def _assign(state: State, fact: f.Assign, _entry: int) -> State:
    _refuse_unless_ready(state, "SR-2", "and each suit has its color")
    suits = setting.suits_of(state.options, len(state.plan.suits))
    if fact.suit not in suits:
        raise Refused("SR-2", setting.suit_missing(state, fact.suit), either(suits))
    colors = [color for color, _, _ in state.kit.colors]
    if fact.color not in colors:
        raise Refused("SR-1", setting.color_missing(state, fact.color), either(colors))
    if state.plan.color_of(fact.suit) == fact.color:
        why = f"{fact.suit} belongs to {fact.color} already"
        raise Refused("SR-2", why, "another suit or color")
    pairs = setting.reassign(state.plan.suits, fact.suit, fact.color)
    assigned = (*state.assigned, (fact.suit, fact.color))
    return replace(state.replanned(replace(state.plan, suits=pairs)), assigned=assigned)


def _opaque(state: State, fact: f.Opaque, _entry: int) -> State:
    common.require_seat(state.common, fact.seat)
    now, name = (fact.large, fact.medium, fact.small), state.name(fact.seat)
    given = dict(state.given) | {fact.seat: now}
    if sum(now) != setting.share(state, fact.seat) and not fact.reason:
        why = f"{name} would have {sum(now)} opaque pyramids"
        raise setting.ruling_only("SR-1", why, f"{setting.share(state, fact.seat)} in all")
    for place, size in enumerate(SIZES):
        if sum(sizes[place] for sizes in given.values()) > EACH:
            why, do = (
                f"there would be more than {EACH} {size} opaque pyramids",
                "There are three opaque Trios in all.",
            )
            raise Refused("SR-1", why, do=do)
        if now[place] < setting.used_opaque(state, fact.seat)[place]:
            raise Refused(
                "SR-1",
                f"{name} has placed more {size} ones already",
                "as many as are placed, or more",
            )
    return settle(replace(state, given=tuple(sorted(given.items()))))


def _turn_over(state: State, fact: f.TurnOver, _entry: int) -> State:
    common.require_playing(state.common, fact.seat)
    level = state.level
    if level.stage == "done":
        raise setting.not_now(state, "SR-T6", "no turn runs, the tower is built")
    if room(state) <= 0:
        raise Refused("SR-T6", _nobodys_turn(level), do="Enter these first.")
    if fact.seat != level.turn:
        turn = state.name(level.turn)
        why = f"it is {turn}'s turn, not {state.name(fact.seat)}'s"
        raise Refused("SR-T6", why, do=f"Wait until {turn} ends the turn.")
    closed = replace(level, closed=(*level.closed, fact.seat))
    state = state.with_level(closed)
    # Asked of the new state: the closed turn takes one of the free places.
    turn = left_of(state, fact.seat, lambda seat: can_act(state, seat)) or fact.seat
    return settle(state.with_level(replace(closed, turn=turn)))


def _nobodys_turn(level: TowerLevel) -> str:
    """Return why no turn can end: turns waiting to be entered take all the room."""
    if level.stage == "cards":
        return "all cells are taken by turns whose cards are not entered yet"
    if level.is_roof:
        return "everybody has had a turn on the roof"
    return "all corners are taken by turns whose pyramids are not entered yet"


def _turn(state: State, fact: f.Turn, _entry: int) -> State:
    common.require_playing(state.common, fact.seat)
    level = state.level
    if level.stage == "done":
        raise setting.not_now(state, "SR-7")
    # A ruling gives the seat its chance on the roof again.
    tried = tuple(seat for seat in level.tried if seat != fact.seat)
    return settle(state.with_level(replace(level, turn=fact.seat, closed=(), tried=tried)))


_OF_A_ROUND = (f.Card, f.Pyramid, f.Pass, f.TurnOver, f.Turn)
_WHILE_RUNNING = (f.Card, f.Pyramid, f.Pass, f.TurnOver, f.Showdown, f.ShowdownStop)
_HANDLERS: dict[type[Fact], Callable[[State, Any, int], State]] = {
    f.StartToken: _start_token, f.Assign: _assign, f.Opaque: _opaque, f.Card: building.card,
    f.Pyramid: building.pyramid, f.Pass: building.no_pyramid, f.TurnOver: _turn_over, f.Turn: _turn,
    f.GoalNoted: ending.goal_noted, f.GoalsDealt: ending.deal_goals, f.Reveal: ending.reveal,
    f.Showdown: ending.begin_showdown, f.ShowdownStop: ending.stop, f.ShowdownRuling: ending.rule,
}  # fmt: skip
FACTS = by_kind(*_HANDLERS, *COMMON_FACTS)
