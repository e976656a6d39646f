"""The trial of a game's file: its examples are played, and every key and check has to mean something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.own.possible import impossible
from companion.games.own.rules import facts as f
from companion.games.own.rules.controls import DEED
from companion.games.own.rules.definition import CLOCK_STARTS, ROUND_ENDS, Definition, Example
from companion.games.own.rules.expressions import OutOfWork, Work
from companion.games.own.rules.fold import (
    MOST_DEPTH,
    MOST_STEPS_OF_FACT,
    RULES_VERSION,
    applied,
    result,
    standings,
    start,
)
from companion.games.own.rules.model import NOBODY, State
from companion.games.own.rules.reading import OwnRules
from companion.rules.facts import Fact, Refused, SeatId, Setup
from companion.rules.plain_toml import quoted
from companion.rules.registry import DEFINITION_KEY
from companion.rules.seats import seats_from_names

MOST_STEPS_OF_CHECK = 1_000_000
"""Steps that all examples of a file may take together; they end within a few seconds."""
_WORDS: dict[str, type[Fact]] = {**DEED, "time is up": f.TimeUp}


def faults(own: OwnRules) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the path and the fault of each failing example, dead key and impossible check."""
    yield from _dead_keys(own.says)
    if own.depth > MOST_DEPTH:
        # such expressions cannot be evaluated, so nothing else can be tried
        why = f"the expressions are nested {own.depth} deep, through the values that they name"
        yield ("values",), f"{why}; expected {MOST_DEPTH} at most"
        return
    yield from impossible(own)
    work = Work(MOST_STEPS_OF_CHECK)
    for name, example in own.says.examples.items():
        path = ("examples", name)
        try:
            played(own, example, work)
        except OutOfWork as problem:
            expected = "shorter expressions, or fewer plays in the examples"
            yield path, f"{problem}; expected {expected}"
            return
        except (Refused, ValueError) as problem:
            yield path, str(problem)


def _dead_keys(says: Definition) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield keys that can never do anything; reading allows them, so that running games with such a file go on."""
    by_input = any(kind.ends == "input" for kind in says.rounds.values())
    for name, control in says.inputs.items():
        path = ("inputs", name)
        if control.does == ROUND_ENDS and not by_input:
            yield path, 'no round ends by an input; expected [rounds.NAME] with ends = "input"'
        elif control.does == CLOCK_STARTS and says.clock is None:
            yield path, "there is no clock to start; expected [clock]"


def played(own: OwnRules, example: Example, work: Work) -> State:
    """Play an example with the steps of `work` and return its last state.

    Raise `ValueError` if the result is not what the file says, `Refused`, or `OutOfWork`.
    """
    seats = seats_from_names(example.seats)
    ids = {seat.name: seat.id for seat in seats}
    setup = Setup(own.id, RULES_VERSION, seats, dict(example.options), {DEFINITION_KEY: own.text})
    state = start(setup)
    for number, play in enumerate(example.plays, start=1):
        of_play = Work(MOST_STEPS_OF_FACT)
        try:
            state = applied(state, fact_of(state, play, ids), of_play)
        except Refused as refusal:
            raise ValueError(f"step {number}, {quoted(play)}: {refusal}") from refusal
        try:
            # copying all counters for each fact takes time, too
            work.take(of_play.used + len(own.says.counters) * len(seats))
        except OutOfWork:
            why = f"step {number} takes all examples together over {work.most:,} steps"
            raise OutOfWork(why) from None
    _require(example, state)
    return state


def fact_of(state: State, play: str, seats: Mapping[str, SeatId]) -> Fact:
    """Return the fact of a line in an example; `seats` maps names to seats. Raise `ValueError` for anything else."""
    if play in _WORDS:
        return _WORDS[play]()
    # SEAT COUNTER NUMBER or SEAT COUNTER = NUMBER, where the seat's name may have spaces
    words, _, number = play.rpartition(" ")
    sets = words.endswith(" =")
    name, _, counter_name = words.removesuffix(" =").rpartition(" ")
    if not name or not number.removeprefix("-").isdecimal():
        expected = f"SEAT COUNTER NUMBER, or one of {', '.join(_WORDS)}"
        raise ValueError(f"{quoted(play)} is no play; expected {expected}")
    if name not in {"table", *seats}:
        expected = f"one of table, {', '.join(seats)}"
        raise ValueError(f"{quoted(play)}: nobody is called {quoted(name)}; expected {expected}")
    seat = seats.get(name, NOBODY)
    counter = state.says.counters.get(counter_name)
    if counter is not None and counter.secret:
        return f.SecretNote(seat=seat, counter=counter_name, value=int(number))
    if sets:
        return f.Set(seat=seat or None, counter=counter_name, value=int(number))
    return f.Add(seat=seat or None, counter=counter_name, by=int(number))


def _require(example: Example, state: State) -> None:
    """Raise `ValueError` unless the scores and the winners are those of the example."""
    scores = tuple(standings(state).values())
    if scores != example.scores:
        raise ValueError(f"the scores are {list(scores)}; the file says {list(example.scores)}")
    if not state.over:
        if example.winners is not None:
            expected = f"the file says that {list(example.winners)} won"
            raise ValueError(f"the game is not over; {expected}")
        return
    won = [state.name(seat) for seat in result(state).winners]
    if example.winners is None:
        raise ValueError(f"the game is over; expected winners = {won}")
    if set(won) != set(example.winners):
        raise ValueError(f"{won} won; the file says that {list(example.winners)} won")
