"""Results of the rounds: Bullet cards, cards left, who plays and deals next, and states that cannot exist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from companion.games.panic_fire.rules.keys import NEW_PILE
from companion.games.panic_fire.rules.model import (
    BULLETS,
    DEALT,
    NEW_SET,
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
from companion.rules.replacing import replace
from companion.rules.spans import US_PER_S

_TAPPED_LATE_US = 3 * US_PER_S
"""How long after a shot somebody may still tap it on a page: two taps that are further apart leave no doubt which shot
was first."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The status of a round: not begun, open, won, to be replayed, or waiting for the players' ruling (PF-R5)."""

    status: Literal["ready", "open", "won", "replay", "table"]
    winner: SeatId | None = None


@once
def outcome(played: Round, options: Options) -> Outcome:
    """Return the status of a round (PF-17, PF-R5). A shot whose names can still change who survived keeps it open."""
    if played.end is not None:
        return Outcome("replay") if played.end.seat is None else Outcome("won", played.end.seat)
    alive = played.reading.alive
    if len(alive) > 1 or _names_matter(played, options):
        return Outcome("open")
    if alive:
        return Outcome("won", next(iter(alive)))
    if options["no_survivor"] == "replay_round" or played.sudden_death:
        return Outcome("replay")
    return Outcome("table")


def current_outcome(state: State) -> Outcome:
    """Return the status of the round that is open or was played last."""
    return Outcome("ready") if state.current is None else outcome(state.current, state.options)


def _names_matter(played: Round, options: Options) -> bool:
    """Return True if naming an open shot can change the survivors: it is tied with the shot before it, or
    precedes a named one."""
    # From the newest shot back, so that each open shot already knows if a named one follows.
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
    """Return the shot before `pull` if the players may order the two: a tie, or any two by house rule (PF-R2)."""
    shots = [shot for shot, _ in played.reading.verdicts]
    for before, shot in pairwise(shots):
        if shot.entry == pull.entry:
            return before if _are_rivals(played, before, pull, options) else None
    return None


def _are_rivals(played: Round, before: Pull, pull: Pull, options: Options) -> bool:
    """Return True if the players may order these two consecutive shots."""
    if options["shot_disputes"] == "table":
        return True
    return _tied(played, before.at, pull.at, options.numbers["stamp_error_us"])


def is_order_asked(state: State, pull: Pull) -> bool:
    """Return True if the table has to say which of `pull` and the shot before it came first (PF-R2).

    The players may order more shots than these. But where the times leave no doubt, nobody is asked.
    """
    if state.current is None or pull.ruled:
        return False
    before = rival(state.current, pull, state.options)
    if before is None:
        return False
    difference = apart(before.at, pull.at)
    if difference is None:
        return True
    if difference.tapped:
        return difference.us - difference.pm <= _TAPPED_LATE_US
    return _tied(state.current, before.at, pull.at, state.options.numbers["stamp_error_us"])


def _tied(played: Round, first: Moment | None, second: Moment | None, stamp_error_us: int) -> bool:
    """Return True if two moments of one clock are closer than the error of their difference, or than the house
    rule's (PF-R2)."""
    difference = apart(first, second)
    if difference is None or first is None or second is None:
        return False
    # Version 2 took the larger error of the two, not the error of their difference.
    if played.rules_version == 2:
        difference = replace(difference, pm=max(first.pm, second.pm))
    return is_tie(difference, stamp_error_us)


def open_pulls(state: State) -> tuple[Pull, ...]:
    """Return the shots that wait for names, oldest first; none once the round is over."""
    if state.current is None or current_outcome(state).status != "open":
        return ()
    return _incomplete(state.current)


def late_pulls(state: State) -> tuple[Pull, ...]:
    """Return the shots without names of a round that is over, oldest first: its end no longer depends on them."""
    if state.current is None or current_outcome(state).status not in ("won", "replay"):
        return ()
    return _incomplete(state.current)


def may_be_taken_off(state: State, pull: Pull) -> bool:
    """Return True if an open shot that hit nobody can be voided (PF-R3): what was said of it would be said of another
    shot without it."""
    bare = not pull.named and not pull.illegal and pull.basis == "unknown"
    return bare and pull.cause == "shot" and state.options["accidental_discharge"] == "void"


def last_named(state: State) -> Pull | None:
    """Return the shot of the current round that was named last, at any place among the shots."""
    verdicts = state.current.reading.verdicts if state.current is not None else ()
    named = [pull for pull, _ in verdicts if pull.target is not None or pull.shooter is not None]
    return max(named, key=lambda pull: max(pull.named), default=None)


