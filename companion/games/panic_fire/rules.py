"""The fold: a state and a fact give the next state, or a refusal with its clause. Pure; nothing derived is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from companion.games.base import Fact, Refused, SeatId, Setup
from companion.games.panic_fire import facts as f
from companion.games.panic_fire.judge import read_round
from companion.games.panic_fire.model import (
    DEALT,
    PLAY_DECK,
    Happening,
    PileCount,
    Pull,
    Round,
    ShieldMove,
    Stalemate,
    State,
    TableSays,
    Tally,
    Verdict,
)
from companion.games.panic_fire.options import read_options
from companion.games.panic_fire.standings import (
    cards_left,
    champion,
    contested,
    counted,
    in_hand,
    next_dealer,
    next_is_sudden_death,
    next_players,
    open_pulls,
    outcome,
    pile_at_start,
    rival,
)
from companion.games.panic_fire.timing import stamped

RULES_VERSION = 1
LEAST_SEATS, MOST_SEATS = 2, 5  # the number of players printed on the box


def start(setup: Setup) -> State:
    """Return the state before the first round; raise `Refused` for seats, options or a version not known."""
    if setup.rules_version != RULES_VERSION:
        raise Refused("RULES", f"rules version {setup.rules_version} of Panic Fire", f"version {RULES_VERSION}")
    ids = [seat.id for seat in setup.seats]
    if not LEAST_SEATS <= len(ids) <= MOST_SEATS:
        raise Refused("PF-2", f"{len(ids)} seats were named", f"{LEAST_SEATS} to {MOST_SEATS} seats")
    if len(set(ids)) < len(ids) or len({seat.name.casefold() for seat in setup.seats}) < len(ids):
        raise Refused("PF-2", "two seats have one name", "a different name for each seat")
    options = read_options(setup.options)
    if options.removed_shields > PLAY_DECK - DEALT * len(ids):
        raise Refused("PF-1", f"{options.removed_shields} removed Shields leave too few cards to deal", "fewer")
    return State(setup, options)


def apply(state: State, fact: Fact, entry: int) -> State:
    """Return the state after `fact`, entry number `entry`; raise `Refused` when the rules do not allow it."""
    handler = _HANDLERS.get(type(fact))
    if handler is None:
        raise Refused("FORMAT", f"{fact.kind} is no fact of Panic Fire", "a fact of Panic Fire")
    return handler(state, fact, entry)


def _fire(state: State, fact: f.Fire, _entry: int) -> State:
    if (winner := champion(state)) is not None:
        raise Refused("PF-17", f"the game is over, {state.name(winner)} is champion", "no further round")
    if state.current is not None:
        _refuse_fire_while_open(state, state.current)
    players = next_players(state)
    opened = Round(
        number=len(counted(state)) + 1,
        sudden_death=next_is_sudden_death(state),
        players=players,
        dealer=next_dealer(state),
        fire=fact.at,
        pile=pile_at_start(state, len(players)),
        tallies=tuple((seat, Tally()) for seat in players),
        reading=read_round(players, (), state.options),
        latest=fact.at,
        gap=fact.at is None,
    )
    return replace(state, past=state.rounds, current=opened)


def _refuse_fire_while_open(state: State, current: Round) -> None:
    status = outcome(current, state.options).status
    if status == "open":
        names = ", ".join(state.name(seat) for seat in current.players if seat in current.reading.alive)
        raise Refused("PF-17", f"the round is not over, still in: {names}", "the last elimination or the round's end")
    if status == "table":
        raise Refused("PF-R5", "nobody survived the round", "the table's word who takes the Bullet card")


def _draw(state: State, fact: f.Draw, _entry: int) -> State:
    current = _open_round(state)
    _require_in(state, current, fact.seat)
    left = cards_left(current, state.options)
    if state.options["pile_exhausted"] == "play_on" and left is not None and left[1] == 0:
        raise Refused("PF-R1", "the piles are empty", "play without drawing")
    return replace(state, current=stamped(_tally(current, (fact.seat,), fact), fact.at))


def _tally(current: Round, seats: Sequence[SeatId], fact: Fact) -> Round:
    tallies = tuple(
        (seat, Tally(tally.draws + 1, fact.at or tally.last) if seat in seats else tally)
        for seat, tally in current.tallies
    )
    return replace(current, tallies=tallies, taken=current.taken + len(seats))


def _shot(state: State, fact: f.Shot, entry: int) -> State:
    return _pulled(state, Pull(entry, fact.at, "shot", fired=True, lag_us=fact.lag_us, peak=fact.peak))


def _dry_pull(state: State, fact: f.DryPull, entry: int) -> State:
    accident = state.options["accidental_discharge"] == "illegal"
    return _pulled(state, Pull(entry, fact.at, "dry_pull", fired=accident, accident=accident, reason=fact.reason))


def _knock(state: State, fact: f.Knock, entry: int) -> State:
    return _pulled(state, Pull(entry, fact.at, "knock", fired=False, peak=fact.peak, reason=fact.reason))


def _pulled(state: State, pull: Pull) -> State:
    current = stamped(_open_round(state), pull.at)
    return _with(state, current, (*current.happenings, pull))


def _promote(state: State, fact: f.Promote, _entry: int) -> State:
    current = _any_round(state)
    found = [item for item in current.happenings if isinstance(item, Pull) and item.entry == fact.entry]
    if not found or found[0].cause == "shot" or (found[0].fired and not found[0].accident):
        raise Refused("PF-R3", f"entry {fact.entry} is no dry pull or knock of this round", "one that is")
    return _replace(state, found[0], replace(found[0], fired=True, accident=False))


def _target(state: State, fact: f.Target, entry: int) -> State:
    pull = _to_name(state, fact.seat)
    if pull.accident:
        raise Refused("PF-R3", "a dry pull has no target", "who pulled the trigger")
    if pull.target is not None:
        raise Refused("PF-10", f"the target is named, it is {state.name(pull.target)}", "the shooter")
    if fact.seat == pull.shooter:
        raise Refused("PF-10", f"{state.name(fact.seat)} is the shooter", "somebody else as target")
    return _replace(state, pull, replace(pull, target=fact.seat, named=(*pull.named, entry)))


def _shooter(state: State, fact: f.Shooter, entry: int) -> State:
    pull = _to_name(state, fact.seat)
    if pull.shooter is not None:
        raise Refused("PF-10", f"the shooter is named, it is {state.name(pull.shooter)}", "the target")
    if fact.seat == pull.target:
        raise Refused("PF-10", f"{state.name(fact.seat)} is the target", "somebody else as shooter")
    return _replace(state, pull, replace(pull, shooter=fact.seat, named=(*pull.named, entry)))


def _to_name(state: State, seat: SeatId) -> Pull:
    """The shot that naming `seat` speaks of; that seat was in when it was fired, or when its rival was (PF-13)."""
    current = _open_round(state)
    _require_player(state, current, seat)
    waiting = open_pulls(state)
    if not waiting:
        raise Refused("PF-10", "no shot waits to be named", "a shot first")
    if seat not in nameable(state, waiting[0]):
        raise Refused("PF-13", f"{state.name(seat)} was out of the round at that shot", "a seat that was in")
    return waiting[0]


def nameable(state: State, pull: Pull) -> frozenset[SeatId]:
    """The seats that a shot of the current round may name: in when it was fired, or when its rival was (PF-R2)."""
    current = _any_round(state)
    before = {shot.entry: verdict.before for shot, verdict in current.reading.verdicts}
    earlier = rival(current, pull) if contested(current, pull, state.options) else None
    return before[pull.entry] | (before[earlier.entry] if earlier is not None else frozenset())


def _illegal(state: State, _fact: f.Illegal, _entry: int) -> State:
    pull = _in_hand(state)
    if pull.illegal:
        raise Refused("PF-11", "the shot is marked illegal already", "legal")
    return _replace(state, pull, replace(pull, illegal=True))


def _legal(state: State, _fact: f.Legal, _entry: int) -> State:
    pull = _in_hand(state)
    if not pull.illegal:
        raise Refused("PF-10", "the shot is legal already", "illegal")
    return _replace(state, pull, replace(pull, illegal=False))


def _match(state: State, fact: f.Match, entry: int) -> State:
    pull = _in_hand(state)
    if pull.basis == fact.basis:
        raise Refused("PF-14", f"the match is known as {fact.basis} already", "another answer")
    return _replace(state, pull, replace(pull, basis=fact.basis, named=(*pull.named, entry)))


def _in_hand(state: State) -> Pull:
    _any_round(state)
    pull = in_hand(state)
    if pull is None:
        raise Refused("PF-10", "no shot was fired in this round", "a shot first")
    return pull


def _shield_hand(state: State, _fact: f.ShieldHand, entry: int) -> State:
    current = _any_round(state)
    complete = [(pull, verdict) for pull, verdict in current.reading.verdicts if pull.complete]
    if not complete:
        raise Refused("PF-12", "no shot has a target yet", "the target and the shooter first")
    pull, verdict = complete[-1]
    _refuse_needless_shield(state, verdict)
    return _replace(state, pull, replace(pull, shield_hand=True, named=(*pull.named, entry)))


def _refuse_needless_shield(state: State, verdict: Verdict) -> None:
    if verdict.result == "backfired" and state.options["illegal_shot_shield"] == "no_help":
        raise Refused("PF-R7", "a Shield does not help who shot illegally", "nothing, the shooter is out")
    if verdict.eliminated is None:
        raise Refused("PF-12", "the last shot put nobody out", "a shot that did")


def _shield_in_play(state: State, fact: f.ShieldInPlay, _entry: int) -> State:
    current = _open_round(state)
    _require_in(state, current, fact.seat)
    name, reading = state.name(fact.seat), current.reading
    if fact.present and fact.seat in reading.shields:
        raise Refused("PF-6", f"{name} has a Shield in play", "at most one for each player")
    if not fact.present and fact.seat not in reading.shields:
        raise Refused("PF-6", f"{name} has no Shield in play", "a Shield first")
    from_hand = state.options["shield_from_hand"] == "into_play_if_none" or reading.stalemate
    if fact.present and fact.seat in reading.spent and not from_hand:
        raise Refused("PF-R6", f"{name} spent the opening Shield", "no second one from the hand outside a stalemate")
    return _with(state, current, (*current.happenings, ShieldMove(fact.seat, fact.present)))


def _stalemate_draw(state: State, fact: f.StalemateDraw, _entry: int) -> State:
    current = _open_round(state)
    if fact.seats and state.options["stalemate_who"] == "all_still_in":
        raise Refused("PF-R8", "in a stalemate everyone still in draws", "a stalemate draw without seats")
    for seat in fact.seats:
        _require_in(state, current, seat)
    if len(set(fact.seats)) < len(fact.seats):
        raise Refused("PF-16", "a seat is named twice", "each seat once")
    seats = fact.seats or tuple(seat for seat in current.players if seat in current.reading.alive)
    current = stamped(_tally(current, seats, fact), fact.at)
    return _with(state, current, (*current.happenings, Stalemate(seats)))


def _reshuffle(state: State, fact: f.Reshuffle, _entry: int) -> State:
    current = _open_round(state)
    if state.options["pile_exhausted"] == "play_on":
        raise Refused("PF-R1", "this table plays on without a new pile", "no reshuffle")
    most = PLAY_DECK - state.options.removed_shields
    if fact.cards is not None and fact.cards > most:
        raise Refused("PF-R1", f"{fact.cards} cards in the new pile", f"at most {most}")
    return _with(state, current, (*current.happenings, PileCount(fact.cards, current.taken)))


def _tie_break(state: State, fact: f.TieBreak, _entry: int) -> State:
    current = _any_round(state)
    shots = [pull for pull, _ in current.reading.verdicts]
    if not shots or not contested(current, shots[-1], state.options):
        raise Refused("PF-R2", "the last two shots are ordered by their stamps", "two shots within the stamp error")
    if shots[-1].order == fact.order:
        raise Refused("PF-R2", f"the two shots stand {fact.order} already", "another order")
    return _replace(state, shots[-1], replace(shots[-1], order=fact.order))


def _override(state: State, fact: f.Override, _entry: int) -> State:
    current = _any_round(state)
    _require_player(state, current, fact.seat)
    is_in = fact.seat in current.reading.alive
    if is_in == (fact.status == "in"):
        raise Refused("PF-13", f"{state.name(fact.seat)} is {fact.status} already", "the other")
    return _with(state, current, (*current.happenings, TableSays(fact.seat, fact.status)))


def _round_end(state: State, fact: f.RoundEnd, _entry: int) -> State:
    current = _any_round(state)
    if fact.seat is not None:
        _require_player(state, current, fact.seat)
    return replace(state, current=replace(current, end=fact))


def _any_round(state: State) -> Round:
    if state.current is None:
        raise Refused("PF-5", "no round has begun", "fire! first")
    return state.current


def _open_round(state: State) -> Round:
    current = _any_round(state)
    now = outcome(current, state.options)
    if now.status == "table":
        raise Refused("PF-R5", "nobody survived the round", "the table's word who takes the Bullet card")
    if now.status != "open":
        raise Refused("PF-17", "the round is over", "fire! for the next one")
    return current


def _require_player(state: State, current: Round, seat: SeatId) -> None:
    names = [known.id for known in state.setup.seats]
    if seat not in names:
        raise Refused("PF-2", f"nobody sits at {seat!r}", f"one of {', '.join(names)}")
    if seat not in current.players:
        raise Refused("PF-18", f"{state.name(seat)} does not play in sudden death", "one of the tied players")


def _require_in(state: State, current: Round, seat: SeatId) -> None:
    _require_player(state, current, seat)
    if seat not in current.reading.alive:
        raise Refused("PF-13", f"{state.name(seat)} is out of this round", "a seat that is still in")


def _replace(state: State, old: Pull, new: Pull) -> State:
    current = _any_round(state)
    return _with(state, current, tuple(new if item is old else item for item in current.happenings))


def _with(state: State, current: Round, happenings: tuple[Happening, ...]) -> State:
    reading = read_round(current.players, happenings, state.options)
    return replace(state, current=replace(current, happenings=happenings, reading=reading))


_HANDLERS: dict[type[Fact], Callable[[State, Any, int], State]] = {
    f.Fire: _fire,
    f.Draw: _draw,
    f.Shot: _shot,
    f.DryPull: _dry_pull,
    f.Knock: _knock,
    f.Promote: _promote,
    f.Target: _target,
    f.Shooter: _shooter,
    f.Illegal: _illegal,
    f.Legal: _legal,
    f.Match: _match,
    f.ShieldHand: _shield_hand,
    f.ShieldInPlay: _shield_in_play,
    f.StalemateDraw: _stalemate_draw,
    f.Reshuffle: _reshuffle,
    f.TieBreak: _tie_break,
    f.Override: _override,
    f.RoundEnd: _round_end,
}
