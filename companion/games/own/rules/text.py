"""The sentences of a game of one's own, in the log and in the prompt."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.own.rules import facts as f
from companion.games.own.rules.controls import SET_ACTION, SET_KEY, action_of, actions
from companion.games.own.rules.definition import CLOCK_STARTS, ROUND_ENDS, TURN_ENDS, Input
from companion.games.own.rules.fold import result
from companion.games.own.rules.model import State
from companion.rules.actions import FIRST_PRESS, either, named
from companion.rules.common import ABANDONED, describe_common
from companion.rules.facts import TABLE, Fact, SeatId
from companion.rules.game import score_lines
from companion.rules.pauses import PAUSED


def awaiting(state: State) -> str:
    """Return what the table waits for."""
    if state.common.paused:
        return PAUSED
    if state.over:
        first = result(state).winners
        won = (
            f"{state.names(first)} {'wins' if len(first) == 1 else 'share the victory'}. "
            if first
            else ""
        )
        return f"{won}The game is over."
    if state.says.clock is not None and not state.running:
        return _ask(state, CLOCK_STARTS, "to start the clock") or "Start the clock, and play."
    if state.turn:
        ask = _ask(state, TURN_ENDS, "when the turn is over")
        return " ".join(filter(None, (f"{state.name(state.turn)}, play.", _set_one(state), ask)))
    kind = state.says.rounds.get(state.round_name)
    ask = ""
    if kind is not None and kind.ends == "input":
        ask = _ask(state, ROUND_ENDS, f"when the {kind.title} is over")
    return " ".join(filter(None, (f"Play, and count{_keys(state)}.", _set_one(state), ask)))


def _keys(state: State) -> str:
    """Return the keys of each player's own inputs, in the order of the players: `: heart 1 2 3, queen q w e`."""
    own = {action.id: action.keys[0] for action in actions(state.setup)}
    rows = []
    for name, control in state.says.inputs.items():
        places = _places_asked(state, control)
        if control.whose == "own" and places:
            rows.append(
                (control.label or control.title, [f"{action_of(name)}.{place}" for place in places])
            )
    text = ", ".join(
        f"{title} {' '.join(named(action, own[action]) for action in row)}" for title, row in rows
    )
    return f": {text}" if text else ""


def _places_asked(state: State, control: Input) -> list[int]:
    """Return the places of the players who are asked for an input: all who play.

    A counter that an input sets is a statement, like a bid: who has made it is not asked again,
    though the keys still work.
    """
    places = [
        (place, seat.id)
        for place, seat in enumerate(state.setup.by_column, start=1)
        if seat.id in state.playing
    ]
    if all(
        other.sets is None for other in state.says.inputs.values() if other.does == control.does
    ):
        return [place for place, _ in places]
    return [
        place for place, seat in places if control.does not in state.used.get(seat, frozenset())
    ]


def _set_one(state: State) -> str:
    """Return how to set counters that no input counts; empty without such counters, and in format 1."""
    says, counted = state.says, {control.does for control in state.says.inputs.values()}
    if says.format == 1 or all(
        control.secret or name in counted for name, control in says.counters.items()
    ):
        return ""
    return either(
        f"Press {named(SET_ACTION, SET_KEY)} to set a counter.", "Type set, a counter and a number."
    )


def _ask(state: State, deed: str, when: str) -> str:
    """Return which key does a deed; empty if the file has none."""
    own = {action.id: action.keys[0] for action in actions(state.setup)}
    for name, control in state.says.inputs.items():
        if control.does == deed and (action_id := action_of(name)) in own:
            return f"{FIRST_PRESS} {named(action_id, own[action_id])} {when}."
    return ""


def sentence(before: State, after: State, fact: Fact, viewer: SeatId) -> str:
    """Return the log's sentence of a fact, by the states before and after it."""
    text = _what_happened(before, after, fact, viewer)
    more = [after.happened] if after.happened and not isinstance(fact, f.Bust) else []
    if (
        isinstance(fact, f.Add | f.Set | f.TimeUp)
        and not more
        and after.number_of_turns > before.number_of_turns
    ):
        more.append("the turn is over")
    if len(after.closed) > len(before.closed) and not isinstance(fact, f.RoundEnds):
        more.append(f"{_round(before)} is over")
    more += _shown(before, after)
    more += [
        f"{after.name(seat.id)} is out"
        for seat in after.setup.seats
        if seat.id in after.out - before.out
    ]
    if after.over and not before.over:
        more.append("the game is over")
    return "; ".join((text, *more))


def _what_happened(before: State, after: State, fact: Fact, viewer: SeatId) -> str:
    match fact:
        case f.Add(counter=name, by=by, seat=seat):
            owner, counter = before.name(seat) if seat else "", before.says.counters[name]
            value = after.counters.get(seat or "", {}).get(name, counter.start)
            began_anew = after.turn != before.turn or len(after.closed) > len(before.closed)
            now = (
                ""
                if began_anew and (counter.lasts != "game" or after.happened)
                else f", now {value}"
            )
            return f"{f'{owner}: ' if owner else ''}{counter.title} {by:+d}{now}"
        case f.Set(counter=name, value=value, seat=seat):
            owner = f"{before.name(seat)}: " if seat else ""
            return f"{owner}{before.says.counters[name].title} set to {value}"
        case f.SecretNote(seat=seat, counter=name, value=value):
            counter = before.says.counters[name]
            number = f": {value}" if viewer == seat else ""
            return f"{before.name(seat)} noted {counter.title}{number}"
        case f.TurnEnds():
            return f"{before.name(before.turn)}'s turn is over"
        case f.Bust():
            return after.happened
        case f.RoundEnds():
            return f"{_round(before)} is over"
        case f.ClockStarts():
            return "the clock runs"
        case f.TimeUp():
            return "the time is up"
    return describe_common(before.common, fact)


def _shown(before: State, after: State) -> Iterator[str]:
    """Yield what everybody noted in each secret counter when a round ends (OG-3): `bid: Ann 4, Ben 2`."""
    for name, counter in (
        after.says.secrets.items() if len(after.closed) > len(before.closed) else ()
    ):
        values = (f"{after.name(seat)} {after.kept[seat][name][-1]}" for seat in after.playing)
        yield f"{counter.title}: {', '.join(values)}"


def _round(state: State) -> str:
    kind = state.says.rounds.get(state.round_name)
    return f"{kind.title if kind is not None else 'round'} {len(state.closed) + 1}"


def summary(state: State, scores: dict[SeatId, int]) -> tuple[str, ...]:
    """Return the result so far in lines of text."""
    clock = state.says.clock
    status = where(state) if state.common.abandoned is None else ABANDONED
    time = [] if clock is None else [f"{clock.seconds} s on the clock for the {clock.of}"]
    return (status, *time, *score_lines(state.setup, scores))


def where(state: State) -> str:
    """Return where the game is: `hand 3`."""
    if state.over:
        return "over"
    turn = f"{state.name(state.turn)}'s turn" if state.turn else ""
    return (
        ", ".join(filter(None, (_round(state) if state.says.rounds else "", turn))) or "under way"
    )


def hidden(state: State, viewer: SeatId, seat: SeatId, name: str) -> bool:
    """Return whether that viewer may not see a seat's counter now (OG-3)."""
    counter = state.says.counters[name]
    return (
        counter.secret
        and not state.over
        and viewer in {TABLE, *(s.id for s in state.setup.seats)} - {seat}
    )