def current_shot(state: State) -> Pull | None:
    """Return the shot that `illegal` and `match` refer to: the oldest open one, else the one named last."""
    waiting = open_pulls(state)
    return waiting[0] if waiting else last_named(state)


def shot_numbered(state: State, number: int | None) -> Pull | None:
    """Return the shot of the current round that rulings name by this number; see `Pull.number`."""
    verdicts = state.current.reading.verdicts if state.current is not None else ()
    return next((pull for pull, _ in verdicts if pull.number == number), None)


def unsaid_matches(state: State) -> tuple[Pull, ...]:
    """Return the earlier shots of the open round for which nobody said who held the match, though cards left depends on
    it (PF-14): the prompt asks about the current shot only."""
    if state.current is None or current_outcome(state).status != "open":
        return ()
    reading, asked = state.current.reading, current_shot(state)
    # Whether cards were laid before the new pile was counted makes no difference any more.
    settled = reading.pile.settled if reading.pile is not None else frozenset()
    return tuple(
        pull
        for pull, verdict in reading.verdicts
        if verdict.new_set[0] < NEW_SET <= verdict.new_set[1]
        and pull.entry not in settled
        and pull is not asked
    )


def tied_shot(state: State) -> Pull | None:
    """Return the latest shot that the players may order against the one before it (PF-R2)."""
    if (current := state.current) is None:
        return None
    for pull, _ in reversed(current.reading.verdicts):
        if rival(current, pull, state.options):
            return pull
    return None


def rests_on_tap(state: State, pull: Pull) -> bool:
    """Return True if a shot of the current round, or the one before that the players may order it against, was tapped
    on a page (PF-R2)."""
    earlier = None if state.current is None else rival(state.current, pull, state.options)
    moments = (pull.at, None if earlier is None else earlier.at)
    return any(at is not None and at.tapped for at in moments)


def cards_left(played: Round, options: Options) -> tuple[int, int] | None:
    """Return the least and most cards in the piles, or None if unknown (PF-2, PF-R1)."""
    left = balance(played)
    if left is None or (left[0] < 0 and options["pile_exhausted"] == "reshuffle"):
        return None
    return (max(left[0], 0), max(left[1], 0))


def balance(played: Round) -> tuple[int, int] | None:
    """Return the least and most cards in the piles as if they could not run out, or None if nobody counted them (PF-R1,
    PF-R4).

    Below zero, more cards were taken than there were.
    """
    count = played.reading.pile
    drawn = played.taken
    if count is None:
        pile = played.pile
    else:
        pile = None if count.cards is None else (count.cards, count.cards)
        drawn -= count.taken
    if pile is None:
        return None
    least_laid, most_laid = played.reading.laid
    return pile[0] - drawn - most_laid, pile[1] - drawn - least_laid


def pile_at_start(state: State, players: int) -> tuple[int, int] | None:
    """Return the least and most cards in the piles once a round is dealt (PF-2, PF-R4)."""
    fresh = PLAY_DECK - state.options.numbers["removed_shields"] - DEALT * players
    if state.current is None or state.options["next_round_deck"] == "reshuffle_all":
        return (fresh, fresh)
    left = cards_left(state.current, state.options)
    if left is None or left[0] < DEALT * players:
        return None
    return (left[0] - DEALT * players, left[1] - DEALT * players)


def counted(state: State) -> tuple[Round, ...]:
    """Return the rounds that gave a Bullet card: won, and no sudden death (PF-17)."""
    current = state.current
    if current is None or current.sudden_death or outcome(current, state.options).status != "won":
        return state.kept
    return (*state.kept, current)


@once
def bullets(state: State) -> dict[SeatId, int]:
    """Return each seat's Bullet cards in seat order (PF-17), those set by hand included (PF-T6)."""
    won, added = _won(state, counted(state))[0], dict(state.common.by_hand)
    return {seat.id: won.get(seat.id, 0) + added.get(seat.id, 0) for seat in state.setup.seats}


Won = tuple[Mapping[SeatId, int], ScoresAfter]
"""Bullet cards that some rounds gave each seat, and the scores after each of those rounds."""


def _with(state: State, before: Won, played: Round) -> Won:
    held, after = before
    winner = outcome(played, state.options).winner
    held = {seat.id: held.get(seat.id, 0) + (seat.id == winner) for seat in state.setup.seats}
    return held, (*after, (str(played.number), held))


def _still_valid(before: State, now: State, _won: Won) -> bool:
    """Return True if rounds give the same cards in both states: same rules, same seats."""
    return before.options is now.options and before.setup.seats == now.setup.seats


_won: Incremental[State, Round, Won] = Incremental(({}, ()), _with, _still_valid)


