"""What follows from the rounds: their results, Bullet cards, cards left, who plays and deals next, the champion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion.games.base import SeatId
from companion.games.house_rules import Options
from companion.games.panic_fire.judge import disputed
from companion.games.panic_fire.model import DEALT, PLAY_DECK, ROUNDS, Pull, Round, State


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a round stands: open, won, to be replayed, over without a Bullet card, or waiting for the table (PF-R5)."""

    status: Literal["open", "won", "replay", "unwon", "table"]
    winner: SeatId | None = None


def outcome(played: Round, options: Options) -> Outcome:
    """Where the round stands (PF-17, PF-R5); a tie that is not decided yet keeps it open."""
    replayed = options["no_survivor"] == "replay_round" or played.sudden_death
    if played.end is not None and played.end.seat is not None:
        return Outcome("won", played.end.seat)
    if played.end is not None:
        return Outcome("replay" if replayed else "unwon")
    alive = played.reading.alive
    if len(alive) > 1 or any(contested(played, pull, options) for pull in _incomplete(played)):
        return Outcome("open")
    if alive:
        return Outcome("won", next(iter(alive)))
    return Outcome("replay" if replayed else "table")


def _incomplete(played: Round) -> tuple[Pull, ...]:
    return tuple(pull for pull, verdict in played.reading.verdicts if verdict.result == "open")


def contested(played: Round, pull: Pull, options: Options) -> bool:
    """Whether the table may order `pull` and the shot before it (PF-R2)."""
    before = rival(played, pull)
    return before is not None and disputed(before, pull, options)


def rival(played: Round, pull: Pull) -> Pull | None:
    """The shot before `pull`."""
    shots = [shot for shot, _ in played.reading.verdicts]
    place = shots.index(pull)
    return shots[place - 1] if place else None


def open_pulls(state: State) -> tuple[Pull, ...]:
    """The shots that wait to be named, oldest first; none once the round is over."""
    if state.current is None or outcome(state.current, state.options).status != "open":
        return ()
    return _incomplete(state.current)


def last_named(state: State) -> Pull | None:
    """The shot of the current round that was named last, wherever it stands among the shots."""
    verdicts = state.current.reading.verdicts if state.current is not None else ()
    named = [pull for pull, _ in verdicts if pull.target is not None or pull.shooter is not None]
    return max(named, key=lambda pull: max(pull.named), default=None)


def in_hand(state: State) -> Pull | None:
    """The shot that `illegal` and `match` speak of: the oldest that waits to be named, else the one named last."""
    waiting = open_pulls(state)
    return waiting[0] if waiting else last_named(state)


def tied_shot(state: State) -> Pull | None:
    """The latest shot that the table may order against the one before it (PF-R2)."""
    if state.current is None:
        return None
    for pull, _ in reversed(state.current.reading.verdicts):
        if contested(state.current, pull, state.options):
            return pull
    return None


def cards_left(played: Round, options: Options) -> tuple[int, int] | None:
    """The cards in the piles, least and most; None once nobody can know (PF-2, PF-R1)."""
    low, high = played.pile or (0, 0)
    mark = played.reading.pile
    known = played.pile is not None if mark is None else mark.cards is not None
    if mark is not None and mark.cards is not None:
        low = high = mark.cards
    taken = played.taken - (mark.taken if mark is not None else 0)
    low, high = low - taken - played.reading.laid[1], high - taken - played.reading.laid[0]
    exhausted = low < 0 and options["pile_exhausted"] == "reshuffle"
    return (max(low, 0), max(high, 0)) if known and not exhausted else None


def pile_at_start(state: State, players: int) -> tuple[int, int] | None:
    """The cards in the piles once a round is dealt, least and most (PF-2, PF-R4)."""
    fresh = PLAY_DECK - state.options.numbers["removed_shields"] - DEALT * players
    if state.current is None or state.options["next_round_deck"] == "reshuffle_all":
        return (fresh, fresh)
    left = cards_left(state.current, state.options)
    if left is None or left[0] < DEALT * players:
        return None
    return (left[0] - DEALT * players, left[1] - DEALT * players)


def counted(state: State) -> tuple[Round, ...]:
    """The rounds that count among the six: over, not replayed, no sudden death (PF-17)."""
    current = state.current
    if current is None or current.sudden_death or outcome(current, state.options).status not in ("won", "unwon"):
        return state.kept
    return (*state.kept, current)


def bullets(state: State) -> dict[SeatId, int]:
    """Each seat's Bullet cards, in the order of the seats (PF-17), with what the table set by hand (PF-T6)."""
    winners = [outcome(played, state.options).winner for played in counted(state)]
    return {seat.id: winners.count(seat.id) + state.common.added(seat.id) for seat in state.setup.seats}


def leaders(state: State) -> tuple[SeatId, ...]:
    """The seats with the most Bullet cards among those that have not left (PF-T2)."""
    held = {seat: number for seat, number in bullets(state).items() if seat in state.playing}
    return tuple(seat for seat, number in held.items() if number == max(held.values()))


def champion(state: State) -> SeatId | None:
    """The champion: most Bullet cards after six rounds (PF-17), or the survivor of sudden death (PF-18); nobody who has
    left (PF-T2)."""
    if len(counted(state)) < ROUNDS:
        return None
    if state.current is not None and state.current.sudden_death:
        now = outcome(state.current, state.options)
        if now.winner in state.playing or now.status == "open":
            return now.winner
    first = leaders(state)
    return first[0] if len(first) == 1 else None


def next_is_sudden_death(state: State) -> bool:
    """Whether the six rounds are played and tied (PF-18)."""
    return len(counted(state)) >= ROUNDS and champion(state) is None


def next_players(state: State) -> tuple[SeatId, ...]:
    """Who plays next: all who have not left (PF-T1); in sudden death the tied alone, unless the house rules say all
    (PF-18, PF-R5)."""
    if next_is_sudden_death(state) and state.options["sudden_death_players"] == "tied_only":
        return leaders(state)
    return state.playing


def next_dealer(state: State) -> SeatId:
    """Who deals the next round: the first seat the first time, then by the house rule (PF-R4); who has left is passed
    over (PF-T1)."""
    seats = [seat.id for seat in state.setup.seats]
    if state.current is None or state.options["dealer"] == "fixed":
        return _from(state, seats)
    last = seats.index(state.current.dealer)
    if state.options["dealer"] == "last_winner":
        winner = outcome(state.current, state.options).winner
        return winner if winner in state.playing else _from(state, [*seats[last:], *seats[:last]])
    return _from(state, [*seats[last + 1 :], *seats[: last + 1]])


def _from(state: State, seats: Sequence[SeatId]) -> SeatId:
    """The first of them that has not left; the first where everybody has."""
    return next((seat for seat in seats if seat in state.playing), seats[0])
