"""Apply a fact to a state of Panic Fire: return the next state, or refuse with the clause. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.games.panic_fire.rules import facts as f, people, standings
from companion.games.panic_fire.rules.box import shields
from companion.games.panic_fire.rules.judge import read_round, with_happenings
from companion.games.panic_fire.rules.keys import END_ANYWAY, FIRE_FIRST, NO_NAMES, SHOT_FIRST
from companion.games.panic_fire.rules.model import (
    DEALT,
    PLAY_DECK,
    Happening,
    PileCount,
    Pull,
    Round,
    ShotVerdict,
    Stalemate,
    State,
    Tally,
)
from companion.games.panic_fire.rules.options import HOUSE_RULES, NUMBERS
from companion.games.panic_fire.rules.timing import stamped
from companion.rules.columns import either
from companion.rules.common import (
    COMMON_FACTS,
    Common,
    require_not_left,
    require_running,
    require_since,
    when_it_runs,
)
from companion.rules.facts import Fact, Moment, Refused, SeatId, Setup, by_kind
from companion.rules.house_rules import read_options
from companion.rules.pauses import is_before
from companion.rules.replacing import replace
from companion.rules.seats import require_setup

RULES_VERSION = 3
OLDER_VERSIONS = (2,)
"""Sessions of these versions keep their rules. In version 2, shots closer than the larger of their errors were
a tie."""
# facts refused while the clock is stopped (PF-T5)
_WHILE_RUNNING = f.Fire, f.Draw, f.Shot, f.DryPull, f.Knock, f.StalemateDraw


def start(setup: Setup) -> State:
    """Return the state before the first round; raise `Refused` for bad seats, options or an unknown version."""
    require_setup(setup, "Panic Fire", RULES_VERSION, people.SEAT_COUNTS, "PF-2", OLDER_VERSIONS)
    seats = len(setup.seats)
    options = read_options(setup.options, HOUSE_RULES, NUMBERS)
    most = PLAY_DECK - DEALT * seats
    if (removed := options.numbers["removed_shields"]) > most:
        raise Refused(
            "PF-1",
            f"{removed} removed Shields leave too few cards to deal",
            do=f"Remove {most} at most.",
        )
    if (known := shields(setup)) is not None and removed > known:
        raise Refused(
            "PF-1",
            f"{removed} Shields cannot be removed: the box has {known}",
            do="Remove no more.",
        )
    return State(Common(setup), options)


def apply(state: State, fact: Fact, entry: int) -> State:
    """Return the state after `fact`, entry number `entry`; raise `Refused` if the rules do not allow it."""
    # People and pauses have their own refusals, and are allowed while the clock is stopped.
    if isinstance(fact, COMMON_FACTS):
        after = people.answer(state, fact)
    else:
        if isinstance(fact, _WHILE_RUNNING):
            require_running(state.common, fact.at)
        after = _HANDLERS[type(fact)](state, fact, entry)
    # Checked last and for every fact: a correction of an old shot can change Bullet cards and piles too.
    standings.refuse_the_impossible(state, after)
    return after


def _fire(state: State, fact: f.Fire, _entry: int) -> State:
    people.refuse_after_the_game(state)
    if state.current is not None:
        _refuse_fire_while_open(state, state.current)
    if len(state.playing) < people.SEAT_COUNTS.start:
        raise Refused("PF-T4", "fewer than two seats play", do="Somebody has to join first.")
    players, version = standings.next_players(state), state.setup.rules_version
    opened = Round(
        number=standings.taken(state) + 1,
        rules_version=version,
        sudden_death=standings.next_is_sudden_death(state),
        players=players,
        dealer=standings.next_dealer(state),
        fire=fact.at,
        pile=standings.pile_at_start(state, len(players)),
        tallies=tuple((seat, Tally()) for seat in players),
        reading=read_round(players, (), state.options, version),
        latest=fact.at,
        gap=fact.at is None,
        # Up to version 2 everybody who played a sudden death counted as tied in it.
        tied=players if version == 2 else standings.leaders(state),
    )
    # `kept` is fixed here, so standings need not judge old rounds again.
    return replace(state, past=state.rounds, kept=standings.counted(state), current=opened)


def _refuse_fire_while_open(state: State, current: Round) -> None:
    status = standings.current_outcome(state).status
    if status == "open" and len(current.reading.alive) < 2:
        reason = "a shot that can change who survived still needs names"
        raise Refused("PF-R2", reason, do="Name its target and its shooter first.")
    if status == "open":
        names = ", ".join(
            state.name(seat) for seat in current.players if seat in current.reading.alive
        )
        expected = "the last elimination, or the table's word that the round ends"
        raise Refused("PF-17", f"the round is not over, still in: {names}", expected, END_ANYWAY)
    if status == "table":
        raise Refused(
            "PF-R5", "nobody survived the round", do="Say who takes the Bullet card first."
        )


def _draw(state: State, fact: f.Draw, _entry: int) -> State:
    current = _open_at(state, fact.at)
    _require_in(state, current, fact.seat)
    return replace(state, current=_drawn(current, (fact.seat,), fact))


def _drawn(current: Round, seats: Sequence[SeatId], fact: Fact) -> Round:
    tallies = tuple(
        (seat, Tally(tally.draws + 1, fact.at or tally.last) if seat in seats else tally)
        for seat, tally in current.tallies
    )
    return stamped(current, fact.at, tallies=tallies, taken=current.taken + len(seats))


def _shot(state: State, fact: f.Shot, entry: int) -> State:
    pull = Pull(
        entry, fact.at, "shot", fired=True, lag_us=fact.lag_us, peak=fact.peak, first=fact.first
    )
    seats = [seat for seat in (fact.target, fact.shooter) if seat is not None]
    if not seats:
        return _pulled(state, pull)
    if fact.target == fact.shooter:
        name = state.name(seats[0])
        raise Refused("PF-10", f"{name} cannot be both target and shooter", "two players")
    after = _pulled(state, replace(pull, target=fact.target, shooter=fact.shooter, named=(entry,)))
    for seat in seats:
        _require_player(state, _any_round(state), seat)
        _require_in_at(after, pull, seat)
    return after


def _dry_pull(state: State, fact: f.DryPull, entry: int) -> State:
    accident = state.options["accidental_discharge"] == "illegal"
    return _pulled(
        state,
        Pull(
            entry,
            fact.at,
            "dry_pull",
            fired=accident,
            accident=accident,
            reason=fact.reason,
            first=fact.first,
        ),
    )


def _knock(state: State, fact: f.Knock, entry: int) -> State:
    return _pulled(
        state,
        Pull(
            entry,
            fact.at,
            "knock",
            fired=False,
            peak=fact.peak,
            reason=fact.reason,
            first=fact.first,
        ),
    )


def _pulled(state: State, pull: Pull) -> State:
    current = stamped(_open_at(state, pull.at), pull.at)
    place = _place(current.happenings, pull)
    # A pull may be reported after one that was fired later: two inputs, one cable.
    happenings = (*current.happenings[:place], pull, *current.happenings[place:])
    if not pull.fired:
        return replace(state, current=replace(current, happenings=happenings))
    return with_happenings(state, current, happenings)


def _place(happenings: Sequence[Happening], pull: Pull) -> int:
    """Return the index at which to insert a pull: before pulls that the same clock stamped later but that were
    reported earlier (PF-R2)."""
    place = len(happenings)
    while place and isinstance(last := happenings[place - 1], Pull) and is_before(pull.at, last.at):
        place -= 1
    return place


def _promote(state: State, fact: f.Promote, _entry: int) -> State:
    current = _any_round(state)
    pulls = [
        item
        for item in current.happenings
        if isinstance(item, Pull) and fact.entry in (item.entry, item.number)
    ]
    if not pulls or pulls[0].cause == "shot" or (pulls[0].fired and not pulls[0].accident):
        raise Refused("PF-R3", "that is no dry pull or knock of this round", "one of these")
    if current.end is not None:
        raise Refused("PF-R5", "the table has ended the round", do="Take that back first.")
    after = _replace(state, pulls[0], replace(pulls[0], fired=True, accident=False))
    # A pull after the end cannot reopen the round by itself: the last shot must be taken back first.
    if standings.current_outcome(after).status != "open":
        raise Refused(
            "PF-17",
            "the round was over before that pull",
            do="Take the shot that ended it back first.",
        )
    return after


def _target(state: State, fact: f.Target, entry: int) -> State:
    pull = _to_name(state, fact, entry)
    if pull.accident:
        raise Refused("PF-R3", "a dry pull has no target", do="Name who pulled the trigger.")
    if pull.target is not None:
        raise Refused(
            "PF-10", f"the target is named, it is {state.name(pull.target)}", do="Name the shooter."
        )
    if fact.seat == pull.shooter:
        raise Refused("PF-10", f"{state.name(fact.seat)} is the shooter", "somebody else as target")
    return _replace(state, pull, replace(pull, target=fact.seat, named=(*pull.named, entry)))


def _shooter(state: State, fact: f.Shooter, entry: int) -> State:
    pull = _to_name(state, fact, entry)
    if pull.shooter is not None:
        raise Refused(
            "PF-10",
            f"the shooter is named, it is {state.name(pull.shooter)}",
            do="Name the target.",
        )
    if fact.seat == pull.target:
        raise Refused("PF-10", f"{state.name(fact.seat)} is the target", "somebody else as shooter")
    return _replace(state, pull, replace(pull, shooter=fact.seat, named=(*pull.named, entry)))


def _without_shot(state: State, clause: str, reason: str) -> Refused:
    return Refused(clause, reason, "a shot first", when_it_runs(state.common, SHOT_FIRST))


def _to_name(state: State, fact: f.Target | f.Shooter, entry: int) -> Pull:
    """Return the shot that a fact names somebody of; raise `Refused` if that seat was not in at that shot or at its
    rival (PF-13)."""
    if standings.late_pulls(state):
        people.refuse_after_the_game(state)
        reason = "the round is over, so that shot needs no names"
        raise Refused("PF-17", reason, do=when_it_runs(state.common, NO_NAMES))
    _require_player(state, open_round(state), fact.seat)
    waiting = standings.open_pulls(state)
    if not waiting:
        raise _without_shot(state, "PF-10", "no shot needs a name")
    pull = _meant(state, fact.shot, entry) or waiting[0]
    _require_in_at(state, pull, fact.seat)
    return pull


def _meant(state: State, shot: int | None, entry: int) -> Pull | None:
    """Return the shot that the ruling `entry` names, None if it names none; raise `Refused` if that shot is deleted.

    A shot that waits for names in its place and was recorded after the ruling is the same one, read again from the
    sensors.
    """
    if shot is None:
        return None
    pulls = (standings.shot_numbered(state, shot), *standings.open_pulls(state))
    for pull in pulls:
        if pull is not None and (pull.number == shot or pull.entry > entry):
            return pull
    raise Refused(
        "PF-10",
        "the shot that this is about is deleted",
        do="Restore that shot, or delete this too.",
    )


def about(state: State, fact: Fact) -> Fact:
    """Return a ruling with the shot that it is on, if it names none (PF-10)."""
    match fact:
        case f.Target(shot=None) | f.Shooter(shot=None):
            pull = next(iter(standings.open_pulls(state)), None)
        case f.Illegal(shot=None) | f.Legal(shot=None) | f.Match(shot=None):
            pull = standings.current_shot(state)
        case f.ShieldHand(shot=None):
            pull = standings.last_named(state)
        case f.TieBreak(shot=None):
            pull = standings.tied_shot(state)
        case _:
            return fact
    return fact if pull is None else fact.model_copy(update={"shot": pull.number})


def _require_in_at(state: State, pull: Pull, seat: SeatId) -> None:
    if seat not in nameable(state, pull):
        raise Refused(
            "PF-13",
            f"{state.name(seat)} was out of the round at that shot",
            do="Name a player who was in.",
        )


def nameable(state: State, pull: Pull) -> frozenset[SeatId]:
    """Return the seats that a shot of the current round may name: those in when it, or its rival, was fired
    (PF-R2)."""
    current = _any_round(state)
    before = {shot.entry: verdict.before for shot, verdict in current.reading.verdicts}
    earlier = standings.rival(current, pull, state.options)
    return before[pull.entry] | (before[earlier.entry] if earlier is not None else frozenset())


def _illegal(state: State, fact: f.Illegal, entry: int) -> State:
    pull = _current_shot(state, fact.shot, entry)
    if pull.accident:
        reason = "a dry pull counts as illegal at this table already"
        raise Refused("PF-R3", reason, do="Name only who pulled the trigger.")
    if pull.illegal:
        raise Refused(
            "PF-11",
            "the shot is marked illegal already",
            do="To change that say that it was legal.",
        )
    return _replace(state, pull, replace(pull, illegal=True))


def _legal(state: State, fact: f.Legal, entry: int) -> State:
    pull = _current_shot(state, fact.shot, entry)
    if not pull.illegal:
        raise Refused(
            "PF-10",
            "the shot is taken for legal already",
            do="To change that say that it was illegal.",
        )
    return _replace(state, pull, replace(pull, illegal=False))


def _match(state: State, fact: f.Match, entry: int) -> State:
    pull = _current_shot(state, fact.shot, entry)
    if pull.accident:
        raise Refused("PF-R3", "a dry pull rests on no match", "a shot")
    if pull.basis == fact.basis:
        raise Refused("PF-14", "that is what stands about the match already", "another answer")
    return _replace(state, pull, replace(pull, basis=fact.basis))


def _current_shot(state: State, shot: int | None, entry: int) -> Pull:
    pull = _meant(state, shot, entry) or standings.current_shot(state)
    if pull is None:
        open_round(state)
        raise _without_shot(state, "PF-10", "no shot waits or is named in this round")
    return pull


def _shield_hand(state: State, fact: f.ShieldHand, entry: int) -> State:
    current = _any_round(state)
    pull = _meant(state, fact.shot, entry) or standings.last_named(state)
    if pull is None and not standings.open_pulls(state):
        open_round(state)
        raise _without_shot(state, "PF-12", "nobody was shot at in this round")
    if pull is None or not pull.complete:
        raise Refused(
            "PF-12",
            "nobody knows yet whom the last shot hit",
            do="Name its target and its shooter first.",
        )
    verdict = next(verdict for shot, verdict in current.reading.verdicts if shot is pull)
    _refuse_needless_shield(state, verdict)
    return _replace(
        state, pull, replace(pull, shield_hand=verdict.eliminated, named=(*pull.named, entry))
    )


def _refuse_needless_shield(state: State, verdict: ShotVerdict) -> None:
    if verdict.result == "backfired" and state.options["illegal_shot_shield"] == "no_help":
        raise Refused(
            "PF-R7", "a Shield does not help who shot illegally", do="The shooter stays out."
        )
    if verdict.eliminated is None:
        raise Refused(
            "PF-12",
            "the last shot eliminated nobody",
            do="A Shield helps only who was just eliminated.",
        )


def _shield_in_play(state: State, fact: f.ShieldInPlay, _entry: int) -> State:
    current = open_round(state)
    _require_in(state, current, fact.seat)
    name, reading = state.name(fact.seat), current.reading
    if fact.present and fact.seat in reading.shields:
        raise Refused(
            "PF-6", f"{name} has a Shield in play already", do="Each player may have one at most."
        )
    if not fact.present and fact.seat not in reading.shields:
        raise Refused("PF-6", f"{name} has no Shield in play", do="Lay one in play first.")
    from_hand = state.options["shield_from_hand"] == "into_play_if_none" or reading.stalemate
    if fact.present and fact.seat in reading.spent and not from_hand and not fact.reason:
        do = f"Wait for a shot at {name} or a stalemate, or give a reason."
        raise Refused("PF-R6", f"{name} may lay no further Shield in play", do=do)
    return with_happenings(state, current, (*current.happenings, fact))


def _stalemate_draw(state: State, fact: f.StalemateDraw, _entry: int) -> State:
    current = _open_at(state, fact.at)
    if fact.seats and state.options["stalemate_who"] == "all_still_in":
        raise Refused("PF-R8", "in a stalemate everyone still in draws", do="Name nobody.")
    for seat in fact.seats:
        _require_in(state, current, seat)
    if len(set(fact.seats)) < len(fact.seats):
        raise Refused("PF-16", "a seat is named twice", do="Name each player once.")
    # The seats are resolved now: who was still in can change when an earlier shot is corrected.
    seats = fact.seats or tuple(seat for seat in current.players if seat in current.reading.alive)
    current = _drawn(current, seats, fact)
    return with_happenings(state, current, (*current.happenings, Stalemate(seats, current.taken)))


def _reshuffle(state: State, fact: f.Reshuffle, _entry: int) -> State:
    current = open_round(state)
    if state.options["pile_exhausted"] == "play_on" and not fact.reason:
        raise Refused(
            "PF-R1",
            "this table plays on without a new pile",
            do="To make one anyway give a reason.",
        )
    if fact.cards is not None and fact.cards > (most := standings.largest_pile(state, current)):
        reason = f"a new pile of {fact.cards} cards is larger than what nobody holds"
        raise Refused("PF-R1", reason, do=f"It can have {most} at most.")
    # Their cards are in the new count already; `judge` leaves them out of what is laid since.
    settled = frozenset(
        pull.entry for pull, verdict in current.reading.verdicts if verdict.result != "open"
    )
    return with_happenings(
        state, current, (*current.happenings, PileCount(fact.cards, current.taken, settled))
    )


def _tie_break(state: State, fact: f.TieBreak, entry: int) -> State:
    current = _any_round(state)
    pull = _meant(state, fact.shot, entry) or standings.tied_shot(state)
    if pull is None or standings.rival(current, pull, state.options) is None:
        raise Refused(
            "PF-R2",
            "no two shots are tied, their times give the order",
            do="Nothing is left to decide.",
        )
    if pull.ruled and pull.order == fact.order:
        raise Refused("PF-R2", "that is the order of the two shots already", "another order")
    return _replace(state, pull, replace(pull, order=fact.order, ruled=True))


def _override(state: State, fact: f.Override, _entry: int) -> State:
    current = _any_round(state)
    _require_player(state, current, fact.seat)
    require_not_left(state.common, fact.seat, "PF-T1")
    is_in = fact.seat in current.reading.alive
    if is_in == (fact.status == "in"):
        raise Refused(
            "PF-13",
            f"{state.name(fact.seat)} is {fact.status} already",
            do="Nothing has to be changed.",
        )
    return with_happenings(state, current, (*current.happenings, fact))


def _round_end(state: State, fact: f.RoundEnd, _entry: int) -> State:
    current = _any_round(state)
    if fact.seat is not None:
        _require_player(state, current, fact.seat)
    return replace(state, current=replace(current, end=fact))


def _any_round(state: State) -> Round:
    if state.current is None:
        raise Refused(
            "PF-5", "no round has begun", "fire! first", when_it_runs(state.common, FIRE_FIRST)
        )
    return state.current


def open_round(state: State) -> Round:
    """Return the round being played; raise `Refused` if there is none."""
    current = _any_round(state)
    status = standings.current_outcome(state).status
    if status == "table":
        raise Refused(
            "PF-R5", "nobody survived the round", do="Say who takes the Bullet card first."
        )
    people.refuse_after_the_game(state)
    if status != "open":
        raise Refused(
            "PF-17",
            "the round is over",
            "fire! for the next one",
            when_it_runs(state.common, FIRE_FIRST),
        )
    return current


def _open_at(state: State, at: Moment | None) -> Round:
    """Return the open round; raise `Refused` if `at` is before its *fire!* (PF-5)."""
    current = open_round(state)
    require_since(current.fire, at, "PF-5", "fire!")
    return current


def _require_player(state: State, current: Round, seat: SeatId) -> None:
    if seat not in {known.id for known in state.setup.seats}:
        raise Refused(
            "PF-2",
            f"{state.name(seat)} has no seat here",
            either(known.name for known in state.setup.seats),
        )
    if seat in current.players:
        return
    require_not_left(state.common, seat, "PF-T1")
    if current.sudden_death:
        raise Refused(
            "PF-18", f"{state.name(seat)} does not play in sudden death", "one of the tied players"
        )
    name = state.name(seat)
    raise Refused(
        "PF-T3",
        f"{name} joined after fire! and plays from the next round on",
        "somebody who plays now",
    )


def _require_in(state: State, current: Round, seat: SeatId) -> None:
    _require_player(state, current, seat)
    require_not_left(state.common, seat, "PF-T1")
    if seat not in current.reading.alive:
        raise Refused(
            "PF-13", f"{state.name(seat)} is out of this round", do="Name a player who is still in."
        )


def _replace(state: State, old: Pull, new: Pull) -> State:
    current = _any_round(state)
    return with_happenings(
        state, current, tuple(new if item is old else item for item in current.happenings)
    )


_HANDLERS: dict[type[Fact], Callable[[State, Any, int], State]] = {
    f.Fire: _fire, f.Draw: _draw, f.Shot: _shot, f.DryPull: _dry_pull, f.Knock: _knock, f.Promote: _promote,
    f.Target: _target, f.Shooter: _shooter, f.Illegal: _illegal, f.Legal: _legal, f.Match: _match,
    f.ShieldHand: _shield_hand, f.ShieldInPlay: _shield_in_play, f.StalemateDraw: _stalemate_draw,
    f.Reshuffle: _reshuffle, f.TieBreak: _tie_break, f.Override: _override, f.RoundEnd: _round_end,
}  # fmt: skip
FACTS = by_kind(*_HANDLERS, *COMMON_FACTS)
