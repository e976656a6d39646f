"""What follows from the rounds: results, Bullet cards, cards left, who plays and deals next, what no table can have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from companion.games.panic_fire.rules.keys import NEW_PILE
from companion.games.panic_fire.rules.model import (
    BULLETS,
    DEALT,
    PLAY_DECK,
    SET,
    Pull,
    Round,
    State,
)
from companion.rules.comparing import apart, is_tie
from companion.rules.ending import GameResult, ScoresAfter, leading, with_by_hand
from companion.rules.facts import Moment, Refused, SeatId
from companion.rules.house_rules import Options
from companion.rules.incremental import Incremental
from companion.rules.once import once
from companion.rules.pauses import Span


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a round stands: not begun, open, won, to be played again for its Bullet card, or waiting for the table
    (PF-R5)."""

    status: Literal["ready", "open", "won", "replay", "table"]
    winner: SeatId | None = None


@once
def outcome(played: Round, options: Options) -> Outcome:
    """Where the round stands (PF-17, PF-R5); a shot whose names can still change who survived keeps it open."""
    if played.end is not None:
        return Outcome("replay") if played.end.seat is None else Outcome("won", played.end.seat)
    alive = played.reading.alive
    if len(alive) > 1 or _names_matter(played, options):
        return Outcome("open")
    if alive:
        return Outcome("won", next(iter(alive)))
    return Outcome(
        "replay" if options["no_survivor"] == "replay_round" or played.sudden_death else "table"
    )


def current_outcome(state: State) -> Outcome:
    """Where the round stands that is open or was played last."""
    return Outcome("ready") if state.current is None else outcome(state.current, state.options)


def _names_matter(played: Round, options: Options) -> bool:
    """Whether a shot that waits to be named is tied with the one before it, or was fired before one that is named while
    several were in."""
    later_named, waiting = False, None
    for shot, verdict in reversed(played.reading.verdicts):
        if waiting is not None and _are_rivals(played, shot, waiting, options):
            return True
        waiting = shot if verdict.result == "open" else None
        if waiting is not None and later_named and len(verdict.before) > 1:
            return True
        later_named = later_named or shot.complete
    return False


def _incomplete(played: Round) -> tuple[Pull, ...]:
    return tuple(pull for pull, verdict in played.reading.verdicts if verdict.result == "open")


def rival(played: Round, pull: Pull, options: Options) -> Pull | None:
    """The shot before `pull` where the table orders the two: a tie, or any two where the house rules say so (PF-R2)."""
    shots = [shot for shot, _ in played.reading.verdicts]
    before = next((before for before, shot in pairwise(shots) if shot.entry == pull.entry), None)
    return before if before is not None and _are_rivals(played, before, pull, options) else None


def _are_rivals(played: Round, before: Pull, pull: Pull, options: Options) -> bool:
    """Whether the table orders two shots, one behind the other."""
    if options["shot_disputes"] == "table":
        return True
    return _tied(played, before.at, pull.at, options.numbers["stamp_error_us"])


def _tied(played: Round, first: Moment | None, second: Moment | None, stamp_error_us: int) -> bool:
    """Whether two moments of one clock are closer than the error of their difference, or the house rule's (PF-R2)."""
    difference = apart(first, second)
    if difference is None or first is None or second is None:
        return False
    # took the larger error for that of the difference, and a key's for none
    if played.rules_version == 2:
        difference = Span(difference.us, max(first.pm, second.pm))
    return is_tie(difference, stamp_error_us)


def open_pulls(state: State) -> tuple[Pull, ...]:
    """The shots that wait to be named, oldest first; none once the round is over."""
    if state.current is None or current_outcome(state).status != "open":
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
    if (current := state.current) is None:
        return None
    shots = (pull for pull, _ in reversed(current.reading.verdicts))
    return next((pull for pull in shots if rival(current, pull, state.options)), None)


def cards_left(played: Round, options: Options) -> tuple[int, int] | None:
    """The cards in the piles, least and most; None once nobody can know (PF-2, PF-R1)."""
    left = balance(played)
    if left is None or (left[0] < 0 and options["pile_exhausted"] == "reshuffle"):
        return None
    return (max(left[0], 0), max(left[1], 0))


def balance(played: Round) -> tuple[int, int] | None:
    """The cards in the piles, least and most, as if these could not run out: below zero are cards that were not there.
    None where nobody counted them (PF-R1, PF-R4)."""
    low, high = played.pile or (0, 0)
    mark = played.reading.pile
    known = played.pile is not None if mark is None else mark.cards is not None
    if mark is not None and mark.cards is not None:
        low = high = mark.cards
    drawn = played.taken - (mark.taken if mark is not None else 0)
    least, most = played.reading.laid
    return (low - drawn - most, high - drawn - least) if known else None


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
    """The rounds that gave a Bullet card: won, and no sudden death (PF-17)."""
    current = state.current
    if current is None or current.sudden_death or outcome(current, state.options).status != "won":
        return state.kept
    return (*state.kept, current)


@once
def bullets(state: State) -> dict[SeatId, int]:
    """Each seat's Bullet cards, in the order of the seats (PF-17), with what the table set by hand (PF-T6)."""
    won, added = _won(state, counted(state))[0], dict(state.common.by_hand)
    return {seat.id: won.get(seat.id, 0) + added.get(seat.id, 0) for seat in state.setup.seats}


Won = tuple[Mapping[SeatId, int], ScoresAfter]
"""The Bullet cards that some rounds gave each seat, and those after each of them."""


