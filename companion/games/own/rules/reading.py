"""Reading the data file of a game, which anybody may have written: what it says, or what is wrong with it and where."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from pydantic import ValidationError

from companion.games.own.rules.definition import BUST, DEEDS, FORMAT, MOST_SEATS, TURN_ENDS, Definition, Input
from companion.games.own.rules.expressions import Expression, Names, NotAnExpression, depth_of, quoted, read_expression
from companion.games.own.rules.source import FileFault, data_of, said
from companion.rules.columns import nearest, plural

ROUND, PLAYERS, TURNS, ADDS, SCORE = "round", "players", "turns", "adds", "score"
"""Names that every file has: the number of this round, how many play, how many turns a player had in this round, how
many additions in this turn, and the score, in what is asked of it."""


@dataclass(frozen=True, slots=True)
class OwnRules:
    """A definition, and its expressions as trees; `digest` is that of its text, `depth` how deep they are nested."""

    text: str
    digest: str
    says: Definition
    score: Expression
    over: Expression | None
    won: Expression | None
    bust: Expression | None
    turn_ends: Expression | None
    ties: tuple[Expression, ...] = ()
    values: Mapping[str, Expression] = field(default_factory=dict)
    checks: Mapping[str, Expression] = field(default_factory=dict)
    depth: int = 0

    @property
    def id(self) -> str:
        """What sessions call the game: its own id, and the text that it was played by."""
        return f"{self.says.id}-{self.digest[:8]}"


@lru_cache(maxsize=64)
def rules_of(text: str) -> OwnRules:
    """Return what the text of a file says; raise `FileFault`. Its examples are not played here."""
    own = _compiled(text, _definition(data_of(text)))
    return replace(own, depth=_depth(own))


def _depth(own: OwnRules) -> int:
    """How deep the expressions of a file are nested, through all that they name."""
    depths: dict[str, int] = {}
    for name, each in own.values.items():
        depths[name] = depth_of(each, depths)
    depths[SCORE] = depth_of(own.score, depths) + 1  # what the table set by hand is added
    asked = (own.over, own.won, own.bust, own.turn_ends, *own.ties, *own.checks.values())
    return max(*depths.values(), *(depth_of(each, depths) for each in asked if each is not None), 0)


def _definition(data: dict[str, Any]) -> Definition:
    if data.get("format") != FORMAT:
        why = f"is {said(data['format'])}" if "format" in data else "is missing"
        raise FileFault(("format",), why, f"format = {FORMAT}")
    try:
        return Definition.model_validate_json(json.dumps(data, default=str), strict=True)
    except ValidationError as error:
        raise _unfit(error) from None


def _unfit(error: ValidationError) -> FileFault:
    """The first thing that does not fit, in our words."""
    wrong = error.errors()
    # A name that is misspelt is missing as well: what stands there is told first.
    first = next((each for each in wrong if each["type"] == "extra_forbidden"), wrong[0])
    path = tuple(str(part) for part in first["loc"] if part != "[key]")
    name, kind, context = path[-1] if path else "the file", first["type"], first.get("ctx", {})
    if kind == "missing" and name.isdecimal():
        return FileFault(path[:-1], "is too short a list", "two numbers, as in [2, 6]")
    if kind == "missing":
        wanted = f"[{name}.NAME]" if path in (("counters",), ("examples",)) else f"a line that sets {name}"
        return FileFault(path[:-1], f"{name} is missing", wanted)
    if kind == "extra_forbidden":
        known = sorted(_fields_at(path[:-1]))
        near = nearest(name, known)
        return FileFault(path, "is not known here", near or f"one of {', '.join(known)}")
    if "expected" in context:
        return FileFault(path, f"is {said(first['input'])}", str(context["expected"]))
    why = str(context["error"]) if "error" in context else "another kind of value"
    return FileFault(path, f"is {said(first['input'])}", _expected(kind, context, why))


def _expected(kind: str, context: Mapping[str, Any], why: str) -> str:
    limits = {"ge": "{} or more", "le": "{} or less", "min_length": "{} or more", "max_length": "{} or fewer"}
    of_words = kind in ("string_too_short", "string_too_long")
    numbers = {
        limit: plural(context[limit], "character") if of_words else f"{context[limit]:,}"
        for limit in limits
        if limit in context
    }
    told = [limits[limit].format(number) for limit, number in numbers.items()]
    forms = {
        "string_type": "words in quotes",
        "string_pattern_mismatch": "small letters, digits and _ for a name; HE-1 for a clause; one sign for a key",
        "int_type": "a whole number",
        "int_parsing": "a whole number",
        "int_from_float": "a whole number",
        "bool_type": "true or false",
        "bool_parsing": "true or false",
        "tuple_type": "a list in [ ]",
        "dict_type": "a table",
        "model_type": "a table",
    }
    return " and ".join(told) or forms.get(kind, why)


def _fields_at(path: tuple[str, ...]) -> set[str]:
    """The names that a table may have; empty where any name will do."""
    found: Any = Definition.model_json_schema(by_alias=True)
    defs = found["$defs"]
    for name in path:
        named: list[Any] = [found.get("additionalProperties"), *found.get("patternProperties", {}).values()]
        inner: Any = found.get("properties", {}).get(name) or next(filter(None, named), {})
        options = [inner, *inner.get("anyOf", [])]
        link = next((one["$ref"] for one in options if "$ref" in one), None)
        found = defs[link.rpartition("/")[2]] if link else inner
    return set(found.get("properties", ()))


def _compiled(text: str, says: Definition) -> OwnRules:
    _require_sense(says)
    table = {name for name, counter in says.counters.items() if counter.of == "table"}
    open_ones = {name for name, counter in says.counters.items() if counter.of == "seat" and not counter.secret}
    for_table, kept = frozenset({ROUND, PLAYERS, *table, *says.options}), frozenset(says.counters)
    names = Names(for_table, frozenset({TURNS, ADDS, *open_ones}), kept)
    whole = Names(for_table, frozenset({TURNS, ADDS, *says.counters}) - table, kept)

    def read(path: tuple[str, ...], formula: str, known: Names, *, for_seat: bool) -> Expression:
        try:
            return read_expression(formula, known, for_seat=for_seat)
        except NotAnExpression as problem:
            raise FileFault(path, f"{quoted(formula)}: {problem}", problem.expected) from None

    def if_any(path: tuple[str, ...], formula: str, known: Names, *, for_seat: bool) -> Expression | None:
        return read(path, formula, known, for_seat=for_seat) if formula else None

    values: dict[str, Expression] = {}
    for name, formula in says.values.items():
        values[name] = read(("values", name), formula, whole, for_seat=True)
        with suppress(NotAnExpression):
            read_expression(formula, names, for_seat=True)
            names = Names(names.for_table, names.for_seat | {name}, names.kept)
        names, whole = (Names(each.for_table, each.for_seat, each.kept | {name}) for each in (names, whole))
        whole = Names(whole.for_table, whole.for_seat | {name}, whole.kept)
    scored = Names(names.for_table, names.for_seat | {SCORE}, names.kept)
    turn = says.turn
    return OwnRules(
        text, sha256(text.encode()).hexdigest(), says,
        score=read(("score",), says.score, names, for_seat=True),
        over=if_any(("over",), says.over, scored, for_seat=False),
        won=if_any(("won",), says.won, scored, for_seat=False),
        bust=None if turn is None else if_any(("turn", "bust"), turn.bust, scored, for_seat=True),
        turn_ends=None if turn is None else if_any(("turn", "ends"), turn.ends, scored, for_seat=True),
        ties=tuple(read(("ties",), formula, scored, for_seat=True) for formula in says.ties),
        values=values,
        checks={
            clause: read(("checks", clause), check.when, whole, for_seat=False) for clause, check in says.checks.items()
        },
    )  # fmt: skip


def _require_sense(says: Definition) -> None:
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
