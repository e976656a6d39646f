"""Checks of a data file whose fields are right by themselves but do not go together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.games.own.rules.definition import (
    ADDS,
    BUST,
    DEEDS,
    MOST_SEATS,
    PLAYERS,
    ROUND,
    SCORE,
    TURN_ENDS,
    TURNS,
    Clock,
    Counter,
    Definition,
    Input,
)
from companion.games.own.rules.expressions import FUNCTIONS
from companion.games.own.rules.source import FileFault
from companion.rules.columns import nearest
from companion.rules.plain_toml import quoted

_OF_EXAMPLES: Final = ("table",)
_OF_PYTHON: Final = ("and", "or", "not", "if", "else", "in", "is", "lambda")
_RESERVED: Final = (ROUND, PLAYERS, TURNS, ADDS, SCORE, *_OF_EXAMPLES, *_OF_PYTHON)
"""Names that mean something in expressions or examples already."""


def require_sense(says: Definition) -> None:
    """Raise `FileFault` for fields that do not go together."""
    if says.format == 1:
        for path in _of_format_2(says):
            raise FileFault(path, "is of format 2", "format = 2")
    least, most = says.seats
    if not 1 <= least <= most <= MOST_SEATS[says.format]:
        expected = f"the fewest and the most, of 1 to {MOST_SEATS[says.format]}"
        raise FileFault(("seats",), f"{least} to {most} players", expected)
    if says.teams is not None and (least % says.teams or most % says.teams):
        why = f"{least} to {most} players make no {says.teams} teams"
        expected = f"seats that {says.teams} divides, such as [4, 4] for 2 teams"
        raise FileFault(("teams",), why, expected)
    for clause, check in says.checks.items():
        if check.asked == "always" and says.secrets:
            why = "what is always asked would tell of the secret counters"
            raise FileFault(("checks", clause, "asked"), why, 'asked = "round"')
    for faults in (_names(says), _inputs(says), _ends(says), _counters(says)):
        for fault in faults:
            raise fault


def _of_format_2(says: Definition) -> Iterator[tuple[str, ...]]:
    """Yield the paths of what format 1 does not have."""
    for name in ("teams", "out"):
        if name in says.model_fields_set:
            yield (name,)
    for table, field in (("counters", "once"), ("inputs", "sets"), ("rounds", "when")):
        for name, part in getattr(says, table).items():
            if field in part.model_fields_set:
                yield table, name, field
    for name, kind in says.rounds.items():
        if kind.ends == "when":
            yield "rounds", name, "ends"


def _names(says: Definition) -> Iterator[FileFault]:
    taken = {*_RESERVED, *FUNCTIONS[says.format]}
    for table in ("counters", "values", "options"):
        for name in getattr(says, table):
            if name in taken:
                yield FileFault((table, name), "is a name that is taken", "a name of its own")
            taken.add(name)


def _inputs(says: Definition) -> Iterator[FileFault]:
    rows = own_rows(says)
    keys = set("".join(rows))
    if sum(control.whose == "own" for control in says.inputs.values()) > len(rows):
        why = "there are not keys enough for each player to have all of them"
        expected = f"at most {len(rows)} inputs for own with {says.seats[1]} players"
        yield FileFault(("inputs",), why, expected)
    for name, control in says.inputs.items():
        path = ("inputs", name)
        if control.does not in says.counters and control.does not in DEEDS:
            near = nearest(control.does, [*says.counters, *DEEDS])
            expected = near or f"a counter, or one of {', '.join(DEEDS)}"
            yield FileFault((*path, "does"), f"is {quoted(control.does)}", expected)
        else:
            fault = _why_not(says, control)
            if fault is not None:
                yield FileFault(path, *fault)
        if control.key is not None:
            if control.key in keys or control.key not in FREE_KEYS:
                free = ", ".join(sorted(FREE_KEYS - keys))
                why = f"is {quoted(control.key)}, which is taken"
                yield FileFault((*path, "key"), why, f"one of {free}")
            keys.add(control.key)


_DIGITS, _LETTERS = "1234567890", "qwetioasdfkmn"
"""Keys that the table leaves free, in the order in which inputs of each player get them."""


FREE_KEYS: Final = frozenset({*_DIGITS, *_LETTERS, "space", "enter"})


def own_rows(says: Definition) -> list[str]:
    """Return the keys of each input that every player has, by the players' places."""
    most = says.seats[1]
    number = sum(control.whose == "own" for control in says.inputs.values())
    if most <= len(_DIGITS):
        first, rest = _DIGITS[:most], _LETTERS
    else:
        # the digits go on with letters
        keys = _DIGITS + _LETTERS
        first, rest = keys[:most], keys[most:]
    rows = [first]
    while len(rest) >= most:
        rows.append(rest[:most])
        rest = rest[most:]
    return rows[:number]


