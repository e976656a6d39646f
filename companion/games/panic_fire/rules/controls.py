"""Turn gestures of the gun and the zone buttons, and keys, into facts."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.panic_fire.rules import facts as f, standings
from companion.games.panic_fire.rules.fold import open_round
from companion.games.panic_fire.rules.keys import PREFIX, SHOT_FIRST
from companion.games.panic_fire.rules.model import Pull, State
from companion.rules.common import when_it_runs
from companion.rules.facts import Fact, Moment, Refused, SeatId
from companion.rules.game import Retraction
from companion.rules.gestures import Gesture, GestureKind

_NEXT_BASIS: dict[f.Basis, f.Basis] = {
    "unknown": "shooter",
    "shooter": "target",
    "target": "both",
    "both": "unknown",
}
_NEXT_ORDER: dict[f.Order, f.Order] = {
    "as_stamped": "swapped",
    "swapped": "both",
    "both": "as_stamped",
}
_PLAIN: dict[str, Callable[[], Fact]] = {
    "fire": f.Fire,
    "shot": f.Shot,
    "hand": f.ShieldHand,
    "stalemate": f.StalemateDraw,
    "nobody": f.RoundEnd,
}
_SAID = "said at the table"
_EARLIER = "Fix mistakes has the earlier shots."
"""While a shot waits for names, every key is about that shot."""


def hold_means(state: State, channel: str) -> bool:
    """Return True if holding this channel has a meaning now: *fire!* between rounds, or naming somebody."""
    if state.seat_at(channel) is None or standings.champion(state) is not None:
        return False
    return (
        _may_fire(state)
        or standings.current_outcome(state).status == "table"
        or bool(standings.open_pulls(state))
    )


def interpret(state: State, gesture: Gesture) -> Fact:
    """Return the fact that a gesture stands for; raise `Refused` if it stands for none."""
    at = Moment(us=gesture.t_us, pm=gesture.pm_us, clock=gesture.clock)
    match gesture.kind:
        case GestureKind.SHOT:
            return f.Shot(at=at, lag_us=gesture.lag_us, peak=gesture.peak)
        # Without a hit sensor every pull looks dry.
        case GestureKind.DRY_PULL if state.options["hit_sensor"] == "no":
            return f.Shot(at=at)
        case GestureKind.DRY_PULL:
            return f.DryPull(at=at, reason=gesture.reason)
        case GestureKind.KNOCK:
            return f.Knock(at=at, reason=gesture.reason, peak=gesture.peak)
    seat = state.seat_at(gesture.channel)
    if seat is None:
        raise Refused("PF-2", f"nobody sits at {gesture.channel}", do="Use your own zone.")
    if gesture.kind is GestureKind.TAP:
        return f.Draw(at=at, seat=seat)
    return f.Fire(at=at) if _may_fire(state) else _name(state, seat, at)


def _may_fire(state: State) -> bool:
    return not state.common.paused and standings.current_outcome(state).status in (
        "ready",
        "won",
        "replay",
    )


def _name(state: State, seat: SeatId, at: Moment | None = None) -> Fact:
    """Return the fact that names this seat: it takes the Bullet card (PF-R5), else it is the target of the
    oldest open shot, else that shot's shooter."""
    if standings.current_outcome(state).status == "table":
        return f.RoundEnd(at=at, seat=seat)
    waiting = standings.open_pulls(state)
    if waiting and (waiting[0].accident or waiting[0].target is not None):
        return f.Shooter(at=at, seat=seat)
    return f.Target(at=at, seat=seat)


def act(state: State, action_id: str) -> Fact | Retraction:
    """Return the fact that a key stands for; raise `Refused` if it stands for none."""
    word, _, number = action_id.removeprefix(PREFIX).partition(".")
    # These two retract entries instead of making one.
    if word == "mend":
        return _mend(state)
    if word == "miss":
        return _miss(state)
    if number:
        return _of_seat(state, word, state.setup.by_column[int(number) - 1].id)
    return _of_table(state, word)


