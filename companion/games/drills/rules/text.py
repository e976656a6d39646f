"""Sentences of the drills: for each fact, and what the game waits for."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.drills.rules import facts as f
from companion.games.drills.rules.keys import key_of, own_keys
from companion.games.drills.rules.model import State, String
from companion.games.drills.rules.timing import (
    after_signal,
    first_at_plates,
    rests_on_tap,
    result,
    within_par,
)
from companion.rules.actions import FIRST_PRESS, PRESS, with_board
from companion.rules.clauses import spoken
from companion.rules.common import describe_common
from companion.rules.comparing import is_best
from companion.rules.facts import Fact, SeatId
from companion.rules.pauses import PAUSED, Span
from companion.rules.seats import HAS_TO_JOIN
from companion.rules.spans import NOT_MEASURED, seconds

NAMES = {
    "reaction": "Reaction",
    "par": "Draw and fire",
    "splits": "Splits",
    "string": "String against the clock",
    "plates": "Plates",
}
"""Titles of the drills."""
# the drills of one shot or press whose time does not say how the string ended
_TOLD = "par", "plates"
UNDER_WAY = "under way"
FALSE_START = "false start"
TIE = "a tie: "


def awaiting(state: State) -> str:
    """Return what the game waits for."""
    string = state.current
    if state.common.paused:
        return PAUSED
    if string is None:
        return _between(state)
    if not string.by:
        if state.drill == "plates":
            fire = with_board("hit your button", f"{PRESS} your key")
        else:
            fire = with_board("fire", f"{PRESS} {key_of('shot')}")
        return f"Wait for the signal, then {fire}. To stop, {PRESS} {key_of('stop')}."
    if state.drill == "plates":
        now = with_board("Hit your own button now.", f"{FIRST_PRESS} your own key now.")
        return f"{now} Keys: {own_keys(state.setup, string.up)}."
    left = state.wanted - len(string.shots)
    shots = "" if left == 1 else f"{left} shots "
    by_key = with_board("", f": {PRESS} {key_of('shot')}")
    return f"{state.name(string.seat)}, fire {shots}now{by_key}."


def _between(state: State) -> str:
    if state.over:
        return spoken(state.over_because)
    if state.too_few:
        return f"{HAS_TO_JOIN} Plates take two players."
    key = key_of("begin")
    if state.drill == "plates":
        return f"All ready? {with_board(f'Hold a zone button or {PRESS}', FIRST_PRESS)} {key}."
    name = state.name(state.still_to_come[0])
    return f"{name}, {with_board('hold your zone button or ')}{PRESS} {key} to start."


def sentence(before: State, after: State, fact: Fact) -> str:
    """Return the sentence of a fact for the log, from the states before and after it."""
    match fact:
        case f.Ready() if before.drill == "plates":
            return "all are ready"
        case f.Ready(seat=seat):
            return f"{before.name(seat)} is ready"
        case f.Delay():
            return "random delay chosen"
        case f.Signal(by=by):
            return "the lamp is lit" if by == "lamp" else "the screen gives the signal"
        case f.Shot():
            return _done_by(after, after.strings[-1].seat)
        case f.Plate(seat=seat):
            return _done_by(after, seat)
        case f.DryPull(reason=reason):
            return f"dry pull: {reason}" if reason else "dry pull"
        case f.Stop(reason=reason):
            because = f": {reason}" if reason else ""
            return f"the string is stopped and does not count{because}"
    return describe_common(before.common, fact)


def _done_by(after: State, seat: SeatId) -> str:
    """Return the last shot or press, and what it made of the string if the time alone does not tell."""
    string = after.strings[-1]
    if string.end in ("false_start", "unsure"):
        return ended(after, string)
    if after.drill == "plates":
        label, at = "", string.plates[-1][1]
    else:
        label, at = "shot ", string.shots[-1]
    text = f"{after.name(seat)}: {label}{timed(after_signal(after, string, at))}"
    if string.end and (after.wanted > 1 or after.drill in _TOLD):
        text += f"; {ended(after, string)}"
    return text


def ended(state: State, string: String) -> str:
    """Return how a string ended, in words."""
    match string.end:
        case "stopped":
            return "stopped, does not count"
        case "unsure":
            return "does not count: the signal may have come later"
        case "false_start" if string.early is not None:
            return f"{FALSE_START}: {state.name(string.early)} was too early"
        case "done" if state.drill == "plates":
            return _first(state, string)
        case "done":
            return _done(state, string)
    return UNDER_WAY


def _first(state: State, string: String) -> str:
    first = first_at_plates(state, string)
    if any(rests_on_tap(string, seat) for seat in first):
        return f"who was first is {NOT_MEASURED}"
    if len(first) == 1:
        return f"{state.name(first[0])} was first"
    return f"{TIE}{state.names(first)}" if first else "unknown who was first"


def _done(state: State, string: String) -> str:
    span = result(state, string, string.seat)
    if state.drill == "par":
        if span is not None and span.tapped:
            return NOT_MEASURED
        return "within par" if within_par(state, string, string.seat) else "slower than par"
    label = {"splits": "a shot every ", "string": "all in "}.get(state.drill, "")
    return f"{label}{timed(span)}"


def praise(state: State, string: String, spans: Sequence[Span]) -> str:
    """Return `the best so far` if this string is the player's best, others came before it, and the errors allow it
    (DR-9).

    `spans` are the results of the player's strings up to this one.
    """
    if string.end != "done" or state.drill == "plates" or len(spans) < 2:
        return ""
    span = result(state, string, string.seat)
    if span is None or span.tapped or not is_best(spans):
        return ""
    return "the best so far"


def timed(span: Span | None) -> str:
    """Return a time with its error: `0.213 s ±102 µs`."""
    return "at an unknown time" if span is None else span.text()


def in_seconds(span: Span) -> str:
    """Return a time in seconds without its error, for a column: `0.213`."""
    return seconds(span.us, span.pm).removesuffix(" s")


def checklist(state: State) -> tuple[str, ...]:
    """Return the steps of the setup, a plain line each."""
    if state.drill == "plates":
        return ("Give everybody a zone button.", "Put the lamp where everybody sees it.")
    par = f"Par is {state.options.numbers['par_ms'] / 1000:g} s."
    return (
        "Use only the toy gun, with nobody in front of it.",
        "Put the lamp where the shooter sees it.",
        *([par] if state.drill == "par" else []),
        f"{state.name(state.still_to_come[0])} starts." if state.still_to_come else "",
    )