def _why_not(says: Definition, control: Input) -> tuple[str, str] | None:
    """Return what is wrong with an input, and what would be right, or None."""
    counter = says.counters.get(control.does)
    if counter is None and control.sets is not None:
        return f"{quoted(control.does)} is no counter that could be set", "does = a counter"
    if counter is None and control.whose == "own":
        return f"{control.does} is nobody's own", 'for = "table", or "turn"'
    if control.does in (TURN_ENDS, BUST) and says.turn is None:
        return f"there is no [turn], so nothing is to do for {quoted(control.does)}", "[turn]"
    fault = None
    if counter is not None:
        fault = _why_not_counted(control, counter)
    return fault or _why_not_there(says, control)


def _why_not_counted(control: Input, counter: Counter) -> tuple[str, str] | None:
    """Return what is wrong with an input that counts, and what would be right, or None."""
    if control.sets is not None and control.by != 1:
        return "it sets the counter, or adds to it", "sets, or by"
    if counter.of == "table" and control.whose != "table":
        return f"{control.does} is kept for table", 'for = "table"'
    if counter.of == "seat" and control.whose == "table":
        return f"{control.does} is kept for seat", 'for = "own"'
    if counter.secret:
        why = f"{control.does} is secret, and a button tells everybody"
        return why, "no input: it is entered by its player"
    return _why_not_set(control, counter)


def _why_not_set(control: Input, counter: Counter) -> tuple[str, str] | None:
    """Return what is wrong with the number that an input sets: outside the bounds it would always be refused."""
    if control.sets is None:
        return None
    sets = f"it sets {control.sets}, and {control.does} has"
    if counter.least is not None and control.sets < counter.least:
        return f"{sets} at least {counter.least}", f"{counter.least} or more"
    if counter.most is not None and control.sets > counter.most:
        return f"{sets} at most {counter.most}", f"{counter.most} or less"
    return None


def _why_not_there(says: Definition, control: Input) -> tuple[str, str] | None:
    """Return what is wrong with the key or button of an input, and what would be right, or None."""
    if control.whose == "turn" and says.turn is None:
        return "there is no [turn]", 'for = "own", or a [turn]'
    if control.whose == "own" and (control.key is not None or control.zone is not None):
        return "each player has a key and a button for it, by their place", "no key, no zone"
    if control.whose == "own" and control.on in ("shot", "dry pull"):
        return "there is one gun, which is nobody's own", 'for = "turn", or "table"'
    if control.whose != "own" and control.key is None:
        return "it has no key", "key = ..., for whoever plays without a board"
    if control.whose != "own" and control.on in ("tap", "hold") and control.zone is None:
        return f"a {control.on} of which button", "zone = 1 to 10"
    return None


def _ends(says: Definition) -> Iterator[FileFault]:
    kinds, clock = list(says.rounds.values()), says.clock
    rounds_end = bool(kinds) and all(kind.times for kind in kinds)
    clock_ends = clock is not None and clock.then == "game"
    if not says.over and not rounds_end and not clock_ends:
        expected = "over, or rounds with times, or a clock that ends the game"
        yield FileFault((), "the game never ends", expected)
    if (says.wins == "together") != bool(says.won):
        why, expected = "who wins together needs to know when", 'wins = "together" with won = "..."'
        yield FileFault(("won",), why, expected)
    for name, kind in list(says.rounds.items())[:-1]:
        if not kind.times:
            why = "no round comes after one without an end"
            yield FileFault(("rounds", name), why, "times = 1 or more")
    for name, kind in says.rounds.items():
        if (kind.ends == "when") != bool(kind.when):
            why = "a round that ends by an expression has one"
            yield FileFault(("rounds", name), why, 'ends = "when", when = "..."')
    if says.turn is None and any(kind.ends == "turns" for kind in kinds):
        yield FileFault(("rounds",), "there is no [turn]", 'ends = "input", or a [turn]')
    if clock is not None:
        yield from _clock(says, clock)


def _clock(says: Definition, clock: Clock) -> Iterator[FileFault]:
    if "turn" in (clock.of, clock.then) and says.turn is None:
        yield FileFault(("clock",), "there is no [turn]", "[turn]")
    if clock.then == "round" and says.checks:
        why = "a round that the clock ends cannot wait for [checks]"
        yield FileFault(("clock", "then"), why, 'then = "game"')


def _counters(says: Definition) -> Iterator[FileFault]:
    for name, counter in says.counters.items():
        path = ("counters", name)
        too_low = counter.least is not None and counter.start < counter.least
        too_high = counter.most is not None and counter.start > counter.most
        if too_low or too_high:
            yield FileFault(path, f"it starts at {counter.start}", "a start within least and most")
        if counter.lasts == "turn" and says.turn is None:
            yield FileFault(path, "there is no [turn]", 'lasts = "round" or "game"')
        if counter.secret and counter.once:
            why = "that it is used already would tell of a secret"
            yield FileFault(path, why, "secret, or once")
        if counter.secret and (counter.of == "table" or counter.lasts != "round"):
            why = "a secret is one player's, for a round"
            yield FileFault(path, why, 'of = "seat", lasts = "round"')
