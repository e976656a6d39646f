"""Somebody leaves or joins, the pause, a score set by hand (SR-T1 to SR-T4)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.sky_rise.rules.ending import dealt_on
from companion.games.sky_rise.rules.model import HAND, State, TowerLevel
from companion.games.sky_rise.rules.setting import color_count, deal, plan_of
from companion.games.sky_rise.rules.standings import over, totals
from companion.games.sky_rise.rules.turns import left_of, settle
from companion.rules.common import SeatJoins, SeatLeaves, apply_common, require_room
from companion.rules.game import Fact, Refused

SEAT_COUNTS = range(2, 6)  # the number of players that the published rules name; as many buttons and keys there are


def apply(state: State, fact: Fact) -> State:
    """Return the state after one of the facts that all games share; raise `Refused`."""
    if isinstance(fact, (SeatLeaves, SeatJoins)) and over(state):
        raise Refused("SR-17", "the game is over", "a new game", "Begin a new game.")
    if isinstance(fact, SeatJoins):
        require_room(state.common, fact, SEAT_COUNTS)
    after = replace(state, common=apply_common(state.common, fact, totals(state)))
    if isinstance(fact, SeatLeaves):
        return _left(after, fact)
    return _joined(state, after) if isinstance(fact, SeatJoins) else after


def _left(state: State, fact: SeatLeaves) -> State:
    if len(state.playing) < SEAT_COUNTS.start:
        raise Refused(
            "SR-T1",
            "one player is no game",
            "the end of the session, or scores by hand",
            "End the session, or set scores by hand.",
        )
    if not state.seated:
        return _replanned(state)
    hands = tuple((seat, 0 if seat == fact.seat else number) for seat, number in state.hands)
    return state if state.revealed else settle(replace(state, hands=hands))


def _joined(before: State, after: State) -> State:
    most = len(before.plan.colors)
    if before.seated and len(after.playing) > most:
        raise Refused("SR-3", f"there is no Nest and no Tree for {len(after.playing)} players", f"{most} at most")
    if before.revealed:
        raise Refused(
            "SR-T2", "the goals are revealed", "another game for who joins", "Begin another game with whoever joins."
        )
    if not after.seated:
        return _replanned(after)
    (seat,) = set(after.playing) - set(before.playing)
    cards = HAND if after.pile is None else min(HAND, after.pile)
    pile = None if after.pile is None else after.pile - cards
    after = dealt_on(after)
    return replace(after, hands=(*((one, n) for one, n in after.hands if one != seat), (seat, cards)), pile=pile)


def _replanned(state: State) -> State:
    """Before the first card everything goes by the number who play."""
    players = len(state.playing)
    if state.options["colors"] not in ("by_seats", str(color_count(players))):
        raise Refused("SR-1", f"{players} players do not go with {state.options['colors']} colors", "as many as now")
    plan = plan_of(players, state.options, state.kit, state.assigned)
    hands, pile = deal(plan, state.playing)
    first = state.level.starter
    starter = first if first in state.playing else left_of(state, first) or first
    floor = TowerLevel(1, starter, starter, entries=state.level.entries)
    return replace(dealt_on(state.replanned(plan)), hands=hands, pile=pile, levels=(floor,))
