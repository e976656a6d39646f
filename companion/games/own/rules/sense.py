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
    Counter,
    Definition,
    Input,
)
from companion.games.own.rules.expressions import FUNCTIONS
from companion.games.own.rules.source import FileFault
from companion.rules.columns import nearest
from companion.rules.plain_toml import quoted


def require_sense(says: Definition) -> None:
    """Raise `FileFault` for fields that do not go together."""
    for path in _of_format_2(says) if says.format == 1 else ():
        raise FileFault(path, "is of format 2", "format = 2")
    least, most = says.seats
    if not 1 <= least <= most <= MOST_SEATS[says.format]:
        expected = f"the fewest and the most, of 1 to {MOST_SEATS[says.format]}"
        raise FileFault(("seats",), f"{least} to {most} players", expected)
    if says.teams is not None and (least % says.teams or most % says.teams):
        why = f"{least} to {most} players make no {says.teams} teams"
        raise FileFault(
            ("teams",), why, f"seats that {says.teams} divides, such as [4, 4] for 2 teams"
        )
    for clause, check in says.checks.items():
        if check.asked == "always" and says.secrets:
            why = "what is always asked would tell of the secret counters"
            raise FileFault(("checks", clause, "asked"), why, 'asked = "round"')
    for faults in (_names(says), _inputs(says), _ends(says), _counters(says)):
        for fault in faults:
            raise fault


def _of_format_2(says: Definition) -> Iterator[tuple[str, ...]]:
    """Yield the paths of what format 1 does not have."""
    yield from ((name,) for name in ("teams", "out") if name in says.model_fields_set)
    for table, names in (("counters", ("once",)), ("inputs", ("sets",)), ("rounds", ("when",))):
        for name, part in getattr(says, table).items():
            yield from ((table, name, field) for field in names if field in part.model_fields_set)
    yield from (
        ("rounds", name, "ends") for name, part in says.rounds.items() if part.ends == "when"
    )


def _names(says: Definition) -> Iterator[FileFault]:
    taken = {
        ROUND,
        PLAYERS,
        TURNS,
        ADDS,
        SCORE,
        "table",
        "and",
        "or",
        "not",
        "if",
        "else",
        "in",
        "is",
        "lambda",
    }
    taken |= {*FUNCTIONS[says.format]}
    for table in ("counters", "values", "options"):
        for name in getattr(says, table):
            if name in taken:
                yield FileFault((table, name), "is a name that is taken", "a name of its own")
            taken.add(name)


def _inputs(says: Definition) -> Iterator[FileFault]:
    rows = own_rows(says)
    keys = set("".join(rows))
    if sum(control.whose == "own" for control in says.inputs.values()) > len(rows):
        expected = f"at most {len(rows)} inputs for own with {says.seats[1]} players"
        yield FileFault(
            ("inputs",), "there are not keys enough for each player to have all of them", expected
        )
    for name, control in says.inputs.items():
        path = ("inputs", name)
        if control.does not in says.counters and control.does not in DEEDS:
            near = nearest(control.does, [*says.counters, *DEEDS])
            expected = near or f"a counter, or one of {', '.join(DEEDS)}"
            yield FileFault((*path, "does"), f"is {quoted(control.does)}", expected)
        elif (why := _why_not(says, control)) is not None:
            yield FileFault(path, *why)
        if control.key is not None and (control.key in keys or control.key not in FREE_KEYS):
            free = [key for key in sorted(FREE_KEYS) if key not in keys]
            yield FileFault(
                (*path, "key"),
                f"is {quoted(control.key)}, which is taken",
                f"one of {', '.join(free)}",
            )
        keys.add(control.key or "")


_DIGITS, _LETTERS = "1234567890", "qwetioasdfkmn"
"""Keys that the table leaves free, in the order in which inputs of each player get them."""


FREE_KEYS: Final = frozenset({*_DIGITS, *_LETTERS, "space", "enter"})