def taken(state: State) -> int:
    """Return how many Bullet cards have left the stack; the sixth ends the game (PF-17)."""
    return len(counted(state)) + sum(number for _, number in state.common.by_hand)


def leaders(state: State) -> tuple[SeatId, ...]:
    """Return the seats with the most Bullet cards among those still playing (PF-T2)."""
    return leading(
        {seat: number for seat, number in bullets(state).items() if seat in state.playing}
    )


@once
def champion(state: State) -> SeatId | None:
    """Return the champion, or None: most Bullet cards once all six are taken (PF-17), else the survivor of a
    sudden death between the tied seats (PF-18).

    A seat that has left cannot be champion (PF-T2).
    """
    # The stack decides, not the number of rounds: replayed rounds take no card.
    if taken(state) < BULLETS:
        return None
    first = leaders(state)
    if len(first) == 1:
        return first[0]
    last = state.current
    # A sudden death settles only the tie it was played for: cards set by hand may have made another one.
    if last is None or not last.sudden_death or not set(first) <= set(last.tied):
        return None
    survivor = current_outcome(state).winner
    return survivor if survivor in _contenders(state) else None


def next_is_sudden_death(state: State) -> bool:
    """Return True if all six Bullet cards are taken and several seats share the lead (PF-18)."""
    return taken(state) >= BULLETS and champion(state) is None


def next_players(state: State) -> tuple[SeatId, ...]:
    """Return who plays next: everybody still in the game (PF-T1), or in sudden death only the tied, unless the
    house rules say all (PF-18, PF-R5)."""
    return _contenders(state) if next_is_sudden_death(state) else state.playing


def _contenders(state: State) -> tuple[SeatId, ...]:
    return leaders(state) if state.options["sudden_death_players"] == "tied_only" else state.playing


def next_dealer(state: State) -> SeatId:
    """Return who deals the next round: the first seat at first, then by the house rule (PF-R4), skipping seats
    that have left (PF-T1)."""
    if not state.playing or state.current is None or state.options["dealer"] == "fixed":
        return next(iter(state.playing), state.setup.seats[0].id)
    if state.options["dealer"] == "last_winner":
        # A round without a winner leaves the deal where it was.
        for seat in (current_outcome(state).winner, state.current.dealer):
            if seat in state.playing:
                return seat
    return state.onward_from(state.current.dealer)[0]


def result(state: State) -> GameResult:
    """Return the winner and the Bullet cards after each counted round, then those set by hand (PF-T6)."""
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
    """Return the most Bullet cards this seat can have: all but the others' and the one being played for
    (PF-17)."""
    return BULLETS - taken(state) - _played_for(state) + bullets(state)[seat]


def refuse_the_impossible(before: State, after: State) -> None:
    """Raise `Refused` if `after` has more than six Bullet cards (PF-17).

    Also if the house plays on with the piles as they are (PF-R1) and more cards were taken than there were
    `before`.
    """
    if after.common.by_hand and (
        taken(after) + _played_for(after) > BULLETS or min(bullets(after).values()) < 0
    ):
        reason = "with the Bullet cards set by hand they would not be six any more"
        raise Refused("PF-17", reason, do="First put right those that were set by hand.")
    if after.options["pile_exhausted"] == "play_on" and after.current is not None:
        _refuse_cards(before, after.current)


def _played_for(state: State) -> int:
    """Return how many Bullet cards the current round is still played for: 1, or 0 once it is over."""
    if state.current is None or state.current.sudden_death:
        return 0
    return int(current_outcome(state).status in ("open", "table"))


def _refuse_cards(before: State, current: Round) -> None:
    left = balance(current)
    if left is None or left[1] >= 0:
        return
    were = balance(before.current) if before.current is not None else None
    there = max(were[1], 0) if were is not None else 0
    reason = "the piles are empty"
    if there:
        reason = f"that takes {there - left[1]} cards, and the piles have {there}"
    raise Refused(
        "PF-R1", reason, "play without these cards, or the table's word on a new pile", NEW_PILE
    )


def largest_pile(state: State, current: Round) -> int:
    """Return the most cards that a new pile can have: all that nobody still in must hold (PF-2, PF-9).

    A hand has fewer than four cards if a Shield spent from it is not replaced (PF-R6), or if people played on without
    draws (PF-R1).
    """
    alive = current.reading.alive
    in_the_deck = PLAY_DECK - state.options.numbers["removed_shields"]
    if state.options["pile_exhausted"] == "play_on":
        return in_the_deck - SET * len(alive)
    held = DEALT * len(alive)
    if state.options["shield_discard_draws"] == "no":
        for pull, verdict in current.reading.verdicts:
            if verdict.result == "saved" and pull.shield_hand in alive:
                held -= 1
    return in_the_deck - held
