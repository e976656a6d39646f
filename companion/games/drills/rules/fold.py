"""Apply a fact to a state of the drills: return the next state, or refuse with the clause of RULES.md."""

from __future__ import annotations

from companion.games.drills.rules import facts as f
from companion.games.drills.rules.keys import BEGIN, PLATES_FIRST, WAIT
from companion.games.drills.rules.model import LEAST_AT_PLATES, State, String
from companion.games.drills.rules.options import HOUSE_RULES, NUMBERS
from companion.games.drills.rules.timing import after_signal, standings
from companion.rules import common
from companion.rules.common import Common, SeatJoins, SeatLeaves
from companion.rules.facts import Fact, Moment, Refused, SeatId, Setup, after_the_end
from companion.rules.house_rules import read_options
from companion.rules.pauses import between
from companion.rules.replacing import replace
from companion.rules.seats import HAS_TO_JOIN, require_setup

RULES_VERSION = 3
OLDER_VERSIONS = (1, 2)
"""Sessions of these versions keep their rules.

In version 1 the last player at the plates played on alone, and won. Up to version 2 the median was the faster of
the middle two, and times exactly their error apart were a tie.
"""
SEAT_COUNTS = range(1, 6)
TWO_OR_MORE = "plates are a drill of two or more"
DARK_MS = 600
"""The lamp is lit for half a second; sooner than this after a false start nobody could see it light up again."""


def start(setup: Setup) -> State:
    """Return the state before the first string; raise `Refused` for bad seats or options."""
    require_setup(setup, "Drills", RULES_VERSION, SEAT_COUNTS, "SEATS", OLDER_VERSIONS)
    options = read_options(setup.options, HOUSE_RULES, NUMBERS)
    if options["drill"] == "plates" and len(setup.seats) < LEAST_AT_PLATES:
        raise Refused("DR-6", TWO_OR_MORE, do="Name another player, or choose another drill.")
    least, most = options.numbers["least_delay_ms"], options.numbers["most_delay_ms"]
    if least < DARK_MS:
        expected = f"least_delay_ms={DARK_MS} or more"
        raise Refused(
            "DR-3", f"after {least} ms the lamp may still be lit from the string before", expected
        )
    if least > most:
        raise Refused(
            "DR-3",
            f"the least delay, {least} ms, is longer than the most, {most} ms",
            do="Make it shorter.",
        )
    if not options.numbers["shots"]:
        raise Refused("DR-1", "a string of no shots", "shots=1 or more")
    if options["drill"] == "splits" and options.numbers["shots"] < 2:
        raise Refused("DR-1", "one shot has no splits", "shots=2 or more")
    return State(Common(setup), options)


def apply(state: State, fact: Fact, entry: int) -> State:
    """Return the state after a fact; raise `Refused` if the rules do not allow it."""
    match fact:
        case f.Ready():
            return _ready(state, fact, entry)
        case f.Delay():
            return _delay(state, fact)
        case f.Signal():
            return _signal(state, fact)
        case f.Shot():
            return _shot(state, fact)
        case f.Plate():
            return _plate(state, fact)
        case f.DryPull():
            common.require_running(state.common, fact.at)
            return replace(state, dry=fact.at if state.current is None else None)
        case f.Stop():
            return _ended(state, replace(_open(state), end="stopped"))
        # A string is timed for the players who began it.
        case SeatLeaves() if state.current is not None and fact.seat in state.current.players:
            raise Refused("DR-2", "a string is under way", "its end first", WAIT)
        case SeatJoins():
            common.require_room(state.common, fact, SEAT_COUNTS)
    return replace(state, common=common.apply_common(state.common, fact, standings(state)))


def refuse_when_over(state: State) -> None:
    """Raise `Refused` if everybody has shot all strings."""
    if state.over:
        raise after_the_end("DR-2", state.over_because)


def _open(state: State) -> String:
    if state.current is None:
        refuse_when_over(state)
        raise Refused("DR-2", "no string is under way", "somebody who is ready first", BEGIN)
    return state.current