def own_rows(says: Definition) -> list[str]:
    """Return the keys of each input that every player has, by the players' places."""
    most = says.seats[1]
    number = sum(control.whose == "own" for control in says.inputs.values())
    first = _DIGITS[:most]
    rest = _LETTERS
    if most > len(_DIGITS):  # the digits go on with letters
        signs = _DIGITS + _LETTERS
        first, rest = signs[:most], signs[most:]
    rows = [first, *(rest[at : at + most] for at in range(0, len(rest) - most + 1, most))]
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
    return (counter and _why_not_counted(control, counter)) or _why_not_there(says, control)


def _why_not_counted(control: Input, counter: Counter) -> tuple[str, str] | None:
    """Return what is wrong with an input that counts, and what would be right, or None."""
    if control.sets is not None and control.by != 1:
        return "it sets the counter, or adds to it", "sets, or by"
    if (counter.of == "table") != (control.whose == "table"):
        return (
            f"{control.does} is kept for {counter.of}",
            'for = "table"' if counter.of == "table" else 'for = "own"',
        )
    if counter.secret:
        return (
            f"{control.does} is secret, and a button tells everybody",
            "no input: it is entered by its player",
        )
    return _why_not_set(control, counter)


def _why_not_set(control: Input, counter: Counter) -> tuple[str, str] | None:
    """Return what is wrong with the number that an input sets: outside the bounds it would always be refused."""
    if control.sets is None:
        return None
    if counter.least is not None and control.sets < counter.least:
        return (
            f"it sets {control.sets}, and {control.does} has at least {counter.least}",
            f"{counter.least} or more",
        )
    if counter.most is not None and control.sets > counter.most:
        return (
            f"it sets {control.sets}, and {control.does} has at most {counter.most}",
            f"{counter.most} or less",
        )
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
    ends = any(kind.times for kind in says.rounds.values()) and all(
        kind.times for kind in says.rounds.values()
    )
    if not says.over and not ends and (says.clock is None or says.clock.then != "game"):
        yield FileFault(
            (), "the game never ends", "over, or rounds with times, or a clock that ends the game"
        )
    if (says.wins == "together") != bool(says.won):
        yield FileFault(
            ("won",), "who wins together needs to know when", 'wins = "together" with won = "..."'
        )
    for name, kind in list(says.rounds.items())[:-1]:
        if not kind.times:
            yield FileFault(
                ("rounds", name), "no round comes after one without an end", "times = 1 or more"
            )
    for name, kind in says.rounds.items():
        if (kind.ends == "when") != bool(kind.when):
            yield FileFault(
                ("rounds", name),
                "a round that ends by an expression has one",
                'ends = "when", when = "..."',
            )
    if says.turn is None and any(kind.ends == "turns" for kind in says.rounds.values()):
        yield FileFault(("rounds",), "there is no [turn]", 'ends = "input", or a [turn]')
    clock = says.clock
    if clock is not None and "turn" in (clock.of, clock.then) and says.turn is None:
        yield FileFault(("clock",), "there is no [turn]", "[turn]")
    if clock is not None and clock.then == "round" and says.checks:
        yield FileFault(
            ("clock", "then"),
            "a round that the clock ends cannot wait for [checks]",
            'then = "game"',
        )


def _counters(says: Definition) -> Iterator[FileFault]:
    for name, counter in says.counters.items():
        least, most = counter.least, counter.most
        if (least is not None and counter.start < least) or (
            most is not None and counter.start > most
        ):
            yield FileFault(
                ("counters", name), f"it starts at {counter.start}", "a start within least and most"
            )
        if counter.lasts == "turn" and says.turn is None:
            yield FileFault(("counters", name), "there is no [turn]", 'lasts = "round" or "game"')
        if counter.secret and counter.once:
            yield FileFault(
                ("counters", name),
                "that it is used already would tell of a secret",
                "secret, or once",
            )
        if counter.secret and (counter.of == "table" or counter.lasts != "round"):
            yield FileFault(
                ("counters", name),
                "a secret is one player's, for a round",
                'of = "seat", lasts = "round"',
            )