def _with(state: State, before: Won, played: Round) -> Won:
    held, after = before
    winner = outcome(played, state.options).winner
    held = {seat.id: held.get(seat.id, 0) + (seat.id == winner) for seat in state.setup.seats}
    return held, (*after, (str(played.number), held))


def _hold(before: State, now: State, _won: Won) -> bool:
    """Whether rounds gave the same in both states: by the same rules, to the same seats."""
    return before.options is now.options and before.setup.seats == now.setup.seats


_won: Incremental[State, Round, Won] = Incremental(({}, ()), _with, _hold)


def taken(state: State) -> int:
    """How many Bullet cards have left the stack; the six end the game (PF-17)."""
    return len(counted(state)) + sum(number for _, number in state.common.by_hand)


def leaders(state: State) -> tuple[SeatId, ...]:
    """The seats with the most Bullet cards among those that have not left (PF-T2)."""
    return leading(
        {seat: number for seat, number in bullets(state).items() if seat in state.playing}
    )


@once
def champion(state: State) -> SeatId | None:
    """The champion: most Bullet cards once all six are taken (PF-17), else the survivor of the sudden death that the
    tied played (PF-18); nobody who has left (PF-T2)."""
    if taken(state) < BULLETS:
        return None
    first = leaders(state)
    if len(first) == 1:
        return first[0]
    last = state.current
    if last is None or not last.sudden_death or not set(first) <= set(last.tied):
        return None
    survivor = current_outcome(state).winner
    return survivor if survivor in _contenders(state) else None


def next_is_sudden_death(state: State) -> bool:
    """Whether all six Bullet cards are taken and the most are held by several (PF-18)."""
    return taken(state) >= BULLETS and champion(state) is None


def next_players(state: State) -> tuple[SeatId, ...]:
    """Who plays next: all who have not left (PF-T1); in sudden death the tied alone, unless the house rules say all
    (PF-18, PF-R5)."""
    return _contenders(state) if next_is_sudden_death(state) else state.playing


def _contenders(state: State) -> tuple[SeatId, ...]:
    return leaders(state) if state.options["sudden_death_players"] == "tied_only" else state.playing


def next_dealer(state: State) -> SeatId:
    """Who deals the next round: the first seat the first time, then by the house rule (PF-R4); who has left is passed
    over (PF-T1)."""
    if not state.playing or state.current is None or state.options["dealer"] == "fixed":
        return next(iter(state.playing), state.setup.seats[0].id)
    if state.options["dealer"] == "last_winner":
        for seat in (current_outcome(state).winner, state.current.dealer):
            if seat in state.playing:
                return seat
    return state.onward_from(state.current.dealer)[0]


def result(state: State) -> GameResult:
    """Who won, and the Bullet cards after each round that counts, then those that the table set by hand (PF-T6)."""
    after = with_by_hand(_won(state, counted(state))[1], bullets(state))
    first, last = champion(state), state.current
    settled = ""
    if first is not None and last is not None and last.sudden_death:
        tied = state.names(leaders(state))
        settled = (
            f"{tied} had the same number of Bullet cards; {state.name(first)} won the sudden death."
        )
    return GameResult(() if first is None else (first,), after, tie_break=settled)


def free_bullets(state: State, seat: SeatId) -> int:
    """The most Bullet cards that seat can have: all but those of others and the one that is played for (PF-17)."""
    return BULLETS - taken(state) - _played_for(state) + bullets(state)[seat]


def refuse_the_impossible(before: State, after: State) -> None:
    """Raise `Refused` where `after` has too many Bullet cards (PF-17), or, at a table that plays on with what is in the
    piles (PF-R1), more cards taken than were there `before`."""
    if after.common.by_hand and (
        taken(after) + _played_for(after) > BULLETS or min(bullets(after).values()) < 0
    ):
        reason = "with the Bullet cards set by hand they would not be six any more"
        raise Refused("PF-17", reason, do="First put right those that were set by hand.")
    if after.options["pile_exhausted"] == "play_on" and after.current is not None:
        _refuse_cards(before, after.current)


def _played_for(state: State) -> int:
    """How many Bullet cards the current round is still played for: one, or none once it is over."""
    if state.current is None or state.current.sudden_death:
        return 0
    return int(current_outcome(state).status in ("open", "table"))


def _refuse_cards(before: State, current: Round) -> None:
    left, were = balance(current), balance(before.current) if before.current is not None else None
    if left is None or left[1] >= 0:
        return
    there = max(were[1], 0) if were is not None else 0
    reason = (
        f"that takes {there - left[1]} cards, and the piles have {there}"
        if there
        else "the piles are empty"
    )
    raise Refused(
        "PF-R1", reason, "play without these cards, or the table's word on a new pile", NEW_PILE
    )


def largest_pile(state: State, current: Round) -> int:
    """The most cards that a new pile can have: all that nobody who is still in must hold (PF-2, PF-9).

    A hand is smaller than four where a Shield spent from it is not replaced (PF-R6), or where people played on without
    draws (PF-R1).
    """
    each = SET if state.options["pile_exhausted"] == "play_on" else DEALT
    saved = [
        pull.shield_hand for pull, verdict in current.reading.verdicts if verdict.result == "saved"
    ]
    spent = [
        seat
        for seat in saved
        if seat in current.reading.alive and state.options["shield_discard_draws"] == "no"
    ]
    held = each * len(current.reading.alive) - (len(spent) if each == DEALT else 0)
    return PLAY_DECK - state.options.numbers["removed_shields"] - held
