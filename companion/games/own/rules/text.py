"""The sentences of a game of one's own, in the log and in the prompt."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.own.rules import facts as f
from companion.games.own.rules.controls import (
    SET_ACTION,
    SET_KEY,
    action_of,
    actions,
    fact_of,
)
from companion.games.own.rules.definition import CLOCK_STARTS, ROUND_ENDS, TURN_ENDS, Input
from companion.games.own.rules.expressions import Work
from companion.games.own.rules.fold import applied, result
from companion.games.own.rules.model import State
from companion.rules.actions import FIRST_PRESS, MOST_NAMED, PRESS, either, keys_with_names, named
from companion.rules.columns import listed
from companion.rules.common import ABANDONED, describe_common
from companion.rules.facts import TABLE, Fact, Refused, SeatId
from companion.rules.game import score_lines
from companion.rules.pauses import PAUSED

_CURTAIN = named("dashboard.curtain", "j")
# For a whole prompt, which every view asks for: the keys of a heavy game are all named.
_MOST_STEPS = 2_000
NOW = ", now "
"""Between what was counted and what it came to."""


def awaiting(state: State) -> str:
    """Return what the table waits for."""
    if state.common.paused:
        return PAUSED
    if state.over:
        return _over(state)
    if state.says.clock is not None and not state.running:
        key = _key_of(state, CLOCK_STARTS)
        return f"{FIRST_PRESS} {key} to start the clock." if key else "Start the clock."
    asides = [*_notes_missing(state), _set_one(state)]
    if state.turn:
        play, key = f"{state.name(state.turn)}, play and count", _key_of(state, TURN_ENDS)
        if key:
            play += f". When your turn is over, {PRESS} {key}"
    else:
        play, kind = _play(state), state.says.rounds.get(state.round_name)
        if kind is not None and kind.ends == "input":
            key = _key_of(state, ROUND_ENDS)
            if key and _accepts(state, f.RoundEnds(), Work(_MOST_STEPS)):
                asides.append(f"{key}: the {kind.title} is over")
    aside = ", ".join(filter(None, asides))
    return f"{play} ({aside})." if aside else f"{play}."


def _over(state: State) -> str:
    winners = result(state).winners
    if not winners:
        return "The game is over."
    verb = "wins" if len(winners) == 1 else "share the victory"
    return f"{state.names(winners)} {verb}. The game is over."


def _play(state: State) -> str:
    """Return what to count, with the keys of each player's own inputs: `Who takes a trick? 1 Ann, 2 Ben`.

    Several inputs are `Play and count: heart 1 Ann, 2 Ben; queen q Ann, w Ben`. If everybody has several, the names
    are said once: `Play and count for Ann, Ben: heart 1 2; queen q w`. They stand beside the keys of an input that
    only some players have now.
    """
    inputs = _keys_of_inputs(state)
    if not inputs:
        return "Play and count"
    if len(inputs) == 1:
        control, keys = inputs[0]
        verb = control.title.partition(" ")[0]
        if verb.endswith("s"):
            return f"Who {control.title}? {keys_with_names(keys)}"
    everybody = [seat.name for seat in state.setup.by_column if seat.id in state.playing]
    shared = sum(len(keys) == len(everybody) for _, keys in inputs)
    named_once = shared > 1 and len(everybody) <= MOST_NAMED
    rows = []
    for control, keys in inputs:
        label = control.label or control.title
        if named_once and len(keys) == len(everybody):
            rows.append(f"{label} {' '.join(key for key, _ in keys)}")
        else:
            rows.append(f"{label} {keys_with_names(keys)}")
    whose = f" for {', '.join(everybody)}" if named_once else ""
    return f"Play and count{whose}: {'; '.join(rows)}"


def _keys_of_inputs(state: State) -> list[tuple[Input, list[tuple[str, str]]]]:
    """Return each input that players have now, and the key and the name of each of them."""
    own = {action.id: action.keys[0] for action in actions(state.setup)}
    work = Work(_MOST_STEPS)
    inputs = []
    for name, control in state.says.inputs.items():
        if control.whose != "own":
            continue
        keys = []
        for place in _places_asked(state, control, work):
            action_id = f"{action_of(name)}.{place}"
            seat = state.setup.by_column[place - 1]
            keys.append((named(action_id, own[action_id]), seat.name))
        if keys:
            inputs.append((control, keys))
    return inputs


def _places_asked(state: State, control: Input, work: Work) -> list[int]:
    """Return the places of the players who are asked for an input: all who play and can do it now.

    A counter that an input sets is a statement, like a bid: who has made it is not asked again,
    though the keys still work.
    """
    inputs = state.says.inputs.values()
    stated = any(other.sets is not None for other in inputs if other.does == control.does)
    places = []
    for place, seat in enumerate(state.setup.by_column, start=1):
        done = stated and control.does in state.used.get(seat.id, frozenset())
        if seat.id in state.playing and not done and _can_do(state, control, seat.id, work):
            places.append(place)
    return places


def _can_do(state: State, control: Input, seat: SeatId, work: Work) -> bool:
    """Return False if the game refuses the input now, like a second queen in a hand.

    True if finding out would take more steps than `work` has left.
    """
    try:
        fact = fact_of(state, control, seat)
    except Refused:
        return False
    return _accepts(state, fact, work)


def _accepts(state: State, fact: Fact, work: Work) -> bool:
    """Return False if the game refuses the fact now for a reason that everybody may know."""
    try:
        applied(state, fact, work)
    except Refused as refusal:
        # a prompt that left out what a secret forbids would tell about the secret
        return refusal.hidden or work.used > work.most
    return True


def _notes_missing(state: State) -> Iterator[str]:
    """Yield who has to note what in secret, with the key; only a screen has a curtain (OG-3)."""
    for name, counter in state.says.secrets.items():
        missing = []
        for seat in state.setup.by_column:
            if seat.id in state.playing and name not in state.used.get(seat.id, frozenset()):
                missing.append(seat.name)
        if missing:
            yield either(f"{_CURTAIN}: {listed(missing)} note {counter.title} in secret", "")


def _set_one(state: State) -> str:
    """Return the key that sets counters which no input counts; empty without such counters, and in format 1."""
    says = state.says
    counted = {control.does for control in says.inputs.values()}
    open_counters = [name for name, counter in says.counters.items() if not counter.secret]
    if says.format == 1 or counted.issuperset(open_counters):
        return ""
    return either(
        f"{named(SET_ACTION, SET_KEY)}: count anything else", "type set, a counter and a number"
    )


def _key_of(state: State, deed: str) -> str:
    """Return the name of the key that does a deed; empty if the file has none."""
    own = {action.id: action.keys[0] for action in actions(state.setup)}
    for name, control in state.says.inputs.items():
        action_id = action_of(name)
        if control.does == deed and action_id in own:
            return named(action_id, own[action_id])
    return ""


def sentence(before: State, after: State, fact: Fact, viewer: SeatId) -> str:
    """Return the log's sentence of a fact, by the states before and after it."""
    parts = [_what_happened(before, after, fact, viewer)]
    # the sentence of `TurnEnds` says so already
    counted = isinstance(fact, f.Add | f.Set | f.TimeUp)
    if after.happened and not isinstance(fact, f.Bust):
        parts.append(after.happened)
    elif counted and after.number_of_turns > before.number_of_turns:
        parts.append("the turn is over")
    round_over = len(after.closed) > len(before.closed)
    if round_over and not isinstance(fact, f.RoundEnds):
        parts.append(f"{_round(before)} is over")
    if round_over:
        parts += _secrets(after)
    gone = after.out - before.out
    parts += [f"{after.name(seat.id)} is out" for seat in after.setup.seats if seat.id in gone]
    if after.over and not before.over:
        parts.append("the game is over")
    return "; ".join(parts)


