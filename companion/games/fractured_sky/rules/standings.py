"""What follows from the Starfalls: who holds how many, who leads, who wins."""

from __future__ import annotations

from companion.games.fractured_sky.rules.model import State
from companion.games.fractured_sky.rules.public import PlayerId, is_ai
from companion.rules.columns import listed
from companion.rules.ending import BY_HAND, NOW, GameResult
from companion.rules.game import SeatId


def starfalls_of(state: State, player: PlayerId) -> int:
    """A player's Starfalls, with what the table added to a seat's by hand."""
    return state.held.get(player, 0) + (0 if is_ai(player) else state.common.added(player))


def standings(state: State) -> dict[SeatId, int]:
    """Each seat's Starfalls, in the order of the seats."""
    return {seat.id: starfalls_of(state, seat.id) for seat in state.setup.seats}


def winner(state: State) -> PlayerId | None:
    """Who wins: most Starfalls after the last round, ties by the slots just taken (FS-30); None before."""
    if not state.finished or not state.past:
        return None
    order = [player for player in state.past[-1].next_order if player in state.players]
    return max(order, key=lambda player: (starfalls_of(state, player), -order.index(player)), default=None)


def tokens_in_play(state: State) -> int:
    """How many Starfall tokens are in use; the supply is 28 (FS-1), the companion counts on beyond it."""
    return sum(starfalls_of(state, player) for player in state.players) + sum(state.starfalls.values())


def result(state: State) -> GameResult:
    """Who won, by what among equals (FS-30), and the Starfalls of seats and AIs after each round."""
    held = {player: starfalls_of(state, player) for player in (*standings(state), *state.ais)}
    rounds = tuple((str(played.number), {each: played.held.get(each, 0) for each in held}) for played in state.past)
    first = winner(state)
    equal = [player for player in state.players if first is not None and held[player] == held[first]]
    settled = f"{listed(map(state.name, equal))} had the same number of Starfalls; " if len(equal) > 1 else ""
    return GameResult(
        () if first is None else (first,),
        rounds if rounds and rounds[-1][1] == held else (*rounds, (BY_HAND if state.finished else NOW, held)),
        tie_break=settled and f"{settled}{state.name(first or '')} took the first turn slot of them.",
        others={ai: state.name(ai) for ai in state.ais},
    )