def _of_seat(state: State, word: str, seat: SeatId) -> Fact:
    reading = state.current.reading if state.current is not None else None
    match word:
        case "draw":
            return f.Draw(seat=seat)
        case "name":
            return _name(state, seat)
        case "shield":
            # The key toggles. Before a round the fact is refused anyway, with the clause.
            return f.ShieldInPlay(seat=seat, present=reading is None or seat not in reading.shields)
        case "table-shield":
            return f.ShieldInPlay(seat=seat, reason=_SAID)
    is_in = reading is None or seat in reading.alive
    return f.Override(seat=seat, status="out" if is_in else "in")


def _of_table(state: State, word: str) -> Fact:
    pull = standings.current_shot(state)
    match word:
        case "illegal":
            return f.Legal() if pull is not None and pull.illegal else f.Illegal()
        case "match":
            return f.Match(basis=_NEXT_BASIS["unknown" if pull is None else pull.basis])
        case "order":
            tied = standings.tied_shot(state)
            if tied is None or not tied.ruled:
                return f.TieBreak(order="as_stamped")  # the first press confirms the measured order
            return f.TieBreak(order=_NEXT_ORDER[tied.order])
        case "hand" if pull is not None and pull in standings.open_pulls(state):
            reason = "nobody knows yet whom the shot that waits has hit"
            do = f"Name its target and its shooter first; {_EARLIER}"
            raise Refused("PF-12", reason, do=do)
        case "nobody" if (winner := standings.current_outcome(state).winner) is not None:
            reason = f"the round is over, {state.name(winner)} has won it"
            raise Refused("PF-17", reason, do="Undo takes that back; or use Fix mistakes.")
        case "promote":
            return f.Promote(entry=_last_silent(state).entry)
        case "reshuffle":
            return f.Reshuffle(reason=_SAID if state.options["pile_exhausted"] == "play_on" else "")
    if word not in _PLAIN:
        raise Refused("KEY", f"{word!r} is no action of Panic Fire", "one of its actions")
    return _PLAIN[word]()


def _last_silent(state: State) -> Pull:
    """Return the last dry pull or knock that is not counted as a shot; raise `Refused` if there is none."""
    happenings = state.current.happenings if state.current is not None else ()
    for happening in reversed(happenings):
        if isinstance(happening, Pull) and (not happening.fired or happening.accident):
            return happening
    open_round(state)  # raises first where no round is open: that is the better reason
    do = when_it_runs(state.common, SHOT_FIRST)
    raise Refused(
        "PF-R3", "this round has no dry pull or knock to count as a shot", "one first", do
    )


def _miss(state: State) -> Retraction:
    """Return the retraction of a shot that hit nobody, which is a dry pull; raise `Refused` if that cannot be."""
    waiting = standings.open_pulls(state)
    if not waiting and standings.champion(state) is None:
        waiting = standings.late_pulls(state)
    if not waiting or waiting[0].accident or waiting[0].target is not None:
        open_round(state)
        raise Refused("PF-R3", "no shot waits for who was hit", do="Undo takes back the last shot.")
    pull = waiting[0]
    if state.options["accidental_discharge"] == "illegal":
        reason = "a pull that hits nobody is illegal at this table"
        do = "Undo the shot, then add the pull in Fix mistakes."
        raise Refused("PF-R3", reason, do=do)
    if not standings.may_be_taken_off(state, pull):
        raise Refused("PF-R3", "more was said about that shot", do="Undo that first.")
    return Retraction((pull.entry,), "nobody was hit: the shot does not count (PF-R3)")


def _mend(state: State) -> Retraction:
    """Return the retraction that removes the names of the shot that waits for more, else of the one named last."""
    waiting = standings.open_pulls(state)
    if waiting and not waiting[0].named:
        raise Refused(
            "PF-10", "the shot that waits has no names yet", do=f"Name it first; {_EARLIER}"
        )
    pull = standings.current_shot(state)
    if pull is None:
        open_round(state)
        raise Refused("PF-10", "no shot of this round has names", do="Name a shot first.")
    if state.current is not None and state.current.end is not None:
        raise Refused("PF-R5", "the round is over", do="Undo its end first.")
    if pull.entry in pull.named:
        reason = "that shot was added with its names"
        raise Refused("PF-10", reason, do="Change it in Fix mistakes.")
    shield = ", with the Shield from hand" if pull.shield_hand is not None else ""
    return Retraction(pull.named, f"names cleared{shield}. Who was hit? (PF-10)")