def _what_happened(before: State, after: State, fact: Fact, viewer: SeatId) -> str:
    match fact:
        case f.Add():
            return _counted(before, after, fact)
        case f.Set(counter=name, value=value, seat=seat):
            owner = f"{before.name(seat)}: " if seat else ""
            return f"{owner}{before.says.counters[name].title} set to {value}"
        case f.SecretNote(seat=seat, counter=name, value=value):
            noted = f"{before.name(seat)} noted {before.says.counters[name].title}"
            return f"{noted}: {value}" if viewer == seat else noted
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


def _counted(before: State, after: State, fact: f.Add) -> str:
    counter = before.says.counters[fact.counter]
    text = f"{counter.title} {fact.by:+d}"
    if fact.seat:
        text = f"{before.name(fact.seat)}: {text}"
    began_anew = after.turn != before.turn or len(after.closed) > len(before.closed)
    # the counter is back at its start, or at what it was before the bust
    if began_anew and (counter.lasts != "game" or after.happened):
        return text
    held = after.counters.get(fact.seat or "", {})
    return f"{text}{NOW}{held.get(fact.counter, counter.start)}"


def _secrets(after: State) -> Iterator[str]:
    """Yield what everybody noted in each secret counter in the round that has just ended (OG-3):
    `bid: Ann 4, Ben 2`."""
    for name, counter in after.says.secrets.items():
        values = [f"{after.name(seat)} {after.kept[seat][name][-1]}" for seat in after.playing]
        yield f"{counter.title}: {', '.join(values)}"


def _round(state: State) -> str:
    kind = state.says.rounds.get(state.round_name)
    title = "round" if kind is None else kind.title
    return f"{title} {len(state.closed) + 1}"


def summary(state: State, scores: dict[SeatId, int]) -> tuple[str, ...]:
    """Return the result so far in lines of text."""
    lines = [where(state) if state.common.abandoned is None else ABANDONED]
    clock = state.says.clock
    if clock is not None:
        lines.append(f"{clock.seconds} s on the clock for the {clock.of}")
    return (*lines, *score_lines(state.setup, scores))


def where(state: State) -> str:
    """Return where the game is: `hand 3`."""
    if state.over:
        return "over"
    parts = []
    if state.says.rounds:
        parts.append(_round(state))
    if state.turn:
        parts.append(f"{state.name(state.turn)}'s turn")
    return ", ".join(parts) or "under way"


def hidden(state: State, viewer: SeatId, seat: SeatId, name: str) -> bool:
    """Return whether that viewer may not see a seat's counter now (OG-3)."""
    if state.over or not state.says.counters[name].secret or viewer == seat:
        return False
    # any other viewer, an export of the whole record say, sees everything
    return viewer == TABLE or viewer in {other.id for other in state.setup.seats}
