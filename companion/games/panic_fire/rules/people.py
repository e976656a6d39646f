"""People who join, leave or pause, and Bullet cards set by hand: the companion's own additions (PF-T1 to
PF-T6)."""

from __future__ import annotations

from companion.games.panic_fire.rules.judge import with_happenings
from companion.games.panic_fire.rules.model import DEALT, PLAY_DECK, State
from companion.games.panic_fire.rules.standings import bullets, champion, free_bullets
from companion.rules import common
from companion.rules.columns import a_number, plural
from companion.rules.common import Pause, ScoreSet, SeatJoins, SeatLeaves, Unpause
from companion.rules.facts import Fact, Refused, after_the_end
from companion.rules.pauses import end_pause
from companion.rules.replacing import replace

# the number of players printed on the box (PF-2); as many columns of keys there are
SEAT_COUNTS = range(2, 6)


def answer(state: State, fact: Fact) -> State:
    """Return the state after a fact that all games share; raise `Refused`."""
    _refuse(state, fact)
    # The scores before the fact: cards set by hand are stored as a difference to them.
    after = replace(state, common=common.apply_common(state.common, fact, bullets(state)))
    current = after.current
    match fact:
        case SeatLeaves(seat=seat) if current is not None and seat in current.players:
            return with_happenings(after, current, (*current.happenings, fact))
        case Pause(at=at) if current is not None:
            return replace(
                after, current=replace(current, paused=True, pauses=(*current.pauses, (at, None)))
            )
        case Unpause(at=at) if current is not None and current.paused:
            return replace(
                after, current=replace(current, paused=False, pauses=end_pause(current.pauses, at))
            )
    return after


def refuse_after_the_game(state: State) -> None:
    """Raise `Refused` if there is a champion."""
    if (winner := champion(state)) is not None:
        raise after_the_end("PF-17", f"the game is over and {state.name(winner)} is champion")


def _refuse(state: State, fact: Fact) -> None:
    match fact:
        case SeatLeaves():
            refuse_after_the_game(state)
        case SeatJoins():
            refuse_after_the_game(state)
            common.require_room(state.common, fact, SEAT_COUNTS)
            seats = len(state.playing) + 1
            if state.options.numbers["removed_shields"] > PLAY_DECK - DEALT * seats:
                reason = f"too many Shields are removed to deal to {seats} seats"
                raise Refused("PF-1", reason, do=f"Play with {seats - 1} at most.")
        case ScoreSet(seat=seat, score=score):
            common.require_seat(state.common, seat)
            if score not in range((most := free_bullets(state, seat)) + 1):
                reason = f"{state.name(seat)} cannot have {plural(score, 'Bullet card')}"
                raise Refused("PF-17", reason, a_number(0, most))
