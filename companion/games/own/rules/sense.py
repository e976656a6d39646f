"""Whether the fields of a data file go together: names, inputs and their keys, rounds and ends, counters."""

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
    Definition,
    Input,
)
from companion.games.own.rules.expressions import quoted
from companion.games.own.rules.source import FileFault
from companion.rules.columns import nearest


def require_sense(says: Definition) -> None:
    """Raise `FileFault` for fields that do not go together."""
    least, most = says.seats
    if not 1 <= least <= most <= MOST_SEATS:
        raise FileFault(("seats",), f"{least} to {most} players", f"the fewest and the most, of 1 to {MOST_SEATS}")
    for clause, check in says.checks.items():
        if check.asked == "always" and says.secrets:
            why = "what is always asked would tell of the secret counters"
            raise FileFault(("checks", clause, "asked"), why, 'asked = "round"')
    for found in (_names(says), _inputs(says), _ends(says), _counters(says)):
        for fault in found:
            raise fault


def _names(says: Definition) -> Iterator[FileFault]:
    taken = {ROUND, PLAYERS, TURNS, ADDS, SCORE, "table", "and", "or", "not", "if", "else", "in", "is", "lambda"}
    taken |= {"sum", "max", "min", "count", "total", "best", "worst", "last"}
    for table in ("counters", "values", "options"):
        for name in getattr(says, table):
            if name in taken:
                yield FileFault((table, name), "is a name that is taken", "a name of its own")
            taken.add(name)


def _inputs(says: Definition) -> Iterator[FileFault]:
    rows = own_rows(says)
    keys = set("".join(rows))
    if sum(each.whose == "own" for each in says.inputs.values()) > len(rows):
        expected = f"at most {len(rows)} inputs for own with {says.seats[1]} players"
        yield FileFault(("inputs",), "there are not keys enough for each player to have all of them", expected)
    for name, each in says.inputs.items():
        path = ("inputs", name)
        if each.does not in says.counters and each.does not in DEEDS:
            near = nearest(each.does, [*says.counters, *DEEDS])
            expected = near or f"a counter, or one of {', '.join(DEEDS)}"
            yield FileFault((*path, "does"), f"is {quoted(each.does)}", expected)
        elif (why := _why_not(says, each)) is not None:
            yield FileFault(path, *why)
        if each.key is not None and (each.key in keys or each.key not in FREE_KEYS):
            free = [key for key in sorted(FREE_KEYS) if key not in keys]
            yield FileFault((*path, "key"), f"is {quoted(each.key)}, which is taken", f"one of {', '.join(free)}")
        keys.add(each.key or "")


_DIGITS, _LETTERS = "1234567890", "qwetioasdfkmn"
"""The signs that no key of the table has, in the order in which inputs that each player has get them."""


FREE_KEYS: Final = frozenset({*_DIGITS, *_LETTERS, "space", "enter"})


def own_rows(says: Definition) -> list[str]:
    """Return the keys of each input that every player has, by the player's place."""
    most = says.seats[1]
    number = sum(each.whose == "own" for each in says.inputs.values())
    rows = [_DIGITS[:most], *(_LETTERS[at : at + most] for at in range(0, len(_LETTERS) - most + 1, most))]
    return rows[:number]


def _why_not(says: Definition, each: Input) -> tuple[str, str] | None:
    """What is wrong with an input, and what would be right."""
    counter = says.counters.get(each.does)
    if counter is None and each.whose == "own":
        return f"{each.does} is nobody's own", 'for = "table", or "turn"'
    if each.does in (TURN_ENDS, BUST) and says.turn is None:
        return f"there is no [turn], so nothing is to do for {quoted(each.does)}", "[turn]"
    if counter is not None and (counter.of == "table") != (each.whose == "table"):
        return f"{each.does} is kept for {counter.of}", 'for = "table"' if counter.of == "table" else 'for = "own"'
    if counter is not None and counter.secret:
        return f"{each.does} is secret, and a button tells everybody", "no input: it is entered by its player"
    if each.whose == "turn" and says.turn is None:
        return "there is no [turn]", 'for = "own", or a [turn]'
    if each.whose == "own" and (each.key is not None or each.zone is not None):
        return "each player has a key and a button for it, by their place", "no key, no zone"
    if each.whose == "own" and each.on in ("shot", "dry pull"):
        return "there is one gun, which is nobody's own", 'for = "turn", or "table"'
    if each.whose != "own" and each.key is None:
        return "it has no key", "key = ..., for whoever plays without a board"
    if each.whose != "own" and each.on in ("tap", "hold") and each.zone is None:
        return f"a {each.on} of which button", "zone = 1 to 10"
    return None


def _ends(says: Definition) -> Iterator[FileFault]:
    ends = any(each.times for each in says.rounds.values()) and all(each.times for each in says.rounds.values())
    if not says.over and not ends and (says.clock is None or says.clock.then != "game"):
        yield FileFault((), "the game never ends", "over, or rounds with times, or a clock that ends the game")
    if (says.wins == "together") != bool(says.won):
        yield FileFault(("won",), "who wins together needs to know when", 'wins = "together" with won = "..."')
    for name, each in list(says.rounds.items())[:-1]:
        if not each.times:
            yield FileFault(("rounds", name), "no round comes after one without an end", "times = 1 or more")
    if says.turn is None and any(each.ends == "turns" for each in says.rounds.values()):
        yield FileFault(("rounds",), "there is no [turn]", 'ends = "input", or a [turn]')
    clock = says.clock
    if clock is not None and "turn" in (clock.of, clock.then) and says.turn is None:
        yield FileFault(("clock",), "there is no [turn]", "[turn]")
    if clock is not None and clock.then == "round" and says.checks:
        yield FileFault(("clock", "then"), "a round that the clock ends cannot wait for [checks]", 'then = "game"')


def _counters(says: Definition) -> Iterator[FileFault]:
    for name, each in says.counters.items():
        least, most = each.least, each.most
        if (least is not None and each.start < least) or (most is not None and each.start > most):
            yield FileFault(("counters", name), f"it starts at {each.start}", "a start within least and most")
        if each.lasts == "turn" and says.turn is None:
            yield FileFault(("counters", name), "there is no [turn]", 'lasts = "round" or "game"')
        if each.secret and (each.of == "table" or each.lasts != "round"):
            yield FileFault(("counters", name), "a secret is one player's, for a round", 'of = "seat", lasts = "round"')