def _ended(state: State, string: String) -> State:
    return replace(state, strings=(*state.strings[:-1], string), dry=None)


def _ready(state: State, fact: f.Ready, entry: int) -> State:
    common.require_playing(state.common, fact.seat)
    common.require_running(state.common, fact.at)
    refuse_when_over(state)
    if state.current is not None:
        raise Refused("DR-2", "a string is under way already", "its end first", WAIT)
    if state.too_few:
        raise Refused("DR-6", TWO_OR_MORE, do=HAS_TO_JOIN)
    if fact.seat not in state.still_to_come:
        raise Refused(
            "DR-2", f"{state.name(fact.seat)} has had all strings", "somebody who has not"
        )
    players = state.playing if state.drill == "plates" else (fact.seat,)
    string = String(fact.seat, entry, fact.at, players=players)
    return replace(state, strings=(*state.strings, string), dry=None)


def _delay(state: State, fact: f.Delay) -> State:
    string = _open(state)
    if string.delay_ms is not None:
        raise Refused(
            "DR-3", "the delay of this string is drawn already", "one for each string", WAIT
        )
    return _ended(state, replace(string, delay=fact.at, delay_ms=fact.ms))


def _signal(state: State, fact: f.Signal) -> State:
    string = _open(state)
    if string.by:
        raise Refused("DR-3", "the signal is given already", "one for each string", WAIT)
    return _ended(state, replace(string, signal=fact.at, by=fact.by))


def _shot(state: State, fact: f.Shot) -> State:
    common.require_running(state.common, fact.at)
    if state.drill == "plates":
        raise Refused(
            "DR-6",
            "this drill is done with the zone buttons, not with the gun",
            "a button",
            PLATES_FIRST,
        )
    string = _open(state)
    if not string.by:
        return _ended(state, _before_signal(state, string, string.seat, fact.at))
    if not string.shots and _too_early(state, string, fact.at):
        return _ended(
            state, replace(string, shots=(fact.at,), end="false_start", early=string.seat)
        )
    shots = (*string.shots, fact.at)
    return _ended(
        state, replace(string, shots=shots, end="done" if len(shots) == state.wanted else "")
    )


def _too_early(state: State, string: String, at: Moment | None) -> bool:
    span = after_signal(state, string, at)
    if span is None or span.tapped:  # the time of a tap decides nothing (DR-10)
        return False
    return span.us < state.options.numbers["floor_ms"] * 1000


def _before_signal(state: State, string: String, seat: SeatId, at: Moment | None) -> String:
    """Return the string after a shot before the signal: a false start (DR-4).

    If the delay was over already, the signal may have been given and its message lost; then the string does not count.
    """
    waited = between(string.delay, at, state.common.pauses, state.common.paused)
    false_start = replace(string, end="false_start", early=seat)
    if waited is None or string.delay_ms is None:
        return false_start
    # A tap is early only if it arrived before the delay was over: its error only reaches into the past.
    error_us = 0 if waited.tapped else waited.pm
    may_be_lit = waited.us >= string.delay_ms * 1000 + error_us
    return replace(string, end="unsure") if may_be_lit else false_start


def _plate(state: State, fact: f.Plate) -> State:
    common.require_playing(state.common, fact.seat)
    common.require_running(state.common, fact.at)
    if state.drill != "plates":
        raise Refused("DR-6", "this drill is done with the gun", "a shot", WAIT)
    string = _open(state)
    if fact.seat not in string.players:
        raise Refused(
            "DR-6", f"{state.name(fact.seat)} came after this string began", "the next string", WAIT
        )
    if fact.seat not in string.up:
        raise Refused(
            "DR-6", f"{state.name(fact.seat)} has hit the plate already", "one press for each", WAIT
        )
    if not string.by:
        return _ended(state, _before_signal(state, string, fact.seat, fact.at))
    if _too_early(state, string, fact.at):
        return _ended(state, replace(string, end="false_start", early=fact.seat))
    plates = (*string.plates, (fact.seat, fact.at))
    return _ended(
        state,
        replace(string, plates=plates, end="done" if len(plates) == len(string.players) else ""),
    )
