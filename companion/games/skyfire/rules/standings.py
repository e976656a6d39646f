"""Scores, winners, and who begins and which targets are left in the next round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.games.skyfire.rules.deck import Face, face_of
from companion.games.skyfire.rules.model import ROUNDS, Round, State
from companion.rules.columns import listed
from companion.rules.ending import (
    GameResult,
    ScoresAfter,
    decided_by,
    leading,
    scores_by_round,
    with_by_hand,
)
from companion.rules.facts import Seat, SeatId
from companion.rules.once import once


@once
def ended(state: State) -> tuple[Round, ...]:
    """Return the rounds that have a result."""
    before, current = _ended_before(state.past), state.current
    return before if current is None or current.result is None else (*before, current)


@once
def _ended_before(past: tuple[Round, ...]) -> tuple[Round, ...]:
    return tuple(played for played in past if played.result is not None)


def earned(played: Round, seat: SeatId) -> int:
    """Return what the seat scored in that round."""
    if played.result is None or seat not in played.result.winners:
        return 0
    return played.result.points


@once
def rounds_won(rounds: tuple[Round, ...]) -> Mapping[SeatId, tuple[int, int]]:
    """Return the number of these rounds each seat won and the points they brought; seats without a win are left out."""
    wins: dict[SeatId, tuple[int, int]] = {}
    for played in rounds:
        if played.result is None:
            continue
        for seat in set(played.result.winners):
            won, points = wins.get(seat, (0, 0))
            wins[seat] = won + 1, points + earned(played, seat)
    return wins


@once
def scores(state: State) -> dict[SeatId, int]:
    """Return each seat's points in seat order, those set by hand included."""
    won, added = rounds_won(ended(state)), dict(state.common.by_hand)
    return {
        seat.id: won.get(seat.id, (0, 0))[1] + added.get(seat.id, 0) for seat in state.setup.seats
    }


@once
def winners(state: State) -> tuple[SeatId, ...]:
    """Return the winners among the seats still playing (SF-T1); none while the game is not over (SF-18)."""
    if len(ended(state)) < ROUNDS or (state.current is not None and state.current.result is None):
        return ()
    held = scores(state)
    first = leading({seat: held[seat] for seat in state.playing})
    return () if len(first) > 1 and state.options["tie"] == "extra_round" else first


def is_final(number: int) -> bool:
    """Return True for a round played for the finale: the fifth, and any after it (SF-8, SF-T6)."""
    return number >= ROUNDS


def next_first(state: State) -> SeatId:
    """Return who begins the next round (SF-R3); empty if nobody plays any more."""
    playing = state.playing
    if state.current is None or not playing:
        return next(iter(playing), "")
    result = state.current.result
    won_by = result.winners if result is not None else ()
    if state.options["first_player"] == "winner" and len(won_by) == 1 and won_by[0] in playing:
        return won_by[0]
    return state.onward_from(state.current.first)[0]


def used_targets(state: State) -> tuple[Face, ...]:
    """Return the targets of earlier rounds, which have left the stack (SF-5, inferred)."""
    return tuple(played.target for played in state.past if played.target is not None)


def open_targets(state: State) -> tuple[Face, ...]:
    """Return the targets that may still be on the stack, as far as the cards tell them apart."""
    gone = {face.name for face in (*used_targets(state), *state.removed)}
    return tuple(face_of(card) for card in state.deck.targets if card.name not in gone)


def result(state: State) -> GameResult:
    """Return the winners and the points after each finished round, then with those set by hand (SF-T4)."""
    held, rounds = scores(state), ended(state)
    found = GameResult(winners(state), with_by_hand(_after(rounds, state.setup.seats), held))
    extra = [str(played.number) for played in rounds if played.number > ROUNDS]
    if not extra or not found.winners:
        return found
    rivals = {seat: held[seat] for seat in state.playing}
    names = {seat.id: seat.name for seat in state.setup.seats}
    if len(extra) == 1:
        reason = f"Round {extra[0]} was played because of a tie."
    else:
        reason = f"Rounds {listed(extra)} were played because of a tie."
    decided = decided_by(found, rivals, names, "points")
    return replace(found, tie_break=f"{reason} {decided}".rstrip())


@once
def _after(rounds: tuple[Round, ...], seats: tuple[Seat, ...]) -> ScoresAfter:
    gains = (
        (str(played.number), {seat.id: earned(played, seat.id) for seat in seats})
        for played in rounds
    )
    return scores_by_round(gains, [seat.id for seat in seats])
